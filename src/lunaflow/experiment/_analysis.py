"""Verdicts from raw blocks: paired samples, noise floors and the labels that follow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import numpy as np

from lunaflow.experiment._crossover import CrossoverResult, ScaleDomain, crossover_with_band
from lunaflow.experiment._labels import Label, label_from_comparison
from lunaflow.experiment._observations import (
    CONFIRMATORY,
    CONTROL_SUFFIX,
    Block,
    Grouping,
    Observations,
    SizeComparison,
)
from lunaflow.experiment._samples import Floats, median_of, percent_of
from lunaflow.experiment.stats import Comparison, Decision, compare_paired_with_bootstrap

PROCESSES_TO_RESAMPLE = 5
"""From so many processes on, whole processes are resampled instead of blocks."""


def timed_blocks(found: Observations, size: int, *treatments: str) -> tuple[Block, ...]:
    """Return the confirmatory blocks of a size in which the treatments ran and none has failed."""
    names = {treatment.removesuffix(CONTROL_SUFFIX) for treatment in treatments}
    if any(one.size == size and one.implementation in names for one in found.failures):
        return ()
    confirmatory = (block for block in found.blocks if block.phase == CONFIRMATORY)
    of_size = (block for block in confirmatory if block.size == size)
    return tuple(block for block in of_size if all(t in block.order for t in treatments))


def times_of(found: Observations, treatment: str, size: int) -> Floats:
    """Return the seconds per call of a treatment in every block of a size."""
    return _per_call(timed_blocks(found, size, treatment), treatment)


def largest_floor_pct(found: Observations, names: Sequence[str], size: int) -> float | None:
    """Return the largest noise floor of some implementations, each in percent of its own median.

    None if none was measured.
    """
    floors = [floor_pct(found, name, size) for name in names]
    return max((floor for floor in floors if floor is not None), default=None)


def floor_pct(found: Observations, treatment: str, size: int) -> float | None:
    """Return the noise floor of a treatment in percent of its own median; None if not measured."""
    control = _control(found, treatment, size)
    spread = None if control is None else _spread(control)
    return None if control is None or spread is None else percent_of(spread, control.b_median)


def floor_seconds(found: Observations, treatments: Sequence[str], size: int) -> float | None:
    """Return the largest noise floor of some treatments, in seconds a call.

    That of one is how far its A/A control was from it, or half of the interval of that if it is
    more. None if one of them was not measured.
    """
    controls = [_control(found, name, size) for name in treatments]
    spreads = [None if control is None else _spread(control) for control in controls]
    known = [spread for spread in spreads if spread is not None]
    return max(known) if len(known) == len(spreads) else None


def pair_floor_pct(found: Observations, a: str, b: str, size: int) -> float | None:
    """Return the larger noise floor of two treatments in percent of the median of `b`.

    None if one of them was not measured.
    """
    floor, times = floor_seconds(found, (a, b), size), _shared_times(found, a, b, size)
    return percent_of(floor, median_of(times)) if floor is not None and times.size else None


def compare_at(found: Observations, a: str, b: str, size: int) -> SizeComparison | None:
    """Return the comparison of `a` against `b` at a size, None where not both were timed."""
    blocks = timed_blocks(found, size, a, b)
    if len(blocks) < 2:
        return None
    floor = pair_floor_pct(found, a, b, size)
    practical = found.protocol.practical_delta_pct
    comparison = _compare(found, blocks, (a, b), practical)
    comparison = above_the_noise(comparison, floor_seconds(found, (a, b), size))
    return SizeComparison(
        id=f"{found.name}/{size}/{a} against {b}",
        a=a,
        b=b,
        size=size,
        comparison=comparison,
        label=label_from_comparison(comparison),
        interval_pct=_interval_pct(comparison),
        noise_floor_pct=floor,
        threshold_pct=practical if floor is None else max(practical, floor),
        grouping=_grouping(blocks),
        evidence=tuple(block.id for block in blocks),
    )


def above_the_noise(comparison: Comparison, floor: float | None) -> Comparison:
    """Return a comparison without a claim that the noise does not support.

    The noise floor is in the unit of the samples; None where it is not known.
    """
    match comparison.decision, floor:
        case Decision.INVALID, _:
            supported = True
        case ((Decision.FASTER | Decision.SLOWER), float()):
            # in that unit and not in percent: rounding must not decide for one way round alone
            supported = abs(comparison.median_difference) >= floor
        case Decision.EQUIVALENT, float():
            # all inside the noise says nothing about differences that matter
            spread = percent_of(floor, comparison.b_median)
            supported = spread is not None and spread <= comparison.practical_delta_pct
        case _:
            supported = False
    return comparison if supported else replace(comparison, decision=Decision.UNKNOWN)


def comparisons_of(found: Observations) -> Iterator[SizeComparison]:
    """Yield the comparison of each pair of implementations at each size where there is one."""
    for a, b in combinations(found.implementations, 2):
        for size in found.sizes:
            if (comparison := compare_at(found, a, b, size)) is not None:
                yield comparison


def crossover_of(found: Observations, a: str, b: str) -> CrossoverResult:
    """Return the crossover of two implementations, with the comparison behind each label."""
    compared = [compare_at(found, a, b, size) for size in found.sizes]
    return crossover_with_band(
        ScaleDomain(found.sizes),
        [Label.UNKNOWN if one is None else one.label for one in compared],
        observation_ids=[() if one is None else (one.id,) for one in compared],
    )


def _control(found: Observations, treatment: str, size: int) -> Comparison | None:
    """Return the comparison of the twin of a treatment against it; None if there is no ratio."""
    name = treatment.removesuffix(CONTROL_SUFFIX)
    pair = (name + CONTROL_SUFFIX, name)
    blocks = timed_blocks(found, size, *pair)
    if len(blocks) < 2:
        return None
    comparison = _compare(found, blocks, pair, found.protocol.practical_delta_pct)
    return None if comparison.decision is Decision.INVALID else comparison


def _spread(control: Comparison) -> float | None:
    if control.interval is None:
        return None
    low, high = control.interval
    return max(abs(control.median_difference), high / 2 - low / 2)


def _shared_times(found: Observations, a: str, b: str, size: int) -> Floats:
    """Return the seconds per call of `b` in the blocks that both took part in."""
    return _per_call(timed_blocks(found, size, a, b), b)


def _per_call(blocks: Sequence[Block], treatment: str) -> Floats:
    return np.array([block.per_call(treatment) for block in blocks], dtype=np.float64)


def _compare(
    found: Observations, blocks: Sequence[Block], pair: tuple[str, str], threshold: float
) -> Comparison:
    a, b = (tuple(block.per_call(name) for block in blocks) for name in pair)
    processes = tuple(block.process for block in blocks)
    protocol = found.protocol
    return _bootstrapped(
        a, b, threshold, found.seed, protocol.resamples, protocol.confidence, processes
    )


# tables, reports and policies ask for the same comparisons, each of which resamples 2000 times
@lru_cache(maxsize=4096)
def _bootstrapped(
    a: tuple[float, ...],
    b: tuple[float, ...],
    threshold: float,
    seed: int,
    resamples: int,
    confidence: float,
    processes: tuple[int, ...],
) -> Comparison:
    grouping = _grouping_of(processes)
    return compare_paired_with_bootstrap(
        a,
        b,
        threshold,
        seed=seed,
        resamples=resamples,
        confidence=confidence,
        groups=processes if grouping == "processes" else None,
        grouping=grouping,
    )


def _grouping(blocks: Sequence[Block]) -> Grouping:
    return _grouping_of(tuple(block.process for block in blocks))


def _grouping_of(processes: tuple[int, ...]) -> Grouping:
    return "processes" if len(set(processes)) >= PROCESSES_TO_RESAMPLE else "blocks"


def _interval_pct(comparison: Comparison) -> tuple[float, float] | None:
    if comparison.decision is Decision.INVALID or comparison.interval is None:
        return None
    low, high = (percent_of(end, comparison.b_median) for end in comparison.interval)
    return None if low is None or high is None else (low, high)
