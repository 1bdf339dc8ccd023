"""What the statistics accept: finite real samples, and numbers inside their ranges."""

import math
import numbers
import statistics
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lunaflow._arguments import as_count, reject_type
from lunaflow._texts import text_of

Floats = NDArray[np.float64]

MOST_RESAMPLES = 1_000_000


def paired(a: ArrayLike, b: ArrayLike, *, at_least: int) -> tuple[Floats, Floats]:
    """Return paired samples as float64 arrays; ValueError unless they are as many and enough."""
    x, y = samples_of("a", a, at_least=0), samples_of("b", b, at_least=0)
    if x.size != y.size:
        raise ValueError(f"a and b must have one length, not {x.size} and {y.size}")
    if x.size < at_least:
        raise ValueError(f"a and b must hold at least {at_least} pairs, not {x.size}")
    return x, y


def deltas_of(a: Floats, b: Floats) -> Floats:
    """Return the differences ``a_i - b_i``; ValueError where one overflows."""
    with np.errstate(over="ignore"):
        deltas = a - b
    for i in np.flatnonzero(~np.isfinite(deltas)):
        raise ValueError(f"a[{i}] - b[{i}] overflows: {a[i]} - {b[i]}")
    return deltas


def median_of(x: Floats) -> float:
    """Return the median of at least one sample."""
    ascending = np.sort(x)
    lower, upper = ascending[(x.size - 1) // 2], ascending[x.size // 2]
    # halves first: the sum of two large samples may overflow, and equal ones stay exact
    return float(lower if lower == upper else lower / 2 + upper / 2)


def quartiles_of(x: Floats) -> tuple[float, float]:
    """Return the first and third quartile of at least one sample, by linear interpolation."""
    ascending = np.sort(x)

    def at(quarters: int) -> float:
        position, rest = divmod((x.size - 1) * quarters, 4)
        lower, upper = (
            Fraction(float(ascending[min(i, x.size - 1)])) for i in (position, position + 1)
        )
        return float(lower + (upper - lower) * rest / 4)

    return at(1), at(3)


def deviations_of(x: Floats, median: float) -> tuple[float, float | None]:
    """Return the median absolute deviation, and the standard deviation if there are two samples."""
    with np.errstate(over="ignore"):
        mad = median_of(np.abs(x - median))
    try:
        stdev = statistics.stdev(x.tolist()) if x.size > 1 else None
    except OverflowError:
        stdev = math.inf
    if not math.isfinite(mad + (stdev or 0.0)):
        raise ValueError("samples are so far apart that no float holds their deviation")
    return mad, stdev


def saturated(exact: Fraction) -> float:
    """Return the float next to a fraction, infinite where it is beyond every float."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def percent_of(difference: float, whole: float) -> float | None:
    """Return a difference in percent; None if `whole` is not above 0 or no float holds it."""
    if not whole > 0:
        return None
    try:
        # exactly, so that neither the factor nor the quotient overflows on the way
        return float(100 * Fraction(difference) / Fraction(whole))
    except OverflowError:
        return None


def least_resamples(confidence: float) -> int:
    """Return how many resamples it takes at least for one to lie beyond each end."""
    return math.ceil(2 / (1 - Fraction(repr(confidence))))


def samples_of(name: str, given: ArrayLike, *, at_least: int) -> Floats:
    """Return samples as a new float64 array; ValueError names the position of a bad one."""
    if np.ma.isMaskedArray(given):
        raise reject_type(name, given, "an array without a mask")
    array = np.asarray(given)
    if array.dtype.kind not in "iuf":
        raise reject_type(name, given, "a one-dimensional sequence of real numbers")
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {array.shape}")
    samples = array.astype(np.float64)
    for position in np.flatnonzero(~np.isfinite(samples)):
        raise ValueError(f"{name}[{position}] must be finite, not {samples[position]}")
    if samples.size < at_least:
        raise ValueError(f"{name} must hold at least {at_least} samples, not {samples.size}")
    return samples


def require_threshold(given: object) -> float:
    """Return a practical threshold in percent; ValueError unless it is above 0."""
    threshold = require_real("practical_delta_pct", given)
    if not threshold > 0:
        raise ValueError(f"practical_delta_pct must be above 0, not {text_of(given)}")
    return threshold


def require_level(given: object) -> float:
    """Return the level of an interval; ValueError unless it is between 0 and 1."""
    level = require_real("confidence", given)
    if not 0 < level < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {text_of(given)}")
    return level


def require_real(name: str, given: object) -> float:
    """Return a real number as a float; TypeError for all else, bools and strings included."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, numbers.Real):
        raise reject_type(name, given, "a real number")
    return as_float(name, given)


def as_float(name: str, given: numbers.Real | float) -> float:
    """Return a number as a float; ValueError if it is beyond every float."""
    try:
        return float(given)
    except OverflowError:
        raise ValueError(f"{name} must be in the range of a float, not {text_of(given)}") from None


def require_count(name: str, given: object, least: int, most: int) -> int:
    """Return an integer from `least` to `most`; ValueError for another."""
    count = as_count(name, given, least)
    if count > most:
        raise ValueError(f"{name} must be at most {most}, not {text_of(count)}")
    return count
