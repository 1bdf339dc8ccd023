"""Is the array given as `out` one that a result can be written to."""

from typing import Any

import numpy as np

from lunaflow.runtime._column import Array, Elements, arrays_of
from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._kernels import joined_axes, may_receive

# how hard NumPy looks for a common element before it gives up: far more than real arrays need
_WORK: Any = 1_000_000


def check_output(out: object, data: Elements, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """Refuse an `out` that is not writable, of `dtype` and `shape`, free of overlap.

    It may be the input itself; any other overlap, with the input or with itself, is refused.

    Raises
    ------
    TypeError
        If it is no NumPy array.
    InvalidInput
        In every other case.
    """
    if may_receive(data, out, dtype.num) and out.shape == shape:  # type: ignore[attr-defined]
        return  # plain arrays apart from each other: no closer look is needed
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    problem = _problem(out, dtype, shape)
    if problem is None and not is_same_memory(out, data) and _shares_memory(out, data):
        problem = "overlaps the input partly"
    if problem is not None:
        raise InvalidInput("out", problem, _accepted(dtype, shape))


def is_same_memory(out: Array, data: Elements) -> bool:
    """Say whether `out` is the very elements of `data`, in their order."""
    return (
        isinstance(data, np.ndarray)
        and out.__array_interface__["data"][0] == data.__array_interface__["data"][0]
        and out.dtype == data.dtype
        and joined_axes(out) == joined_axes(data)
    )


def _problem(out: Array, dtype: np.dtype[Any], shape: tuple[int, ...]) -> str | None:
    if isinstance(out, np.ma.MaskedArray):
        return "is a masked array"
    if out.shape != shape:
        return f"has shape {out.shape}"
    if out.dtype != dtype:
        return f"has dtype {out.dtype} (byte order {out.dtype.str})"
    if not out.flags.writeable:
        return "is read-only"
    if _overlaps_itself(out):
        return f"overlaps itself (strides {out.strides} bytes)"
    return None


def _overlaps_itself(out: Array) -> bool:
    # each axis must step over all that the finer axes reach; stranger layouts count as overlaps
    reach = out.itemsize
    axes = zip(out.strides, out.shape, strict=True)
    for step, length in sorted((abs(stride), length) for stride, length in axes):
        if length > 1:
            if step < reach:
                return True
            reach += step * (length - 1)
    return False


def _shares_memory(out: Array, data: Elements) -> bool:
    for values in arrays_of(data):
        memory = values if isinstance(values, np.ndarray) else values.data
        try:
            if np.shares_memory(out, memory, max_work=_WORK):
                return True
        except np.exceptions.TooHardError:
            return True
    return False


def _accepted(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    lies = "nowhere in the input's memory, or the input itself"
    if len(shape) == 1:
        return f"a writable one-dimensional {dtype.name} array of length {shape[0]}, {lies}"
    return f"a writable {dtype.name} array of shape {shape}, {lies}"
