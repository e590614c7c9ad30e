"""A study of three models that the project does not know needs nothing but YAML: from its answers to every table and figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import jupytext
import pandas as pd
import pytest
from recorded import BASELINE, Letters, record
from shared import ROOT

from eftlib import build, check, scoring
from eftlib.report import page

SCHEMAS = {name: json.loads((ROOT / f"eftlib/schemas/{name}.json").read_text("utf-8")) for name in ("scores", "numbers")}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the recorded study, whose results were built by the notebooks as `make book` does."""
    folder = tmp_path_factory.mktemp("new") / "study"
    scoring.score_study(record(folder), encoder=Letters())
    build.results(str(folder), {}, folder / "executed")
    return folder


def test_its_answers_give_the_tables_that_are_worked_out_by_hand(built: Path) -> None:
    existence = pd.read_csv(built / "results/tables/table3_existence.csv").set_index("metric")
    assert existence["n"].to_dict() == dict.fromkeys(existence.index, 11) | {"efp": 10}
    assert existence.loc["word_count", "mean"] == pytest.approx(12 / 11, rel=1e-9)
    ranks = pd.read_csv(built / "results/tables/table6_models.csv").set_index("model")["mean_rank"]
    assert ranks.to_dict() == pytest.approx({"one": 17 / 8, "two": 13 / 8, "three": 18 / 8})
    worst = pd.read_csv(built / "results/tables/table7_worst_cells.csv").set_index("metric")
    assert worst.loc["fkgl", ["model", "domain", "mean"]].tolist() == ["two", "hiring", pytest.approx(6.29)]
    mitigated = pd.read_csv(built / "results/tables/table8_mitigation.csv")
    assert set(mitigated["model"]) == {"one", "two"}  # the third was not asked under the condition


def test_every_table_and_figure_is_written_and_one_that_is_not_is_named(built: Path) -> None:
    folder = built / "results"
    assert list(check.missing_results(folder)) == []
    for name in ("tables/table5_direction.csv", "figures/figure4_mitigation.pdf"):
        (folder / name).rename(folder / f"{name}.away")
        (line,) = check.missing_results(folder)
        (folder / f"{name}.away").rename(folder / name)
        assert f"results/{name}: promised" in line


def test_what_is_promised_is_what_the_check_asks_for() -> None:
    promised = (ROOT / "pages/interfaces.md").read_text("utf-8")
    assert all(f"`{name}`" in promised for name in (*check.TABLES, *check.FIGURES))


def test_scores_and_numbers_fit_the_published_schemas(built: Path) -> None:
    numbers = json.loads((built / "results/numbers.json").read_text("utf-8"))
    jsonschema.validate(numbers, SCHEMAS["numbers"], cls=jsonschema.Draft202012Validator)
    assert numbers["meta"]["models"] == list(BASELINE)
    assert numbers["02_rq1_existence.table3_existence.word_count.mean"] == pytest.approx(12 / 11)
    rows = json.loads(pd.read_parquet(built / "results/scores.parquet").to_json(orient="records"))
    jsonschema.validate(rows, SCHEMAS["scores"], cls=jsonschema.Draft202012Validator)
    # 16 answers to the baseline but those that were not asked, and 8 to the mitigation of two models, in two profiles
    explained = {tuple(row[name] for name in scoring.IDENTITY) for row in rows}
    assert len(rows) == len(explained) * 2 * 10


@pytest.mark.parametrize(("value", "reason"), [(None, None), (1.0, "refused")])
def test_the_schema_of_scores_wants_a_reason_for_what_is_undefined_alone(built: Path, value: Any, reason: Any) -> None:
    row = json.loads(pd.read_parquet(built / "results/scores.parquet").head(1).to_json(orient="records"))[0]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([row | {"value": value, "reason": reason}], SCHEMAS["scores"])


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_the_schemas_are_themselves_valid(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)


# --- too little to go on


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run the cells of the results notebooks in this process, and give what they show."""
    shown: list[str] = []
    monkeypatch.setattr(page, "display", lambda content: shown.append(content.data))
    monkeypatch.setattr(page, "glue", lambda *_, **__: None)
    monkeypatch.chdir(tmp_path)

    def run(**parameters: Any) -> dict[str, str]:
        found = {}
        for notebook in sorted((ROOT / "notebooks").glob("*.py")):
            shown.clear()
            names: dict[str, Any] = {}
            for cell in jupytext.read(notebook).cells:
                if cell["cell_type"] == "code":
                    exec(compile(cell["source"], notebook.name, "exec"), names)
                    names |= parameters if "parameters" in cell.metadata.get("tags", []) else {}
            found[notebook.stem] = "\n".join(shown)
        return found

    return run


RESULTS = ("02_rq1_existence", "03_rq2_axes", "04_rq3_models", "05_rq4_mitigation")


def test_without_answers_each_page_says_what_is_missing_and_draws_nothing(show: Any, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    record(folder)
    for path in folder.glob("responses/*"):
        path.unlink()
    found = show(study=str(folder))
    for name in RESULTS:
        assert "There is nothing to show here yet" in found[name], name
        assert f"`make collect STUDY={folder}` asks for what is missing" in found[name]
        assert "{figure}" not in found[name].replace("{figure} shown/nothing.svg", "")


def test_where_all_were_refused_nothing_is_drawn_and_every_answer_is_counted(show: Any, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    scoring.score_study(record(folder, "x"))
    found = show(study=str(folder))
    existence = pd.read_csv(folder / "results/tables/table3_existence.csv")
    assert existence["n"].tolist() == [0] * 8
    assert existence["excluded"].tolist() == [12] * 8  # three models, four templates
    assert existence["mean"].isna().all()
    assert existence["reason"].tolist() == ["no values"] * 8
    for name in RESULTS:
        assert "{figure}" not in found[name].replace("{figure} shown/nothing.svg", ""), name
        assert "(40 refused)" in found[name], name  # 24 under the baseline, 16 under the mitigation
        assert "every difference is undefined. Reasons: refused (" in found[name], name
        assert "nan" not in found[name].lower().replace("financ", ""), name


def test_one_model_alone_has_no_rank_and_its_pages_stand(show: Any, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    scoring.score_study(record(folder), encoder=Letters())
    found = show(study=str(folder), models=["three"])
    ranks = pd.read_csv(folder / "results/tables/table6_models.csv")
    assert ranks["model"].tolist() == ["three"]
    assert ranks["mean_rank"].isna().all()
    assert "the pairs on file lack the condition" in found["05_rq4_mitigation"]  # the third was not asked under a mitigation


def test_an_axis_without_pairs_is_in_no_table(show: Any, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    scoring.score_study(record(folder), encoder=Letters())
    found = show(study=str(folder))
    assert set(pd.read_csv(folder / "results/tables/table4_axes.csv")["axis"]) == {"gender", "intersectional"}
    assert "No pair of answers has the axis race, age, religion, so" in found["03_rq2_axes"]
    assert "has the domain credit, legal, so" in found["04_rq3_models"]
