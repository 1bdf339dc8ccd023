"""The everyday forms: exact sum, min, max, scan and double of an array, without a plan."""

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import as_count
from lunaflow.arithmetic import ArithmeticError
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime._column import Array, Column, Elements, integers
from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._inputs import (
    INT32,
    INT64,
    element_dtype,
    elements_of,
    non_null_elements_of,
)
from lunaflow.runtime._kernels import doubled, highest, lowest, running_sums, total
from lunaflow.runtime._native import native, reduction_of
from lunaflow.runtime._nulls import Nulls, check_nulls
from lunaflow.runtime._outputs import check_output
from lunaflow.runtime._overflow import result_overflow
from lunaflow.runtime._reductions import shared_among, totals_of
from lunaflow.runtime._run import add_location
from lunaflow.runtime._task import Task, fits, operation_name
from lunaflow.runtime._tuning import longest_on_one_thread

_OBJECT = np.dtype(object)


def sum(
    x: object,
    *,
    workers: int | None = None,
    dtype: npt.DTypeLike | None = None,
    nulls: Nulls = "error",
) -> int:
    """Return the exact sum of `x`, or an error; it never wraps.

    Parameters
    ----------
    x : array
        Bool, int8 to int64, or uint8 to uint32, with any number of dimensions, stride, alignment
        and byte order: a NumPy array, masked or not, an Arrow column (PyArrow, Polars, pandas),
        or anything with the buffer protocol, ``__array__`` or ``__array_interface__``.
    workers : int, optional
        Positive; None follows the tuning in force, else the measured default, and is one for up to
        4,096 native elements in C order. More threads than this process's CPUs are never started.
    dtype : dtype, optional
        What the sum must fit: int64 (None too), int32, or object for no limit.
    nulls : {"error", "skip"}
        Whether masked and null elements are refused, or left out.

    Returns
    -------
    int
        0 if there is no element.

    Raises
    ------
    ArithmeticError
        OVERFLOW if the exact sum does not fit; it is in ``exact``.
    InvalidInput
        If `x` has another dtype, or elements that are null and not to be skipped.
    ValueError
        If `workers`, `dtype` or `nulls` is none of the above.
    TypeError
        If `x` is no array (a list, for one).
    """
    if dtype is None and nulls == "error":
        found = total(x, longest_on_one_thread(workers))
        if found is not None and -(2**63) <= found < 2**63:
            return found
    return _reduction(ReductionKernel.SUM, x, workers, dtype, nulls)


def min(
    x: object,
    *,
    workers: int | None = None,
    dtype: npt.DTypeLike | None = None,
    nulls: Nulls = "error",
) -> int:
    """Return the smallest element of `x`, exactly.

    Parameters
    ----------
    x, workers, nulls
        As for `sum`.
    dtype : dtype, optional
        What the element must fit: int64 (None too), int32, or object for no limit.

    Returns
    -------
    int

    Raises
    ------
    ArithmeticError
        OVERFLOW if the element does not fit `dtype`.
    InvalidInput
        A ValueError: if there is no element, and as for `sum`.
    ValueError, TypeError
        As for `sum`.
    """
    if dtype is None and nulls == "error":
        found = lowest(x, longest_on_one_thread(workers))
        if found is not None:
            return found
    return _reduction(ReductionKernel.MIN, x, workers, dtype, nulls)


def max(
    x: object,
    *,
    workers: int | None = None,
    dtype: npt.DTypeLike | None = None,
    nulls: Nulls = "error",
) -> int:
    """Return the largest element of `x`, exactly.

    Parameters
    ----------
    x, workers, nulls
        As for `sum`.
    dtype : dtype, optional
        What the element must fit: int64 (None too), int32, or object for no limit.

    Returns
    -------
    int

    Raises
    ------
    ArithmeticError
        OVERFLOW if the element does not fit `dtype`.
    InvalidInput
        A ValueError: if there is no element, and as for `sum`.
    ValueError, TypeError
        As for `sum`.
    """
    if dtype is None and nulls == "error":
        found = highest(x, longest_on_one_thread(workers))
        if found is not None:
            return found
    return _reduction(ReductionKernel.MAX, x, workers, dtype, nulls)


def scan(
    x: object,
    *,
    out: npt.NDArray[Any] | None = None,
    dtype: npt.DTypeLike | None = None,
    workers: int | None = None,
) -> npt.NDArray[Any]:
    """Return the inclusive running sums of `x`, or an error; they never wrap.

    Parameters
    ----------
    x : array
        As for `sum`; its elements count in C order, and none may be masked or null.
    out : ndarray, optional
        Writable, 1-D, of the result's dtype and of ``x.size`` elements; it may be `x` itself.
    dtype : dtype, optional
        The result's dtype, which every prefix must fit: int64 (None too), int32, or object.
    workers : int, optional
        As for `sum`.

    Returns
    -------
    ndarray
        1-D, of ``x.size`` elements and in native byte order; `out` if it was given.

    Raises
    ------
    ArithmeticError
        OVERFLOW with ``index``, the position of the first prefix that does not fit, in C order.
    InvalidInput
        If `x` has another dtype or null elements, or `out` is not as above or overlaps `x` partly.
    ValueError, TypeError
        As for `sum`.
    """
    if dtype is None:
        sums = running_sums(x, out, longest_on_one_thread(workers))
        if sums is not None:
            return sums
    data = non_null_elements_of("x", x)
    result = _result_dtype(dtype)
    if result == _OBJECT:
        return _unlimited_scan(data, out, workers)
    shape = (data.size,)
    return _array_result(PlanKind.SCAN, ReductionKernel.SUM, data, result, shape, out, workers)


