"""The worked examples of ``pages/noise_floor.md`` section 11: two code paths agreed on
them to 1e-8.

Rows are A0 A1 B0 B1; the expected numbers stand in the tests, as printed there (seven digits).
"""

import numpy as np

NAN = float("nan")

# five templates, one model
NAMES = np.array(
    [[[212, 198, 231, 240]], [[187, 205, 199, 222]], [[250, 243, 262, 251]], [[176, 181, 160, 203]], [[221, 230, 246, 228]]],
    dtype=float,
)

# eight templates, two models of unequal scale, five persona pairs
GROUPS = np.array(
    [
        [[193, 179, 178, 215], [38, 39, 43, 45]],
        [[188, 211, 206, 197], [48, 40, 40, 47]],
        [[169, 182, 224, 208], [41, 49, 48, 35]],
        [[187, 187, 211, 199], [33, 43, 45, 47]],
        [[142, 204, 203, 219], [38, 33, 48, 45]],
        [[202, 214, 206, 192], [36, 41, 49, 43]],
        [[190, 200, 228, 234], [35, 38, 44, 43]],
        [[222, 204, 198, 203], [37, 43, 43, 38]],
    ],
    dtype=float,
)
PAIRS = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [0, 2], [1, 3], [2, 4]])

# five templates, two models, not scaled; 4 of 10 cells are incomplete
MISSING = np.array(
    [
        [[10, 12, 15, NAN], [3, 4, 6, 5]],
        [[11, 9, NAN, 14], [2, 5, 4, 4]],
        [[8, 10, 9, 13], [NAN, 3, 5, NAN]],
        [[12, 12, 16, 15], [4, 3, 3, 6]],
        [[9, NAN, NAN, NAN], [5, 4, 7, 6]],
    ]
)

# four templates, one model, six personas of whom 0 1 2 are side A
UNMATCHED = np.array([[[5, 7, 9, 12]], [[6, 6, 11, 8]], [[7, 4, 10, 9]], [[5, 8, 7, 13]]], dtype=float)
PERSONAS = np.array([[0, 1, 3, 4], [1, 2, 4, 5], [2, 0, 5, 3], [0, 1, 4, 5]])

GAP = np.array([9.5, 12, 8.25, 10.5, 11.75, 7])
NULL = np.array([8, 10.25, 8.75, 9, 9.5, 7.5])

# reference/statistics.json: 25 values in quarters, with zeros and ties
X = np.array(
    [0, 0, 0, 1.5, 1.5, -1.5, 2, 2, -2, 3, 3, 3, -0.5, 0.5, 4.25, 5, -4.25, 7, 7, 8.5, -1, 10, 12, 0.5, 15], dtype=float
)
BASELINE = [4, 7, 2, 9, 5, 5, 0, 12, 3, 8, 6, 4]
MITIGATED = [3, 5, 0, 6, 2, 5, 1, 4, 0, 7, 3, 2]


def example(templates: int = 20, models: int = 3, seed: int = 7, shift: float = 0.6) -> np.ndarray:
    """Return normal texts with a shift of B."""
    y = np.random.default_rng(seed).standard_normal((templates, models, 4))
    y[..., 2:] += shift
    return y


def deal(templates: int, pairs: int, seed: int = 5) -> np.ndarray:
    """Return two different pairs a template."""
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(pairs, 2, replace=False) for _ in range(templates)])
