"""Comparisons, crossover and policy of two implementations in a file of another tool."""

from collections.abc import Mapping
from dataclasses import dataclass

from lunaflow._arguments import require, require_text
from lunaflow.experiment._crossover import (
    CrossoverResult,
    ScaleDomain,
    crossover_with_band,
    policy_from_crossover,
)
from lunaflow.experiment._labels import Label, comparator_label, label_from_comparison
from lunaflow.experiment._samples import percent_of, require_threshold
from lunaflow.experiment.foreign._names import Number
from lunaflow.experiment.foreign._series import series_of
from lunaflow.experiment.foreign._timings import ForeignResults, Timing
from lunaflow.experiment.stats import Comparison, compare_independent_with_bootstrap
from lunaflow.policy import DeploymentPolicy, Fallback

_FEWEST_TO_RESAMPLE = 5


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """What a file says of two implementations at one size.

    Parameters
    ----------
    size : int or float
        The scale.
    a, b : Timing or None
        The timings; None where the file has none.
    relative_delta_pct : float or None
        Difference of the figures in percent of b's; negative means that a is faster.
    interval_pct : tuple of float or None
        Interval of the difference in percent of b's figure, where both have five raw samples.
    label : Label
        The faster one, UNKNOWN where that is not decided.
    reason : str
        Why there is no difference, or no interval, or what was resampled for it.
    """

    size: Number
    a: Timing | None
    b: Timing | None
    relative_delta_pct: float | None
    interval_pct: tuple[float, float] | None
    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class ForeignCrossover:
    """The crossover of two implementations in a file of another tool.

    Parameters
    ----------
    a, b : str
        Their names, as asked for.
    format : str
        The tool and its format.
    size_parameter : str
        Which parameter the sizes are.
    practical_delta_pct : float
        The threshold in percent.
    figures : tuple of SizeFigures
        One a size, ascending.
    result : Found, NoCrossover, NonMonotonic or Inconclusive
        See `crossover_with_band`; its evidence names the benchmarks behind each label.
    """

    a: str
    b: str
    format: str
    size_parameter: str
    practical_delta_pct: float
    figures: tuple[SizeFigures, ...]
    result: CrossoverResult

    @property
    def failed(self) -> dict[str, str]:
        """Those of `a` and `b` that failed at a size, by name: where first, and why."""
        found: dict[str, str] = {}
        for one in self.figures:
            for name, timing in ((self.a, one.a), (self.b, one.b)):
                if timing is not None and timing.unusable is not None:
                    found.setdefault(name, f"failed at size {one.size}: {timing.unusable}")
        return found

    def policy(self, *, fallback: str) -> DeploymentPolicy:
        """Return the deployment policy that the crossover supports, see `policy_from_crossover`.

        One that failed at any size is never chosen by its speed at another: where `a` or `b` did,
        ``Fallback(fallback, reason)``.

        Raises
        ------
        ValueError
            If `fallback` is the one of the two that failed.
        """
        failed = self.failed
        if fallback in failed:
            raise ValueError(
                f"fallback must not have failed at any size; {fallback} {failed[fallback]}"
            )
        for name, reason in failed.items():
            return Fallback(fallback, f"{name} {reason}")
        return policy_from_crossover(self.result, self.a, self.b, fallback=fallback)


def crossover_of_results(
    results: ForeignResults,
    a: str,
    b: str,
    *,
    practical_delta_pct: float = 3.0,
    size_parameter: str | None = None,
    only: Mapping[str, str] | None = None,
    seed: int = 0,
) -> ForeignCrossover:
    """Return where the faster one of two implementations changes, by the results of a file.

    Figures are compared size by size: the medians of the raw samples where the file has them, else
    the figures that it has. Where both have five raw samples or more, the label is by a bootstrap
    interval, see `lunaflow.experiment.stats.compare_independent_with_bootstrap`; else by the
    difference alone. A size that one of them lacks, where one failed, or where a figure is zero is
    UNKNOWN.

    Parameters
    ----------
    results : ForeignResults
        What `read_results` read.
    a, b : str
        Names of the implementations: a benchmark's name without its size, or the value of a
        parameter that is no number.
    practical_delta_pct : float
        The threshold in percent, above 0.
    size_parameter : str, optional
        The parameter that is the size; by default the only one that is a number and varies. One
        without a name is ``#1``, ``#2``, ..., by position.
    only : mapping of str to str, optional
        Values that parameters must have, for a file with several.
    seed : int
        Seed of the resampling.

    Raises
    ------
    ForeignFileError
        If the file has no such timings, or more than one that fits.
    ValueError
        If the threshold is not above 0.
    """
    require("results", results, ForeignResults, "a ForeignResults")
    for name, given in (("a", a), ("b", b)):
        require_text(name, given)
    threshold = require_threshold(practical_delta_pct)
    series = series_of(results, a, b, size_parameter=size_parameter, only=only)
    figures = tuple(
        _figures(size, series.a.get(size), series.b.get(size), threshold, seed)
        for size in series.sizes
    )
    result = crossover_with_band(
        ScaleDomain(series.sizes),
        [one.label for one in figures],
        observation_ids=[[t.name for t in (one.a, one.b) if t is not None] for one in figures],
    )
    return ForeignCrossover(a, b, results.format, series.size_parameter, threshold, figures, result)


def _figures(
    size: Number, a: Timing | None, b: Timing | None, threshold: float, seed: int
) -> SizeFigures:
    if a is None or b is None:
        which = "a" if a is None else "b"
        return _undecided(size, a, b, f"{which} was not measured at this size")
    for timing in (a, b):
        if timing.unusable is not None:
            return _undecided(size, a, b, f"{timing.name}: {timing.unusable}")
        if timing.seconds == 0:
            return _undecided(size, a, b, f"{timing.name}: below the clock's resolution")
    relative = percent_of(a.seconds - b.seconds, b.seconds)
    if relative is None:
        return _undecided(size, a, b, "no float holds the difference in percent")
    fewest = min(len(a.samples), len(b.samples))
    if fewest < _FEWEST_TO_RESAMPLE:
        label = comparator_label(relative, threshold)
        return SizeFigures(size, a, b, relative, None, label, "too few raw samples for an interval")
    comparison = _compared(a, b, threshold, seed)
    label = label_from_comparison(comparison)
    reason = f"interval over {comparison.grouping}"
    return SizeFigures(size, a, b, relative, _interval_pct(comparison), label, reason)


def _undecided(size: Number, a: Timing | None, b: Timing | None, reason: str) -> SizeFigures:
    return SizeFigures(size, a, b, None, None, Label.UNKNOWN, reason)


def _compared(a: Timing, b: Timing, threshold: float, seed: int) -> Comparison:
    # samples of one process resemble each other; with five processes they are resampled instead
    grouped = min(len(set(one.groups)) for one in (a, b)) >= _FEWEST_TO_RESAMPLE
    return compare_independent_with_bootstrap(
        a.samples,
        b.samples,
        threshold,
        seed=seed,
        groups_a=a.groups if grouped else None,
        groups_b=b.groups if grouped else None,
        grouping="processes" if grouped else None,
    )


def _interval_pct(comparison: Comparison) -> tuple[float, float] | None:
    if comparison.interval is None:
        return None
    low, high = (percent_of(end, comparison.b_median) for end in comparison.interval)
    return None if low is None or high is None else (low, high)
