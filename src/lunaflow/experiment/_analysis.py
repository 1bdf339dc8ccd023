"""Verdicts from raw blocks: paired samples, the noise floor and the labels that follow."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from lunaflow.experiment._crossover import CrossoverResult, ScaleDomain, crossover_with_band
from lunaflow.experiment._labels import label_from_comparison
from lunaflow.experiment._results import (
    CONTROL_SUFFIX,
    Block,
    ExperimentResult,
    Grouping,
    SizeComparison,
)
from lunaflow.experiment.stats import Comparison, Decision, compare_paired_with_bootstrap

PROCESSES_TO_RESAMPLE = 5
"""From so many processes on, whole processes are resampled instead of blocks."""

T = TypeVar("T")


def timed_blocks(result: ExperimentResult, size: int, *treatments: str) -> tuple[Block, ...]:
    """Return the blocks of a size in which all the treatments ran and none has failed."""
    if any((t.removesuffix(CONTROL_SUFFIX), size) in _failed(result) for t in treatments):
        return ()
    blocks = _blocks_by_size(result).get(size, ())
    return tuple(block for block in blocks if all(t in block.order for t in treatments))


def largest_floor_pct(result: ExperimentResult, names: Sequence[str], size: int) -> float | None:
    """Return the largest noise floor measured of some implementations; None if none was."""
    floors = [floor_pct(result, name, size) for name in names]
    return max((floor for floor in floors if floor is not None), default=None)


def pair_floor_pct(result: ExperimentResult, a: str, b: str, size: int) -> float | None:
    """Return the larger noise floor of two treatments; None if one of them was not measured."""
    floors = [floor_pct(result, name, size) for name in (a, b)]
    return None if None in floors else largest_floor_pct(result, (a, b), size)


def floor_pct(result: ExperimentResult, treatment: str, size: int) -> float | None:
    """Return the largest absolute interval endpoint of a treatment's A/A control, in percent."""
    name = treatment.removesuffix(CONTROL_SUFFIX)
    return _cached(result, ("floor", name, size), lambda: _floor_pct(result, name, size))


def compare_at(result: ExperimentResult, a: str, b: str, size: int) -> SizeComparison | None:
    """Return the comparison of `a` against `b` at a size, None where not both were timed."""
    return _cached(result, ("compare", a, b, size), lambda: _compare_at(result, a, b, size))


def crossover_of(result: ExperimentResult, a: str, b: str) -> CrossoverResult:
    """Return the crossover of two implementations, with the comparison behind each label."""
    found = [compare_at(result, a, b, size) for size in result.sizes]
    return crossover_with_band(
        ScaleDomain(result.sizes),
        result.labels(a, b),
        observation_ids=[() if one is None else (one.id,) for one in found],
    )


def _floor_pct(result: ExperimentResult, name: str, size: int) -> float | None:
    pair = (name + CONTROL_SUFFIX, name)
    blocks = timed_blocks(result, size, *pair)
    if len(blocks) < 2:
        return None
    practical = result.protocol.practical_delta_pct
    interval = _interval_pct(_compare(result, blocks, pair, practical))
    return None if interval is None else max(map(abs, interval))


def _compare_at(result: ExperimentResult, a: str, b: str, size: int) -> SizeComparison | None:
    blocks = timed_blocks(result, size, a, b)
    if len(blocks) < 2:
        return None
    floor = pair_floor_pct(result, a, b, size)
    practical = result.protocol.practical_delta_pct
    threshold = practical if floor is None else max(practical, floor)
    comparison = _compare(result, blocks, (a, b), threshold)
    # all inside the noise says nothing about differences that matter, and without a control the
    # noise is not known
    in_the_noise = comparison.decision is Decision.EQUIVALENT and threshold > practical
    if comparison.decision is not Decision.INVALID and (floor is None or in_the_noise):
        comparison = replace(comparison, decision=Decision.UNKNOWN)
    return SizeComparison(
        id=f"{result.name}/{size}/{a} against {b}",
        a=a,
        b=b,
        size=size,
        comparison=comparison,
        label=label_from_comparison(comparison),
        interval_pct=_interval_pct(comparison),
        noise_floor_pct=floor,
        threshold_pct=threshold,
        grouping=_grouping(blocks),
        evidence=tuple(block.id for block in blocks),
    )


def _compare(
    result: ExperimentResult, blocks: Sequence[Block], pair: tuple[str, str], threshold: float
) -> Comparison:
    a, b = ([block.per_call(name) for block in blocks] for name in pair)
    grouping = _grouping(blocks)
    by_process = grouping == "processes"
    return compare_paired_with_bootstrap(
        a,
        b,
        threshold,
        seed=result.seed,
        resamples=result.protocol.resamples,
        confidence=result.protocol.confidence,
        groups=[block.process for block in blocks] if by_process else None,
        grouping=grouping,
    )


def _grouping(blocks: Sequence[Block]) -> Grouping:
    processes = {block.process for block in blocks}
    return "processes" if len(processes) >= PROCESSES_TO_RESAMPLE else "blocks"


def _interval_pct(comparison: Comparison) -> tuple[float, float] | None:
    if comparison.decision is Decision.INVALID or comparison.interval is None:
        return None
    low, high = (100 * end / comparison.b_median for end in comparison.interval)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _blocks_by_size(result: ExperimentResult) -> dict[int, tuple[Block, ...]]:
    def grouped() -> dict[int, tuple[Block, ...]]:
        found: dict[int, list[Block]] = {}
        for block in result.blocks:
            found.setdefault(block.size, []).append(block)
        return {size: tuple(blocks) for size, blocks in found.items()}

    return _cached(result, "blocks", grouped)


def _failed(result: ExperimentResult) -> frozenset[tuple[str | None, int | None]]:
    return _cached(
        result, "failed", lambda: frozenset((f.implementation, f.size) for f in result.failures)
    )


def _cached(result: ExperimentResult, key: object, compute: Callable[[], T]) -> T:
    # comparisons resample thousands of times, and tables, reports and policies ask for the same
    cache = result._cache
    if key not in cache:
        cache[key] = compute()
    found: T = cache[key]
    return found
