"""From what people have to integers in memory, without casts, copies or lost nulls."""

from typing import Any

import numpy as np

from lunaflow.runtime._arrow_column import arrow_column, speaks_arrow
from lunaflow.runtime._column import Array, Column, Elements, Piece, settled
from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._kernels import TOTAL, reduce_chunks
from lunaflow.runtime._pandas_column import arrow_backing, is_pandas_extension, nullable_column

INT32 = np.dtype(np.int32)
INT64 = np.dtype(np.int64)

_OF_PLANS = "int32 or int64"
_OF_ALL = "bool, int8 to int64, or uint8 to uint32"
# NumPy's numbers of the dtypes whose every element int64 holds
_INTEGERS = frozenset(np.dtype(code).num for code in "?bBhHiIlLqQ" if np.can_cast(code, np.int64))


def elements_of(argument: str, given: object) -> Array | Column:
    """Return what an everyday form reads: integers of any dtype that int64 holds, or bool.

    Arrays, and what exposes the buffer protocol, are not copied; they may have any layout and any
    number of dimensions. A column is returned for what may hold nulls or lie in several pieces.

    Raises
    ------
    TypeError
        For lists and all else that is no array.
    InvalidInput
        For a wrong dtype.
    """
    if type(given) is np.ndarray:
        found: Array | Column = given
    else:
        found = _found(argument, given, _OF_ALL)
    if found.dtype.num not in _INTEGERS:
        raise _wrong_dtype(argument, found.dtype, _OF_ALL)
    return found


def non_null_elements_of(argument: str, given: object) -> Elements:
    """Return what an everyday form reads where no element may be null; raises as `elements_of`."""
    found = elements_of(argument, given)
    return settled(argument, found) if isinstance(found, Column) else found


def vector_of(argument: str, given: object) -> Elements:
    """Return the 1-D int32 or int64 elements that a plan reads, of any layout.

    Raises
    ------
    TypeError
        For lists and all else that is no array.
    InvalidInput
        For a wrong dtype or dimension, for masked arrays, and for null elements.
    """
    if type(given) is np.ndarray:
        array: Elements = given
    else:
        found = _found(argument, given, _OF_PLANS, masks=False)
        array = settled(argument, found) if isinstance(found, Column) else found
    if len(array.shape) != 1:
        raise InvalidInput(
            argument,
            f"has {len(array.shape)} dimensions (shape {array.shape})",
            "one-dimensional int32 or int64 (a C-contiguous array's .ravel() is free)",
        )
    if array.dtype.kind != "i" or array.dtype.itemsize not in (4, 8):
        raise _wrong_dtype(argument, array.dtype, _OF_PLANS)
    return array


def element_dtype(data: Elements) -> np.dtype[Any]:
    """Return the dtype of the doubled elements: int32 for int32, else int64."""
    return INT32 if data.dtype.kind == "i" and data.dtype.itemsize == 4 else INT64


def _found(argument: str, given: Any, accepted: str, masks: bool = True) -> Array | Column:
    if isinstance(given, np.ndarray):
        return _of_subclass(argument, given, accepted, masks)
    if isinstance(given, type):
        raise _no_array(argument, given, "it is a class")
    if isinstance(getattr(given, "dtype", None), np.dtype) and hasattr(given, "__array__"):
        return _converted(argument, given, accepted, masks)
    if is_pandas_extension(given):
        return _of_pandas(argument, given, accepted)
    # asked of the class: where a table is still to be computed, asking itself would begin that
    if hasattr(type(given), "columns") and hasattr(type(given), "dtypes"):
        raise InvalidInput(argument, f"is a {_name(given)}", f"{accepted}; one column of it")
    if speaks_arrow(given):
        return arrow_column(argument, _name(given), given, accepted)
    if hasattr(given, "__array__"):
        return _converted(argument, given, accepted, masks)
    if hasattr(given, "__array_interface__") or hasattr(given, "__array_struct__"):
        return _of_interface(argument, given)
    try:
        return np.asarray(memoryview(given))
    except TypeError:
        raise _no_array(argument, given) from None
    except ValueError as reason:
        raise _no_array(argument, given, reason) from None


