"""Statistics of timings: pure functions of the samples given, never NaN."""

import math
import statistics
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lunaflow._arguments import as_count
from lunaflow._texts import text_of
from lunaflow.experiment._comparison import Comparison, Decision, Spread, decided
from lunaflow.experiment._independent import compare_independent_with_bootstrap
from lunaflow.experiment._resampling import group_numbers, resampled_medians, standard_error
from lunaflow.experiment._samples import (
    MOST_RESAMPLES,
    Floats,
    deltas_of,
    deviations_of,
    least_resamples,
    median_of,
    paired,
    quartiles_of,
    require_count,
    require_level,
    require_real,
    require_threshold,
    samples_of,
    saturated,
)

__all__ = [
    "Comparison",
    "Decision",
    "OutlierView",
    "Summary",
    "compare_independent_with_bootstrap",
    "compare_paired",
    "compare_paired_with_bootstrap",
    "filter_outliers",
    "holm",
    "paired_deltas",
    "summarize",
]


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of one list of samples, in the samples' unit.

    `stdev` is the sample standard deviation (None for a single sample), `mad` the median absolute
    deviation from the median, `q1` and `q3` the quartiles by linear interpolation.
    """

    count: int
    min: float
    q1: float
    median: float
    q3: float
    max: float
    mean: float
    mad: float
    stdev: float | None


@dataclass(frozen=True, slots=True)
class OutlierView:
    """Which samples lie inside Tukey's fences; the samples themselves stay as they are.

    `kept` and `removed` are positions in ascending order, `lower` and `upper` the fences, infinite
    where they are beyond every float.
    """

    kept: tuple[int, ...]
    removed: tuple[int, ...]
    lower: float
    upper: float

    def mask(self) -> NDArray[np.bool_]:
        """Return a bool array with one element a sample, True where it is kept."""
        mask = np.zeros(len(self.kept) + len(self.removed), dtype=np.bool_)
        mask[list(self.kept)] = True
        return mask


def summarize(samples: ArrayLike) -> Summary:
    """Return the figures of at least one finite sample.

    Raises
    ------
    ValueError
        If there is no sample or one is not finite; the message gives its position. If the samples
        are so far apart that no float holds their deviation.
    """
    x = samples_of("samples", samples, at_least=1)
    median = median_of(x)
    q1, q3 = quartiles_of(x)
    mad, stdev = deviations_of(x, median)
    return Summary(
        count=x.size,
        min=float(x.min()),
        q1=q1,
        median=median,
        q3=q3,
        max=float(x.max()),
        mean=statistics.mean(x.tolist()),
        mad=mad,
        stdev=stdev,
    )


def paired_deltas(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the differences ``a_i - b_i`` as a new float64 array.

    Raises
    ------
    ValueError
        If the lengths differ, there is no pair, a sample is not finite, or a difference overflows.
    """
    return deltas_of(*paired(a, b, at_least=1))


def filter_outliers(samples: ArrayLike, *, k: float = 1.5) -> OutlierView:
    """Return which samples lie within `k` interquartile ranges of the quartiles.

    The result is a view by positions: nothing is removed from the samples.

    Raises
    ------
    ValueError
        If there is no sample, one is not finite, or `k` is not finite and at least 0.
    """
    x = samples_of("samples", samples, at_least=1)
    reach = require_real("k", k)
    if not (math.isfinite(reach) and reach >= 0):
        raise ValueError(f"k must be finite and at least 0, not {text_of(k)}")
    q1, q3 = map(Fraction, quartiles_of(x))
    lower, upper = (
        saturated(end)
        for end in (q1 - Fraction(reach) * (q3 - q1), q3 + Fraction(reach) * (q3 - q1))
    )
    inside = (x >= lower) & (x <= upper)
    kept, removed = (tuple(np.flatnonzero(m).tolist()) for m in (inside, ~inside))
    return OutlierView(kept, removed, lower, upper)


