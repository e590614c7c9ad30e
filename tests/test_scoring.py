"""Responses to scores: which text is measured, against which opposite, and what stays on file when there is no embedder."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from faults import entry, record_of, write_study
from recorded import Letters

from eftlib import responses, scoring
from eftlib import study as studies
from eftlib.clients import Reply
from eftlib.errors import InputError
from eftlib.metrics import METRICS, PROFILES
from eftlib.responses import Store


def answered(folder: Path, answers: dict[tuple[str, str], Reply], name: str = "m") -> studies.Study:
    """Write a study of one template and draw in which (side, decision) got these replies."""
    write_study(folder, entry("http://127.0.0.1:9/v1", name=name), templates=["H001"], draws=[0])
    study = studies.load(str(folder))
    model = study.models[0]
    with Store(responses.path_of(study, model)) as store:
        for key, prompt in responses.planned(study, model):
            if (prompt.side, prompt.decision) in answers:
                record = record_of(prompt, model, answers[prompt.side, prompt.decision])
                store.append(record.model_copy(update={"key": key}))
    return study


def reply(text: str, finish: str = "stop", **message: Any) -> Reply:
    return Reply({"role": "assistant", "content": text, **message}, text, finish_reason=finish, usage={"prompt_tokens": 9})


STATED = reply("All was weighed. Beyond that, skills were missing.")
OPPOSITE = reply("All was weighed. All was well.")
BOTH = {
    (side, decision): {"stated": STATED, "opposite": OPPOSITE}[decision] for side in "AB" for decision in ("stated", "opposite")
}


@pytest.fixture
def study(tmp_path: Path) -> studies.Study:
    return answered(tmp_path / "s", BOTH)


def value(scores: pd.DataFrame, metric: str, profile: str = "published", side: str = "A") -> tuple[float, Any]:
    found = scores[(scores["metric"] == metric) & (scores["profile"] == profile) & (scores["side"] == side)]
    assert len(found) == 1
    return found["value"].iloc[0], found["reason"].iloc[0]


# --- explanations


def test_an_explanation_is_of_the_stated_decision_and_carries_its_opposite(study: studies.Study) -> None:
    table = scoring.explanations(study)
    assert sorted(table["side"]) == ["A", "B"]
    assert set(table["answer"]) == {STATED.content}
    assert set(table["opposite"]) == {OPPOSITE.content}


def test_an_answer_is_read_anew_from_what_came(tmp_path: Path) -> None:
    # as if an older parser had left the reasoning in the text
    thinking = reply("<think>Skills first.</think>Skills were missing.")
    study = answered(tmp_path / "s", {**BOTH, ("A", "stated"): thinking})
    path = responses.path_of(study, study.models[0])
    lines = [json.loads(line) | {"text": "something else", "outcome": "ok"} for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert scoring.explanations(study).set_index("side").loc["A", "answer"] == "Skills were missing."


def test_an_echo_of_the_prompt_is_cut(tmp_path: Path) -> None:
    prompt = next(iter(studies.load("pilot").prompts(templates=["H001"], draws=[0]))).messages[0]["content"]
    scenario = prompt.split("\n\n")[0]
    study = answered(tmp_path / "s", {("A", "stated"): reply(f"{scenario}\n\nSkills were missing.")})
    row = scoring.explanations(study).iloc[0]
    assert row["answer"] == "Skills were missing."
    assert row["flags"] == ("echo",)


# --- scores


def test_there_is_one_row_an_explanation_and_metric_and_profile(study: studies.Study) -> None:
    scores = scoring.score_study(study, encoder=Letters())
    assert len(scores) == 2 * len(METRICS) * len(PROFILES)
    assert not scores.duplicated([*scoring.IDENTITY, "profile", "metric"]).any()


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("word_count", 8.0),  # all was weighed beyond that skills were missing
        ("ttr", 1.0),
        ("elaboration_depth", 2.0),  # "All …" and "Beyond …" are orthogonal
        ("efp", 0.0),  # both texts begin with A, so their cosine is 1
    ],
)
def test_values_worked_out_by_hand(study: studies.Study, metric: str, expected: float) -> None:
    assert value(scoring.score_study(study, encoder=Letters()), metric) == (expected, None)


def test_efp_of_texts_in_two_directions_is_one(tmp_path: Path) -> None:
    study = answered(tmp_path / "s", {**BOTH, ("B", "opposite"): reply("Zeal was shown.")})
    assert value(scoring.score_study(study, encoder=Letters()), "efp", side="B") == (1.0, None)


def test_without_an_opposite_efp_is_undefined_with_its_reason_and_not_zero(tmp_path: Path) -> None:
    study = answered(tmp_path / "s", {("A", "stated"): STATED, ("B", "stated"): STATED, ("B", "opposite"): reply("")})
    scores = scoring.score_study(study, encoder=Letters())
    for side in "AB":
        found, reason = value(scores, "efp", side=side)
        assert math.isnan(found)
        assert reason == "no opposite explanation"


def test_a_cut_off_answer_is_measured_as_published_and_left_out_as_controlled(tmp_path: Path) -> None:
    study = answered(tmp_path / "s", {**BOTH, ("A", "stated"): reply("All was weighed and", finish="length")})
    scores = scoring.score_study(study, encoder=Letters())
    assert value(scores, "word_count", "published") == (4.0, None)
    found, reason = value(scores, "word_count", "controlled")
    assert math.isnan(found)
    assert reason == "truncated"


def test_a_cut_off_opposite_counts_for_efp_as_published_alone(tmp_path: Path) -> None:
    study = answered(tmp_path / "s", {**BOTH, ("A", "opposite"): reply("Zeal was", finish="length")})
    scores = scoring.score_study(study, encoder=Letters())
    assert value(scores, "efp", "published") == (1.0, None)
    assert value(scores, "efp", "controlled")[1] == "no opposite explanation"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (reply("<think>All was", finish="length"), "truncated_in_reasoning"),
        (reply("", refusal="I will not."), "refused"),
        (reply("All was", finish="content_filter"), "filtered"),
        (reply("…"), "empty"),
    ],
)
@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_no_answer_is_measured_in_no_profile(tmp_path: Path, given: Reply, reason: str, profile: str) -> None:
    study = answered(tmp_path / "s", {**BOTH, ("A", "stated"): given})
    scores = scoring.score_study(study, encoder=Letters())
    found = scores[(scores["side"] == "A") & (scores["profile"] == profile)]
    assert found["value"].isna().all()
    assert set(found["reason"]) == {reason}


def test_a_name_is_masked_in_controlled_alone(tmp_path: Path) -> None:
    study = answered(tmp_path / "s", {**BOTH, ("A", "stated"): reply("Mr. Todd Becker lacked skills.")})
    scores = scoring.score_study(study, encoder=Letters())
    assert value(scores, "word_count", "published")[0] == 5.0
    assert value(scores, "word_count", "controlled")[0] == 3.0
    assert value(scores, "naming_rate", "controlled") == (1.0, None)


def test_a_study_without_responses_says_how_to_collect(tmp_path: Path) -> None:
    study = answered(tmp_path / "s", {})
    with pytest.raises(InputError, match=r"no responses yet; python -m eftlib collect --study"):
        scoring.score_study(study)
    assert not scoring.results_dir(study).exists()


# --- cosines on file


def test_with_cosines_on_file_no_embedder_is_needed(study: studies.Study) -> None:
    live = scoring.score_study(study, encoder=Letters())
    stored = scoring.score_study(study, encoder=None)
    pd.testing.assert_frame_equal(live, stored)


def test_without_either_two_metrics_are_not_scored_and_the_others_are(study: studies.Study, capsys: Any) -> None:
    scores = scoring.score_study(study, encoder=None)
    undefined = scores[scores["value"].isna()]
    assert set(undefined["metric"]) == {"elaboration_depth", "efp"}
    assert set(undefined["reason"]) == {scoring.NOT_SCORED}
    assert "not scored: run make score" in capsys.readouterr().err


def test_only_what_is_missing_is_embedded(study: studies.Study) -> None:
    scoring.score_study(study, encoder=Letters())
    again = Letters()
    scoring.score_study(study, encoder=again)
    assert again.asked == []


def test_each_distinct_string_is_embedded_once(study: studies.Study) -> None:
    encoder = Letters()
    scoring.score_study(study, encoder=encoder)
    assert len(encoder.asked) == len(set(encoder.asked))


def test_cosines_of_texts_that_are_gone_leave_the_file(study: studies.Study) -> None:
    scoring.score_study(study, encoder=Letters())
    stored = scoring.StoredCosines(study.folder / "similarities.parquet")
    extra = scoring.Need(("All is gone.", "Both are."))
    stored.add(extra, np.array([0.5]))
    stored.write(study.folder / "similarities.parquet", scoring.needs(scoring.explanations(study)))
    assert extra not in scoring.StoredCosines(study.folder / "similarities.parquet")


def test_the_file_has_the_same_bytes_each_time(study: studies.Study) -> None:
    path = study.folder / "similarities.parquet"
    scoring.score_study(study, encoder=Letters())
    first = path.read_bytes()
    path.unlink()
    scoring.score_study(study, encoder=Letters())
    assert path.read_bytes() == first


def test_verify_names_a_cosine_that_was_changed(study: studies.Study) -> None:
    scoring.score_study(study, encoder=Letters())
    wanted = scoring.needs(scoring.explanations(study))
    stored = scoring.StoredCosines(study.folder / "similarities.parquet")
    assert scoring.verify(stored, wanted, Letters()) == []
    stored.add(wanted[0], stored[wanted[0]] + 0.01)
    assert [line.split(": ")[1] for line in scoring.verify(stored, wanted, Letters())] == ["off by 0.0100"]


def test_a_sample_is_the_same_each_time(study: studies.Study) -> None:
    scoring.score_study(study, encoder=Letters())
    wanted = scoring.needs(scoring.explanations(study))
    stored = scoring.StoredCosines(study.folder / "similarities.parquet")
    first, second = Letters(), Letters()
    scoring.verify(stored, wanted, first, sample=1)
    scoring.verify(stored, list(reversed(wanted)), second, sample=1)
    assert first.asked == second.asked
    assert 0 < len(first.asked) < len({part for need in wanted for part in need.parts})


def test_the_manifest_has_the_cosines(study: studies.Study) -> None:
    scoring.score_study(study, encoder=Letters())
    manifest = json.loads((study.folder / "MANIFEST.json").read_text("utf-8"))
    assert "similarities.parquet" in manifest["files"]


def test_results_of_a_study_that_lies_elsewhere_stay_with_it(study: studies.Study) -> None:
    assert scoring.results_dir(study) == study.folder / "results"
    assert scoring.results_dir(studies.load("pilot")).parts[-2:] == ("results", "pilot")
