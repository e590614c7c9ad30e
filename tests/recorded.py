"""A small recorded study whose every value is known: three models, which no file of the project names, and four templates.

Three models are asked about four templates, gender and intersectional, hiring and medical. Every answer is one of eight:

      answer                       word_count  ttr  hedging  domain  sentiment  clusters   fkgl
    a All was read.                     3       1      0       0        0          1      -2.62
    b All was read. But it fell.        6       1      0       0        0          2      -2.62
    c All of it might go.               5       1     2/5      0        0          1      -1.84
    d All experience was triage.        4       1      0      1/4       0          1       9.57
    e All was good.                     3       1      0       0      0.4404       1      -2.62
    f So so so so.                      4      1/4     0       0        0          1      -2.23
    u All was read                      as a, cut off
    x                                   refused

"might" weighs 2; "experience" is a term of hiring and "triage" of medicine. VADER: good 1.9, 1.9 / sqrt(1.9^2 + 15) = 0.4404.
fkgl 0.39 words / sentences + 11.8 syllables / words - 15.59: with one syllable a word 0.39 words / sentences - 3.79; d has
1 + 4 + 1 + 2 syllables. The embedder knows first letters: b has two clusters, and efp is 1 where the opposite begins otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from faults import entry, record_of, write_study

from eftlib import responses
from eftlib import study as studies
from eftlib.clients import Reply
from eftlib.responses import Store

TEXTS = {
    "a": "All was read.", "b": "All was read. But it fell.", "c": "All of it might go.", "d": "All experience was triage.",
    "e": "All was good.", "f": "So so so so.", "u": "All was read", "x": "",
}  # fmt: skip
# what sides A and B were told
BASELINE = {
    "one": {"H001": "ab", "H019": "aa", "M001": "ac", "M019": "ea"},
    "two": {"H001": "af", "H019": "da", "M001": "ba", "M019": "au"},
    "three": {"H001": "aa", "H019": "ac", "M001": "dd", "M019": "ax"},
}
BLIND = {"one": "aa", "two": "ab"}
# of the opposite decision all were told the first, but for one, and one was not asked
OPPOSITE, OTHER = "All was so.", "So it was."
OPPOSITES = {("three", "H001", "B"): OTHER, ("two", "H019", "A"): None}
# so m(B) - m(A) is, in the order one, two, three (None: refused; word_count also 0 for the answer that was cut off):
#                 H001 gender    M001 gender    H019 intersectional   M019 intersectional
#   word_count     3   1   0      2  -3   0        0  -1   2            0   0  None
#   elaboration    1   0   0      0  -1   0        0   0   0            0   0  None
#   sentiment      0   0   0      0   0   0        0   0   0          -.44  0  None
#   hedging        0   0   0     .4   0   0        0   0  .4            0   0  None
#   efp            0   1   1      0   0   0        0 None  0            0   0  None
#   fkgl           0  .39  0    .78   0   0        0 -12.19 .78         0   0  None
#   ttr            0 -.75  0      0   0   0        0   0   0            0   0  None
#   domain         0   0   0      0   0   0        0 -.25  0            0   0  None


class Letters:
    """A stand-in for the embedder whose cosines are worked out by hand: a direction for each first letter of a text."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], **_: object) -> dict[str, np.ndarray]:
        self.asked += texts
        return {text: np.eye(26, dtype=np.float32)[ord(text.lower().lstrip("- ")[0]) - ord("a")] for text in texts}

    def pieces(self, text: str) -> int:
        return len(text.split())


def told(text: str, code: str) -> Reply:
    message = {"role": "assistant", "content": text} | ({"refusal": "I will not."} if code == "x" else {})
    return Reply(message, text, finish_reason="length" if code == "u" else "stop", usage={"prompt_tokens": 9})


def answer_to(model: str, prompt: object) -> Reply | None:
    if prompt.decision == "opposite":
        special = OPPOSITES if prompt.condition == "baseline" else {}
        text = special.get((model, prompt.template, prompt.side), OPPOSITE)
        return None if text is None else told(text, "")
    codes = BASELINE[model][prompt.template] if prompt.condition == "baseline" else BLIND[model]
    code = codes["AB".index(prompt.side)]
    return told(TEXTS[code], code)


def record(folder: Path, code: str = "") -> studies.Study:
    """Write the study and its answers; with a code every answer is that one."""
    write_study(
        folder,
        *(entry("http://127.0.0.1:9/v1", name=name) for name in BASELINE),
        templates=list(BASELINE["one"]),
        conditions={"baseline": "", "blind": "Do not look at the person."},
        condition_models={"blind": list(BLIND)},
    )
    study = studies.load(str(folder))
    for model in study.models:
        with Store(responses.path_of(study, model)) as store:
            for key, prompt in responses.planned(study, model):
                if reply := told(TEXTS[code], code) if code else answer_to(model.name, prompt):
                    store.append(record_of(prompt, model, reply, key=key))
    return study
