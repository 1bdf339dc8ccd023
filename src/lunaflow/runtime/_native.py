"""The native backend: compiled, exact kernels on OpenMP threads."""

import functools
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from lunaflow._host import usable_cpus
from lunaflow.plan import Plan, PlanKind, ReductionKernel
from lunaflow.runtime._column import Array, Elements, Values, arrays_of, element_at
from lunaflow.runtime._cover import chunk_count, cover_policy
from lunaflow.runtime._errors import CoverConditionViolated
from lunaflow.runtime._inputs import INT64
from lunaflow.runtime._kernels import (
    HIGH,
    LOW,
    TOTAL,
    double_chunks,
    doubled,
    first_outside,
    highest,
    lowest,
    reduce_chunks,
    running_sums,
    scan_chunks,
    threads_that_may_start,
    total,
)
from lunaflow.runtime._layout import in_memory_order
from lunaflow.runtime._outputs import is_same_memory
from lunaflow.runtime._overflow import element_overflow, prefix_overflow, result_overflow
from lunaflow.runtime._reductions import Totals, joined, reduce_values
from lunaflow.runtime._task import Task, fits, limits

# of a reduction: what is wanted, and where that is in the totals
_REDUCTION = {
    ReductionKernel.SUM: (TOTAL, 0),
    ReductionKernel.MIN: (LOW, 1),
    ReductionKernel.MAX: (HIGH, 2),
}
# of a reduction on one thread: the quick way of plain arrays, as in all that follows `threads == 1`
_AT_ONCE = {ReductionKernel.SUM: total, ReductionKernel.MIN: lowest, ReductionKernel.MAX: highest}
# of a scan: the number of its kernel, and what it starts from
_SCAN = {
    ReductionKernel.SUM: (0, 0),
    ReductionKernel.MIN: (1, 2**63 - 1),
    ReductionKernel.MAX: (2, -(2**63)),
}


class NativeBackend:
    """Computes plans by compiled kernels, one chunk after another on each thread."""

    name = "native"

    def __repr__(self) -> str:
        return "lunaflow.runtime.native"

    def check(self, plan: Plan) -> None:
        """Refuse a plan whose workers are fewer than its chunks.

        Raises
        ------
        CoverConditionViolated
            With a policy that would do.
        """
        length = plan.domain.input_length
        policy = plan.policy
        if chunk_count(length, policy.chunk_size) > policy.worker_count:
            suggestion = cover_policy(length, policy.worker_count)
            raise CoverConditionViolated(length, policy.worker_count, policy.chunk_size, suggestion)

    def compute(self, task: Task) -> int | Array:
        """Return the result of `task`, or raise ArithmeticError(OVERFLOW)."""
        threads = _threads(task)
        if task.kind is PlanKind.REDUCE:
            return _reduce(task, threads)
        if task.kind is PlanKind.MAP_REDUCE:
            return _map_reduce(task, threads)
        if task.kind is PlanKind.SCAN:
            return _scan(task, threads)
        return _map(task, threads)


def reduction_of(reduction: ReductionKernel) -> tuple[int, int]:
    """Return what a reduction wants of totals, and where in the totals that is."""
    return _REDUCTION[reduction]


def _threads(task: Task) -> int:
    wanted = min(task.workers, task.chunks)
    if wanted == 1:
        return 1
    return threads_that_may_start(min(wanted, usable_cpus()))


def _reduced(data: Elements, chunks: int, threads: int, wanted: int) -> Totals:
    if isinstance(data, np.ndarray):
        return reduce_values(data, chunks, threads, wanted)
    parts = (reduce_values(a, *_cut(a.size, chunks, threads), wanted) for a in data.arrays)
    return functools.reduce(joined, parts)


def _cut(size: int, chunks: int, threads: int) -> tuple[int, int]:
    # of one of several arrays, which may have fewer elements than there are chunks
    chunks = min(size, chunks)
    return chunks, min(chunks, threads)


