"""What a page shows of a study: files, numbers, and what it says where there is nothing to show."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from threading import Thread
from typing import Any

import pandas as pd
import pytest
from faults import entry, record_of, write_study
from filelock import FileLock
from shared import ROOT

from eftlib import analysis, build, figures, responses, scoring
from eftlib import study as studies
from eftlib.clients import Reply
from eftlib.errors import InputError
from eftlib.metrics import STUDY_METRICS
from eftlib.report import Page, instruments, page
from eftlib.report.provenance import map_table
from eftlib.responses import Store

WORDS = {"A": "Skills were missing.", "B": "Two of the skills that we asked for were missing."}


def reply(text: str) -> Reply:
    return Reply({"role": "assistant", "content": text}, text, finish_reason="stop", usage={"prompt_tokens": 9})


def answered(folder: Path, *, models: tuple[str, ...] = ("one",), templates: tuple[str, ...] = ("H001", "H002", "M001")) -> str:
    """Write a study in which side B is told more, and score it without an embedder."""
    write_study(
        folder, *(entry("http://127.0.0.1:9/v1", name=name) for name in models), templates=list(templates), draws=[0],
        decisions=["stated"],
    )  # fmt: skip
    study = studies.load(str(folder))
    for model in study.models:
        with Store(responses.path_of(study, model)) as store:
            for key, prompt in responses.planned(study, model):
                store.append(record_of(prompt, model, reply(WORDS[prompt.side]), key=key))
    scoring.score_study(study)
    return str(folder)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What pages show, as markdown; figures for the page go to a folder of the test."""
    shown: list[str] = []
    monkeypatch.setattr(page, "display", lambda content: shown.append(content.data))
    monkeypatch.setattr(page, "glue", lambda *_, **__: None)
    monkeypatch.chdir(tmp_path)
    return shown


