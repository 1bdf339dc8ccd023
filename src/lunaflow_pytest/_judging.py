"""Slower, not slower, or not known: size by size, and against a stored run. Pure functions."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lunaflow.experiment import Change, ExperimentResult, RunRecord, compare_runs
from lunaflow.experiment._changes import compared_figures
from lunaflow.experiment._correction import positions_taken_back
from lunaflow.experiment._observations import Block
from lunaflow.experiment._samples import percent_of
from lunaflow.experiment._texts import floor_text
from lunaflow.experiment.stats import Comparison, Decision

Interval = tuple[float, float]


class Standing(enum.Enum):
    """What is known of a function at a size."""

    SLOWER = "SLOWER"
    NOT_SLOWER = "not slower"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Judged:
    """One comparison, and what it says.

    Parameters
    ----------
    standing : Standing
        What is known.
    why : str
        Why it is undecided; empty if it is not.
    comparison : Comparison or None
        None if something was not timed.
    interval_pct : tuple of float or None
        In percent of the median compared with.
    noise_floor_pct : float or None
        What the A/A controls showed.
    """

    standing: Standing
    why: str
    comparison: Comparison | None = None
    interval_pct: Interval | None = None
    noise_floor_pct: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The function under test against the other one, at a size."""

    size: int
    judged: Judged


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """The function under test against itself in the stored run, at a size.

    Parameters
    ----------
    seconds : Judged
        Of its seconds a call.
    ratio : Judged
        Of its seconds a call over those of the other function in the same block, which a slower
        machine does not change.
    """

    size: int
    seconds: Judged
    ratio: Judged

    @property
    def standing(self) -> Standing:
        """What both say alike; a machine that was slower in one of the runs changes one alone."""
        one, other = self.seconds.standing, self.ratio.standing
        return one if one is other else Standing.UNDECIDED

    def why(self, other: str) -> str:
        """Return why it is undecided; `other` is the name of the other function."""
        if self.seconds.standing is Standing.UNDECIDED:
            return self.seconds.why
        if self.ratio.standing is Standing.UNDECIDED:
            return f"of its ratio to {other}, {self.ratio.why}"
        if self.seconds.standing is Standing.SLOWER:
            return f"{other} has become slower too: the machine, or what both share"
        return f"slower against {other} alone, not in seconds: {other} or the machine got faster"


def with_limit(result: ExperimentResult, limit: float) -> ExperimentResult:
    """Return a result whose comparisons are decided with another practical difference."""
    return replace(result, protocol=replace(result.protocol, practical_delta_pct=limit))


def rows_of(result: ExperimentResult, f: str, g: str) -> list[Row]:
    """Return what is known of `f` against `g` at each size; of several, after Holm's correction."""
    found = [one for size in result.sizes if (one := result.comparison(f, g, size)) is not None]
    weak = {found[position].size for position in positions_taken_back(found)}
    rows = [Row(size, _against(result, f, g, size)) for size in result.sizes]
    return [_weakened(row, len(found)) if row.size in weak else row for row in rows]


def _weakened(row: Row, comparisons: int) -> Row:
    if row.judged.standing is not Standing.SLOWER:
        return row
    why = f"slower, but not after Holm's correction for {comparisons} comparisons"
    return replace(row, judged=replace(row.judged, standing=Standing.UNDECIDED, why=why))


def baseline_rows(
    before: RunRecord, after: RunRecord, result: ExperimentResult, names: tuple[str, str]
) -> list[BaselineRow]:
    """Return what is known of the first function in `result`, against itself in the run before.

    `result` is the experiment of the run after, with its limit; that before is of the same name.
    """
    f, g = names
    changes = compare_runs(before, replace(after, experiments=(result,))).rows
    of_size = {change.size: change for change in changes if change.implementation == f}
    (old,) = before.experiments
    limit = result.protocol.practical_delta_pct
    return [
        BaselineRow(size, _of_change(of_size[size], limit), _of_ratio(old, result, size, f, g))
        for size in result.sizes
    ]


def _against(result: ExperimentResult, f: str, g: str, size: int) -> Judged:
    found = result.comparison(f, g, size)
    if found is None:
        return Judged(Standing.UNDECIDED, f"not timed{_why_not_timed(result, size)}")
    limit = result.protocol.practical_delta_pct
    return _judged(found.comparison, found.interval_pct, found.noise_floor_pct, limit)


def _of_change(change: Change, limit: float) -> Judged:
    if change.comparison is None:
        return Judged(Standing.UNDECIDED, f"{change.before} before, {change.after} now")
    return _judged(change.comparison, change.interval_pct, change.noise_floor_pct, limit)


def _of_ratio(old: ExperimentResult, new: ExperimentResult, size: int, f: str, g: str) -> Judged:
    if any(one.comparison(f, g, size) is None for one in (old, new)):
        return Judged(Standing.UNDECIDED, "not timed in both runs")

    def ratio(block: Block) -> float:
        return block.per_call(f) / block.per_call(g)

    comparison, floor = compared_figures(old, new, size, (f, g), ratio)
    interval = _percent(comparison)
    return _judged(comparison, interval, floor, new.protocol.practical_delta_pct)


def _judged(
    comparison: Comparison, interval: Interval | None, floor: float | None, limit: float
) -> Judged:
    standing, why = _standing(comparison.decision, interval, floor, limit)
    return Judged(standing, why, comparison, interval, floor)


def _standing(
    decision: Decision, interval: Interval | None, floor: float | None, limit: float
) -> tuple[Standing, str]:
    if decision is Decision.SLOWER:
        return Standing.SLOWER, ""
    if decision is Decision.FASTER:
        return Standing.NOT_SLOWER, ""
    if decision is Decision.INVALID or interval is None:
        return Standing.UNDECIDED, "there is no ratio"
    if floor is None:
        return Standing.UNDECIDED, "no noise floor was measured"
    if floor > limit:
        return Standing.UNDECIDED, f"the noise floor of {floor_text(floor)} is above {limit:g} %"
    # what may be faster by any amount is not slower all the same
    if interval[1] < limit:
        return Standing.NOT_SLOWER, ""
    return Standing.UNDECIDED, f"the interval reaches across {limit:g} %"


def _percent(comparison: Comparison) -> Interval | None:
    if comparison.interval is None:
        return None
    low, high = (percent_of(end, comparison.b_median) for end in comparison.interval)
    return None if low is None or high is None else (low, high)


def _why_not_timed(result: ExperimentResult, size: int) -> str:
    reasons = dict.fromkeys(_reasons(result, size))
    return f": {'; '.join(reasons)}" if reasons else ""


def _reasons(result: ExperimentResult, size: int) -> Iterator[str]:
    for trap in result.traps:
        if trap.size == size:
            yield f"{trap.implementation} traps ({trap.kind})"
    for one in result.calibrations:
        if one.size == size and one.below_resolution:
            yield f"{one.implementation} is below the timer's resolution"