cumsum = scan


def double(
    x: object, *, out: npt.NDArray[Any] | None = None, workers: int | None = None
) -> npt.NDArray[Any]:
    """Return ``2 * x``, or an error; it never wraps.

    Parameters
    ----------
    x : array
        As for `sum`; none of its elements may be masked or null.
    out : ndarray, optional
        Writable, of the result's dtype and the shape of `x`; it may be `x` itself.
    workers : int, optional
        As for `sum`.

    Returns
    -------
    ndarray
        Of the shape of `x`, int32 for int32, else int64, in native byte order; `out` if it was
        given.

    Raises
    ------
    ArithmeticError
        OVERFLOW with ``index``, the position of the first element that does not fit, in C order.
    InvalidInput, ValueError, TypeError
        As for `scan`.
    """
    twice = doubled(x, out, longest_on_one_thread(workers))
    if twice is not None:
        return twice
    data = non_null_elements_of("x", x)
    return _array_result(PlanKind.MAP, None, data, element_dtype(data), data.shape, out, workers)


@dataclass(frozen=True, slots=True)
class _Reduction:
    """A reduction of a column, as its error tells it."""

    reduction: ReductionKernel
    size: int
    dtype: np.dtype[Any]
    kind: PlanKind = PlanKind.REDUCE


def _reduction(
    reduction: ReductionKernel,
    x: object,
    workers: int | None,
    dtype: npt.DTypeLike | None,
    nulls: Nulls,
) -> int:
    check_nulls(nulls)
    result_dtype = _result_dtype(dtype)
    elements = elements_of("x", x)
    if isinstance(elements, Column):
        return _of_column(reduction, elements, workers, result_dtype, nulls)
    if elements.size == 0:
        _check_workers(workers)
        return _of_nothing(reduction)
    result = _compute(PlanKind.REDUCE, reduction, elements, result_dtype, None, workers)
    assert isinstance(result, int)
    return result


def _of_column(
    reduction: ReductionKernel,
    column: Column,
    workers: int | None,
    dtype: np.dtype[Any],
    nulls: Nulls,
) -> int:
    wanted, place = reduction_of(reduction)
    operation = operation_name(PlanKind.REDUCE, reduction)
    totals = totals_of("x", column, wanted, operation=operation, workers=workers, nulls=nulls)
    size = totals[3]
    if size == 0:
        return _of_nothing(reduction)
    if not fits(totals[place], dtype):
        error = result_overflow(_Reduction(reduction, size, dtype), totals[place])
        add_location(error)
        raise error
    return totals[place]


def _of_nothing(reduction: ReductionKernel) -> int:
    if reduction is ReductionKernel.SUM:
        return 0
    name = reduction.name.lower()
    raise InvalidInput("x", f"is empty, and has no {name}", "at least one element that is not null")


def _array_result(
    kind: PlanKind,
    reduction: ReductionKernel | None,
    data: Elements,
    dtype: np.dtype[Any],
    shape: tuple[int, ...],
    out: Array | None,
    workers: int | None,
) -> Array:
    if out is not None:
        check_output(out, data, dtype, shape)
    if data.size == 0:
        _check_workers(workers)
        return np.empty(shape, dtype) if out is None else out
    result = _compute(kind, reduction, data, dtype, out, workers)
    assert isinstance(result, np.ndarray)
    return result


def _unlimited_scan(data: Elements, out: object, workers: int | None) -> Array:
    if out is not None:
        raise InvalidInput("out", "was given with dtype=object", "no out")
    _check_workers(workers)
    return np.fromiter(itertools.accumulate(integers(data)), _OBJECT, data.size)


def _compute(
    kind: PlanKind,
    reduction: ReductionKernel | None,
    data: Elements,
    dtype: np.dtype[Any],
    out: Array | None,
    workers: int | None,
) -> int | Array:
    count = shared_among(operation_name(kind, reduction), data.dtype, data.size, workers)
    try:
        return native.compute(Task(kind, reduction, data, dtype, out, chunks=count, workers=count))
    except ArithmeticError as error:
        add_location(error)
        raise


def _check_workers(workers: int | None) -> None:
    if workers is not None:
        as_count("workers", workers, 1)


def _result_dtype(dtype: npt.DTypeLike | None) -> np.dtype[Any]:
    if dtype is None:
        return INT64
    result = np.dtype(dtype)
    if result not in (INT32, INT64, _OBJECT):
        raise ValueError(f"dtype must be int32, int64 or object, not {result}")
    return result
