"""What a comparison of two implementations is, and how it is decided."""

import enum
import math
from dataclasses import dataclass
from fractions import Fraction

from lunaflow.experiment._samples import Floats, median_of, percent_of, saturated
from lunaflow.experiment._student import quantile, two_sided_p


class Decision(enum.Enum):
    """What a comparison of a against b says."""

    FASTER = "faster"
    SLOWER = "slower"
    EQUIVALENT = "equivalent"
    UNKNOWN = "unknown"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of samples of a against b.

    Parameters
    ----------
    a_median, b_median : float
        Medians of the samples, in their unit.
    median_difference : float
        Median of the differences ``a_i - b_i``, in the samples' unit; of independent samples the
        difference of the medians.
    relative_delta_pct : float, optional
        The same in percent of `b_median`: negative means that a is faster. None if INVALID.
    interval : tuple of float, optional
        Bootstrap interval of the median difference, in the samples' unit.
    decision : Decision
        Of a against b.
    pairs : int
        How many pairs there are; of independent samples, how many the smaller side has.
    practical_delta_pct : float
        The threshold, in percent of `b_median`.
    grouping : str
        What was resampled as a whole: ``"none"`` (no interval), ``"pairs"``, ``"samples"``,
        ``"groups"``, or the caller's word, such as ``"blocks"`` or ``"processes"``.
    confidence : float, optional
        Level of the interval.
    p_value : float, optional
        Two-sided p-value of the claim that the difference is beyond the threshold, from the same
        resamples as the interval: FASTER and SLOWER are the decisions with a p-value of at most
        ``1 - confidence``. None without an interval, or if INVALID.
    """

    a_median: float
    b_median: float
    median_difference: float
    relative_delta_pct: float | None
    interval: tuple[float, float] | None
    decision: Decision
    pairs: int
    practical_delta_pct: float
    grouping: str = "none"
    confidence: float | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard error of a median difference, its degrees of freedom, and the level wanted."""

    error: float
    freedom: int
    confidence: float

    def interval(self, middle: float) -> tuple[float, float]:
        if self.error == 0:
            return middle, middle
        reach = quantile(self.confidence, self.freedom) * self.error
        if not math.isfinite(abs(middle) + reach):
            raise ValueError("the samples are so far apart that no float holds their interval")
        return middle - reach, middle + reach

    def p_value(self, middle: float, b_median: float, threshold: float) -> float:
        """Return the p-value of a median difference beyond the threshold, up or down."""
        if math.isinf(threshold):
            return 1.0
        beyond = abs(Fraction(middle)) - Fraction(threshold) * Fraction(b_median) / 100
        if beyond < 0:
            return 1.0
        if self.error == 0:
            return 0.0
        return two_sided_p(saturated(beyond / Fraction(self.error)), self.freedom)


def decided(
    a: Floats,
    b: Floats,
    difference: float,
    threshold: float,
    spread: Spread | None = None,
    grouping: str = "none",
) -> Comparison:
    """Return the comparison of samples whose (median) difference is known, with its spread."""
    b_median = median_of(b)
    interval = None if spread is None else spread.interval(difference)
    bounds = (difference, difference) if interval is None else interval
    decision = _decide(bounds, b_median, threshold, equivalence=interval is not None)
    p_value = None
    if spread is not None and decision is not Decision.INVALID:
        p_value = spread.p_value(difference, b_median, threshold)
    return Comparison(
        a_median=median_of(a),
        b_median=b_median,
        median_difference=difference,
        relative_delta_pct=percent_of(difference, b_median),
        interval=interval,
        decision=decision,
        pairs=min(a.size, b.size),
        practical_delta_pct=threshold,
        grouping=grouping,
        confidence=None if spread is None else spread.confidence,
        p_value=p_value,
    )


def _decide(
    bounds: tuple[float, float], b_median: float, threshold: float, *, equivalence: bool
) -> Decision:
    low, high = (percent_of(bound, b_median) for bound in bounds)
    if low is None or high is None:
        return Decision.INVALID
    if high <= -threshold:
        return Decision.FASTER
    if low >= threshold:
        return Decision.SLOWER
    inside = -threshold < low and high < threshold
    return Decision.EQUIVALENT if equivalence and inside else Decision.UNKNOWN
