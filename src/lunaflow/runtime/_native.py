"""The native backend: compiled, exact kernels on OpenMP threads."""

from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow._compiled import not_built
from lunaflow._host import usable_cpus
from lunaflow.plan import Plan, PlanKind, ReductionKernel
from lunaflow.runtime._cover import chunk_count, cover_policy
from lunaflow.runtime._errors import CoverConditionViolated
from lunaflow.runtime._fork import inherits_openmp
from lunaflow.runtime._inputs import Vector
from lunaflow.runtime._outputs import is_same_memory
from lunaflow.runtime._overflow import element_overflow, prefix_overflow, result_overflow
from lunaflow.runtime._task import Task, fits, limits

_INHERITS_OPENMP = inherits_openmp()

try:
    from lunaflow.runtime._map import double_chunks
    from lunaflow.runtime._openmp import stay_serial, threads_that_may_start
    from lunaflow.runtime._reduce import HIGH, LOW, TOTAL, first_outside, reduce_chunks
    from lunaflow.runtime._scan import scan_chunks
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

if _INHERITS_OPENMP:
    stay_serial()

_WANTED = {
    ReductionKernel.SUM: TOTAL,
    ReductionKernel.MIN: LOW,
    ReductionKernel.MAX: HIGH,
}
# the number of a scan's kernel, and what it starts from
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

    def compute(self, task: Task) -> int | npt.NDArray[Any]:
        """Return the result of `task`, or raise ArithmeticError(OVERFLOW)."""
        threads = _threads(task)
        if task.kind is PlanKind.REDUCE:
            return _reduce(task, threads)
        if task.kind is PlanKind.MAP_REDUCE:
            return _map_reduce(task, threads)
        if task.kind is PlanKind.SCAN:
            return _scan(task, threads)
        return _map(task, threads)


def _threads(task: Task) -> int:
    wanted = min(task.workers, task.chunks)
    if wanted == 1:
        return 1
    return threads_that_may_start(min(wanted, usable_cpus()))


def _reduced(data: Vector, chunks: int, threads: int, wanted: int) -> tuple[int, int, int]:
    if data.strides[0] == 0:
        # one element, repeated as often as one likes
        element = int(data[0])
        return len(data) * element, element, element
    return reduce_chunks(data, chunks, threads, wanted)[:3]


def _reduce(task: Task, threads: int) -> int:
    assert task.reduction is not None
    total, low, high = _reduced(task.data, task.chunks, threads, _WANTED[task.reduction])
    results = {ReductionKernel.SUM: total, ReductionKernel.MIN: low, ReductionKernel.MAX: high}
    result = results[task.reduction]
    if not fits(result, task.dtype):
        raise result_overflow(task, result)
    return result


def _map_reduce(task: Task, threads: int) -> int:
    summing = task.reduction is ReductionKernel.SUM
    total, low, high = _reduced(
        task.data, task.chunks, threads, (TOTAL if summing else 0) | LOW | HIGH
    )
    if not (fits(2 * low, task.dtype) and fits(2 * high, task.dtype)):
        raise element_overflow(task, _first_undoubled(task), 2 * total if summing else None)
    if summing:
        if not fits(2 * total, task.dtype):
            raise result_overflow(task, 2 * total)
        return 2 * total
    return 2 * (low if task.reduction is ReductionKernel.MIN else high)


def _map(task: Task, threads: int) -> Vector:
    out = np.empty(len(task.data), task.dtype) if task.out is None else task.out
    if is_same_memory(out, task.data):
        # verified before anything is written, so that an error leaves the data as it was
        _, low, high = _reduced(task.data, task.chunks, threads, LOW | HIGH)
        if not (fits(2 * low, task.dtype) and fits(2 * high, task.dtype)):
            raise element_overflow(task, _first_undoubled(task), None)
    failed = double_chunks(task.data, out, task.chunks, threads)
    if failed >= 0:
        raise element_overflow(task, failed, None)
    return out


def _scan(task: Task, threads: int) -> Vector:
    assert task.reduction is not None
    out = np.empty(len(task.data), task.dtype) if task.out is None else task.out
    low, high = limits(task.dtype)
    operation, start = _SCAN[task.reduction]
    if is_same_memory(out, task.data) and task.reduction is ReductionKernel.SUM:
        failed = scan_chunks(
            task.data, out, operation, start, low, high, task.chunks, threads, False
        )
        if failed >= 0:
            raise _prefix_overflow(task, failed)
    failed = scan_chunks(task.data, out, operation, start, low, high, task.chunks, threads, True)
    if failed >= 0:
        raise _prefix_overflow(task, failed)
    return out


def _prefix_overflow(task: Task, index: int) -> Exception:
    prefix, _, _ = _reduced(task.data[: index + 1], 1, 1, TOTAL)
    return prefix_overflow(task, index, prefix)


def _first_undoubled(task: Task) -> int:
    low, high = limits(task.dtype)
    return first_outside(task.data, low // 2, high // 2)


native = NativeBackend()