def test_a_table_is_shown_written_and_kept_as_numbers(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    ours = analysis.existence(here.pairs("published"))
    here.table("table3_existence", ours, "Existence.", key=["metric"])
    here.close()
    folder = tmp_path / "s" / "results"
    row = pd.read_csv(folder / "tables" / "table3_existence.csv").set_index("metric").loc["word_count"]
    # 10 words against 3, three times
    assert (row["n"], row["excluded"], row["mean"]) == (3, 0, 7)
    assert json.loads((folder / "numbers.json").read_text("utf-8"))["02.table3_existence.word_count.mean"] == 7
    assert (folder / "tables" / "table3_existence.tex").is_file()
    assert said[-1].startswith(":::{table} Existence.\n:name: tbl-table3_existence")


def test_what_the_study_prints_is_shown_as_it_prints_it_and_kept_as_a_number(tmp_path: Path, said: list[str]) -> None:
    here = Page("04", answered(tmp_path / "s"))
    theirs = here.published("table3_existence").add_prefix("study_").rename(columns={"study_metric": "metric"})
    here.table("t", here.beside(analysis.existence(here.pairs("published")), theirs, on=["metric"]), "T.", key=["metric"])
    assert "study: median" in said[-1]
    assert "| 29\\.89 | 13\\.50 | 0\\.457 | small | 7\\.5 × 10⁻⁶⁶ |" in said[-1]
    models = here.published("table6_models").add_prefix("study_").rename(columns={"study_model": "model"})
    here.table(
        "u", here.beside(analysis.model_ranking(here.pairs("published"), ["one"]), models, on=["model"]), "U.", key=["model"]
    )
    assert "study:" not in said[-1]  # it prints nothing of this model
    here.close()
    numbers = json.loads((tmp_path / "s" / "results" / "numbers.json").read_text("utf-8"))
    assert numbers["04.t.word_count.study_mean"] == 29.89
    assert "04.t.word_count.study_label" not in numbers


def test_an_undefined_number_is_null(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    here.table("t", analysis.existence(here.pairs("published")), "T.", key=["metric"])
    here.close()
    numbers = json.loads((tmp_path / "s" / "results" / "numbers.json").read_text("utf-8"))
    assert numbers["02.t.efp.mean"] is None  # there was no embedder


def test_pages_leave_the_numbers_of_others(tmp_path: Path, said: list[str]) -> None:
    study = answered(tmp_path / "s")
    for name, value in (("01", 1), ("02", 2), ("01", 3)):
        here = Page(name, study)
        here.number("n", value)
        here.close()
    numbers = json.loads((tmp_path / "s" / "results" / "numbers.json").read_text("utf-8"))
    assert (numbers["01.n"], numbers["02.n"]) == (3, 2)


def test_pages_that_close_together_wait_for_each_other(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    here.number("n", 1)
    with FileLock(tmp_path / "s" / "results" / "numbers.lock"):
        closing = Thread(target=here.close)
        closing.start()
        closing.join(0.3)
        assert closing.is_alive()
    closing.join(10)
    assert json.loads((tmp_path / "s" / "results" / "numbers.json").read_text("utf-8"))["02.n"] == 1


def test_a_table_without_any_value_says_why(tmp_path: Path, said: list[str]) -> None:
    study = answered(tmp_path / "s")
    here = Page("02", study)
    none = pd.DataFrame({"metric": ["efp"], "n": [0], "excluded": [3], "mean": [math.nan]})
    here.table("t", none, "T.", key=["metric"])
    assert said[-1].startswith("There is nothing to show here")
    here.table("t", none.assign(reason="two alike"), "T.", key=["metric"])
    assert said[-1].startswith(":::{table}")  # it says so itself
    here.table("t", none.assign(n=2), "T.", key=["metric"])
    assert said[-1].startswith(":::{table}")


def test_an_alternative_text_has_the_ends_of_each_part(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s", models=("one", "two")))
    table = pd.DataFrame(
        [("one", "ttr", 2.0), ("one", "fkgl", 0.5), ("one", "efp", math.inf), ("two", "ttr", 3.0), ("two", "efp", math.nan)],
        columns=["model", "metric", "ratio"],
    )
    assert here.describe(table, "metric", "ratio", "Bars:", by="model") == ("Bars: ONE from FKGL 0.500 to TTR 2; TWO TTR 3.")
    assert here.describe(table, ["model", "metric"], "ratio", "Bars") == "Bars from ONE FKGL 0.500 to TWO TTR 3."
    assert here.describe(table[4:], "metric", "ratio", "Bars") == "Bars; no values yet."


def test_a_check_of_the_published_numbers_is_shown_as_text(tmp_path: Path, said: list[str]) -> None:
    row = dict.fromkeys(("check", "table", "verdict", "claim", "recomputed", "arithmetic", "reason"), "<b>2 * 3 * 4</b>")
    instruments.published_checks(Page("08", answered(tmp_path / "s")), pd.DataFrame([row]))
    assert "<b>" not in said[-1].replace("\\<b", "")
    assert [line.split(":*")[0] for line in said[-1].splitlines() if line.startswith("> *")] == [
        "> *The study", "> *Recomputed", "> *Arithmetic",
    ]  # fmt: skip


def test_a_figure_has_files_and_an_alternative_text(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    ours = analysis.existence(here.pairs("published"))
    here.figure("f", lambda: figures.effect_sizes({"published": ours}), "F.", alt="Bars\nof d.", data=ours)
    assert {path.name for path in (tmp_path / "s" / "results" / "figures").iterdir()} == {"f.svg", "f.pdf"}
    assert ":alt: Bars of d.\n" in said[-1]
    assert ":target: ../_images/f.svg\n" in said[-1]


def test_a_metric_that_is_nowhere_defined_is_left_out_of_a_heatmap_and_the_page_says_why(
    tmp_path: Path, said: list[str]
) -> None:
    # there was no embedder, so that EFP has no value beside verbosity, which has
    here = Page("04", answered(tmp_path / "s"))
    cells = analysis.by_model_and_domain(here.pairs("published"))
    drawn = figures.model_domain_heatmaps(cells, ["efp", "word_count"], here.labels)
    assert [{text.get_text() for text in axes.texts} for axes in drawn.axes if axes.get_title()] == [{"7.00"}]
    here.without_values(here.pairs("published"), ["efp", "word_count"])
    assert len(said) == 1
    assert said[0].startswith("EFP (proxy) has no value in any pair (")


def test_what_is_undefined_in_a_heatmap_is_hatched(tmp_path: Path, said: list[str]) -> None:
    cells = pd.DataFrame(
        {"model": ["one", "one"], "metric": "word_count", "domain": ["hiring", "medical"], "mean": [1.0, float("nan")]}
    )
    drawn = figures.model_domain_heatmaps(cells, ["word_count"], {"one": "One"})
    (panel,) = (axes for axes in drawn.axes if axes.get_title())
    assert [(patch.get_x(), patch.get_hatch()) for patch in panel.patches] == [(1, "///")]


@pytest.mark.parametrize("models", [1, 6, 7, 12])
def test_the_noise_floor_is_drawn_for_any_number_of_models_which_all_look_different(models: int) -> None:
    scopes = [*(f"m{number}" for number in range(models)), "all"]
    table = pd.DataFrame({"scope": scopes, "metric": "ttr", "ratio": 1.1, "ratio_low": 0.3, "ratio_high": 3.0})
    drawn = figures.noise_floor(table, {"all": "All models"} | {name: name for name in scopes[:-1]})
    looks = {line.get_label(): (line.get_color(), line.get_marker()) for line in drawn.axes[0].lines}
    of_scopes = [looks[name] for name in ("All models", *scopes[:-1])]
    assert len(set(of_scopes)) == models + 1
    # an interval that goes on beyond the axis ends in an arrow on either side
    assert sum(line.get_marker() in "<>" for line in drawn.axes[0].lines if line.get_marker()) == 2 * (models + 1)


def test_an_interval_beyond_the_axis_ends_in_an_arrow_and_nothing_warns(tmp_path: Path) -> None:
    rows = [(name, 0.3, 1.0, 3.0) for name in STUDY_METRICS[:3]] + [(STUDY_METRICS[4], *[float("nan")] * 3)]
    table = pd.DataFrame(rows * 2, columns=["metric", "ratio_low", "ratio", "ratio_high"])
    drawn = figures.specification_curve(table.assign(verdict="cannot tell", headline=[True] * 4 + [False] * 4))
    grey = [line for line in drawn.axes[0].lines if line.get_color() == "#999999"]
    assert [(line.get_marker(), list(line.get_ydata())) for line in grey] == [("v", [0.5, 0.5]), ("^", [2.0, 2.0])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figures.save(drawn, tmp_path, "f")


def test_the_same_figure_has_the_same_bytes(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    ours = analysis.existence(here.pairs("published"))
    for name in ("one", "two"):
        figures.save(figures.effect_sizes({"published": ours}), tmp_path / name, "f")
    for ending in ("svg", "pdf"):
        assert (tmp_path / "one" / f"f.{ending}").read_bytes() == (tmp_path / "two" / f"f.{ending}").read_bytes()


def test_a_reference_to_what_has_no_data_resolves(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study(tmp_path / "s", entry("http://127.0.0.1:9/v1", name="one"), templates=["H001"], draws=[0])
    here = Page("02", str(tmp_path / "s"))
    here.table("t", pd.DataFrame(), "T.", key=[])
    here.figure("f", lambda: pytest.fail("drawn"), "F.", alt="none", data=pd.DataFrame())
    for name in ("_config.yml", "references.bib", "vendor"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n", encoding="utf-8")
    text = "\n\n".join(["# A page", "See {numref}`tbl-t` and {numref}`fig-f`.", *said])
    (tmp_path / "index.md").write_text(text + "\n", encoding="utf-8")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "HTML", tmp_path / "_build" / "html")
    build.book()  # every warning is an error
    html = (tmp_path / "_build" / "html" / "index.html").read_text("utf-8")
    assert ">Table 1<" in html
    assert ">Fig. 1<" in html
    assert html.count("There is nothing to show here yet: no answers.") == 2


def test_without_responses_a_page_says_what_to_do(tmp_path: Path, said: list[str]) -> None:
    write_study(tmp_path / "s", entry("http://127.0.0.1:9/v1", name="one"), templates=["H001"], draws=[0])
    here = Page("02", str(tmp_path / "s"))
    here.banner()
    nothing = analysis.existence(here.pairs("published"))
    here.table("t", nothing, "T.", key=["metric"])
    here.figure("f", lambda: pytest.fail("drawn"), "F.", alt="none", data=nothing)
    assert "no answers yet" in said[0]
    assert "**4 of 4 requests have no answer yet.**" in said[0]
    assert all(f"`make collect STUDY={tmp_path / 's'}` asks for what is missing" in text for text in said[1:])
    assert not (tmp_path / "s" / "results" / "tables").exists()


@pytest.mark.parametrize("models", [("one",), ("one", "two")])
def test_every_analysis_runs_on_few_answers(tmp_path: Path, said: list[str], models: tuple[str, ...]) -> None:
    here = Page("04", answered(tmp_path / "s", models=models, templates=("H001",)))
    pairs = here.pairs("published")
    ranking = analysis.model_ranking(pairs, list(models))
    assert ranking["mean_rank"].notna().all() == (len(models) > 1)  # one model alone has no rank
    assert analysis.mitigations(here.all_conditions("published")).empty
    assert analysis.intersectional(pairs)["p"].isna().all()
    for table in (ranking, analysis.by_model_and_domain(pairs), analysis.axis_effects(pairs), analysis.directions(pairs)):
        assert {"n", "excluded"} <= set(table)


def test_mitigations_that_lack_answers_are_counted_with_the_family(tmp_path: Path, said: list[str]) -> None:
    here = Page("05", answered(tmp_path / "s"))
    here.unanswered_mitigations(pd.DataFrame({"p": [0.5, None]}))
    assert said == []  # no mitigation is asked
    conditions = ["baseline", "blind", "blind", "fairness", "fairness"]
    rows = {"model": "one", "condition": conditions, "draw": 0, "planned": 4, "missing": [4, 4, 1, 0, 0]}
    here._coverage = pd.DataFrame(rows)
    here.unanswered_mitigations(pd.DataFrame({"p": [0.5, None]}))
    assert "(draw 0, answered: ONE, blind: 3 of 8)" in said[-1]
    assert "*m* = 16 comparisons" in said[-1]
    assert "so far 1 can be tested" in said[-1]
    # a later draw is in none of the study's tables
    here._coverage = pd.DataFrame(rows | {"draw": [0, 1, 1, 0, 0]})
    here.unanswered_mitigations(pd.DataFrame({"p": [0.5, None]}))
    assert len(said) == 2
    assert said[-1].startswith("The study's tables rest on draw 0. Of later draws")
    assert "ONE, blind: 3 of 8" in said[-1]


def test_models_with_other_templates_are_told_apart(tmp_path: Path, said: list[str]) -> None:
    study = answered(tmp_path / "s", models=("one", "two"))
    pairs = Page("04", study).pairs("published")
    Page("04", study).templates_of_models(pairs)
    assert said[-1] == "All models are compared on the same 3 templates."
    here = Page("04", study)
    here.templates_of_models(pairs[(pairs["model"] == "one") | (pairs["template"] == "H001")])
    assert "not answered the same templates** (ONE 3, TWO 1; 1 in common)" in said[-1]
    Page("04", study).templates_of_models(pairs[pairs["model"] == "one"])
    assert "nothing is ranked" in said[-1]


def test_texts_that_were_cut_off_are_counted_and_said_to_be_measured_or_not(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    rows = here.explanations
    here.explanations = rows.assign(outcome=["truncated", *rows["outcome"].iloc[1:]])
    here.cut_off(here.pairs("published"))
    assert said[-1].startswith("Of the 6 texts compared here 1 were cut off at the token limit: the published profile measures")
    here.profile = "controlled"
    here.cut_off(here.pairs("controlled"))
    assert said[-1].endswith("the controlled profile does not measure them.")


def test_a_column_of_reasons_is_shown_where_there_is_one(tmp_path: Path, said: list[str]) -> None:
    here = Page("02", answered(tmp_path / "s"))
    for reason, is_shown in ((None, False), ("no values", True)):
        here.table("t", pd.DataFrame({"metric": ["ttr"], "n": [0], "reason": [reason]}), "T.", key=["metric"])
        assert ("reason" in said[-1]) == is_shown


@pytest.mark.parametrize(
    ("a", "b", "template"),
    [
        # T1 is at the median of all; T2 to T4 differ and are nowhere 0, of them T3 is at the median
        ([0, 1, 1, 1, 0], [0, 2, 3, 9, 0], "T3"),
        ([0, 0, 0, 2, 2], [0, 1, 5, 0, 2], "T4"),  # none is so, and T2 to T4 differ
        ([2, 2, 2, 2, 2], [2, 2, 2, 2, 2], "T1"),  # none differs
    ],
)
def test_an_example_shows_the_metric(tmp_path: Path, said: list[str], a: list[int], b: list[int], template: str) -> None:
    here = Page("taxonomy", answered(tmp_path / "s"))
    table = pd.DataFrame({"a": a, "b": b, "template": [f"T{number}" for number in range(1, 6)]}).assign(
        model="one", metric="ttr", profile="controlled", condition="baseline", draw=0
    )
    here.differences = table.assign(disparity=(table["b"] - table["a"]).abs())
    instruments.metric_examples(here)
    assert [text.split("template ")[1][:2] for text in said if "template " in text] == [template]


def test_the_banner_shows_model_text_as_text(tmp_path: Path, said: list[str]) -> None:
    write_study(tmp_path / "s", entry("http://127.0.0.1:9/v1", name="one"), instruction="<script>alert(1)</script> *now*")
    Page("02", str(tmp_path / "s")).banner()
    assert "<script>" not in said[0]


@pytest.mark.parametrize(("option", "words"), [({"profile": "both"}, "profile is 'both'"), ({"models": ["three"]}, "three")])
def test_a_wrong_parameter_is_named(tmp_path: Path, option: dict[str, Any], words: str) -> None:
    write_study(tmp_path / "s", entry("http://127.0.0.1:9/v1", name="one"))
    with pytest.raises(InputError, match=words):
        Page("02", str(tmp_path / "s"), **option)


def test_the_map_names_every_table_of_the_notebooks() -> None:
    table = map_table().set_index("name")
    assert table.loc["table3_existence", "made_by"] == "analysis.existence"
    assert table.loc["figure1_effect_sizes", "kind"] == "figure"
    written = sum(path.read_text("utf-8").count("page.table(") for path in ROOT.glob("notebooks/*.py"))
    assert (table.loc[table["notebook"].str[0] == "0", "kind"] == "table").sum() == written


def test_what_was_asked_twice_is_counted_for_the_models_of_the_page(tmp_path: Path) -> None:
    texts: dict[tuple[str, str], set[str]] = {}
    for path in (ROOT / "data" / "studies" / "repeat" / "responses").glob("*.jsonl"):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            texts.setdefault((path.stem, json.dumps(row["messages"])), set()).add(row["text"])
    expected = {model: (20, sum(len(said) == 1 for (of, _), said in texts.items() if of == model)) for model, _ in texts}
    assert set(expected) == {"smollm2-135m", "qwen2.5-coder-1.5b"}
    found = Page("01_collect", "pilot").repeats_table().set_index("model")
    assert {model: (row["n"], row["equal"]) for model, row in found.iterrows()} == expected
    assert Page("01_collect", answered(tmp_path / "s")).repeats_table().empty
