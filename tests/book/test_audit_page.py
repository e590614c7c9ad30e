"""The page of an audit, as a reader may open it: from disk, offline, with texts in it that want to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT
from visits import VIEWS, faults

EXAMPLES = ROOT / "examples"
HOSTILE = (
    "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
    "</blockquote></details></main><h1>Mine</h1><style>body { display: none }</style>" + "a" * 3000
)


@pytest.fixture
def page(run, tmp_path: Path):
    def audited(pairs: list[dict[str, Any]], *options: str) -> Path:
        path = tmp_path / "pairs.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in pairs), encoding="utf-8")
        assert run("audit", str(path), "--no-embed", "--with-texts", "--out", str(tmp_path / "out"), *options).code == 0
        return tmp_path / "out" / "report.html"

    return audited


def pairs() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLES / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]


def hostile() -> list[dict[str, Any]]:
    """The example with one pair's every text hostile, and with decisions that differ, so that the page has all its parts."""
    first, *others = pairs()
    texts = dict.fromkeys(("explanation_b", "name_b", "group_b", "pair_id", "topic", "model"), HOSTILE)
    return [first | texts | {"same_decision": False}, *others, first | {"pair_id": "other", "axis": HOSTILE}]


@pytest.mark.parametrize("view", VIEWS)
def test_a_reader_of_an_audit_finds_no_fault(browser, page, view: str) -> None:
    report = page(pairs(), "--null", str(EXAMPLES / "null.jsonl"))
    found = faults(browser, report, VIEWS[view])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_texts_are_shown_and_do_nothing(browser, page, tmp_path: Path, view: str) -> None:
    report = page(hostile())
    # opened, or a hostile text would hide from the visit
    opened = tmp_path / "opened.html"
    opened.write_text(report.read_text(encoding="utf-8").replace("<details>", "<details open>"), encoding="utf-8")
    found = faults(browser, opened, VIEWS[view])
    assert not found, "\n".join(found)
    tab = browser.new_page()
    try:
        tab.goto(opened.as_uri(), wait_until="load")
        assert tab.title() == "Audit of explanation pairs"
        assert tab.locator("script, img").count() == 0
        quoted = tab.locator("blockquote").all_inner_texts()
        assert HOSTILE in quoted
    finally:
        tab.close()


def test_such_texts_would_run_if_they_were_not_escaped(browser, tmp_path: Path) -> None:
    # so that the test above can fail
    bare = tmp_path / "bare.html"
    bare.write_text(f"<title>Audit</title>{HOSTILE}", encoding="utf-8")
    tab = browser.new_page()
    try:
        tab.goto(bare.as_uri(), wait_until="load")
        assert tab.title() == "run"
    finally:
        tab.close()