def compare_paired(a: ArrayLike, b: ArrayLike, practical_delta_pct: float = 3.0) -> Comparison:
    """Compare paired samples by their median difference alone.

    The decision is FASTER if the relative difference is at most minus the threshold, SLOWER if it
    is at least the threshold, UNKNOWN between, and INVALID if the median of `b` is not above 0.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Samples in one unit; ``a[i]`` and ``b[i]`` are a pair. At least two pairs.
    practical_delta_pct : float
        The threshold in percent of the median of `b`, above 0.

    Raises
    ------
    ValueError
        If there are fewer than two pairs, the lengths differ, a sample is not finite (the message
        gives name and position), or the threshold is not above 0.
    """
    x, y = paired(a, b, at_least=2)
    return decided(x, y, median_of(deltas_of(x, y)), require_threshold(practical_delta_pct))


def compare_paired_with_bootstrap(
    a: ArrayLike,
    b: ArrayLike,
    practical_delta_pct: float = 3.0,
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
    groups: Sequence[Hashable] | None = None,
    grouping: str | None = None,
) -> Comparison:
    """Compare paired samples with a bootstrap interval of the median difference.

    The interval is the median difference give or take so many standard errors, t of them. The
    standard error is the standard deviation of the medians of the resamples, times
    ``sqrt(g / (g - 1))`` for g groups, which takes back how much resampling few groups understates
    it; t is the quantile of Student's distribution with g - 1 degrees of freedom.

    The decision is FASTER or SLOWER if the whole interval is beyond the threshold, EQUIVALENT if it
    is all inside, UNKNOWN else, and INVALID if the median of `b` is not above 0. The same
    arguments give the same interval.

    Where all differences are equal the interval has no width, and it decides: two or three pairs
    that happen to agree, as times of a coarse clock do, are enough for that. Give it more pairs.

    Parameters
    ----------
    a, b, practical_delta_pct
        As in `compare_paired`.
    seed : int
        Seed of the resampling, at least 0.
    resamples : int
        How many resamples, from ``2 / (1 - confidence)`` to 1,000,000.
    confidence : float
        Level of the interval, between 0 and 1.
    groups : sequence of hashable, length n, optional
        The cluster of each pair. Whole clusters are resampled, at least two are needed; without it
        each pair is its own.
    grouping : str, optional
        What the clusters are, kept in the result: ``"blocks"``, ``"processes"``.

    Raises
    ------
    ValueError
        As in `compare_paired`; or for fewer than two groups, a length of `groups` other than the
        number of pairs, or a number outside its range.
    TypeError
        If `groups` is no sequence of hashable labels, or a number is of another type.
    """
    x, y = paired(a, b, at_least=2)
    threshold, deltas = require_threshold(practical_delta_pct), deltas_of(x, y)
    level = require_level(confidence)
    group = group_numbers(groups, x.size)
    medians = resampled_medians(
        deltas,
        group,
        require_count("resamples", resamples, least_resamples(level), MOST_RESAMPLES),
        np.random.default_rng(as_count("seed", seed, 0)),
    )
    error = standard_error(medians, int(group.max()) + 1)
    word = grouping or ("pairs" if groups is None else "groups")
    spread = Spread(error, int(group.max()), level)
    return decided(x, y, median_of(deltas), threshold, spread, word)


def holm(p_values: ArrayLike) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    Rejecting where the adjusted value is at most alpha keeps the chance of any false rejection
    among all the comparisons at most alpha.

    Raises
    ------
    ValueError
        If a value is not between 0 and 1; the message gives its position.
    """
    p = samples_of("p_values", p_values, at_least=0)
    for position in np.flatnonzero((p < 0) | (p > 1)):
        raise ValueError(f"p_values[{position}] must be between 0 and 1, not {p[position]}")
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(p[order] * np.arange(p.size, 0, -1), 1.0)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(scaled)
    return [float(value) for value in adjusted]
