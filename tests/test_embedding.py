"""The embedder's surroundings with a model that only counts: cache, blocks, chunks, pooling; and what stops it."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from texts import Bag

from eftlib import embedding
from eftlib.embedding import SHA256, Cache, Embedder, LiveCosines, chunked, model_folder
from eftlib.embedding import embedder as module
from eftlib.errors import StoppedError


class Model:
    """Stands in for SentenceTransformer: draws a vector by the text, and remembers what it was asked."""

    asked: list[list[str]]

    def __init__(self, *_: object, **__: object) -> None:
        Model.asked = []
        self.bag = Bag(8)
        self.tokenizer = SimpleNamespace(tokenize=str.split)

    def encode(self, block: list[str], **_: object) -> np.ndarray:
        Model.asked.append(list(block))
        return np.array([self.bag.vector(text) for text in block])


@pytest.fixture
def embedder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Embedder:
    monkeypatch.setattr(module, "verify", lambda folder: None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))
    quiet = SimpleNamespace(disable_progress_bar=lambda: None, set_verbosity_error=lambda: None)
    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "transformers.utils", SimpleNamespace(logging=quiet))
    return Embedder(tmp_path / "model", Cache(tmp_path / "cache.sqlite"))


def asked() -> list[str]:
    return [text for block in Model.asked for text in block]


# --- each text once


def test_each_distinct_text_is_embedded_once(embedder: Embedder) -> None:
    found = embedder.embed(["one", "two", "one", "one two", "two"])
    assert sorted(asked()) == ["one", "one two", "two"]
    assert set(found) == {"one", "two", "one two"}


def test_what_is_asked_again_comes_from_the_cache(embedder: Embedder) -> None:
    first = embedder.embed(["one", "two"])
    Model.asked.clear()
    second = embedder.embed(["two", "three", "one"])
    assert asked() == ["three"]
    assert all(np.array_equal(first[text], second[text]) for text in first)


def test_another_embedder_reads_the_same_cache(embedder: Embedder, tmp_path: Path) -> None:
    first = embedder.embed(["one"])
    other = Embedder(tmp_path / "model", Cache(tmp_path / "cache.sqlite"))
    assert np.array_equal(other.embed(["one"])["one"], first["one"])
    assert asked() == []


def test_vectors_belong_to_their_texts_whatever_the_order(embedder: Embedder, tmp_path: Path) -> None:
    texts = [f"{'word ' * (number % 7)}{number}" for number in range(700)]
    found = embedder.embed(texts)
    backwards = Embedder(tmp_path / "model", Cache(tmp_path / "other.sqlite")).embed(texts[::-1])
    bag = Bag(8)
    assert all(np.array_equal(found[text], bag.vector(text)) for text in texts)
    assert all(np.array_equal(found[text], backwards[text]) for text in texts)


def test_a_stop_loses_one_block_at_most(embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = Model.encode

    def stop_at_the_third(self: Model, block: list[str], **options: object) -> np.ndarray:
        if len(Model.asked) == 2:
            raise KeyboardInterrupt
        return encode(self, block, **options)

    texts = [f"text {number}" for number in range(1000)]
    monkeypatch.setattr(Model, "encode", stop_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        embedder.embed(texts)
    assert len(Cache(tmp_path / "cache.sqlite").get(texts)) == len(asked()) > 0


def test_nothing_asked_runs_nothing(embedder: Embedder) -> None:
    assert embedder.embed([]) == {}
    assert Model.asked == []


def test_progress_goes_to_standard_error(embedder: Embedder, capsys: pytest.CaptureFixture[str]) -> None:
    embedder.embed(["one", "two"])
    assert capsys.readouterr() == ("", "")
    embedder.embed(["one", "two", "three"], progress=True)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "embedded 1 of 1 texts\n")


# --- the cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "deep" / "folder" / "cache.sqlite")


@pytest.mark.parametrize("text", ["", "a", "é", "e\u0301", "🙂", "\ud83d", "x" * 100_000, "a\x00b", " a", "a "])
def test_any_text_is_a_key(cache: Cache, text: str) -> None:
    vector = np.array([1, 2, 3], dtype=np.float32)
    cache.put({text: vector})
    assert np.array_equal(cache.get([text])[text], vector)


def test_texts_that_look_alike_are_two_keys(cache: Cache) -> None:
    cache.put({"é": np.ones(2, dtype=np.float32)})
    assert cache.get(["e\u0301", "É", "é "]) == {}


def test_many_keys_are_read_at_once(cache: Cache) -> None:
    # past SQLite's limit of variables in a statement
    texts = {f"text {number}": np.array([number], dtype=np.float32) for number in range(2600)}
    cache.put(texts)
    found = cache.get([*texts, "another"])
    assert {text: float(vector[0]) for text, vector in found.items()} == {
        text: float(vector[0]) for text, vector in texts.items()
    }


def test_what_is_there_stays(cache: Cache) -> None:
    cache.put({"a": np.zeros(2, dtype=np.float32)})
    cache.put({"a": np.ones(2, dtype=np.float32)})
    assert cache.get(["a"])["a"].tolist() == [0, 0]


def test_another_precision_is_stored_as_single(cache: Cache) -> None:
    cache.put({"a": np.array([1 / 3])})
    assert cache.get(["a"])["a"].dtype == np.float32


def test_no_text_is_kept_in_the_cache(cache: Cache, tmp_path: Path) -> None:
    # explanations may be confidential; a cache of hashes may lie about
    cache.put({"Ada Birch was denied.": np.ones(2, dtype=np.float32)})
    assert b"Birch" not in (tmp_path / "deep" / "folder" / "cache.sqlite").read_bytes()


@pytest.mark.parametrize("damage", ["words", "cut"])
def test_a_damaged_cache_stops_with_its_path(tmp_path: Path, damage: str) -> None:
    # C65
    path = tmp_path / "cache.sqlite"
    Cache(path).put({f"text {number}": np.ones(700, dtype=np.float32) for number in range(50)})
    path.write_bytes(b"no database at all" * 99 if damage == "words" else path.read_bytes()[:5000])
    with pytest.raises(StoppedError, match=r"cache\.sqlite"):
        Cache(path).get(["text 1", "text 49"])


def test_a_cache_is_a_file_that_sqlite_reads(cache: Cache, tmp_path: Path) -> None:
    cache.put({"a": np.array([1, 2], dtype=np.float32)})
    with sqlite3.connect(tmp_path / "deep" / "folder" / "cache.sqlite") as file:
        ((key, blob),) = file.execute("SELECT key, vector FROM embeddings").fetchall()
    # sha256sum of the letter a
    assert key == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert np.frombuffer(blob, dtype="<f4").tolist() == [1, 2]


# --- chunks and pooling


@pytest.mark.parametrize(
    ("text", "window", "expected"),
    [
        ("One two three.", 400, ["One two three."]),
        ("One two three. Four five. Six seven eight nine.", 7, ["One two three. Four five.", "Six seven eight nine."]),
        ("One two. Three four. Five six.", 4, ["One two.", "Three four.", "Five six."]),
        ("one two three four five six seven", 5, ["one two three", "four five six", "seven"]),
        ("A b. One two three four five six. C d.", 6, ["A b. One two", "three four five six.", "C d."]),
        ("One two three\nFour five six", 5, ["One two three", "Four five six"]),
    ],
)
def test_chunks_are_sentences_together_and_words_where_one_is_too_long(text: str, window: int, expected: list[str]) -> None:
    assert chunked(text, Bag(), window) == expected


@pytest.mark.parametrize("window", [3, 5, 10, 50, 384])
@pytest.mark.parametrize("sentence", [1, 7, 60, 1000])
def test_chunks_fit_and_lose_nothing(window: int, sentence: int) -> None:
    text = " ".join(
        f"{'Word' if number % sentence == 0 else 'word'}{'.' if (number + 1) % sentence == 0 else ''}" for number in range(2000)
    )
    chunks = chunked(text, Bag(), window)
    assert " ".join(chunks) == text
    assert max(len(chunk.split()) for chunk in chunks) <= window - 2


def test_a_short_text_is_the_text_itself() -> None:
    # typography and line breaks included: it must be the same string in both profiles' cache
    assert chunked("Denied — for\n\nnow", Bag()) == ["Denied — for\n\nnow"]


def test_pooling_weighs_chunks_by_their_pieces() -> None:
    bag = Bag()
    text = "word " * 382 + "end " * 100
    one, two = bag.vector("word " * 382).astype(float), bag.vector("end " * 100).astype(float)
    pooled = 382 * one + 100 * two
    other = bag.vector("Denied").astype(float)
    expected = pooled @ other / np.linalg.norm(pooled)
    assert LiveCosines(bag).between_texts(text, "Denied", "controlled") == pytest.approx(expected, abs=1e-6)
    # published gives the encoder the whole text, of which the real one reads the beginning
    assert LiveCosines(bag).between_texts(text, "Denied", "published") == pytest.approx(
        bag.vector(text).astype(float) @ other, abs=1e-6
    )


def test_cosines_of_sentences_are_those_of_numpy_in_the_order_of_pdist() -> None:
    parts = ["one two", "two three", "three", "one two"]
    vectors = np.array([Bag().vector(part) for part in parts], dtype=float)
    expected = [vectors[a] @ vectors[b] for a in range(4) for b in range(a + 1, 4)]
    assert LiveCosines(Bag()).between_sentences(parts) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("parts", [[], ["one"]])
def test_no_pair_is_no_cosine(parts: list[str]) -> None:
    assert LiveCosines(Bag()).between_sentences(parts).shape == (0,)


def test_what_was_prepared_is_not_embedded_again() -> None:
    bag = Bag()
    cosines = LiveCosines(bag)
    cosines.prepare(["a", "b", "a"])
    cosines.between_sentences(["a", "b", "a"])
    cosines.between_texts("a", "b", "published")
    assert [text for block in bag.asked for text in block] == ["a", "b"]


# --- what stops


def test_a_missing_model_stops_and_says_what_brings_it(tmp_path: Path) -> None:
    with pytest.raises(StoppedError, match=r"the embedder is not in .*nowhere; make model brings it$"):
        Embedder(tmp_path / "nowhere")


def test_another_hash_stops_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    with pytest.raises(StoppedError, match=rf"sha256 is \w{{64}}, should be {SHA256}; remove the folder and run make model"):
        Embedder(tmp_path)


def test_missing_packages_stop_and_say_what_brings_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "verify", lambda folder: None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(StoppedError, match="torch and sentence-transformers are not installed; make model brings them"):
        Embedder(tmp_path / "model")


def test_make_has_the_target_that_the_messages_name() -> None:
    makefile = (Path(embedding.__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    assert "\nmodel:" in makefile


def test_a_folder_for_models_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EFTLIB_MODELS", str(tmp_path))
    assert model_folder() == tmp_path / "all-mpnet-base-v2"
    monkeypatch.setenv("EFTLIB_MODELS", "")
    assert model_folder().parts[-2:] == ("models", "all-mpnet-base-v2")
