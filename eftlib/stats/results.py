"""What the tests and estimates give back: frozen records, nothing rounded, undefined as NaN with a reason."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Alternative = Literal["two-sided", "greater", "less"]
Shape = Literal["bounded", "half-line", "line", "rays", "undefined"]

NO_VARIATION = "no variation"


@dataclass(frozen=True)
class Interval:
    """A confidence set.

    Attributes
    ----------
    low, high : float
        Its ends; -inf or inf where it has none, NaN where it is undefined.
    level : float
        Nominal coverage.
    shape : {"bounded", "half-line", "line", "rays", "undefined"}
        "rays" is the line without the open stretch ``excluded``; then ``low`` and ``high`` are infinite.
    excluded : (float, float) or None
        The stretch that "rays" leave out.
    """

    low: float
    high: float
    level: float
    shape: Shape = "bounded"
    excluded: tuple[float, float] | None = None

    @property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return self.shape == "bounded"

    def __contains__(self, value: float) -> bool:
        """Whether a value lies in the set."""
        inside = self.low <= value <= self.high
        return inside and not (self.excluded and self.excluded[0] < value < self.excluded[1])


def undefined(level: float) -> Interval:
    """Return the interval of something undefined.

    Parameters
    ----------
    level : float

    Returns
    -------
    Interval
    """
    return Interval(math.nan, math.nan, level, "undefined")


@dataclass(frozen=True)
class Significance:
    """The result of a test.

    Attributes
    ----------
    statistic, p : float
        NaN where undefined.
    floor : float
        The smallest p that the test can give here; units that no relabelling changes (zeros) do not count. NaN for a test
        that has no floor of use.
    n, n_excluded : int
        Units tested, and units left out because they are missing.
    method : str
        How p was found.
    reason : str or None
        Why something is undefined.
    """

    statistic: float
    p: float
    floor: float
    n: int
    n_excluded: int
    method: str
    reason: str | None = None


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; ``se`` is the standard error where there is one, ``n`` counts units."""

    value: float
    interval: Interval
    n: int
    n_excluded: int
    method: str
    se: float = math.nan
    reason: str | None = None
