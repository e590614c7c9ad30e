"""Responses in, one row an explanation and metric out.

A score is a function of a response's row alone, so rows can be scored in any order and anywhere. What needs the embedder is
kept as cosines in ``similarities.parquet``: without torch the two metrics are computed from there.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from eftlib import responses, varied
from eftlib.clients.anthropic import messages_reply
from eftlib.clients.base import chat_reply
from eftlib.embedding import Encoder, LiveCosines, chunked
from eftlib.errors import InputError
from eftlib.files import data_dir, shown
from eftlib.measuring import MEASURED
from eftlib.metrics import METRICS, PROFILES, Explanation, Profile, Similarities, UndefinedError, measure
from eftlib.metrics.base import prepared
from eftlib.study import Study
from eftlib.text import cut_echo, flags, sentences

NOT_SCORED = "not scored: run make score"
# what identifies an explanation in the score frame
IDENTITY = ("model", "template", "domain", "axis", "side", "draw", "condition", "repeat", "persona_id", "pair", "stratum")
_DECIMALS = 4

Row = Mapping[Any, Any]


def results_dir(study: Study) -> Path:
    """Return where the results of a study go: ``results/<name>`` of the checkout, or beside a study that lies elsewhere.

    Parameters
    ----------
    study : eftlib.study.Study

    Returns
    -------
    Path
    """
    inside = study.folder.resolve().parent == (data_dir() / "studies").resolve()
    return data_dir().parent / "results" / study.name if inside else study.folder / "results"


def explanations(study: Study) -> pd.DataFrame:
    """Load what the models of a study explained, read anew from the raw replies.

    Parameters
    ----------
    study : eftlib.study.Study

    Returns
    -------
    pandas.DataFrame
        One row an explanation of the stated decision, with the columns of `eftlib.responses.frame`, ``answer`` (the text
        without reasoning and without an echo of the prompt), ``outcome`` and ``flags`` as the present parser sees them, and
        ``opposite`` and ``opposite_outcome`` of the same person's explanation of the opposite decision (None where it is
        missing).
    """
    table = responses.frame(study)
    read = [_reread(row) for row in table.to_dict("records")]
    table = table.assign(**{name: [each[name] for each in read] for name in ("answer", "outcome", "flags", "reason")})
    by = ["model", "template", "side", "draw", "condition", "repeat"]
    stated, opposite = (table[table["decision"] == decision] for decision in ("stated", "opposite"))
    other = opposite[[*by, "answer", "outcome"]].rename(columns={"answer": "opposite", "outcome": "opposite_outcome"})
    merged = stated.merge(other, on=by, how="left", validate="one_to_one")
    return merged.astype({"opposite": object, "opposite_outcome": object})


def _reread(row: Row) -> dict[str, Any]:
    if row["outcome"] == "error":
        return {"answer": "", "outcome": "error", "flags": (), "reason": row["reason"]}
    if row["endpoint"] == "messages":
        reply = messages_reply({**row["raw"], "usage": row["usage"]})
    else:
        reply = chat_reply({"choices": [{"message": row["raw"], "finish_reason": row["finish_reason"]}], "usage": row["usage"]})
    text, _, outcome, reason = responses.interpret(
        content=reply.content,
        reasoning=reply.reasoning,
        refusal=reply.refusal,
        finish_reason=row["finish_reason"],
        usage=row["usage"],
    )
    prompt = row["messages"][-1]["content"]
    return {"answer": cut_echo(text, prompt), "outcome": outcome, "flags": tuple(flags(text, prompt)), "reason": reason}


def score(table: pd.DataFrame, profile: Profile, cosines: Similarities | str) -> pd.DataFrame:
    """Measure explanations.

    Parameters
    ----------
    table : pandas.DataFrame
        As `explanations` gives it.
    profile : {"published", "controlled"}
    cosines : Similarities or str
        Where cosines come from, or why there are none.

    Returns
    -------
    pandas.DataFrame
        One row an explanation and metric: `IDENTITY`, ``outcome``, ``flags`` (space-separated), ``profile``, ``metric``,
        ``value`` (NaN where undefined) and ``reason``.
    """
    rows = [
        {**{name: row[name] for name in IDENTITY}, "outcome": row["outcome"], "flags": " ".join(row["flags"]),
         "profile": profile, "metric": metric, "value": value, "reason": reason}
        for row in table.to_dict("records")
        for metric, (value, reason) in _measured(row, profile, cosines).items()
    ]  # fmt: skip
    columns = [*IDENTITY, "outcome", "flags", "profile", "metric", "value", "reason"]
    return pd.DataFrame(rows, columns=columns).astype({"value": float})


def _measured(row: Row, profile: Profile, cosines: Similarities | str) -> dict[str, tuple[float, str | None]]:
    if row["outcome"] not in MEASURED[profile]:
        return dict.fromkeys(METRICS, (math.nan, row["outcome"]))
    return measure(_explanation(row, profile, cosines))


def _explanation(row: Row, profile: Profile, cosines: Similarities | str) -> Explanation:
    has_opposite = row["opposite_outcome"] in MEASURED[profile]
    opposite = row["opposite"] if has_opposite else None
    return Explanation(row["answer"], profile, row["name"], row["domain"], opposite, cosines)


# --- cosines on file


def _key(parts: Sequence[str]) -> str:
    """Return the key of the exact strings that were embedded."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True)
