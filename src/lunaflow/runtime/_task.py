"""One computation, checked and ready: what a backend is given."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime._column import Array, Elements


@dataclass(slots=True, eq=False)  # not frozen: that takes a microsecond more to make
class Task:
    """A computation whose plan, input and output have passed every check; never changed.

    Parameters
    ----------
    kind : PlanKind
        What is computed.
    reduction : ReductionKernel or None
        None for a map only.
    data : ndarray or Chunked
        Integers that int64 holds, or bool, of any layout, not empty; of a plan 1-D and of its type.
    dtype : numpy.dtype
        The type that results must fit: int32, int64, or object for no limit.
    out : ndarray or None
        Where an array result goes; None allocates it.
    chunks, workers : int
        ``1 <= chunks <= data.size``; workers as asked for, not yet bounded by the machine.
    """

    kind: PlanKind
    reduction: ReductionKernel | None
    data: Elements
    dtype: np.dtype[Any]
    out: Array | None
    chunks: int
    workers: int

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.data.size


def operation_name(kind: PlanKind, reduction: object) -> str:
    """Return the name of an operation, as errors and tuning files have it."""
    if kind is PlanKind.REDUCE and isinstance(reduction, ReductionKernel):
        return reduction.name.lower()
    return "double" if kind is PlanKind.MAP else kind.name.lower()


_LIMITS = {4: (-(2**31), 2**31 - 1), 8: (-(2**63), 2**63 - 1)}


def limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the smallest and the largest integer of an int32 or int64 dtype."""
    return _LIMITS[dtype.itemsize]


def fits(value: int, dtype: np.dtype[Any]) -> bool:
    """Say whether `value` is an element of `dtype`; everything is one of object."""
    if dtype.kind == "O":
        return True
    low, high = limits(dtype)
    return low <= value <= high