def _reduce(task: Task, threads: int) -> int:
    assert task.reduction is not None
    result = _AT_ONCE[task.reduction](task.data, sys.maxsize) if threads == 1 else None
    if result is None:
        wanted, place = reduction_of(task.reduction)
        result = _reduced(task.data, task.chunks, threads, wanted)[place]
    if not fits(result, task.dtype):
        raise result_overflow(task, result)
    return result


def _map_reduce(task: Task, threads: int) -> int:
    assert task.reduction is not None
    wanted, place = reduction_of(task.reduction)
    found = _reduced(task.data, task.chunks, threads, wanted | LOW | HIGH)
    result = 2 * found[place]
    if not _doubles_fit(found, task):
        raise _element_overflow(task, result if wanted == TOTAL else None)
    if not fits(result, task.dtype):
        raise result_overflow(task, result)
    return result


def _map(task: Task, threads: int) -> Array:
    if threads == 1 and (twice := doubled(task.data, task.out, sys.maxsize)) is not None:
        return twice
    if task.out is None:
        out = _empty_like(task.data, task.dtype)
    else:
        out = task.out
        if is_same_memory(out, task.data):
            # verified before anything is written, so that an error leaves the data as it was
            found = _reduced(task.data, task.chunks, threads, LOW | HIGH)
            if not _doubles_fit(found, task):
                raise _element_overflow(task, None)
    for _, array, part in _places(task.data, out):
        pair: tuple[Values, Array] = (array, part)
        if isinstance(array, np.ndarray) and array.ndim > 1:
            pair = in_memory_order(array, part)
        if double_chunks(*pair, *_cut(array.size, task.chunks, threads)) >= 0:
            raise _element_overflow(task, None)
    return out


def _scan(task: Task, threads: int) -> Array:
    if threads == 1 and task.reduction is ReductionKernel.SUM and task.dtype == INT64:
        sums = running_sums(task.data, task.out, sys.maxsize)
        if sums is not None:
            return sums
    if task.out is None:
        out = np.empty(task.size, task.dtype)
    else:
        out = task.out
        if task.reduction is ReductionKernel.SUM and is_same_memory(out, task.data):
            _scan_into(out, task, threads, write=False)
    _scan_into(out, task, threads, write=True)
    return out


def _scan_into(out: Array, task: Task, threads: int, *, write: bool) -> None:
    assert task.reduction is not None
    operation, start = _SCAN[task.reduction]
    low, high = limits(task.dtype)
    for at, array, part in _places(task.data, out):
        cut = _cut(array.size, task.chunks, threads)
        failed = scan_chunks(array, part, operation, start, low, high, *cut, write)
        if failed >= 0:
            index = at + failed
            prefix = start + reduce_chunks(array, 1, 1, TOTAL, length=failed + 1)[0]
            raise prefix_overflow(task, index, element_at(task.data, index), prefix)
        if part is not out:
            start = int(part[-1])


def _places(data: Elements, out: Array) -> Iterator[tuple[int, Values, Array]]:
    # where elements lie, and where their results go, with the index of the first
    if isinstance(data, np.ndarray):
        yield 0, data, out
        return
    at = 0
    for array in data.arrays:
        yield at, array, out[at : at + array.size]
        at += array.size


def _empty_like(data: Elements, dtype: np.dtype[Any]) -> Array:
    if isinstance(data, np.ndarray) and data.ndim > 1:
        return np.empty_like(data, dtype)
    return np.empty(data.shape, dtype)


def _doubles_fit(found: Totals, task: Task) -> bool:
    _, low, high, _ = found
    return fits(2 * low, task.dtype) and fits(2 * high, task.dtype)


def _element_overflow(task: Task, total: int | None) -> Exception:
    low, high = limits(task.dtype)
    at = 0
    for array in arrays_of(task.data):
        index = first_outside(array, low // 2, high // 2)
        if index >= 0:
            return element_overflow(task, at + index, element_at(task.data, at + index), total)
        at += array.size
    raise RuntimeError("the data changed while it was read: an element did not fit, doubled")


native = NativeBackend()
