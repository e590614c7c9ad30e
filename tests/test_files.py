"""Reading files: where data lie, and one line that says what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from eftlib import files
from eftlib.errors import InputError


class Inner(files.Strict):
    size: int
    colour: str = "red"


class Outer(files.Strict):
    title: str
    parts: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = {}  # noqa: RUF012 - a schema's default, copied by pydantic
    notes: dict[str, str] = {}  # noqa: RUF012


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "outer.yml"


def test_data_of_a_checkout_lie_beside_the_package():
    assert files.data_dir() == Path(files.__file__).parents[1] / "data"


def test_data_of_an_installed_wheel_lie_inside_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_PACKAGE", tmp_path / "site-packages" / "eftlib")
    assert files.data_dir() == tmp_path / "site-packages" / "eftlib" / "_data"


def test_a_path_below_the_current_folder_is_shown_relative(path):
    assert files.shown(path) == "outer.yml"


def test_a_path_elsewhere_is_shown_whole(path):
    assert files.shown(path.parents[1] / "other.yml") == str(path.parents[1] / "other.yml")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("legl", "; did you mean 'legal'? allowed: hiring, legal"),
        ("zzz", "; allowed: hiring, legal"),
        (7, "; allowed: hiring, legal"),
    ],
)
def test_hint_names_the_near_one_and_the_allowed(value, expected):
    assert files.hint(value, iter(["hiring", "legal"])) == expected


def test_missing_file_is_named(path):
    with pytest.raises(InputError, match=r"^outer\.yml: no such file$"):
        files.read_text(path)


def test_folder_in_place_of_a_file_is_named(path):
    path.mkdir()
    with pytest.raises(InputError, match=r"^outer\.yml: cannot be read \(Is a directory\)$"):
        files.read_text(path)


def test_text_that_is_not_utf8_names_the_byte(path):
    # é in Latin-1 is the one byte E9, here the fourth after "caf"
    path.write_bytes("café".encode("latin-1"))
    with pytest.raises(InputError, match=r"^outer\.yml: byte 3 is not UTF-8; save the file as UTF-8$"):
        files.read_text(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_files_of_other_editors_read_the_same(path, encoding, newline):
    path.write_text("title: naïve\nparts:\n- size: 1\n", encoding=encoding, newline=newline)
    assert files.read_yaml(path, Outer) == Outer(title="naïve", parts=(Inner(size=1),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("parts: []\n", r"outer\.yml:1: the field 'title' is missing", id="missing"),
        pytest.param("title: a\nparts:\n- size: 1\n- colour: red\n", r":4: parts\.1: .*field 'size' is missing", id="in-list"),
        pytest.param("title: a\nby_name:\n  x:\n    colour: red\n", r":3: by_name\.x: .*field 'size' is missing", id="in-map"),
        pytest.param("title: a\npart: []\n", r":2: unknown field 'part'; did you mean 'parts'\? allowed: title, ", id="extra"),
        pytest.param(
            "title: a\nparts:\n- size: 1\n  color: red\n",
            r":4: parts\.0: unknown field 'color'; did you mean 'colour'\? allowed: size, colour$",
            id="extra-in-list",
        ),
        # a misspelt field is missing under its right name too; what helps is the misspelling
        pytest.param("titel: a\n", r":1: unknown field 'titel'; did you mean 'title'\?", id="misspelt"),
        pytest.param("title: a\nparts:\n- size: many\n", r":3: parts\.0: size is 'many'; .*integer", id="wrong-type"),
        pytest.param("title: a\nnotes:\n  b: 5\n", r":3: notes: b is 5; .*string", id="wrong-type-in-map"),
        pytest.param("title: a\nnotes:\n  BM: 5\n", r":3: notes: BM is 5; .*string", id="wrong-type-under-a-capital"),
        pytest.param("title: a\ntitle: b\n", r":2: not valid YAML: the key 'title' is given twice", id="twice"),
        pytest.param("title: a\nnotes:\n  b: x\n  b: y\n", r":4: .*the key 'b' is given twice", id="twice-inside"),
        pytest.param("title: [a\n", r"outer\.yml:2: not valid YAML: ", id="open-bracket"),
        pytest.param("title: a\n---\ntitle: b\n", r"outer\.yml:2: not valid YAML: .*another document", id="two-documents"),
        pytest.param("title: *nobody\n", r"outer\.yml:1: not valid YAML: .*undefined alias", id="alias"),
        pytest.param("title: !!python/name:os.system x\n", r"outer\.yml:1: not valid YAML: .*tag", id="tag"),
        pytest.param("title: 'a\x07'\n", r"outer\.yml: not valid YAML: .*#x0007", id="control-character"),
        pytest.param("title: a\n[b]: c\n", r"outer\.yml:2: ", id="list-as-key"),
        pytest.param("title: a\n{b: c}: d\n", r"outer\.yml:2: ", id="mapping-as-key"),
        pytest.param("title: !!int x\n", r"outer\.yml: not valid YAML: ", id="no-such-number"),
        pytest.param("title: !!bool x\n", r"outer\.yml: not valid YAML: ", id="no-such-truth-value"),
        pytest.param("", r"outer\.yml:1: the file is (None|empty)", id="empty"),
        pytest.param("# a comment\n", r"outer\.yml:1: the file is (None|empty)", id="comment-alone"),
        pytest.param("- title: a\n", r"outer\.yml:1: the file is \[", id="list"),
        pytest.param("title\n", r"outer\.yml:1: the file is 'title'", id="word"),
    ],
)
def test_bad_yaml_is_one_line_with_file_line_and_place(path, text, message):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        files.read_yaml(path, Outer)
    assert "\n" not in str(caught.value)


def test_further_faults_are_counted(path):
    path.write_text("title: a\nparts:\n- size: x\n- size: y\n- size: z\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"outer\.yml:3: .*size is 'x'.*\(and 2 more\)$"):
        files.read_yaml(path, Outer)


def test_what_was_read_does_not_change(path):
    path.write_text("title: a\n", encoding="utf-8")
    with pytest.raises(ValueError, match="frozen"):
        files.read_yaml(path, Outer).title = "b"
