"""Benchmarks: ratios, measured in one run, because machines differ. `make bench` runs them all."""
