"""The same sources give the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from eftlib import build

BOOK = Path(os.environ["EFTLIB_TEST_BOOK"]).resolve()


def hashes() -> dict[str, str]:
    """The files of the book by their content; what the theme copies of the sources aside."""
    return {
        path.relative_to(BOOK).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(BOOK.rglob("*"))
        if path.is_file() and "_sources" not in path.relative_to(BOOK).parts
    }


def test_a_second_build_gives_the_same_bytes() -> None:
    assert build.HTML.resolve() == BOOK, "this builds the book again where make book built it"
    mark = json.loads(build.STAMP.read_text("utf-8"))
    before = hashes()
    assert build.build(mark["study"], mark["parameters"], force=True)
    after = hashes()
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    assert not changed, f"{len(changed)} files differ, such as {changed[:5]}"
    # and a third has nothing to do
    assert not build.build(mark["study"], mark["parameters"])
