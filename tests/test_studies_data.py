"""The responses that are shipped: every line is a valid record of a request that its study makes, and reads as it did."""

from __future__ import annotations

import json
from collections import Counter

import jsonschema
import pytest
from shared import ROOT

from eftlib import responses
from eftlib import study as studies

SHIPPED = sorted(path for path in (ROOT / "data" / "studies").glob("*/responses/*.jsonl"))
SCHEMA = json.loads((ROOT / "eftlib" / "schemas" / "record.json").read_text(encoding="utf-8"))


def test_the_pilot_has_responses() -> None:
    assert ROOT / "data" / "studies" / "pilot" / "responses" / "smollm2-135m.jsonl" in SHIPPED


@pytest.fixture(params=SHIPPED, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def shipped(request: pytest.FixtureRequest) -> tuple[studies.Study, studies.Model, list[responses.Record]]:
    study = studies.load(request.param.parts[-3])
    return study, study.model(request.param.stem), list(responses.read(request.param))


def test_every_line_fits_the_published_schema() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for path in SHIPPED:
        for number, value in responses.lines(path):
            errors = [error.message for error in validator.iter_errors(value)]
            assert not errors, f"{path.name}:{number}: {errors[0]}"


def test_every_line_answers_a_request_of_the_study(
    shipped: tuple[studies.Study, studies.Model, list[responses.Record]],
) -> None:
    study, model, records = shipped
    asked = {key: prompt.messages for key, prompt in responses.planned(study, model)}
    assert not [record.key for record in records if record.key not in asked]
    assert not [record.key for record in records if record.messages != asked[record.key]]


def test_no_request_was_answered_twice(shipped: tuple[studies.Study, studies.Model, list[responses.Record]]) -> None:
    counts = Counter(record.key for record in shipped[2] if record.outcome in responses.FINAL)
    assert max(counts.values()) == 1


def test_answers_are_from_one_model_with_one_set_of_parameters(
    shipped: tuple[studies.Study, studies.Model, list[responses.Record]],
) -> None:
    _, model, records = shipped
    assert {json.dumps(record.sent, sort_keys=True) for record in records} == {json.dumps(records[0].sent, sort_keys=True)}
    assert {record.identity["sha256"] for record in records} == {model.weights.sha256}
