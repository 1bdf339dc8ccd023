"""Two runs side by side: which figures changed between them, and which failures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lunaflow._arguments import require
from lunaflow.arithmetic import same_value
from lunaflow.experiment._analysis import (
    PROCESSES_TO_RESAMPLE,
    above_the_noise,
    floor_pct,
    timed_blocks,
)
from lunaflow.experiment._comparison import Comparison, Decision
from lunaflow.experiment._independent import compare_independent_with_bootstrap
from lunaflow.experiment._observations import Block
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._samples import median_of, percent_of


@dataclass(frozen=True, slots=True)
class Change:
    """One implementation at one size, in two runs.

    Parameters
    ----------
    experiment, implementation, size : str, str, int
        Which one.
    before, after : str or None
        What it was in each run: ``"timed"``, ``"failed"``, ``"not timed"``; None if it took no
        part.
    comparison : Comparison or None
        Of the seconds a call after, against those before; None where not both were timed. FASTER
        means that it is faster after. UNKNOWN where a noise floor is not known or above the
        difference, and never EQUIVALENT where one is above the practical difference.
    noise_floor_pct : float or None
        The larger of what its A/A controls showed in the two runs, in percent of the median before.
    """

    experiment: str
    implementation: str
    size: int
    before: str | None
    after: str | None
    comparison: Comparison | None
    noise_floor_pct: float | None

    @property
    def decision(self) -> Decision:
        """What is known of its time after, against that before."""
        return Decision.UNKNOWN if self.comparison is None else self.comparison.decision

    @property
    def changed(self) -> bool:
        """Whether it is known to be faster or slower, or has become something else."""
        return self.before != self.after or self.decision in (Decision.FASTER, Decision.SLOWER)

    @property
    def interval_pct(self) -> tuple[float, float] | None:
        """The interval of the difference, in percent of the median before."""
        if self.comparison is None or self.comparison.interval is None:
            return None
        low, high = (percent_of(end, self.comparison.b_median) for end in self.comparison.interval)
        return None if low is None or high is None else (low, high)


@dataclass(frozen=True, slots=True)
class RunChanges:
    """What changed between two runs.

    Parameters
    ----------
    rows : tuple of Change
        Every implementation and size of both runs, in the order of the later one.
    environment : tuple of (str, object, object)
        Facts of the machine that differ: name, before, after.
    """

    rows: tuple[Change, ...]
    environment: tuple[tuple[str, Any, Any], ...]

    @property
    def changed(self) -> tuple[Change, ...]:
        """The rows that changed."""
        return tuple(row for row in self.rows if row.changed)


def compare_runs(before: RunRecord, after: RunRecord) -> RunChanges:
    """Return what changed between two runs, such as before and after a change of the code.

    Experiments go by their names; of several with one name the last counts. The samples of two runs
    belong to no pairs: a machine that was slower during one of them shows as a change, and no
    interval contains it. Where you can, put both versions into one experiment.
    """
    require("before", before, RunRecord, "a RunRecord, as read_run returns")
    require("after", after, RunRecord, "a RunRecord, as read_run returns")
    old = {one.name: one for one in before.experiments}
    new = {one.name: one for one in after.experiments}
    names = dict.fromkeys([*new, *old])
    rows = tuple(row for name in names for row in _rows(name, old.get(name), new.get(name)))
    return RunChanges(rows, tuple(_different_facts(before, after)))


def _rows(
    name: str, old: ExperimentResult | None, new: ExperimentResult | None
) -> Iterator[Change]:
    there = [one for one in (new, old) if one is not None]
    implementations = dict.fromkeys(who for one in there for who in one.implementations)
    sizes = sorted({size for one in there for size in one.sizes})
    for who in implementations:
        for size in sizes:
            before, after = _standing(old, who, size), _standing(new, who, size)
            if before is None and after is None:
                continue
            comparison, floor = None, None
            if old is not None and new is not None and before == after == "timed":
                comparison, floor = compared_figures(
                    old, new, size, [who], partial(_seconds_of, who)
                )
            yield Change(name, who, size, before, after, comparison, floor)


def _standing(one: ExperimentResult | None, who: str, size: int) -> str | None:
    if one is None or who not in one.implementations or size not in one.sizes:
        return None
    if any((f.implementation, f.size) == (who, size) for f in one.failures):
        return "failed"
    return "timed" if len(timed_blocks(one, size, who)) >= 2 else "not timed"


def compared_figures(
    old: ExperimentResult,
    new: ExperimentResult,
    size: int,
    treatments: Sequence[str],
    figure: Callable[[Block], float],
) -> tuple[Comparison, float | None]:
    """Compare a figure of each block of `treatments` after with that before, and tell the noise."""
    blocks = [timed_blocks(one, size, *treatments) for one in (new, old)]
    after, before = (list(map(figure, of_one)) for of_one in blocks)
    floors = [_floor(one, treatments, size) for one in (new, old)]
    floor = _larger_floor(floors, [median_of(np.array(one)) for one in (after, before)])
    by_process = all(len(_processes(of_one)) >= PROCESSES_TO_RESAMPLE for of_one in blocks)
    groups = [_processes_of(of_one) if by_process else None for of_one in blocks]
    comparison = compare_independent_with_bootstrap(
        after,
        before,
        new.protocol.practical_delta_pct,
        seed=new.seed,
        resamples=new.protocol.resamples,
        confidence=new.protocol.confidence,
        groups_a=groups[0],
        groups_b=groups[1],
        grouping="processes" if by_process else "blocks",
    )
    share = None if floor is None else percent_of(floor, comparison.b_median)
    return above_the_noise(comparison, floor), share


def _floor(one: ExperimentResult, treatments: Sequence[str], size: int) -> float | None:
    floors = [floor_pct(one, who, size) for who in treatments]
    return None if None in floors else max(floor for floor in floors if floor is not None)


def _larger_floor(floors: Sequence[float | None], medians: Sequence[float]) -> float | None:
    """Return the larger of two noise floors, each in percent of its median, in the figures' unit.

    In percent, the verdict would depend on which of the two runs is named first.
    """
    spreads = [None if f is None else f * m / 100 for f, m in zip(floors, medians, strict=True)]
    known = [spread for spread in spreads if spread is not None]
    return max(known) if len(known) == len(spreads) else None


def _seconds_of(who: str, block: Block) -> float:
    return block.per_call(who)


def _processes_of(blocks: Sequence[Block]) -> list[int]:
    return [block.process for block in blocks]


def _processes(blocks: Sequence[Block]) -> set[int]:
    return set(_processes_of(blocks))


def _different_facts(before: RunRecord, after: RunRecord) -> Iterator[tuple[str, Any, Any]]:
    old, new = dict(before.environment), dict(after.environment)
    old["lunaflow"], new["lunaflow"] = before.library_version, after.library_version
    for name in dict.fromkeys([*new, *old]):
        if not same_value(old.get(name), new.get(name)):
            yield name, old.get(name), new.get(name)
