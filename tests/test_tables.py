"""Cells as a reader sees them and as a spreadsheet takes them."""

from __future__ import annotations

import csv
import io
import math

import pandas as pd
import pytest

from eftlib import tables


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-x", "@cmd", "\t=1", "\n=1", '=HYPERLINK("http://x")'])
def test_text_that_begins_like_a_formula_is_made_inert(text):
    assert tables.inert(text) == "'" + text


@pytest.mark.parametrize("value", ["-3.5", "+1e-9", "word", "", "a=b", -3.5, None, 7])
def test_numbers_and_other_text_stay_as_they_are(value):
    assert tables.inert(value) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # Table 3 of the study prints 29.89, 0.0096, 0.364; three significant digits of them
        (29.89, "29.9"), (0.0096, "0.00960"), (0.364, "0.364"), (115.4, "115"), (1234.5, "1,234"), (0.0, "0"),
        (-0.45, "-0.450"),
        (9.999, "10.0"), (90.0, "90"), (2.0, "2"), (-3.0, "-3"), (-0.0, "0"), (1e-9, "1.00 × 10⁻⁹"), (999.9, "1,000"),
    ],
)  # fmt: skip
def test_a_number_has_three_significant_digits(value, expected):
    assert tables.number(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.05, "0.050"), (0.001, "0.001"), (7.5e-66, "7.5 × 10⁻⁶⁶"), (9.96e-4, "1.0 × 10⁻³"), (1.0, "1.000"), (0.0, "< 10⁻³⁰⁰")],
)
def test_a_p_value_is_never_shown_as_zero(value, expected):
    assert tables.p_value(value) == expected


@pytest.mark.parametrize("value", [None, math.nan, pd.NA])
def test_what_is_undefined_is_a_dash(value):
    assert tables.cell("mean", value) == "–"


@pytest.mark.parametrize(
    ("column", "value", "expected"), [("metric", "fkgl", "FKGL"), ("p_bh", 0.5, "0.500"), ("n", 1200, "1,200")]
)
def test_the_column_decides_how_a_cell_is_shown(column, value, expected):
    assert tables.cell(column, value) == expected


def test_models_and_metrics_are_shown_by_their_labels_and_kept_by_their_names(tmp_path):
    table = pd.DataFrame(
        {"model": ["one", "new"], "study_model": [None, "one"], "worst_on": ["word_count ttr", ""], "domain": ["one", "x"]}
    )
    shown = tables.shown(table, labels={"one": "Model One"})
    assert shown["model"].tolist() == ["Model One", "new"]
    assert shown["study: model"].tolist() == ["–", "Model One"]
    assert shown["worst on"].tolist() == ["Verbosity (WC), TTR", ""]
    assert shown["domain"].tolist() == ["one", "x"]
    tables.write(table, tmp_path, "t", {"one": "Model One"})
    assert (tmp_path / "t.csv").read_text("utf-8").splitlines()[1] == "one,,word_count ttr,one"
    assert "Model One" in (tmp_path / "t.tex").read_text("utf-8")


@pytest.mark.parametrize("text", ["<script>", "a|b", "*x*", "$x$", "`x`", "[a](b)", "# x", "{x}", "&amp;", "a\n\nb"])
def test_markup_in_a_text_is_shown_and_does_nothing(text):
    shown = tables.literal(text)
    assert "\n" not in shown
    for sign in "<>|*$`[]#{}&":
        assert shown.count(sign) == shown.count("\\" + sign)


def test_a_csv_has_full_precision_and_is_safe_to_open(tmp_path):
    tables.write(pd.DataFrame({"name": ["=cmd"], "mean": [1 / 3]}), tmp_path, "table")
    assert (tmp_path / "table.csv").read_text("utf-8") == f"name,mean\n'=cmd,{1 / 3!r}\n"


@pytest.mark.parametrize(
    ("text", "cell"), [("t\r=1+1", "t\n=1+1"), ("t\r\n=1+1", "t\n=1+1"), ("\r=1+1", "'\n=1+1"), ("t\r", "t\n")]
)
def test_a_carriage_return_in_a_cell_begins_no_row(tmp_path, text, cell):
    tables.write(pd.DataFrame({"name": [text, "u"], "n": [1, 2]}), tmp_path, "table")
    # as bytes: a file opened as text would hide what a carriage return does
    written = (tmp_path / "table.csv").read_bytes().decode()
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["name", "n"], [cell, "1"], ["u", "2"]]
    assert pd.read_csv(tmp_path / "table.csv")["name"].tolist() == [cell, "u"]


def test_a_tex_table_escapes_what_tex_would_run(tmp_path):
    tables.write(pd.DataFrame({"name": ["a_b & 5 %"]}), tmp_path, "table")
    assert r"a\_b \& 5 \%" in (tmp_path / "table.tex").read_text("utf-8")


def test_limits_stand_in_brackets_unless_they_are_columns_of_their_own():
    table = pd.DataFrame({"ratio": [1.25, math.nan], "ratio_low": [0.5, math.nan], "ratio_high": [math.inf, math.nan]})
    assert tables.shown(table, ["ratio"])["ratio"].tolist() == ["1.25 [0.500, ∞]", "–"]
    assert tables.shown(table).iloc[0].tolist() == ["1.25", "0.500", "∞"]
