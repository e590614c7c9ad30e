"""One function a figure. Colours are those of Okabe and Ito, which the colour-blind can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from eftlib.benchmark import AXES, DOMAINS
from eftlib.metrics import METRICS, STUDY_METRICS
from eftlib.stats.equivalence import RATIO_BOUND

GREYS = ("#4D4D4D", "#A6A6A6", "#7A7A7A", "#C8C8C8")  # of profiles and conditions, since a colour is a model
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^v*PX"  # a colour that comes again comes with another shape
WIDTH = 7.2  # inches: a column of the book
NOISE_D = float(np.sqrt(2 / np.pi) / np.sqrt(1 - 2 / np.pi))  # mean / SD of the absolute value of a normal variable: 1.32

# told apart by shape as well as by colour
VERDICT_MARKERS = {"cannot tell": "o", "no disparity beyond noise": "v", "disparity beyond noise": "^"}

_STYLE: Any = {
    "svg.hashsalt": "explanation-fairness",  # the same bytes each time
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,  # a legend below the axes
    "savefig.facecolor": "white",
}


def save(figure: Figure, folder: Path, name: str) -> None:
    """Write a figure as ``<name>.svg`` and ``<name>.pdf``, with the same bytes each time.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    folder : Path
        Made if it is not there.
    name : str
    """
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(_STYLE):
        figure.savefig(folder / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
        figure.savefig(folder / f"{name}.pdf", bbox_inches="tight", metadata={"CreationDate": None, "ModDate": None})


def effect_sizes(by_profile: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw Cohen's d of each metric, a bar a profile, with the d of pure noise (study, Fig. 1).

    Parameters
    ----------
    by_profile : mapping of str to pandas.DataFrame
        Name of a profile to what `eftlib.analysis.existence` gives.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [name for name in STUDY_METRICS if any(name in set(table["metric"]) for table in by_profile.values())]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 0.5 * len(names) + 1))
        axes = figure.subplots()
        height = 0.8 / len(by_profile)
        for place, (profile, table) in enumerate(by_profile.items()):
            d = table.set_index("metric")["d"].reindex(names)
            where = np.arange(len(names)) + (place - (len(by_profile) - 1) / 2) * height
            axes.barh(where, d.fillna(0), height, label=profile, color=GREYS[place])
        axes.axvline(NOISE_D, color="black", linestyle="--", linewidth=1, label=f"noise alone, normal ({NOISE_D:.2f})")
        axes.set_yticks(np.arange(len(names)), [METRICS[name].label for name in names])
        axes.invert_yaxis()
        axes.set_xlabel("Cohen's d of the absolute difference (mean / SD, no unit)")
        figure.legend(frameon=False, loc="outside lower center", ncols=3)
    return figure


def axis_heatmap(effects: pd.DataFrame) -> Figure:
    """Draw Cohen's d by metric and axis (study, Fig. 2); a metric that is nowhere defined has no row.

    Parameters
    ----------
    effects : pandas.DataFrame
        As `eftlib.analysis.axis_effects` gives it.

    Returns
    -------
    matplotlib.figure.Figure
    """
    table = effects.pivot(index="metric", columns="axis", values="d").dropna(how="all")
    rows = [name for name in STUDY_METRICS if name in table.index]
    columns = [name for name in AXES if name in table.columns]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 0.42 * len(rows) + 1))
        axes = figure.subplots()
        labels = [METRICS[name].label for name in rows]
        n = effects.groupby("axis")["n"].max()
        named = [f"{name}\n(n = {n[name]})" for name in columns]
        _heatmap(axes, table.loc[rows, columns], labels, named, unit="Cohen's d")
    return figure


def model_domain_heatmaps(cells: pd.DataFrame, metrics: Sequence[str], labels: Mapping[str, str]) -> Figure:
    """Draw mean disparity by model and domain, a panel a metric that has a value (study, Fig. 3).

    Parameters
    ----------
    cells : pandas.DataFrame
        As `eftlib.analysis.by_model_and_domain` gives them.
    metrics : sequence of str
    labels : mapping of str to str
        Names of models to what a reader sees.

    Returns
    -------
    matplotlib.figure.Figure
    """
    models = [name for name in labels if name in set(cells["model"])]
    metrics = [name for name in metrics if cells.loc[cells["metric"] == name, "mean"].notna().any()]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 0.45 * len(models) + 1.2))
        for place, (axes, metric) in enumerate(zip(np.atleast_1d(figure.subplots(1, len(metrics))), metrics, strict=True)):
            table = cells[cells["metric"] == metric].pivot(index="model", columns="domain", values="mean")
            table = table.reindex(index=models, columns=[name for name in DOMAINS if name in table.columns])
            names = [labels[name] for name in models] if place == 0 else [""] * len(models)
            _heatmap(axes, table, names, list(table.columns), unit="")
            axes.set_title(f"{METRICS[metric].label}, {METRICS[metric].unit}", fontsize=9)
    return figure


def mitigation_bars(table: pd.DataFrame, labels: Mapping[str, str], alpha: float = 0.05) -> Figure:
    """Draw mean disparity under each mitigation relative to the baseline, a panel a model (study, Fig. 4).

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.analysis.mitigations` gives it.
    labels : mapping of str to str
        Names of models to what a reader sees.
    alpha : float
        A star marks an adjusted p of at most this.

    Returns
    -------
    matplotlib.figure.Figure
    """
    models = [name for name in labels if name in set(table["model"])]
    conditions = list(dict.fromkeys(table["condition"]))
    names = [name for name in STUDY_METRICS if name in set(table["metric"])]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 0.45 * len(names) + 1.2))
        panels = np.atleast_1d(figure.subplots(1, len(models), sharey=True, sharex=True))
        for axes, model in zip(panels, models, strict=True):
            here = table[table["model"] == model]
            for place, condition in enumerate(conditions):
                rows = here[here["condition"] == condition].set_index("metric").reindex(names)
                relative = rows["mitigated"] / rows["baseline"]
                where = np.arange(len(names)) + (place - (len(conditions) - 1) / 2) * 0.38
                axes.barh(where, relative.fillna(0), 0.36, color=GREYS[place % len(GREYS)], label=condition)
                for y, x, p in zip(where, relative, rows["p_bh"], strict=True):
                    if p <= alpha:
                        axes.text(x, y, " *", va="center")
            axes.axvline(1, color="black", linewidth=1)
            axes.set_title(labels[model], fontsize=9)
            axes.set_xlabel("mitigated / baseline")
        panels[0].set_yticks(np.arange(len(names)), [METRICS[name].label for name in names])
        panels[0].invert_yaxis()
        figure.legend(*panels[-1].get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=len(conditions))
    return figure


def noise_floor(table: pd.DataFrame, labels: Mapping[str, str]) -> Figure:
    """Draw the gap between groups in units of the gap within them: a point and its 95 % interval a metric and scope.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.analysis.noise_pooled` gives it.
    labels : mapping of str to str
        Scopes to what a reader sees, in the order in which they are drawn.

    Returns
    -------
    matplotlib.figure.Figure
    """
    scopes = [name for name in labels if name in set(table["scope"])]
    names = list(dict.fromkeys(table["metric"]))
    low, high = 0.5, 2.0
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, max(0.55, 0.16 * len(scopes)) * len(names) + 1.4))
        axes = figure.subplots()
        axes.axvspan(1, RATIO_BOUND, color="#DDDDDD", label=f"at most {RATIO_BOUND - 1:.0%} more")
        axes.axvline(1, color="black", linewidth=1.2, label="as far apart as two people of one group")
        # black is that of all models together
        looks = [("#000000", "o")] * (len(scopes) > 1) + [
            (COLOURS[:-1][place % (len(COLOURS) - 1)], MARKERS[place // (len(COLOURS) - 1) % len(MARKERS)])
            for place in range(len(scopes))
        ]
        step = min(0.24, 0.8 / max(1, len(scopes)))
        for place, (scope, (colour, marker)) in enumerate(zip(scopes, looks, strict=False)):
            rows = table[table["scope"] == scope].set_index("metric").reindex(names)
            where = np.arange(len(names)) + (place - (len(scopes) - 1) / 2) * step
            ends = rows[["ratio_low", "ratio_high"]].clip(low, high).where(rows["ratio"].notna(), np.nan, axis=0)
            axes.hlines(where, ends["ratio_low"], ends["ratio_high"], color=colour, linewidth=2)
            axes.plot(rows["ratio"].clip(low, high), where, marker, color=colour, markersize=5, label=labels[scope])
            # what goes on beyond the axis ends in an arrow
            for limit, arrow, beyond in ((low, "<", rows["ratio_low"] < low), (high, ">", rows["ratio_high"] > high)):
                if (here := (beyond & rows["ratio"].notna()).to_numpy()).any():
                    axes.plot(np.full(here.sum(), limit), where[here], arrow, color=colour, markersize=5, clip_on=False)
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        ticks = [0.5, 0.75, 1, 1.25, 1.5, 2]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks], minor=False)
        axes.set_xticks([], minor=True)
        axes.set_yticks(np.arange(len(names)), [METRICS[name].label for name in names])
        axes.invert_yaxis()
        axes.set_xlabel("mean gap between groups / mean gap within groups (no unit)")
        figure.legend(frameon=False, loc="outside lower center", ncols=2)
    return figure


def specification_curve(table: pd.DataFrame) -> Figure:
    """Draw the ratio of every specification with its 95 % interval, a panel a metric, from smallest to largest.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.analysis.specifications` gives it.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [name for name in STUDY_METRICS if name in set(table["metric"])]
    low, high = 0.5, 2.0
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 1.5 * ((len(names) + 1) // 2) + 0.8))
        panels = np.atleast_1d(figure.subplots((len(names) + 1) // 2, min(2, len(names)), sharex=False, sharey=True)).ravel()
        for axes in panels[len(names) :]:
            axes.set_visible(False)
        for axes, name in zip(panels, names, strict=False):
            rows = table[(table["metric"] == name) & table["ratio"].notna()].sort_values("ratio", kind="stable")
            where = np.arange(len(rows))
            axes.axhspan(1, RATIO_BOUND, color="#DDDDDD")
            axes.axhline(1, color="black", linewidth=1)
            axes.vlines(
                where, rows["ratio_low"].clip(low, high), rows["ratio_high"].clip(low, high), color="#999999", linewidth=0.6
            )
            for colour, (verdict, marker) in zip(("#000000", *COLOURS[2:]), VERDICT_MARKERS.items(), strict=False):
                here = (rows["verdict"] == verdict).to_numpy()
                axes.plot(where[here], rows["ratio"].to_numpy()[here], marker, color=colour, markersize=3, label=verdict)
            own = rows["headline"].to_numpy()
            axes.plot(
                where[own],
                rows["ratio"].to_numpy()[own],
                "s",
                color="none",
                markeredgecolor="black",
                markersize=8,
                label="headline",
            )
            axes.set_yscale("log")
            axes.set_ylim(low, high)
            axes.set_yticks([0.5, 1, 2], ["0.5", "1", "2"])
            axes.set_yticks([], minor=True)
            # what goes on beyond the axis ends in an arrow
            for limit, arrow, beyond in ((low, "v", rows["ratio_low"] < low), (high, "^", rows["ratio_high"] > high)):
                if (here := beyond.to_numpy()).any():
                    axes.plot(where[here], np.full(here.sum(), limit), arrow, color="#999999", markersize=3, clip_on=False)
            axes.set_xticks([])
            axes.set_title(METRICS[name].label, fontsize=9)
        for axes in panels[max(0, len(names) - 2) : len(names)]:
            axes.set_xlabel("specifications, by ratio")
        figure.supylabel("gap between groups / gap within (no unit)", fontsize=9)
        figure.legend(*panels[0].get_legend_handles_labels(), frameon=False, loc="outside lower center", ncols=4)
    return figure


def calibration(table: pd.DataFrame, labels: Mapping[str, str], tests: Mapping[str, str]) -> Figure:
    """Draw how often each test rejects where there is nothing to find between groups: a point a test and scenario.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.calibration.calibrate` gives it, one row a scenario.
    labels, tests : mapping of str to str
        Scenarios and tests to what a reader sees, in the order in which they are drawn.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = table.set_index("scenario").reindex(list(labels))
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, 0.32 * len(labels) + 1.6))
        axes = figure.subplots()
        axes.axvline(0.05, color="black", linewidth=1.2, label="5 %: what a test promises")
        for place, (test, label) in enumerate(tests.items()):
            axes.plot(
                rows[test],
                np.arange(len(labels)),
                MARKERS[place % len(MARKERS)],
                color=COLOURS[place % len(COLOURS)],
                markersize=5,
                label=label,
            )
        axes.set_yticks(np.arange(len(labels)), list(labels.values()))
        axes.invert_yaxis()
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("share of simulated studies in which the test rejects (no unit)")
        figure.legend(frameon=False, loc="outside lower center", ncols=2)
    return figure


def _heatmap(axes: Axes, table: pd.DataFrame, rows: Sequence[str], columns: Sequence[str], *, unit: str) -> None:
    import seaborn as sns  # noqa: PLC0415 - a quarter of a second that only pages with a heatmap should take

    values = table.to_numpy(dtype=float)
    light = sns.blend_palette(["#E3F1FB", "#56B4E9"], as_cmap=True)  # black is read on all of it
    limits = {} if np.isfinite(values).any() else {"vmin": 0, "vmax": 1}  # there are none to find where nothing is known
    # a trailing zero is a digit too, a trailing point is none
    text = [[f"{value:#.3g}".rstrip(".") for value in row] for row in values]
    sns.heatmap(
        values, ax=axes, annot=text, fmt="", annot_kws={"fontsize": 8, "color": "black"}, cmap=light, cbar_kws={"label": unit},
        xticklabels=list(columns), yticklabels=list(rows), **limits,
    )  # fmt: skip
    # where a value is undefined there is hatching
    for y, x in np.argwhere(~np.isfinite(values)):
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor="white", edgecolor="#888888", hatch="///", linewidth=0))
    axes.tick_params(axis="x", rotation=20)
    axes.tick_params(axis="y", rotation=0)
