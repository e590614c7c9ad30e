"""How often the tests reject in studies that are simulated, so that what is true of them is known.

Run as ``python -m eftlib.calibration``; what is written stays, so the same command goes on where a run was stopped.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from eftlib.errors import InputError, reported
from eftlib.stats import direction, magnitude, spread, wilcoxon_one_sample

Floats = npt.NDArray[np.float64]
RowOf = Callable[..., dict[str, Any]]
Noise = Literal["normal", "t2", "lognormal", "counts"]
TESTS = ("published", "names_magnitude", "names_direction", "groups_magnitude", "groups_direction", "spread")
ALPHA = 0.05
RESAMPLES = 499  # 5 % of 500 is a whole number, so that a Monte Carlo test keeps its size
LOGNORMAL_SD = math.sqrt((math.e - 1) * math.e)  # of exp(z), z standard normal


@dataclass(frozen=True)
class Scenario:
    """What is true of a simulated study; every SD in units of the SD of one text around its template.

    Attributes
    ----------
    label : str
    truth : {"nothing", "names", "spread", "shift"}
        No difference at all; names differ, and groups do not; B is more variable; B is shifted.
    shift, shift_sd : float
        Mean of B - A, and its SD over templates.
    persona_sd : float
        Of a person's own effect, the same in every template and model.
    shared_sd : float
        Of a person's effect in one template, shared by the models.
    ratio_sd : float
        SD of a B text over that of an A text.
    scale_sd : float
        Of the log of a template's SD over templates.
    noise : {"normal", "t2", "lognormal", "counts"}
        Of a text; t with 2 degrees of freedom has no SD and is taken as it is, counts are Poisson of mean 0.7.
    """

    label: str
    truth: Literal["nothing", "names", "spread", "shift"] = "nothing"
    shift: float = 0.0
    shift_sd: float = 0.0
    persona_sd: float = 0.0
    shared_sd: float = 0.0
    ratio_sd: float = 1.0
    scale_sd: float = 0.0
    noise: Noise = "normal"


SCENARIOS = {
    "iid": Scenario("independent, normal"),
    "persona .1": Scenario("names differ, SD 0.1", "names", persona_sd=0.1),
    "persona .2": Scenario("names differ, SD 0.2", "names", persona_sd=0.2),
    "persona .3": Scenario("names differ, SD 0.3", "names", persona_sd=0.3),
    "persona .5": Scenario("names differ, SD 0.5", "names", persona_sd=0.5),
    "shared .5": Scenario("name noise shared by the models, SD 0.5", shared_sd=0.5),
    "t2": Scenario("heavy tails: t(2)", noise="t2"),
    "lognormal": Scenario("skewed: lognormal", noise="lognormal"),
    "counts": Scenario("ties: counts of mean 0.7", noise="counts"),
    "scale": Scenario("templates differ in their SD", scale_sd=1.0),
    "lognormal, persona .2": Scenario("skewed, names differ, SD 0.2", "names", persona_sd=0.2, noise="lognormal"),
    "spread 1.5": Scenario("SD of B 1.5 times that of A", "spread", ratio_sd=1.5),
    "spread 2": Scenario("SD of B twice that of A", "spread", ratio_sd=2.0),
    "shift .2": Scenario("shift 0.2, the bound of the difference", "shift", shift=0.2),
    "shift .25": Scenario("shift 0.25", "shift", shift=0.25),
    "shift .5": Scenario("shift 0.5", "shift", shift=0.5),
    "shift .64": Scenario("shift 0.638, the bound of the ratio", "shift", shift=0.6378),
    "shift 1": Scenario("shift 1", "shift", shift=1.0),
    "varies .5": Scenario("shift 0 on average, SD 0.5 over templates", "shift", shift_sd=0.5),
    "varies 1": Scenario("shift 0 on average, SD 1 over templates", "shift", shift_sd=1.0),
    "shift .5, persona .2": Scenario("shift 0.5, names differ, SD 0.2", "shift", shift=0.5, persona_sd=0.2),
    "shift .5, persona .3": Scenario("shift 0.5, names differ, SD 0.3", "shift", shift=0.5, persona_sd=0.3),
    "shift .5, lognormal": Scenario("shift 0.5, skewed", "shift", shift=0.5, noise="lognormal"),
}


@dataclass(frozen=True)
class Design:
    """A scenario and the size of the study: T templates, M models, P persona pairs."""

    scenario: str
    templates: int
    models: int
    pairs: int


_BOUNDS = ("shift .2", "shift .64", "shift .5, persona .3")  # for `eftlib.coverage` alone
_GROWING = ("iid", "persona .3", "shift .25", "varies 1")
DESIGNS = (
    *(Design(name, t, m, 10) for t, m, name in product((80, 8), (5, 1), SCENARIOS) if name not in _BOUNDS),
    *(Design(name, t, 5, 10) for name, t in product(_GROWING, (15, 29, 160, 320))),
    *(Design(name, 80, 5, p) for name, p in product(_GROWING, (6, 20, 40))),
)


def deal(templates: int, pairs: int) -> npt.NDArray[np.int64]:
    """Return the two persona pairs of each template, rotated so that use differs by at most one round.

    Parameters
    ----------
    templates, pairs : int

    Returns
    -------
    ndarray of int, shape (T, 2)

    Examples
    --------
    >>> deal(4, 3).tolist()
    [[0, 1], [1, 2], [2, 0], [0, 2]]
    """
    t = np.arange(templates)
    first = t % pairs
    return np.stack([first, (first + 1 + t // pairs % (pairs - 1)) % pairs], axis=1)


def simulate(design: Design, rng: np.random.Generator) -> Floats:
    """Return one study.

    Parameters
    ----------
    design : Design
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (T, M, 4)
        A0 A1 B0 B1.
    """
    scenario = SCENARIOS[design.scenario]
    shape = (design.templates, design.models, 2, 2)  # side, draw
    unit = LOGNORMAL_SD if scenario.noise == "lognormal" else 1.0
    y = _noise(scenario.noise, shape, rng)
    if scenario.scale_sd:
        y *= np.exp(rng.normal(0, scenario.scale_sd, (design.templates, 1, 1, 1)))
    y[:, :, 1] *= scenario.ratio_sd
    if scenario.persona_sd:
        effects = rng.normal(0, scenario.persona_sd * unit, (design.pairs, 2))
        y += effects[deal(design.templates, design.pairs)].transpose(0, 2, 1)[:, None]
    if scenario.shared_sd:
        # one text of one model keeps the variance 1
        y *= math.sqrt(1 - scenario.shared_sd**2)
        y += rng.normal(0, scenario.shared_sd * unit, (design.templates, 1, 2, 2))
    y[:, :, 1] += scenario.shift * unit
    if scenario.shift_sd:
        y[:, :, 1] += rng.normal(0, scenario.shift_sd * unit, (design.templates, 1, 1))
    return y.reshape(design.templates, design.models, 4)


def _noise(noise: Noise, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    if noise == "t2":
        return rng.standard_t(2, shape)
    if noise == "counts":
        return rng.poisson(0.7, shape).astype(np.float64)
    normal = rng.standard_normal(shape)
    return np.exp(normal) if noise == "lognormal" else normal


def p_values(y: Floats, pairs: npt.NDArray[np.int64], *, resamples: int, rng: np.random.Generator) -> tuple[float, ...]:
    """Return the p of each of `TESTS` for one study.

    Parameters
    ----------
    y : ndarray, shape (T, M, 4)
    pairs : ndarray of int, shape (T, 2)
    resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    tuple of float
        NaN where a test is undefined. The published test takes the absolute differences of draw 0.
    """
    size = magnitude(y, pairs=pairs, resamples=resamples, rng=rng)
    sign = direction(y, pairs=pairs, resamples=resamples, rng=rng)
    groups = (size.groups.p if size.groups else math.nan, sign.groups.p if sign.groups else math.nan)
    published = wilcoxon_one_sample(np.abs(y[..., 0] - y[..., 2]).ravel())
    variable = spread(y, resamples=resamples, rng=rng)
    return (published.p, size.test.p, sign.test.p, *groups, variable.test.p)


def rates(design: Design, *, replicates: int, seed: int, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return how often each test rejects at 5 %, with the Monte Carlo standard error √(r (1 - r) / R).

    Parameters
    ----------
    design : Design
    replicates : int
        R, studies simulated.
    seed : int
        Each design has a stream of its own, so that a table does not depend on its order.
    resamples : int
        Relabellings a test, where they are too many to try all.

    Returns
    -------
    dict
        A row of the table; ``undefined`` counts the studies in which some test was undefined, which did not reject.
    """
    rng, pairs = stream(design, seed), deal(design.templates, design.pairs)
    found = np.array([p_values(simulate(design, rng), pairs, resamples=resamples, rng=rng) for _ in range(replicates)])
    row = described(design, replicates=replicates, resamples=resamples, seed=seed)
    row["undefined"] = int(np.isnan(found).any(axis=1).sum())
    for test, rate in zip(TESTS, (found <= ALPHA).mean(axis=0).tolist(), strict=True):
        row |= share(test, rate, replicates)
    return row


