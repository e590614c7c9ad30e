"""Whether the headline would read otherwise had the texts been measured, or chosen, in another way."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import get_args

import pandas as pd

from eftlib import scoring, varied
from eftlib.analysis.noise import headline, judged
from eftlib.metrics import METRICS, PROFILES, STUDY_METRICS, Explanation, Profile, Similarities, UndefinedError
from eftlib.metrics.elaboration_depth import THRESHOLD, Linkage, clusters

ELABORATION = "elaboration_depth"
THRESHOLDS = (0.70, 0.75, 0.80)
LINKAGES: tuple[Linkage, ...] = get_args(Linkage)
# how texts are prepared: profile and what becomes of the name (the published profile never masks it)
PREPARED: tuple[tuple[Profile, str], ...] = (("published", "kept"), ("controlled", "masked"), ("controlled", "kept"))
CHOICES = ("profile", "name", "cut_off", "flagged", "models", "threshold", "linkage")
# the analysis plan's own
HEADLINE = {
    "profile": "controlled", "name": "masked", "cut_off": "dropped", "flagged": "measured", "models": "all",
    "threshold": THRESHOLD, "linkage": "average",
}  # fmt: skip


def specifications(
    explanations: pd.DataFrame, cosines: Similarities | str, *, seed: int, alpha: float = 0.05, resamples: int = 999
) -> pd.DataFrame:
    """Compute the headline for every combination of choices.

    Parameters
    ----------
    explanations : pandas.DataFrame
        As `eftlib.scoring.explanations` gives them, of one condition.
    cosines : Similarities or str
        Where cosines come from, or why there are none; a specification that lacks one leaves its metric undefined.
    seed : int
    alpha : float
    resamples : int
        Fewer than elsewhere, since there are hundreds of cells.

    Returns
    -------
    pandas.DataFrame
        One row a specification and metric: `CHOICES`, the columns of `eftlib.analysis.noise_axes`, and ``headline``, whether
        the specification is the analysis plan's own. Threshold and linkage vary for elaboration depth alone.

    Notes
    -----
    Source: ``pages/analysis_plan.md`` (Robustness).
    """
    if explanations.empty:
        return pd.DataFrame(columns=[*CHOICES, "headline", "metric", "ratio", "verdict"])
    tables = []
    for profile, name in PREPARED:
        texts = explanations if name == "masked" or profile == "published" else varied.name_kept(explanations)
        scores = _scored(texts, profile, cosines)
        other = _clusters(texts, profile, cosines)
        for cut_off, flagged, (left, kept) in itertools.product(
            ("dropped", "measured"), ("measured", "dropped"), _models(explanations)
        ):
            here = _chosen(scores, cut_off, flagged, kept)
            base = headline(here, seed=seed, resamples=resamples)
            where = {"profile": profile, "name": name, "cut_off": cut_off, "flagged": flagged, "models": left}
            for threshold, linkage in itertools.product(THRESHOLDS, LINKAGES):
                rows = base
                if (threshold, linkage) != (THRESHOLD, "average"):
                    depth = here[here["metric"] == ELABORATION]
                    there = other[threshold, linkage].reindex(depth["row"]).set_axis(depth.index)
                    depth = depth.assign(value=depth["value"].where(depth["value"].isna(), there))
                    fresh = headline(depth, [ELABORATION], seed=seed, resamples=resamples)
                    rows = [fresh[0] if row["metric"] == ELABORATION else row for row in base]
                table = judged(rows, alpha).assign(**where, threshold=threshold, linkage=linkage)
                tables.append(table if rows is base else table[table["metric"] == ELABORATION])
    found = pd.concat(tables, ignore_index=True)
    own = pd.concat([found[name] == value for name, value in HEADLINE.items()], axis=1).all(axis=1)
    return found.assign(headline=own)[[*CHOICES, "headline", *(name for name in tables[0] if name not in CHOICES)]]


def agreement(specified: pd.DataFrame) -> pd.DataFrame:
    """Count for each metric how many specifications agree with the headline's verdict.

    Parameters
    ----------
    specified : pandas.DataFrame
        As `specifications` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a metric: ``metric verdict specifications undefined agree share beyond within unknown ratio ratio_min
        ratio_max n_min``; the share is of specifications with a ratio, whose smallest and largest stand at the end, with the
        fewest templates behind one.
    """
    rows = []
    for metric, here in specified.groupby("metric", sort=False):
        own = here[here["headline"]].iloc[0]
        known = here[here["ratio"].notna()]
        agree = int((known["verdict"] == own["verdict"]).sum())
        counts = [
            int((known["verdict"] == word).sum())
            for word in ("disparity beyond noise", "no disparity beyond noise", "cannot tell")
        ]
        rows.append(
            {
                "metric": metric, "verdict": own["verdict"], "specifications": len(here), "undefined": len(here) - len(known),
                "agree": agree, "share": agree / len(known) if len(known) else math.nan, "beyond": counts[0],
                "within": counts[1], "unknown": counts[2], "ratio": own["ratio"], "ratio_min": known["ratio"].min(),
                "ratio_max": known["ratio"].max(), "n_min": known["n"].min(),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def by_choice(specified: pd.DataFrame) -> pd.DataFrame:
    """Count for each value of each choice what share of the specifications with it agrees with the headline's verdict.

    Parameters
    ----------
    specified : pandas.DataFrame
        As `specifications` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a choice and value: ``choice value`` and a column a metric with the share, of specifications with a ratio; NaN
        where there are none.
    """
    known = specified[specified["ratio"].notna()]
    own = specified[specified["headline"]].set_index("metric")["verdict"]
    agrees = known["verdict"].eq(known["metric"].map(own))
    parts = [
        known.assign(choice=choice, value=known[choice].astype(str), agrees=agrees)
        .pivot_table("agrees", ["choice", "value"], "metric", aggfunc="mean")
        for choice in CHOICES
    ]  # fmt: skip
    table = pd.concat(parts).reindex(columns=list(own.index)).reset_index()
    return table.rename_axis(columns=None)


def alone(explanations: pd.DataFrame, cosines: Similarities | str) -> pd.DataFrame:
    """Measure what one change of every text, and nothing else, does to each of the study's metrics.

    Parameters
    ----------
    explanations : pandas.DataFrame
        As `eftlib.scoring.explanations` gives them; those of `eftlib.varied.sample` are changed, each in every way of
        `eftlib.varied.CHANGES` (the published profile keeps names anyway). For EFP both explanations of a person are changed.
    cosines : Similarities or str
        Where cosines come from, or why there are none; a change that lacks one leaves its metric undefined.

    Returns
    -------
    pandas.DataFrame
        One row a change, profile and metric: ``change profile metric n excluded before after shift shift_sd``; ``shift_sd``
        is the mean shift in standard deviations of the unchanged texts.
    """
    texts = varied.sample(explanations)
    rows = []
    for profile in PROFILES if len(texts) else ():
        before = _by_text(texts, profile, cosines)
        for change in varied.CHANGES:
            if change == varied.KEPT and profile == "published":
                continue  # which keeps it anyway
            after = _by_text(varied.changed(texts, change), profile, cosines)
            for metric in STUDY_METRICS:
                both = pd.DataFrame({"before": before[metric], "after": after[metric]}).dropna()
                shift = float((both["after"] - both["before"]).mean())
                spread = float(both["before"].std(ddof=1)) if len(both) > 1 else math.nan
                rows.append(
                    {
                        "change": change, "profile": profile, "metric": metric, "n": len(both),
                        "excluded": len(texts) - len(both), "before": both["before"].mean(), "after": both["after"].mean(),
                        "shift": shift, "shift_sd": shift / spread if spread else math.nan,
                    }
                )  # fmt: skip
    columns = ["change", "profile", "metric", "n", "excluded", "before", "after", "shift", "shift_sd"]
    return pd.DataFrame(rows, columns=columns)


def shifts(changed: pd.DataFrame) -> pd.DataFrame:
    """Return the shifts of `alone` with a column a metric.

    Parameters
    ----------
    changed : pandas.DataFrame
        As `alone` gives it.

    Returns
    -------
    pandas.DataFrame
        One row a change and profile: ``change profile`` and a column a metric with the shift in standard deviations; NaN where
        it is undefined.
    """
    if changed.empty:
        return changed
    by = ["change", "profile"]
    table = changed.pivot(index=by, columns="metric", values="shift_sd")[list(STUDY_METRICS)]
    return changed[by].drop_duplicates().merge(table.reset_index(), on=by).rename_axis(columns=None)


def _by_text(texts: pd.DataFrame, profile: Profile, cosines: Similarities | str) -> pd.DataFrame:
    """Return one row a text and one column a metric; a metric that waits for the embedder is undefined throughout."""
    scores = scoring.score(texts, profile, cosines)
    waiting = set(scores.loc[scores["reason"].eq(scoring.NOT_SCORED), "metric"])
    values = {
        metric: [math.nan] * len(here) if metric in waiting else here["value"].tolist()
        for metric, here in scores.groupby("metric", sort=False)
    }
    return pd.DataFrame(values, columns=list(METRICS), dtype=float)


def _scored(texts: pd.DataFrame, profile: Profile, cosines: Similarities | str) -> pd.DataFrame:
    """Score everything that has a text, cut-off answers as well, and keep which those are; ``row`` is the explanation's."""
    scores = scoring.score(varied.cut_off_measured(texts), profile, cosines)
    metrics = len(scores) // max(len(texts), 1)
    place = [row for row in range(len(texts)) for _ in range(metrics)]
    own = texts.reset_index(drop=True).loc[place].reset_index(drop=True)
    return scores.assign(
        row=place, cut_off=own["outcome"].eq("truncated"), opposite_cut_off=own["opposite_outcome"].eq("truncated")
    )


