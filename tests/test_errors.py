"""What a command raises becomes one line and an exit code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eftlib.errors import CheckError, EftError, InputError, StoppedError, reported


def raising(error: BaseException) -> Callable[[], int]:
    def command() -> int:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("a.yml:3: no\n  field"), 2, "error: a.yml:3: no field\n"),
        (CheckError("two differ"), 1, "error: two differ\n"),
        (StoppedError("no key"), 4, "error: no key\n"),
        (EftError("x"), 2, "error: x\n"),
        (OSError(28, "No space left on device", "a.csv"), 4, "error: a.csv: No space left on device\n"),
        (OSError(28, "No space left on device"), 4, "error: standard output: No space left on device\n"),
        (OSError("Cannot save file into a\nfolder"), 4, "error: Cannot save file into a folder\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
)
def test_an_error_is_one_line_and_its_code(
    error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reported(raising(error)) == code
    assert capsys.readouterr() == ("", line)


def test_a_command_gives_its_own_code_and_a_defect_is_not_hidden() -> None:
    assert reported(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        reported(raising(ZeroDivisionError()))