def stream(design: Design, seed: int) -> np.random.Generator:
    """Return the random numbers of a design, which do not depend on what is simulated before it.

    Parameters
    ----------
    design : Design
    seed : int

    Returns
    -------
    numpy.random.Generator
    """
    return np.random.default_rng([seed, zlib.crc32(repr(design).encode())])


def described(design: Design, **settings: int) -> dict[str, Any]:
    """Return the columns with which a row begins.

    Parameters
    ----------
    design : Design
    **settings : int
        Such as the replicates and the seed.

    Returns
    -------
    dict
    """
    return {
        "scenario": design.scenario, "truth": SCENARIOS[design.scenario].truth, "templates": design.templates,
        "models": design.models, "personas": design.pairs, **settings,
    }  # fmt: skip


def share(name: str, rate: float, replicates: int) -> dict[str, float]:
    """Return a share of R studies and its Monte Carlo standard error √(r (1 - r) / R).

    Parameters
    ----------
    name : str
    rate : float
    replicates : int

    Returns
    -------
    dict
        ``name`` and ``name_se``.
    """
    return {name: rate, f"{name}_se": math.sqrt(rate * (1 - rate) / replicates)}


def calibrate(
    designs: Sequence[Design],
    *,
    replicates: int,
    seed: int,
    out: Path | None = None,
    row_of: RowOf = rates,
    columns: Sequence[str] = TESTS,
) -> pd.DataFrame:
    """Simulate designs one after the other.

    Parameters
    ----------
    designs : sequence of Design
    replicates, seed
        As in `rates`.
    out : Path, optional
        A CSV file that keeps each row as soon as it is there; what it holds already is not simulated again.
    row_of : callable
        From a design, replicates and seed to its row.
    columns : sequence of str
        The shares that a row has.

    Returns
    -------
    pandas.DataFrame
        One row a design, in the order of ``designs``.

    Raises
    ------
    InputError
        If ``out`` holds rows of other replicates or another seed, or is no such table.
    """
    kept = _kept(out, columns, replicates=replicates, seed=seed) if out and out.exists() else {}
    began, rows = time.monotonic(), []
    for number, design in enumerate(designs, start=1):
        row = kept.get(design) or row_of(design, replicates=replicates, seed=seed)
        rows.append(row)
        if out and design not in kept:
            kept[design] = row
            _write(pd.DataFrame([kept[each] for each in designs if each in kept]), out)
            print(f"{time.monotonic() - began:7.1f} s  {number} of {len(designs)}: {design}", file=sys.stderr, flush=True)
    return pd.DataFrame(rows)


