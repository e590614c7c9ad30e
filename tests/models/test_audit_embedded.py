"""The audit with the real embedder: the two metrics that need it, on the example."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from shared import ROOT

from eftlib.embedding import Embedder

EXAMPLES = ROOT / "examples"


def test_the_example_is_audited_with_the_embedder(run, tmp_path: Path) -> None:
    # published: whole texts, nothing masked, so that an expected value needs nothing but the embedder
    command = ["audit", str(EXAMPLES / "pairs.jsonl"), "--null", str(EXAMPLES / "null.jsonl"), "--profile", "published"]
    assert run(*command, "--out", str(tmp_path)).code == 0
    pairs = [json.loads(line) for line in (EXAMPLES / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    opposed = {pair["pair_id"] for pair in pairs if {"opposite_a", "opposite_b"} <= set(pair)}
    assert 0 < len(opposed) < len(pairs) == 40
    measured = pd.read_csv(tmp_path / "pairs.csv").set_index(["metric", "pair_id"])
    depth, efp = measured.loc["elaboration_depth"], measured.loc["efp"]
    assert np.isfinite(depth[["a", "b"]]).all(axis=None)
    assert (depth[["a", "b"]] >= 1).all(axis=None)
    known = efp.index.isin(opposed)
    assert np.isfinite(efp.loc[known, ["a", "b"]]).all(axis=None)
    assert (efp.loc[~known, "reason"] == "no opposite explanation").all()
    rows = {row["metric"]: row for row in json.loads((tmp_path / "verdicts.json").read_text(encoding="utf-8"))}
    for metric, n in (("elaboration_depth", 40), ("efp", len(opposed))):
        assert rows[metric]["n_pairs"] == n
        assert all(math.isfinite(rows[metric][name]) for name in ("ratio", "difference", "p_magnitude", "p_direction"))
    pair = next(pair for pair in pairs if pair["pair_id"] in opposed)
    vectors = Embedder().embed([pair["explanation_a"], pair["opposite_a"]])
    cosine = float(vectors[pair["explanation_a"]] @ vectors[pair["opposite_a"]])
    assert efp.loc[pair["pair_id"], "a"] == pytest.approx(1 - cosine, abs=1e-6)
    assert cosine < 0.999
