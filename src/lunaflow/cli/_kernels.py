"""The kernels that ``lunaflow tune`` compares: how each is called, and what is right.

Everything here is importable by name, since fresh interpreters measure it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

import lunaflow
from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind
from lunaflow.cli._data import Array
from lunaflow.experiment import ExpectedDifference, ReferenceOracle, Trapped, Value
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime import double, plan_for, reference, run

# up to this length the reference backend is the oracle; beyond it, `wide_answer`
REFERENCE_UP_TO = 1 << 14


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel: its plan, and NumPy's own operation for the same job."""

    name: str
    kind: PlanKind
    reduction: ReductionKernel | None
    numpy: Callable[[Array], Any]


def _numpy_sum(x: Array) -> Any:
    return np.sum(x)


def _numpy_min(x: Array) -> Any:
    return np.min(x)


def _numpy_max(x: Array) -> Any:
    return np.max(x)


def _numpy_scan(x: Array) -> Any:
    return np.cumsum(x, dtype=x.dtype)


def _numpy_double(x: Array) -> Any:
    return np.add(x, x)


def _numpy_map_reduce(x: Array) -> Any:
    return np.sum(np.add(x, x))


KERNELS = {
    kernel.name: kernel
    for kernel in (
        Kernel("sum", PlanKind.REDUCE, ReductionKernel.SUM, _numpy_sum),
        Kernel("min", PlanKind.REDUCE, ReductionKernel.MIN, _numpy_min),
        Kernel("max", PlanKind.REDUCE, ReductionKernel.MAX, _numpy_max),
        Kernel("scan", PlanKind.SCAN, ReductionKernel.SUM, _numpy_scan),
        Kernel("double", PlanKind.MAP, None, _numpy_double),
        Kernel("map_reduce", PlanKind.MAP_REDUCE, ReductionKernel.SUM, _numpy_map_reduce),
    )
}


@dataclass(frozen=True, slots=True)
class Native:
    """A native kernel with a fixed number of workers; results must fit the element type."""

    kernel: str
    workers: int

    def __call__(self, x: Array) -> Any:
        """Compute the kernel on a 1-D int32 or int64 array."""
        match self.kernel:
            case "sum":
                return lunaflow.sum(x, workers=self.workers, dtype=x.dtype)
            case "min":
                return lunaflow.min(x, workers=self.workers)
            case "max":
                return lunaflow.max(x, workers=self.workers)
            case "scan":
                return lunaflow.scan(x, workers=self.workers, dtype=x.dtype)
            case "double":
                return double(x, workers=self.workers)
            case _:
                kernel = KERNELS[self.kernel]
                return run(plan_for(x, kernel.kind, kernel.reduction, workers=self.workers), x)


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """The exact answer of a kernel, or the overflow that a plan over the element type has."""

    kernel: str

    def __call__(self, x: Array) -> Any:
        """Compute by the reference backend, for long arrays by an independent computation."""
        kernel = KERNELS[self.kernel]
        if len(x) <= REFERENCE_UP_TO:
            return run(plan_for(x, kernel.kind, kernel.reduction), x, backend=reference)
        return wide_answer(kernel, x)


def oracle_for(name: str) -> ReferenceOracle:
    """Return the oracle of a kernel: the exact answer, or the overflow of its element type.

    NumPy sums int32 in int64: where that is the exact total, it is another question answered
    rightly, and no failure.
    """
    exact = ReferenceOracle.same_outcome("exact answer", RightAnswer(name))

    def validate(x: Array, step: int, expected: Any, actual: Any) -> Any:
        status = exact.validate(x, step, expected, actual)
        # ours are Python integers: only NumPy's own scalar may be of the wider type
        if isinstance(actual, Value) and type(actual.value) is np.int64:
            total = _exact_total(KERNELS[name], x)
            if isinstance(expected, Trapped) and int(actual.value) == total:
                return ExpectedDifference("NumPy accumulates in int64, where the total fits")
        return status

    return replace(exact, validate=validate)


def _exact_total(kernel: Kernel, x: Array) -> int | None:
    if kernel.reduction is not ReductionKernel.SUM or kernel.kind is PlanKind.SCAN:
        return None
    wide = x.astype(np.int64)
    return _total(wide >> 32, wide & 0xFFFFFFFF) * (2 if kernel.kind is PlanKind.MAP_REDUCE else 1)


def wide_answer(kernel: Kernel, x: Array) -> Any:
    """Compute a kernel by NumPy in two words an element, shared with no code of the runtime.

    An integer x is ``high * 2**32 + low`` with ``0 <= low < 2**32``, so that sums of up to 2**31
    elements are exact in two int64 sums.
    """
    low_limit, high_limit = _limits(x.dtype)
    high, low = x.astype(np.int64) >> 32, x.astype(np.int64) & 0xFFFFFFFF
    if kernel.kind in (PlanKind.MAP, PlanKind.MAP_REDUCE):
        failing = (x < low_limit // 2) | (x > high_limit // 2)
        if failing.any():
            summing = kernel.kind is PlanKind.MAP_REDUCE
            _overflow(int(np.argmax(failing)), 2 * _total(high, low) if summing else None)
    if kernel.kind is PlanKind.MAP:
        return x + x
    if kernel.kind is PlanKind.SCAN:
        return _wide_scan(high, low, x.dtype)
    factor = 2 if kernel.kind is PlanKind.MAP_REDUCE else 1
    if kernel.reduction is ReductionKernel.MIN:
        return factor * int(np.min(x))
    if kernel.reduction is ReductionKernel.MAX:
        return factor * int(np.max(x))
    total = factor * _total(high, low)
    if not low_limit <= total <= high_limit:
        _overflow(None, total)
    return total


def _wide_scan(high: Array, low: Array, dtype: np.dtype[Any]) -> Array:
    highs, lows = np.cumsum(high), np.cumsum(low)
    highs += lows >> 32
    lows &= 0xFFFFFFFF
    # the prefix is highs * 2**32 + lows; it fits when the words above the result's are its sign
    if dtype.itemsize == 8:
        failing = (highs < -(2**31)) | (highs >= 2**31)
    else:
        failing = ~(((highs == 0) & (lows < 2**31)) | ((highs == -1) & (lows >= 2**31)))
    if failing.any():
        _overflow(int(np.argmax(failing)), None)
    prefixes: Array = (highs << 32) | lows
    return prefixes.astype(dtype)


def _total(high: Array, low: Array) -> int:
    return (int(high.sum()) << 32) + int(low.sum())


def _limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _overflow(index: int | None, exact: int | None) -> NoReturn:
    raise ArithmeticError(
        ArithmeticErrorKind.OVERFLOW, "the exact answer overflows", index=index, exact=exact
    )
