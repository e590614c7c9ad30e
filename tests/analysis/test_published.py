"""The study's printed numbers against each other: the arithmetic of each check, and a changed digit that turns it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from eftlib import analysis
from eftlib.files import data_dir

PUBLISHED = data_dir() / "published"


def row(check: str, folder: Path | None = None) -> pd.Series:
    return analysis.published_checks(folder).set_index("check").loc[check]


@pytest.mark.parametrize(
    ("check", "recomputed", "verdict"),
    [
        ("template totals", "80", "consistent"),  # 20 + 20 + 20 + 20 = 21 + 29 + 15 + 8 + 7
        ("pairs per axis", "105, 145, 75, 40, 35", "consistent"),  # 21, 29, 15, 8, 7, each x 5
        ("smallest axis", "intersectional", "inconsistent"),  # 7 < 8
        # IV.E: 0.457 < 0.5; 0.573 to 0.774 in between; 0.810 and 0.856 >= 0.8
        ("labels of d", "small, medium, medium, large, large, medium, medium, medium", "consistent"),
        ("mean above median", "8", "consistent"),  # 29.89 > 13.5, 3.74 > 2, ... 0.126 > 0.041
        ("bound on p", "1.1e-62", "inconsistent"),  # elaboration depth; 1.05e-62 would still print as 1.1e-62
        # 396 * 397 / 4 = 39303, by sqrt(396 * 397 * 793 / 24) = 2279.15: z = 17.24455; erfc(z / sqrt(2)) / 2 = 6.15e-67
        ("EFP's pairs", "p at least 6.15e-67", "inconsistent"),
        ("worst axes", "8", "consistent"),  # 0 + 1 + 1 + 3 + 3
        ("religion worst", "at least 2", "inconsistent"),  # 1.073 and 1.186, the only cells above 1
        # 25 against 11: 2 x (C(36, 25) + ... + C(36, 36)) / 2^36 = 0.0288; the next p above is farther from 0.032
        ("religion's sign test", "nearest p 0.0288", "inconsistent"),
        ("mean ranks", "11, 19, 23, 33, 34: 120", "consistent"),  # 1.38 x 8 = 11.04, ...; 8 x (1 + 2 + 3 + 4 + 5)
        ("last two models", "67", "inconsistent"),  # 33 + 34 against 8 x (4 + 5) = 72
        ("worst models", "8", "consistent"),  # five of Qwen3, two of GPT-OSS, one of Claude in both
        ("ratio of words", "5.873", "consistent"),  # 74.0 / 12.6
        ("reductions of EFP", "78.1% to 94.8%", "consistent"),  # 1 - 0.028 / 0.128 and 1 - 0.018 / 0.344
        ("whole clusters", "338.00, 338.00, 254.00, 251.04", "consistent"),  # 251 / 80 = 3.1375, printed 3.138
        # 0.592 x 3200 / sqrt(6400 x 161 / 12) = 6.465; p 5.07e-11, x 32 / 4
        ("p of EFP's reductions", "4.1e-10", "consistent"),
        # 0.214 x 3200 / 293.03 = 2.337; p 0.00972, x 32 / 6 = 0.0518
        ("p of elaboration's reductions", "0.0518", "ambiguous"),
    ],
)
def test_values_worked_out_by_hand(check: str, recomputed: str, verdict: str) -> None:
    found = row(check)
    assert (found["recomputed"], found["verdict"]) == (recomputed, verdict)
    assert bool(found["reason"]) == (verdict != "consistent")


CHANGED = [
    ("template totals", "table2_templates", "hiring,7,7", "hiring,8,7", "inconsistent"),
    ("pairs per axis", "table5_direction", "age,75", "age,76", "inconsistent"),
    ("smallest axis", "table2_templates", "21,29,15,8,7", "21,29,15,8,9", "consistent"),
    ("labels of d", "table3_existence", "0.810,large", "0.710,large", "inconsistent"),
    ("mean above median", "table3_existence", "0.041", "0.141", "inconsistent"),
    ("bound on p", "table3_existence", "1.1e-62", "1.1e-63", "consistent"),
    ("EFP's pairs", "table3_existence", "efp,396", "efp,400", "consistent"),
    ("worst axes", "table4_axes", "5,3", "5,2", "inconsistent"),
    ("religion worst", "table4_axes", "0.822,1,0", "0.822,1,2", "consistent"),
    ("religion's sign test", "text_claims", "0.032", "0.029", "consistent"),
    ("mean ranks", "table6_models", "1.38", "1.28", "inconsistent"),
    ("last two models", "table6_models", "4.12", "4.75", "consistent"),
    ("worst models", "table7_worst_cells", "fkgl,claude-sonnet-4-6", "fkgl,gpt-4.1", "inconsistent"),
    ("ratio of words", "text_claims", "12.6", "12.9", "inconsistent"),
    ("reductions of EFP", "table8_mitigation", "0.028", "0.038", "inconsistent"),
    ("whole clusters", "table8_mitigation", "3.175", "3.170", "inconsistent"),
    ("p of EFP's reductions", "table8_mitigation", "0.592", "0.572", "inconsistent"),
    ("p of elaboration's reductions", "table8_mitigation", "0.214", "0.220", "consistent"),
]


@pytest.mark.parametrize(("check", "table", "printed", "changed", "verdict"), CHANGED)
def test_a_changed_digit_changes_the_check(
    tmp_path: Path, *, check: str, table: str, printed: str, changed: str, verdict: str
) -> None:
    folder = shutil.copytree(PUBLISHED, tmp_path / "published")
    file = folder / f"{table}.csv"
    text = file.read_text(encoding="utf-8")
    assert printed in text
    file.write_text(text.replace(printed, changed), encoding="utf-8")
    assert row(check, folder)["verdict"] == verdict != row(check)["verdict"]


def test_every_check_has_a_changed_digit() -> None:
    assert [each[0] for each in CHANGED] == list(analysis.published_checks()["check"])