def _kept(out: Path, columns: Sequence[str], **settings: int) -> dict[Design, dict[str, Any]]:
    try:
        table = pd.read_csv(out)
        if missing := [name for name in columns if name not in table]:
            raise ValueError(f"it has no column {missing[0]}")
        if "resamples" in table:
            settings |= {"resamples": RESAMPLES}
        for name, value in settings.items():
            if (other := table[name][table[name] != value]).size:
                raise InputError(f"{out}: {name} is {other.iloc[0]}, not {value}; give another --out, or the same {name}")
        rows: list[dict[str, Any]] = [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]
        return {Design(row["scenario"], row["templates"], row["models"], row["personas"]): row for row in rows}
    except (KeyError, ValueError) as error:
        raise InputError(f"{out} is no table of this command ({error}); give another --out") from None


def _write(table: pd.DataFrame, out: Path) -> None:
    # a run that is stopped here leaves the table as it was
    partial = out.with_name(f"{out.name}.part")
    table.to_csv(partial, index=False, lineterminator="\n")
    partial.replace(out)


def command(
    name: str,
    about: str,
    *,
    designs: Sequence[Design],
    row_of: RowOf,
    columns: Sequence[str],
    out: Path,
    arguments: Sequence[str] | None,
) -> int:
    """Run a command that simulates designs.

    Parameters
    ----------
    name, about : str
        The module's name and what it says of itself.
    designs, row_of, columns
        As in `calibrate`.
    out : Path
        Where the table goes unless ``--out`` says otherwise.
    arguments : sequence of str or None

    Returns
    -------
    int
        The exit code.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m eftlib.{name}", description=about,
        epilog=f"example: python -m eftlib.{name} --replicates 2000 --out {out}",
    )  # fmt: skip
    parser.add_argument("--replicates", type=int, default=2000, help="studies a row (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=out, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=20260509, help="default: %(default)s")
    options = parser.parse_args(arguments)

    def run() -> int:
        if options.replicates < 1 or options.seed < 0:
            raise InputError("--replicates is at least 1, --seed at least 0")
        calibrate(designs, replicates=options.replicates, seed=options.seed, out=options.out, row_of=row_of, columns=columns)
        return 0

    return reported(run)


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
        "calibration",
        str(__doc__),
        designs=DESIGNS,
        row_of=rates,
        columns=TESTS,
        out=Path("data/calibration.csv"),
        arguments=arguments,
    )


if __name__ == "__main__":
    sys.exit(main())
