"""The everyday forms: exact sum, min, max, scan and double of an array, without a plan."""

import builtins
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import as_count
from lunaflow._host import usable_cpus
from lunaflow.arithmetic import ArithmeticError
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._inputs import INT32, INT64, Vector, element_dtype, vector_of
from lunaflow.runtime._native import native
from lunaflow.runtime._outputs import check_output
from lunaflow.runtime._reference import reference
from lunaflow.runtime._run import add_location
from lunaflow.runtime._task import Task, operation_name
from lunaflow.runtime._tuning import workers_for

Nulls = Literal["error", "skip"]
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
        1-D int32 or int64, of any stride, alignment and byte order.
    workers : int, optional
        Positive; None follows the tuning in force, else the measured default. More threads than
        this process's CPUs are never started.
    dtype : dtype, optional
        What the sum must fit: int64 (None too), int32, or object for no limit.
    nulls : {"error", "skip"}
        What masked elements do.

    Returns
    -------
    int
        0 for an empty array.

    Raises
    ------
    ArithmeticError
        OVERFLOW if the exact sum does not fit; it is in ``exact``.
    """
    return _reduction(ReductionKernel.SUM, x, workers, dtype, nulls)


def min(
    x: object,
    *,
    workers: int | None = None,
    dtype: npt.DTypeLike | None = None,
    nulls: Nulls = "error",
) -> int:
    """Return the smallest element of `x`; ValueError if it is empty. Parameters as `sum`."""
    return _reduction(ReductionKernel.MIN, x, workers, dtype, nulls)


def max(
    x: object,
    *,
    workers: int | None = None,
    dtype: npt.DTypeLike | None = None,
    nulls: Nulls = "error",
) -> int:
    """Return the largest element of `x`; ValueError if it is empty. Parameters as `sum`."""
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
        1-D int32 or int64, of any stride, alignment and byte order.
    out : ndarray, optional
        Writable, 1-D, of the result's dtype and length; it may be `x` itself.
    dtype : dtype, optional
        The result's dtype, which every prefix must fit: int64 (None too), int32, or object.
    workers : int, optional
        As for `sum`.

    Returns
    -------
    ndarray
        Of the shape of `x` and in native byte order; `out` if it was given.

    Raises
    ------
    ArithmeticError
        OVERFLOW with ``index``, the position of the first prefix that does not fit.
    """
    array = vector_of("x", x)
    result = _result_dtype(dtype)
    if result == _OBJECT and out is not None:
        raise InvalidInput("out", "was given with dtype=object", "no out")
    return _array_result(PlanKind.SCAN, ReductionKernel.SUM, array, result, out, workers)


cumsum = scan


def double(
    x: object, *, out: npt.NDArray[Any] | None = None, workers: int | None = None
) -> npt.NDArray[Any]:
    """Return ``2 * x`` in the dtype of `x`, or an error; it never wraps.

    Parameters and result as for `scan`; ``index`` is the first element that does not fit, doubled.
    """
    array = vector_of("x", x)
    return _array_result(PlanKind.MAP, None, array, element_dtype(array), out, workers)


def _reduction(
    reduction: ReductionKernel,
    x: object,
    workers: int | None,
    dtype: npt.DTypeLike | None,
    nulls: Nulls,
) -> int:
    if nulls not in ("error", "skip"):
        raise ValueError(f'nulls must be "error" or "skip", not {nulls!r}')
    result_dtype = _result_dtype(dtype)
    array = vector_of("x", x, skip_nulls=nulls == "skip")
    if len(array) == 0:
        _check_workers(workers)
        if reduction is ReductionKernel.SUM:
            return 0
        name = reduction.name.lower()
        raise InvalidInput("x", f"is empty, and has no {name}", "at least one element")
    result = _compute(PlanKind.REDUCE, reduction, array, result_dtype, None, workers)
    assert isinstance(result, int)
    return result


def _array_result(
    kind: PlanKind,
    reduction: ReductionKernel | None,
    array: Vector,
    dtype: np.dtype[Any],
    out: npt.NDArray[Any] | None,
    workers: int | None,
) -> npt.NDArray[Any]:
    if out is not None:
        check_output(out, array, dtype)
    if len(array) == 0:
        _check_workers(workers)
        return np.empty(0, dtype) if out is None else out
    result = _compute(kind, reduction, array, dtype, out, workers)
    assert isinstance(result, np.ndarray)
    return result


def _compute(
    kind: PlanKind,
    reduction: ReductionKernel | None,
    array: Vector,
    dtype: np.dtype[Any],
    out: npt.NDArray[Any] | None,
    workers: int | None,
) -> int | npt.NDArray[Any]:
    count = _workers(kind, reduction, array, workers)
    task = Task(kind, reduction, array, dtype, out, chunks=count, workers=count)
    unlimited_scan = kind is PlanKind.SCAN and dtype == _OBJECT
    try:
        return (reference if unlimited_scan else native).compute(task)
    except ArithmeticError as error:
        add_location(error)
        raise


def _workers(
    kind: PlanKind, reduction: ReductionKernel | None, array: Vector, workers: int | None
) -> int:
    if workers is None:
        count = workers_for(operation_name(kind, reduction), array.dtype, len(array))
    else:
        count = as_count("workers", workers, 1)
    return 1 if count == 1 else builtins.min(count, usable_cpus(), len(array))


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
