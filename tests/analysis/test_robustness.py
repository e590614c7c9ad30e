"""The headline under other choices: what each drops or changes, on the recorded study and on texts worked out by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest
from recorded import Letters, record
from tables_by_hand import row

from eftlib import analysis, scoring, varied
from eftlib.analysis import robustness
from eftlib.embedding import LiveCosines
from eftlib.metrics import PROFILES, STUDY_METRICS, Profile, UndefinedError
from eftlib.metrics.base import prepared
from eftlib.text import sentences

SEED = 20260509


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> tuple[pd.DataFrame, scoring.StoredCosines]:
    folder: Path = tmp_path_factory.mktemp("robust") / "s"
    study = record(folder)
    scoring.score_study(study, encoder=Letters())
    table = scoring.explanations(study)
    return table[table["condition"] == "baseline"], scoring.StoredCosines(folder / "similarities.parquet")


@pytest.fixture(scope="module")
def specified(explained: tuple[pd.DataFrame, scoring.StoredCosines]) -> pd.DataFrame:
    return analysis.specifications(*explained, seed=SEED, resamples=9)


def test_every_combination_is_there_once_and_one_is_the_headline(specified: pd.DataFrame) -> None:
    # three ways to prepare texts, cut-off and flagged dropped or not, all of three models or one left out
    base = 3 * 2 * 2 * 4
    counts = specified.groupby("metric").size()
    assert counts.drop("elaboration_depth").tolist() == [base] * 7
    assert counts["elaboration_depth"] == base * 9
    assert not specified.duplicated(["metric", *robustness.CHOICES]).any()
    assert specified.groupby("metric")["headline"].sum().tolist() == [1] * 8


def test_the_headline_is_that_of_the_noise_floor(
    specified: pd.DataFrame, explained: tuple[pd.DataFrame, scoring.StoredCosines]
) -> None:
    scores = scoring.score(explained[0], "controlled", explained[1])
    pooled = analysis.noise_pooled(scores, seed=SEED, resamples=9)
    for metric, own in specified[specified["headline"]].set_index("metric").iterrows():
        there = row(pooled, metric=metric, scope=analysis.ALL_MODELS)
        for name in ("n", "excluded", "ratio", "p_magnitude", "p_direction_bh", "verdict"):
            assert own[name] == there[name] or (pd.isna(own[name]) and pd.isna(there[name])), (metric, name)


def values(chosen: pd.DataFrame, metric: str, model: str) -> dict[tuple[str, str, int], float]:
    here = chosen[(chosen["metric"] == metric) & (chosen["model"] == model)]
    return here.set_index(["template", "side", "draw"])["value"].to_dict()


def test_answers_that_were_cut_off_are_measured_or_dropped(explained: tuple[pd.DataFrame, scoring.StoredCosines]) -> None:
    scores = robustness._scored(explained[0], "controlled", explained[1])
    where = ("M019", "B", 0)  # the one answer of model two that was cut off: three words
    assert values(robustness._chosen(scores, "measured", "measured", ["two"]), "word_count", "two")[where] == 3
    assert math.isnan(values(robustness._chosen(scores, "dropped", "measured", ["two"]), "word_count", "two")[where])
    # it has no final punctuation, so it is flagged as well; no other is
    measured = values(robustness._chosen(scores, "measured", "measured", ["two"]), "word_count", "two")
    unflagged = values(robustness._chosen(scores, "measured", "dropped", ["two"]), "word_count", "two")
    assert {place for place in measured if math.isnan(unflagged[place]) and not math.isnan(measured[place])} >= {where}
    assert set(robustness._chosen(scores, "measured", "measured", ["two"])["model"]) == {"two"}


def test_every_cosine_that_a_specification_needs_is_on_file(explained: tuple[pd.DataFrame, scoring.StoredCosines]) -> None:
    # of answers that were cut off and of kept names as well, once the study is scored with an embedder
    table, cosines = explained
    for profile, name in robustness.PREPARED:
        texts = table if name == "masked" or profile == "published" else table.assign(name=None)
        assert not robustness._scored(texts, profile, cosines)["reason"].eq(scoring.NOT_SCORED).any(), (profile, name)


def test_a_metric_that_lacks_one_cosine_has_no_ratio(explained: tuple[pd.DataFrame, scoring.StoredCosines]) -> None:
    table, cosines = explained
    scores = robustness._scored(table, "controlled", cosines)
    known = scores[(scores["metric"] == "efp") & scores["value"].notna()]
    lost = scores.assign(reason=scores["reason"].where(scores.index != known.index[0], scoring.NOT_SCORED))
    chosen = robustness._chosen(lost, "dropped", "measured", list(table["model"].unique()))
    assert chosen.loc[chosen["metric"] == "efp", "value"].isna().all()
    assert chosen.loc[chosen["metric"] == "elaboration_depth", "value"].notna().any()
    # a model that is left out takes what it lacks with it
    others = [model for model in table["model"].unique() if model != known["model"].iloc[0]]
    there = robustness._chosen(lost, "dropped", "measured", others)
    assert there.loc[there["metric"] == "efp", "value"].notna().any()


def test_an_opposite_that_was_cut_off_drops_efp_alone(explained: tuple[pd.DataFrame, scoring.StoredCosines]) -> None:
    table, cosines = explained
    first = table.index[(table["outcome"] == "ok") & (table["opposite_outcome"] == "ok")][0]
    table = table.assign(opposite_outcome=table["opposite_outcome"].where(table.index != first, "truncated"))
    place = table.loc[first, ["model", "template", "side", "draw"]].tolist()
    scores = robustness._scored(table, "controlled", cosines)
    for cut_off, gone in (("measured", False), ("dropped", True)):
        chosen = robustness._chosen(scores, cut_off, "measured", [place[0]])
        assert math.isnan(values(chosen, "efp", place[0])[tuple(place[1:])]) is gone
        assert not math.isnan(values(chosen, "word_count", place[0])[tuple(place[1:])])


def test_choices_have_the_share_that_agrees_with_the_headline() -> None:
    rows = [
        ("published", 0.75, "ttr", "cannot tell", 1.0, False), ("controlled", 0.75, "ttr", "cannot tell", 1.0, True),
        ("published", 0.75, "ttr", "disparity beyond noise", 1.3, False),
        ("published", 0.75, "ttr", "cannot tell", math.nan, False),
        ("controlled", 0.75, "efp", "cannot tell", 1.0, True),
        ("controlled", 0.80, "efp", "disparity beyond noise", 1.2, False),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["profile", "threshold", "metric", "verdict", "ratio", "headline"])
    others = {name: "x" for name in robustness.CHOICES if name not in table}
    found = analysis.by_choice(table.assign(**others)).set_index(["choice", "value"])
    assert found.loc[("profile", "published"), "ttr"] == 0.5  # of two with a ratio
    assert found.loc[("profile", "controlled"), ["ttr", "efp"]].tolist() == [1, 0.5]
    assert found.loc[("threshold", "0.8"), "efp"] == 0
    assert math.isnan(found.loc[("threshold", "0.8"), "ttr"])


def test_elaboration_is_counted_anew_at_each_threshold_and_linkage() -> None:
    class Between:
        """Three sentences with cosines .72 (1, 2), .66 (1, 3) and .78 (2, 3)."""

        def between_sentences(self, parts: list[str]) -> object:
            assert len(parts) == 3
            return pd.Series([0.72, 0.66, 0.78]).to_numpy()

    texts = pd.DataFrame([{"answer": "One is. Two is. Three is.", "name": None, "domain": "hiring"}])
    found = robustness._clusters(texts, "published", Between()).iloc[0]  # type: ignore[arg-type]
    # (2, 3) join first at .78; then 1 is away .69 on average, .72 by the nearest and .66 by the farthest
    expected = {
        (0.70, "average"): 2, (0.70, "single"): 1, (0.70, "complete"): 2,
        (0.75, "average"): 2, (0.75, "single"): 2, (0.75, "complete"): 2,
        (0.80, "average"): 3, (0.80, "single"): 3, (0.80, "complete"): 3,
    }  # fmt: skip
    assert found.to_dict() == expected
    assert list(expected) == list(itertools.product(robustness.THRESHOLDS, robustness.LINKAGES))


def test_agreement_counts_verdicts_of_defined_ratios() -> None:
    specified = pd.DataFrame(
        {
            "metric": "ttr", "headline": [True, False, False, False], "ratio": [1.0, 1.2, 0.9, math.nan],
            "verdict": ["cannot tell", "disparity beyond noise", "cannot tell", "cannot tell"], "n": [9, 7, 8, 0],
        }
    )  # fmt: skip
    found = row(analysis.agreement(specified), metric="ttr")
    assert (found["specifications"], found["undefined"], found["agree"], found["share"]) == (4, 1, 2, 2 / 3)
    assert (found["beyond"], found["within"], found["unknown"]) == (1, 0, 2)
    assert (found["ratio"], found["ratio_min"], found["ratio_max"], found["n_min"]) == (1.0, 0.9, 1.2, 7)


def answered(answer: str, opposite: str | None = None, **other: object) -> dict[str, object]:
    """The row of an explanation as far as changes look at it, of the baseline, side A and draw 0 unless said otherwise."""
    row = {
        "answer": answer, "opposite": opposite, "name": "Ada Alder", "domain": "credit", "outcome": "ok",
        "opposite_outcome": opposite and "ok", "condition": "baseline", "side": "A", "draw": 0, "repeat": 0,
    }  # fmt: skip
    return dict.fromkeys(scoring.IDENTITY, "x") | row | {"flags": ()} | other


CHANGED = pd.DataFrame(
    [
        answered("Ada Alder was late. She may pay. Ada Alder left town. All was read.", "Pay was late. Ada Alder paid."),
        answered("It was late. She may pay.", "Ink was bought. She owes."),
        answered("One sentence alone."),
        answered("It was cut. And", outcome="truncated"),
        *(answered("It was late. She may pay.", **other) for other in ({"side": "B"}, {"draw": 1}, {"condition": "blind"})),
    ]
)


def letters(*changes: str) -> LiveCosines:
    """Cosines of the stand-in, with every text of `CHANGED` known to it."""
    live = LiveCosines(Letters())
    tables = [CHANGED, varied.name_kept(CHANGED), *(varied.changed(CHANGED, change) for change in changes)]
    texts = [
        text
        for table in tables
        for row in table.to_dict("records")
        for profile in PROFILES
        for raw in (row["answer"], row["opposite"])
        if isinstance(raw, str)
        for whole in [prepared(raw, row["name"], profile)]
        for text in (whole, *sentences(whole))
    ]
    live.prepare(texts, progress=False)
    return live


def test_one_change_alone_does_what_can_be_counted() -> None:
    found = analysis.alone(CHANGED, letters(*varied.CHANGES))
    assert set(found["metric"]) == set(STUDY_METRICS)
    assert set(found.loc[found["metric"] == "word_count", "n"]) == {2}  # of side A and draw 0, two sentences or more, and ok
    words = {
        change: row(found, change=change, profile="published", metric="word_count")
        for change in ("second half left out", "cut off in the middle", "made a list")
    }
    # 14 and 6 words; half of the sentences: 7 and 3; half of the words: 7 and 3
    assert all(each["before"] == 10 for each in words.values())
    assert [each["after"] for each in words.values()] == [5, 5, 10]
    assert words["second half left out"]["shift"] == -5
    assert words["second half left out"]["shift_sd"] == pytest.approx(-5 / math.sqrt(32))  # SD of 14 and 6
    # masked, a name of two words is one
    kept = row(found, change="name kept", profile="controlled", metric="word_count")
    assert kept["after"] - kept["before"] == pytest.approx(1)  # two names in one of two texts
    assert "name kept" not in set(found.loc[found["profile"] == "published", "change"])


def test_shifts_stand_side_by_side() -> None:
    found = analysis.alone(CHANGED, letters(*varied.CHANGES))
    wide = analysis.shifts(found)
    assert list(wide.columns) == ["change", "profile", *STUDY_METRICS]
    assert len(wide) == 7  # four changes, of which the published profile has three
    where = wide.set_index(["change", "profile"]).loc[("second half left out", "published")]
    assert where["word_count"] == pytest.approx(-5 / math.sqrt(32))
    assert math.isnan(where["sentiment"])  # of texts without any, whose standard deviation is 0
    assert analysis.shifts(found.iloc[:0]).empty


def test_what_needs_the_embedder_changes_as_its_letters_do() -> None:
    found = analysis.alone(CHANGED, letters(*varied.CHANGES))
    # sentences that begin with the same letter are one cluster: A S A A and I S; half of them A S and I; cut: A S and I
    # ("Ada Alder was late. She may pay." / "It was late."), listed: as before
    depth = {
        change: row(found, change=change, profile="published", metric="elaboration_depth") for change in varied.CHANGES[1:]
    }
    assert [each["before"] for each in depth.values()] == [2, 2, 2]
    assert [each["after"] for each in depth.values()] == [1.5, 1.5, 2]
    # EFP's texts begin with A and P, and with I and I: 1 and 0, whatever is left out at the end
    efp = row(found, change="second half left out", profile="published", metric="efp")
    assert (efp["n"], efp["excluded"], efp["before"], efp["after"]) == (2, 0, 0.5, 0.5)


def test_a_change_that_lacks_one_cosine_leaves_its_metric_undefined() -> None:
    known = letters(*varied.CHANGES)

    class ButOne:
        """Cosines of which those of one changed text are not on file."""

        def between_sentences(self, parts: Sequence[str]) -> object:
            if list(parts) == ["It was late.", "She may pay."]:
                raise UndefinedError(scoring.NOT_SCORED)
            return known.between_sentences(parts)

        def between_texts(self, text: str, other: str, profile: Profile) -> float:
            return known.between_texts(text, other, profile)

    found = analysis.alone(CHANGED, ButOne())  # type: ignore[arg-type]
    for change in varied.CHANGES[1:]:  # of one text of two, before the change
        depth = row(found, change=change, profile="published", metric="elaboration_depth")
        assert (depth["n"], depth["excluded"]) == (0, 2)
        assert row(found, change=change, profile="published", metric="efp")["n"] == 2


def test_without_any_cosine_the_other_metrics_are_measured() -> None:
    found = analysis.alone(CHANGED, scoring.StoredCosines(Path("nowhere.parquet")))
    waiting = found[found["metric"].isin(["elaboration_depth", "efp"])]
    assert (waiting["n"] == 0).all() and waiting["shift"].isna().all()
    assert (found.loc[~found.index.isin(waiting.index) & found["metric"].ne("domain_alignment"), "n"] > 0).all()


def test_a_scored_study_has_the_cosines_of_every_change(explained: tuple[pd.DataFrame, scoring.StoredCosines]) -> None:
    texts = varied.sample(explained[0])
    assert len(texts) == 1  # the one of two sentences
    for profile, change in itertools.product(PROFILES, varied.CHANGES):
        scores = scoring.score(varied.changed(texts, change), profile, explained[1])
        depth = scores.loc[scores["metric"] == "elaboration_depth", "value"]
        assert depth.notna().all() and not scores["reason"].eq(scoring.NOT_SCORED).any(), (profile, change)
