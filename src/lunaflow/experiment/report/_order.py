"""The samples in the order in which they were timed: drift, outliers, and what position does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from lunaflow.experiment._analysis import timed_blocks
from lunaflow.experiment._observations import Block
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._samples import Floats
from lunaflow.experiment._texts import counted
from lunaflow.experiment.report._texts import percent_text, size_text


@dataclass(frozen=True, slots=True)
class Sample:
    """One batch: its time over the median of its implementation and size, and where it ran."""

    block: int
    process: int
    size: int
    position: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Order:
    """The samples of an experiment in the order of its blocks.

    Parameters
    ----------
    blocks : int
        How many blocks there are.
    processes : tuple of (int, int, int)
        Number of a process, counted from 0, and the first and the last of its blocks.
    samples : tuple of (int, tuple of Sample)
        For each implementation with any, its number and its samples.
    """

    blocks: int
    processes: tuple[tuple[int, int, int], ...]
    samples: tuple[tuple[int, tuple[Sample, ...]], ...]


@dataclass(frozen=True, slots=True)
class OrderTable:
    """What the figure shows, as texts: a row for each process or position."""

    title: str
    head: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def order_of(result: ExperimentResult) -> Order:
    """Return the samples that verdicts rest on, in the order in which they were timed."""
    kept = {
        (who, size): timed_blocks(result, size, who)
        for who in result.implementations
        for size in result.sizes
    }
    used = {block.id for blocks in kept.values() for block in blocks}
    order = [block for block in result.blocks if block.id in used]
    numbers = {block.id: number for number, block in enumerate(order)}
    samples = []
    for number, who in enumerate(result.implementations):
        of_one = [s for n in result.sizes for s in _samples(who, kept[who, n], numbers)]
        if of_one:
            samples.append((number, tuple(sorted(of_one, key=lambda s: s.block))))
    return Order(len(order), tuple(_spans(order)), tuple(samples))


def order_tables(result: ExperimentResult, order: Order) -> tuple[OrderTable, ...]:
    """Return the median deviations by process, and by position in the block."""
    processes = dict.fromkeys(process for process, _, _ in order.processes)
    positions = range(len(result.implementations) + len(result.controls))
    return (
        _table(order, "process", processes, lambda sample: sample.process),
        _table(order, "position in the block", positions, lambda sample: sample.position),
    )


def order_text(result: ExperimentResult, order: Order) -> str:
    """Say how far processes differ, and which sample was the slowest."""
    names = result.implementations
    texts = []
    if len(order.processes) > 1:
        number, widest = max(
            ((number, _spread(of_one)) for number, of_one in order.samples), key=lambda one: one[1]
        )
        texts.append(
            f"The medians of the processes differ by up to {_plain(widest)} ({names[number]})."
        )
    number, slowest = max(
        ((number, max(of_one, key=lambda s: s.ratio)) for number, of_one in order.samples),
        key=lambda one: one[1].ratio,
    )
    texts.append(
        f"The slowest sample took {slowest.ratio:,.3g} times its median ({names[number]}, "
        f"n = {size_text(slowest.size)}, process {slowest.process + 1})."
    )
    return " ".join(texts)


def order_caption(bundle: int) -> str:
    """Say what a mark of the figure is; `bundle` is how many blocks share one."""
    text = (
        "Each sample over the median of its implementation and size; from left to right in the "
        "order of timing, a line where another process begins. "
    )
    if bundle > 1:
        text += f"Each line reaches over {counted(bundle, 'block')}, the dot is their median. "
    return f"{text}Controls and exploratory blocks are left out."


def _samples(who: str, blocks: Sequence[Block], numbers: dict[str, int]) -> Iterator[Sample]:
    times = [block.per_call(who) for block in blocks]
    median = float(np.median(times)) if times else 0.0
    for block, time in zip(blocks, times, strict=True):
        # a batch that took no time has no place on a logarithmic axis
        if median > 0 and time > 0:
            position = block.order.index(who)
            yield Sample(
                numbers[block.id], block.process, block.size, position, float(time / median)
            )


def _spans(order: Sequence[Block]) -> Iterator[tuple[int, int, int]]:
    for process, group in groupby(enumerate(order), key=lambda one: one[1].process):
        positions = [position for position, _ in group]
        yield process, positions[0], positions[-1]


def _table(
    order: Order, head: str, numbers: Iterable[int], number_of: Callable[[Sample], int]
) -> OrderTable:
    rows = []
    for wanted in numbers:
        chosen = ([s for s in of_one if number_of(s) == wanted] for _, of_one in order.samples)
        rows.append((str(wanted + 1), tuple(map(_median_text, chosen))))
    return OrderTable(f"Median by {head}, against the median of all", head, tuple(rows))


def _median_text(samples: Sequence[Sample]) -> str:
    if not samples:
        return ""
    return percent_text(100 * (float(np.median(_ratios(samples))) - 1))


def _spread(samples: Sequence[Sample]) -> float:
    """Return by how much the slowest process is above the fastest, in percent."""
    by_process: dict[int, list[Sample]] = {}
    for sample in samples:
        by_process.setdefault(sample.process, []).append(sample)
    medians = [float(np.median(_ratios(of_one))) for of_one in by_process.values()]
    return 100 * (max(medians) / min(medians) - 1)


def _ratios(samples: Sequence[Sample]) -> Floats:
    return np.array([sample.ratio for sample in samples], dtype=np.float64)


def _plain(percent: float) -> str:
    return percent_text(percent).removeprefix("+")