class Need:
    """Strings whose cosines a study needs: the sentences of a text, or two whole texts in a profile."""

    parts: tuple[str, ...]
    profile: Profile | None = None

    @property
    def key(self) -> str:
        """The key on file."""
        return _key([self.profile or "sentences", *self.parts])


class StoredCosines:
    """Cosines from ``similarities.parquet``; what is missing is undefined with the reason `NOT_SCORED`.

    Parameters
    ----------
    path : Path
        It need not exist.
    """

    def __init__(self, path: Path) -> None:
        self._known: dict[str, npt.NDArray[np.float64]] = {}
        if path.exists():
            table = pd.read_parquet(path)
            self._known = {
                key: np.asarray(values, dtype=np.float64) for key, values in zip(*(table[c] for c in table), strict=True)
            }

    def __contains__(self, need: Need) -> bool:
        return need.key in self._known

    def __len__(self) -> int:
        return len(self._known)

    def __getitem__(self, need: Need) -> npt.NDArray[np.float64]:
        return self._known[need.key]

    def add(self, need: Need, cosines: npt.NDArray[np.float64]) -> None:
        """Keep cosines, rounded as they are on file."""
        self._known[need.key] = cosines.round(_DECIMALS)

    def between_sentences(self, parts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return the condensed cosines of all pairs of sentences; see `eftlib.metrics.Similarities`."""
        return self._get(Need(tuple(parts)))

    def between_texts(self, text: str, other: str, profile: Profile) -> float:
        """Return the cosine of two whole texts.

        Parameters
        ----------
        text, other : str
        profile : {"published", "controlled"}

        Returns
        -------
        float

        Raises
        ------
        UndefinedError
            If it is not on file.
        """
        return float(self._get(Need((text, other), profile))[0])

    def _get(self, need: Need) -> npt.NDArray[np.float64]:
        if need not in self:
            raise UndefinedError(NOT_SCORED)
        return self[need]

    def write(self, path: Path, needs: Iterable[Need]) -> None:
        """Write what is known of the needs, and nothing else, in one step and in the order of keys.

        Parameters
        ----------
        path : Path
        needs : iterable of Need
        """
        known = sorted({need.key for need in needs if need in self})
        table = pd.DataFrame({"key": known, "cosines": [self._known[key].astype(np.float32) for key in known]})
        draft = path.with_name(path.name + ".new")
        table.to_parquet(draft, compression="zstd", index=False)
        draft.replace(path)


def needs(table: pd.DataFrame) -> list[Need]:
    """Return the strings whose cosines are needed to score explanations, and to vary the baseline's and how they are measured.

    Parameters
    ----------
    table : pandas.DataFrame
        As `explanations` gives it.

    Returns
    -------
    list of Need
        Each once, in the order of the table; those of the robustness page (`eftlib.varied`) at the end.
    """
    whole = varied.cut_off_measured(table[table["condition"] == "baseline"])
    sample = varied.sample(table)
    ways: list[tuple[pd.DataFrame, Profile]] = [
        *((table, profile) for profile in PROFILES), (whole, "controlled"), (varied.name_kept(whole), "controlled"),
        *((varied.changed(sample, change), profile) for profile in PROFILES for change in varied.CHANGES),
    ]  # fmt: skip
    return list(
        dict.fromkeys(need for rows, profile in ways for row in rows.to_dict("records") for need in _needs_of(row, profile))
    )


def _needs_of(row: Row, profile: Profile) -> Iterator[Need]:
    if row["outcome"] not in MEASURED[profile]:
        return
    text = prepared(row["answer"], row["name"], profile)
    parts = tuple(sentences(text))
    if len(parts) > 1:
        yield Need(parts)
    if parts and row["opposite_outcome"] in MEASURED[profile]:
        other = prepared(row["opposite"], row["name"], profile)
        if sentences(other):
            yield Need((text, other), profile)


def fill(stored: StoredCosines, wanted: Sequence[Need], encoder: Encoder, *, progress: bool = True) -> int:
    """Embed what is missing: each distinct string once, in one go.

    Parameters
    ----------
    stored : StoredCosines
        Added to.
    wanted : sequence of Need
    encoder : eftlib.embedding.Encoder
    progress : bool
        Whether to show progress on standard error.

    Returns
    -------
    int
        How many were missing.
    """
    missing = [need for need in wanted if need not in stored]
    live = LiveCosines(encoder)
    live.prepare((string for need in missing for string in _strings(need, encoder)), progress=progress)
    for need in missing:
        stored.add(need, _cosines(live, need))
    return len(missing)


def _strings(need: Need, encoder: Encoder) -> Iterator[str]:
    for part in need.parts:
        yield from chunked(part, encoder) if need.profile == "controlled" else [part]


def _cosines(live: LiveCosines, need: Need) -> npt.NDArray[np.float64]:
    if need.profile is None:
        return live.between_sentences(need.parts)
    text, other = need.parts
    return np.array([live.between_texts(text, other, need.profile)])


def verify(stored: StoredCosines, wanted: Sequence[Need], encoder: Encoder, *, sample: int | None = None) -> list[str]:
    """Recompute cosines that are on file and name those that differ.

    Parameters
    ----------
    stored : StoredCosines
    wanted : sequence of Need
    encoder : eftlib.embedding.Encoder
    sample : int, optional
        At most so many, evenly spaced over the keys, so that the same are taken each time.

    Returns
    -------
    list of str
        A line a difference; empty where all agree to the fourth decimal (one unit of it allowed, for the batches' last digits).
    """
    known = sorted((need for need in wanted if need in stored), key=lambda need: need.key)
    if sample is not None and len(known) > sample:
        known = [known[place] for place in np.linspace(0, len(known) - 1, sample).astype(int)]
    again = StoredCosines(Path("nowhere.parquet"))
    fill(again, known, encoder, progress=False)
    worst = {need.key: float(np.abs(again[need] - stored[need]).max()) for need in known}
    return [f"{key[:12]}: off by {off:.4f}" for key, off in worst.items() if off > 1.5 * 10**-_DECIMALS]


def score_study(study: Study, *, profiles: Sequence[Profile] = PROFILES, encoder: Encoder | None = None) -> pd.DataFrame:
    """Score a study: fill in missing cosines where there is an encoder, and write the score frame.

    Parameters
    ----------
    study : eftlib.study.Study
    profiles : sequence of str
    encoder : eftlib.embedding.Encoder, optional
        Without one the cosines on file are used, and what they lack is undefined with the reason `NOT_SCORED`.

    Returns
    -------
    pandas.DataFrame
        As `score` gives it, over the profiles; also written to ``scores.parquet`` of `results_dir`.

    Raises
    ------
    InputError
        If the study has no responses.
    """
    table = explanations(study)
    if table.empty:
        raise InputError(
            f"{shown(study.folder / 'responses')}: no responses yet; python -m eftlib collect --study {study.name}"
        )
    path = study.folder / "similarities.parquet"
    stored = StoredCosines(path)
    wanted = needs(table)
    if encoder is not None and fill(stored, wanted, encoder):
        stored.write(path, wanted)
        responses.write_manifest(study)
    lacking = sum(need not in stored for need in wanted)
    if lacking:
        print(f"{lacking:,} of {len(wanted):,} embeddings' cosines are {NOT_SCORED}", file=sys.stderr)
    scores = pd.concat([score(table, profile, stored) for profile in profiles], ignore_index=True)
    folder = results_dir(study)
    folder.mkdir(parents=True, exist_ok=True)
    scores.to_parquet(folder / "scores.parquet", index=False)
    return scores