def _chosen(scores: pd.DataFrame, cut_off: str, flagged: str, models: Sequence[str]) -> pd.DataFrame:
    """Make undefined what a specification drops, and a metric that waits for the embedder."""
    gone = pd.Series(False, index=scores.index)
    if cut_off == "dropped":
        gone |= scores["cut_off"] | (scores["opposite_cut_off"] & scores["metric"].eq("efp"))
    if flagged == "dropped":
        gone |= scores["flags"].ne("")
    kept = scores["model"].isin(list(models))
    # a metric of which some cosines are not on file would be judged by whichever texts happen to have them
    waiting = scores.loc[kept & ~gone & scores["reason"].eq(scoring.NOT_SCORED), "metric"]
    return scores.assign(value=scores["value"].mask(gone | scores["metric"].isin(set(waiting))))[kept]


def _clusters(texts: pd.DataFrame, profile: Profile, cosines: Similarities | str) -> pd.DataFrame:
    """Return the elaboration depth of each explanation at every threshold and linkage, NaN where it is undefined."""
    pairs = list(itertools.product(THRESHOLDS, LINKAGES))
    depths = [
        _depths(Explanation(row["answer"], profile, row["name"], row["domain"], None, cosines), pairs)
        for row in texts.to_dict("records")
    ]
    return pd.DataFrame(depths, columns=pd.MultiIndex.from_tuples(pairs), dtype=float)


def _depths(one: Explanation, pairs: Sequence[tuple[float, Linkage]]) -> list[float]:
    parts = one.sentences
    if len(parts) < 2:
        return [float(len(parts)) or math.nan] * len(pairs)
    try:
        between = one.cosines.between_sentences(parts)
    except UndefinedError:
        return [math.nan] * len(pairs)
    return [float(clusters(between, threshold, method)) for threshold, method in pairs]


def _models(explanations: pd.DataFrame) -> Iterator[tuple[str, list[str]]]:
    models = list(dict.fromkeys(explanations["model"]))
    yield "all", models
    if len(models) > 1:
        yield from ((f"without {model}", [other for other in models if other != model]) for model in models)
