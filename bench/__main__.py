"""Run the benchmarks: ``python -m bench [NAME …]``; each prints ratios beside what they should be."""

from __future__ import annotations

import sys

from bench import collecting, embedding, measuring, rendering, statistics, tables

BENCHES = {
    "rendering": rendering.run,
    "collecting": collecting.run,
    "measuring": measuring.run,
    "embedding": embedding.run,
    "statistics": statistics.run,
    "tables": tables.run,
}


def main(names: list[str]) -> int:
    for name in names:
        if name not in BENCHES:
            print(f"error: no bench {name!r}; allowed: {', '.join(BENCHES)}", file=sys.stderr)
            return 2
    for name in names or BENCHES:
        print(f"== {name}", flush=True)
        for line in BENCHES[name]():
            print(f"  {line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
