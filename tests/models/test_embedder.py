"""The real embedder: what its cosines mean, what it reads, and what does not move them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from texts import reason, value

from eftlib.embedding import SHA256, WINDOW, Cache, Embedder, LiveCosines, chunked, model_folder
from eftlib.errors import StoppedError


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return Embedder(cache=Cache(tmp_path_factory.mktemp("cache") / "cache.sqlite"))


@pytest.fixture
def cosine(embedder: Embedder):
    def between(one: str, other: str) -> float:
        found = embedder.embed([one, other])
        return float(found[one] @ found[other])

    return between


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The loan was refused because the income is too low.", "The loan was denied since the income is too small."),
        ("Her credit score is below the limit.", "Her credit score is under the threshold."),
        ("The patient has a high fever.", "The patient is running a high temperature."),
    ],
)
def test_paraphrases_are_close(cosine, one: str, other: str) -> None:
    assert cosine(one, other) > 0.85


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The loan was refused because the income is too low.", "Penguins swim well in the cold sea."),
        ("The patient has a fever.", "Our team won the chess tournament on Sunday."),
        ("Parole was revoked after two violations.", "Add the flour and knead the dough."),
    ],
)
def test_unrelated_sentences_are_far(cosine, one: str, other: str) -> None:
    assert cosine(one, other) < 0.2


def test_embeddings_have_length_one_and_768_dimensions(embedder: Embedder) -> None:
    vector = embedder.embed(["The loan was refused."])["The loan was refused."]
    assert (vector.shape, vector.dtype) == ((768,), np.float32)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_the_model_reads_384_pieces_and_no_more(embedder: Embedder) -> None:
    whole = "loan " * (WINDOW - 2)
    texts = [whole, whole + "penguin " * 50, "loan " * (WINDOW - 3) + "penguin"]
    assert embedder.pieces(whole) == WINDOW - 2 == 382
    found = embedder.embed([text.strip() for text in texts])
    first, longer, changed = (found[text.strip()] for text in texts)
    assert first @ longer == pytest.approx(1, abs=1e-5)
    assert first @ changed < 1 - 1e-5


def test_the_order_and_the_company_of_texts_change_nothing(embedder: Embedder, tmp_path: Path) -> None:
    texts = [f"The income of {number} dollars {'is too low ' * (number % 5)}." for number in range(40)]
    first = embedder.embed(texts)
    for folder, order in (("backwards", texts[::-1]), ("odd", texts[1::2]), ("one", texts[:1])):
        other = fresh(tmp_path / folder, embedder).embed(order)
        assert max(np.abs(other[text] - first[text]).max() for text in other) < 1e-5


def fresh(folder: Path, embedder: Embedder) -> Embedder:
    """The same loaded model with a cache of its own."""
    other = object.__new__(Embedder)
    other.__dict__ |= embedder.__dict__ | {"_cache": Cache(folder / "cache.sqlite")}
    return other


def test_a_second_call_does_not_run_the_model(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    first = embedder.embed(["Asked for twice."])
    monkeypatch.setattr(embedder._model, "encode", None)
    assert np.array_equal(embedder.embed(["Asked for twice."])["Asked for twice."], first["Asked for twice."])


def test_pieces_add_up_over_words(embedder: Embedder) -> None:
    # chunks are made by adding the pieces of their words
    text = "The debt-to-income ratio of 0.52, “high” as it is, isn't uncreditworthy—résumé 🙂."
    assert embedder.pieces(text) == sum(embedder.pieces(word) for word in text.split())


# --- C22: the same first 300 words, other last 200

BEGINNING = (
    "The committee met on the first Monday of the month and read the whole file with care before it came to a decision. "
    "The file holds the form, two letters, a statement of the bank and a note of the clerk who took the call. "
) * 8
LOW = "The income is far too low for the monthly payments, and two of the last payments were late. " * 12
HIGH = "Savings are large, every payment was on time, and the employer confirmed a permanent contract. " * 14
ONE = " ".join(" ".join(BEGINNING.split()[:300] + LOW.split()[:200]).split())
OTHER = " ".join(" ".join(BEGINNING.split()[:300] + HIGH.split()[:200]).split())


def test_reasons_past_the_window_count_in_controlled(embedder: Embedder) -> None:
    cosines = LiveCosines(embedder)
    assert len(ONE.split()) == len(OTHER.split()) == 500
    assert embedder.pieces(ONE) > WINDOW
    published = value("efp", ONE, "published", opposite=OTHER, similarities=cosines)
    controlled = value("efp", ONE, opposite=OTHER, similarities=cosines)
    # measured: 0.064 (the window ends about 40 words after the 300) and 0.110
    assert controlled > 0.05
    assert controlled > 1.5 * published


def test_published_reads_nothing_past_the_window(embedder: Embedder) -> None:
    # the artefact's size: the first 382 pieces are the same, and EFP is 0 to rounding
    same = " ".join((BEGINNING * 3).split()[:380])
    one, other = f"{same} {LOW}", f"{same} {HIGH}"
    assert embedder.pieces(same) >= WINDOW - 2
    cosines = LiveCosines(embedder)
    assert value("efp", one, "published", opposite=other, similarities=cosines) == pytest.approx(0, abs=1e-5)
    assert value("efp", one, opposite=other, similarities=cosines) > 0.02


@pytest.mark.parametrize(
    "text", ["한국어로 대출이 거절되었습니다. ", "Kredit abgelehnt 🙂 否决 ", "loan-refused—again ", "ﷺ½ﬁ "]
)
def test_chunks_of_any_script_fit_the_window(embedder: Embedder, text: str) -> None:
    # Hangul is taken apart: a syllable may be three pieces, so that a text of few characters may not fit
    for length in (300, 380, 1500):
        chunks = chunked((text * 200)[:length], embedder)
        assert max(embedder.pieces(chunk) for chunk in chunks) <= WINDOW - 2


def test_an_empty_opposite_has_no_value(embedder: Embedder) -> None:
    assert reason("efp", "It was denied.", opposite="", similarities=LiveCosines(embedder)) == "no opposite explanation"


def test_paraphrases_are_one_reason(embedder: Embedder) -> None:
    text = (
        "The loan was refused because the income is too low.\n- The loan was denied since the income is too small.\n"
        "- Penguins swim well in the cold sea."
    )
    assert value("elaboration_depth", text, similarities=LiveCosines(embedder)) == 2


# --- what stops


def test_the_weights_are_those_of_the_hash() -> None:
    # sha256sum, of the file itself
    assert SHA256.startswith("78c0197b6159d926")
    assert (model_folder() / "model.safetensors").stat().st_size == 437_971_872


def test_one_other_byte_stops(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    shutil.copy(model_folder() / "model.safetensors", folder)
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)
        file.seek(1_000_000)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(
        StoppedError, match=rf"sha256 is (?!{SHA256})\w{{64}}, should be {SHA256}; remove the folder and run make model"
    ):
        Embedder(folder, Cache(tmp_path / "cache.sqlite"))


def test_a_folder_without_its_tokenizer_stops_and_says_what_to_do(tmp_path: Path) -> None:
    # a download that was cut off after the weights
    folder = tmp_path / "model"
    folder.mkdir()
    os.link(model_folder() / "model.safetensors", folder / "model.safetensors")
    with pytest.raises(StoppedError, match="make model"):
        Embedder(folder, Cache(tmp_path / "cache.sqlite"))


def test_loading_asks_no_hub(embedder: Embedder) -> None:
    # C26
    assert os.environ["HF_HUB_OFFLINE"] == "1"
