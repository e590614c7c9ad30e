"""Measure whether language models explain their decisions equally well to everyone.

The library behind the book: benchmark, clients, metrics and statistics of the Explanation Fairness Taxonomy
(arXiv 2605.08671), and the noise floor that the study lacks. Modules are listed from the ground up in ``pages/``;
each imports only from modules below its own.
"""

__version__ = "0.1.0"