def _of_subclass(argument: str, given: Any, accepted: str, masks: bool) -> Array | Column:
    # a mask is what NumPy's own masked arrays have, and those of others
    mask = getattr(given, "mask", None)
    values: Array = given.view(np.ndarray)
    if mask is None or callable(mask):
        return values
    if values.dtype.num not in _INTEGERS:
        raise _wrong_dtype(argument, values.dtype, accepted)
    if mask is np.ma.nomask:
        mask = np.broadcast_to(np.False_, values.shape)
    return _masked(argument, values, np.asarray(mask), masks)


def _masked(argument: str, values: Array, mask: Array, masks: bool) -> Array | Column:
    if mask.dtype != np.bool_ or mask.shape != values.shape:
        raise InvalidInput(
            argument,
            f"has a mask of dtype {mask.dtype} and shape {mask.shape}",
            f"one of dtype bool and shape {values.shape}",
        )
    count = reduce_chunks(mask, 1, 1, TOTAL)[0] if mask.size else 0
    if not masks:
        raise InvalidInput(
            argument,
            f"is a masked array ({count} of {values.size} elements masked)",
            "a plain array: x.compressed() drops the masked elements, x.data keeps them",
        )
    if count == 0:
        return values
    said = "is a masked array ({nulls} of {size} elements masked)"
    return Column(said, values.dtype, iter((Piece(values, mask, 0),)))


def _of_pandas(argument: str, given: Any, accepted: str) -> Array | Column:
    backing = arrow_backing(given)
    if backing is not None:
        return arrow_column(argument, _name(given), backing, accepted)
    dtype = getattr(given.dtype, "numpy_dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.num not in _INTEGERS:
        raise InvalidInput(argument, f"is a {_name(given)} of dtype {given.dtype}", accepted)
    return nullable_column(_name(given), given, dtype)


def _of_interface(argument: str, given: Any) -> Array:
    if getattr(given, "__array_interface__", {}).get("mask") is not None:
        raise InvalidInput(
            argument,
            "has a mask in its __array_interface__, which NumPy would drop",
            "np.ma.masked_array(values, mask)",
        )
    return np.asarray(given)


def _converted(argument: str, given: Any, accepted: str, masks: bool) -> Array | Column:
    made = given.__array__()
    if not isinstance(made, np.ndarray):
        raise _no_array(argument, given, f"its __array__ gave {_name(made)}")
    if type(made) is np.ndarray:
        return made
    # np.asarray would drop a mask
    return _of_subclass(argument, made, accepted, masks)


def _no_array(argument: str, given: object, reason: object = None) -> TypeError:
    said = f" ({reason})" if reason is not None else ""
    # without a dtype: a list of floats then stays one, and is refused
    advice = "; np.asarray(values) makes one of it" if isinstance(given, (list, tuple)) else ""
    return TypeError(
        f"{argument} must be an array of integers (NumPy, Arrow, or anything with the buffer "
        f"protocol or __array__), not {_name(given)}{said}{advice}"
    )


def _wrong_dtype(argument: str, dtype: np.dtype[Any], accepted: str) -> InvalidInput:
    return InvalidInput(argument, f"has dtype {dtype}", accepted + _advice(dtype))


def _advice(dtype: np.dtype[Any]) -> str:
    if dtype.kind in "mM":
        return "; .view(np.int64) gives the ticks, in which NaT is -2**63"
    if dtype.kind in "fc":
        return (
            "; floats are never cast silently: .astype(np.int64) rounds toward 0 and makes a "
            "number of NaN, pandas' .astype('Int64') keeps what is missing"
        )
    if dtype.kind == "u" and dtype.itemsize == 8:
        return "; .astype(np.int64) is exact if x.max() < 2**63, and wraps above"
    if dtype.kind in "biu":
        return "; .astype(np.int64) is exact for every smaller integer type"
    return ""


def _name(given: object) -> str:
    kind = type(given)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
