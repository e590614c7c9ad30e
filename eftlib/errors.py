"""What can go wrong, as a tree; the command line turns each into one line and an exit code.

::

    EftError            base of everything raised on purpose
    ├── InputError      2  a file, value or option that cannot be used; the message says where and what is allowed
    ├── CheckError      1  a check found a difference
    └── StoppedError    4  stopped for a reason outside (key, cost cap, day limit, unreachable model); resumable
"""

from __future__ import annotations

import sys
from collections.abc import Callable


class EftError(Exception):
    """Base of the errors raised on purpose. ``exit_code`` is what the command line exits with."""

    exit_code = 2


class InputError(EftError):
    """Bad input: the message names the file, the place, the value and what is allowed."""

    exit_code = 2


class CheckError(EftError):
    """A check ran and found a difference."""

    exit_code = 1


class StoppedError(EftError):
    """Stopped for a reason outside the program; what was written stays, and the same command resumes."""

    exit_code = 4


def reported(command: Callable[[], int]) -> int:
    """Run a command and turn what it raises into one line on standard error and an exit code.

    Parameters
    ----------
    command : callable
        Gives its exit code.

    Returns
    -------
    int
        Of the error, where there is one; 4 where a file could not be read or written, 130 where it was interrupted.
    """
    try:
        return command()
    except EftError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        # a library may raise one that names nothing but what it says
        said = f"{error.filename or 'standard output'}: {error.strerror}" if error.strerror else " ".join(str(error).split())
        print(f"error: {said}", file=sys.stderr)
        return 4
