"""The reference backend: every kernel in Python integers. It is the oracle of the native one."""

import itertools
import operator
from collections.abc import Callable

import numpy as np

from lunaflow.plan import Plan, PlanKind, ReductionKernel
from lunaflow.runtime._column import Array, integers
from lunaflow.runtime._overflow import element_overflow, prefix_overflow, result_overflow
from lunaflow.runtime._task import Task, fits

_COMBINE: dict[ReductionKernel, Callable[[int, int], int]] = {
    ReductionKernel.SUM: operator.add,
    ReductionKernel.MIN: min,
    ReductionKernel.MAX: max,
}
_REDUCE: dict[ReductionKernel, Callable[[list[int]], int]] = {
    ReductionKernel.SUM: sum,
    ReductionKernel.MIN: min,
    ReductionKernel.MAX: max,
}


class ReferenceBackend:
    """Computes plans in Python integers, without chunks: the exact meaning of every plan."""

    name = "reference"

    def __repr__(self) -> str:
        return "lunaflow.runtime.reference"

    def check(self, plan: Plan) -> None:
        """Accept every valid plan: this backend has no conditions of its own."""

    def compute(self, task: Task) -> int | Array:
        """Return the result of `task`, or raise ArithmeticError(OVERFLOW)."""
        values = list(integers(task.data))
        if task.kind is PlanKind.MAP:
            return _written(_doubled(task, values), task)
        assert task.reduction is not None
        if task.kind is PlanKind.SCAN:
            return _written(_scanned(task, values), task)
        if task.kind is PlanKind.MAP_REDUCE:
            values = _doubled(task, values)
        result = _REDUCE[task.reduction](values)
        if not fits(result, task.dtype):
            raise result_overflow(task, result)
        return result


def _doubled(task: Task, values: list[int]) -> list[int]:
    doubled = [2 * x for x in values]
    for index, element in enumerate(doubled):
        if not fits(element, task.dtype):
            summing = task.kind is PlanKind.MAP_REDUCE and task.reduction is ReductionKernel.SUM
            raise element_overflow(task, index, values[index], sum(doubled) if summing else None)
    return doubled


def _scanned(task: Task, values: list[int]) -> list[int]:
    assert task.reduction is not None
    prefixes = list(itertools.accumulate(values, _COMBINE[task.reduction]))
    for index, prefix in enumerate(prefixes):
        if not fits(prefix, task.dtype):
            raise prefix_overflow(task, index, values[index], prefix)
    return prefixes


def _written(values: list[int], task: Task) -> Array:
    out: Array = np.empty(len(values), task.dtype) if task.out is None else task.out
    out[...] = np.array(values, dtype=task.dtype)
    return out


reference = ReferenceBackend()
