"""What can go wrong, as a tree; the command line turns each into one line and an exit code.

::

    EftError            base of everything raised on purpose
    ├── InputError      2  a file, value or option that cannot be used; the message says where and what is allowed
    ├── CheckError      1  a check found a difference
    └── StoppedError    4  stopped for a reason outside (key, cost cap, day limit, unreachable model); resumable
"""


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
