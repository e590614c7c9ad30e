"""How often the intervals hold what is true of simulated studies, and how often equivalence is claimed.

Run as ``python -m eftlib.coverage``; what is written stays, so the same command goes on where a run was stopped.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import integrate, stats

from eftlib.calibration import LOGNORMAL_SD, SCENARIOS, Design, Scenario, command, deal, described, share, simulate, stream
from eftlib.stats import equivalence

LEVELS = ("names", "groups")
# the 95 % limits of the ratio and the 90 % limits of the difference hold the truth; each half of equivalence, and both, hold
RATES = tuple(
    f"{level}_{what}"
    for level, what in product(
        LEVELS, ("ratio_held", "difference_held", "ratio_equivalent", "difference_equivalent", "equivalent")
    )
)
# whose truth `truth` knows
KNOWN = (
    "iid", "persona .1", "persona .2", "persona .3", "persona .5", "shared .5", "t2", "lognormal", "counts", "scale",
    "shift .2", "shift .5", "shift .64", "shift 1", "varies .5", "varies 1", "shift .5, persona .2", "shift .5, persona .3",
    "shift .5, lognormal",
)  # fmt: skip
DESIGNS = tuple(Design(name, t, m, 10) for t, m, name in product((80, 29, 15, 8), (5, 1), KNOWN))


def truth(scenario: Scenario) -> tuple[float, float]:
    """Return the ratio of the cross-group gap to the placebo gap, and the difference in placebo SD, over all studies.

    Parameters
    ----------
    scenario : Scenario
        Of one spread; with a shift normal and of one scale, or lognormal with nothing besides.

    Returns
    -------
    (float, float)

    Raises
    ------
    ValueError
        If it is another.

    Notes
    -----
    Normal: a gap is the size of a N(m, s), with mean s √(2/π) exp(-m²/2s²) + m (1 - 2 Φ(-m/s)). Lognormal: the mean of
    ``abs(X - c)`` is c (2 F(c) - 1) + μ (1 - 2 Φ(ln c - 1)), integrated over the other text. The placebo SD is √π/2 times
    the mean placebo gap.

    Examples
    --------
    >>> [round(x, 3) for x in truth(SCENARIOS["shift .64"])]  # the ratio's bound
    [1.1, 0.638]
    """
    shifted = bool(scenario.shift or scenario.shift_sd)
    skewed = scenario.noise == "lognormal" and scenario.shift >= 0
    alone = not (scenario.shift_sd or scenario.persona_sd or scenario.shared_sd)
    plain = scenario.noise == "normal" or (skewed and alone)
    if scenario.ratio_sd != 1 or (shifted and (scenario.scale_sd or not plain)):
        raise ValueError(f"no closed form is known for {scenario}")
    if not shifted:
        return 1.0, 0.0
    if skewed:
        shift = scenario.shift * LOGNORMAL_SD
        cross, within = _lognormal_gap(shift), _lognormal_gap(0.0)
        return cross / within, shift / (within * math.sqrt(math.pi) / 2)
    placebo = math.sqrt(2 + 2 * scenario.persona_sd**2)
    cross, within = (_normal_gap(*gap) for gap in ((scenario.shift, math.hypot(placebo, scenario.shift_sd)), (0.0, placebo)))
    return cross / within, scenario.shift / (placebo / math.sqrt(2))


def _normal_gap(mean: float, sd: float) -> float:
    return sd * math.sqrt(2 / math.pi) * math.exp(-(mean**2) / (2 * sd**2)) + mean * (1 - 2 * float(stats.norm.cdf(-mean / sd)))


def _lognormal_gap(shift: float) -> float:
    def gap(z: float) -> float:
        c, mean = math.exp(z) + shift, math.exp(0.5)
        log = math.log(c)
        away = c * (2 * stats.norm.cdf(log) - 1) + mean * (1 - 2 * stats.norm.cdf(log - 1))
        return float(away * stats.norm.pdf(z))

    return float(integrate.quad(gap, -12, 12, limit=200)[0])


def rates(design: Design, *, replicates: int, seed: int) -> dict[str, Any]:
    """Return how often intervals hold the truth and equivalence is claimed, with Monte Carlo standard errors.

    Parameters
    ----------
    design : Design
        Of a scenario in `KNOWN`.
    replicates : int
        R, studies simulated.
    seed : int
        Each design has a stream of its own.

    Returns
    -------
    dict
        A row of the table: the design, ``ratio`` and ``difference`` as they truly are, and `RATES`. Of names whose effects
        differ the truth is another in every study, so there the names' intervals are NaN.
    """
    scenario, rng, pairs = SCENARIOS[design.scenario], stream(design, seed), deal(design.templates, design.pairs)
    ratio, difference = truth(scenario)
    found = np.array([_held(simulate(design, rng), pairs, ratio, difference) for _ in range(replicates)], dtype=float)
    row = described(design, replicates=replicates, seed=seed) | {"ratio": ratio, "difference": difference}
    for name, rate in zip(RATES, found.mean(axis=0).tolist(), strict=True):
        unknown = scenario.persona_sd and name.startswith("names") and name.endswith("held")
        row |= share(name, math.nan if unknown else rate, replicates)
    return row


def _held(y: np.ndarray[Any, Any], pairs: np.ndarray[Any, Any], ratio: float, difference: float) -> list[bool]:
    found = equivalence(y, pairs=pairs)
    answers = []
    for each in (found.names, found.groups):
        if each is None:
            raise AssertionError("pairs are given, so there is a claim for groups")
        held = [ratio in each.ratio_limits, difference in each.difference_limits]
        answers += [*held, each.ratio_holds, each.difference_holds, each.holds]
    return answers


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional

    Returns
    -------
    int
        The exit code.
    """
    return command(
        "coverage",
        str(__doc__),
        designs=DESIGNS,
        row_of=rates,
        columns=RATES,
        out=Path("data/coverage.csv"),
        arguments=arguments,
    )


if __name__ == "__main__":
    sys.exit(main())
