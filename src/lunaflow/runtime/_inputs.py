"""From what people have to one-dimensional int32 or int64 memory, without casts or lost nulls."""

from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.runtime._errors import InvalidInput

Vector = npt.NDArray[np.signedinteger[Any]]

INT32 = np.dtype(np.int32)
INT64 = np.dtype(np.int64)


def vector_of(argument: str, given: object, *, skip_nulls: bool = False) -> Vector:
    """Return `given` as a 1-D int32 or int64 array of any stride, alignment and byte order.

    Arrays, and what exposes the buffer protocol, are not copied.

    Raises
    ------
    TypeError
        For lists and all else that is no array.
    InvalidInput
        For a wrong dtype or dimension, and for masked or null elements unless `skip_nulls`.
    """
    if type(given) is np.ndarray:
        array = given
    else:
        array = _array_of(argument, given, skip_nulls)
    if array.ndim != 1:
        raise InvalidInput(
            argument,
            f"has {array.ndim} dimensions (shape {array.shape})",
            "one-dimensional int32 or int64 (a C-contiguous array's .ravel() is free)",
        )
    if array.dtype.kind != "i" or array.dtype.itemsize not in (4, 8):
        raise InvalidInput(argument, f"has dtype {array.dtype}", _advice(array.dtype))
    return array


def element_dtype(array: Vector) -> np.dtype[Any]:
    """Return the native dtype of the elements."""
    return INT32 if array.dtype.itemsize == 4 else INT64


def _array_of(argument: str, given: object, skip_nulls: bool) -> npt.NDArray[Any]:
    if isinstance(given, np.ma.MaskedArray):
        return _unmasked(argument, given, skip_nulls)
    if isinstance(given, np.ndarray):
        return np.asarray(given)
    if (nulls := _null_count(argument, given)) > 0:
        raise InvalidInput(
            argument,
            f"is a {_name(given)} with {nulls} null elements",
            "data without nulls: drop or fill them first",
        )
    if hasattr(given, "__array__") and not isinstance(given, type):
        return _converted(argument, given, skip_nulls)
    try:
        return np.asarray(memoryview(given))  # type: ignore[arg-type]
    except (TypeError, ValueError) as reason:
        raise _no_array(argument, given, reason) from None


def _unmasked(argument: str, given: Any, skip_nulls: bool) -> npt.NDArray[Any]:
    if skip_nulls:
        return np.asarray(given.compressed())
    masked = int(np.count_nonzero(np.ma.getmaskarray(given)))
    raise InvalidInput(
        argument,
        f"is a masked array ({masked} of {given.size} elements masked)",
        'a plain array: x.compressed() drops the masked elements, as nulls="skip" does in '
        "sum, min and max; x.data keeps them",
    )


def _null_count(argument: str, given: Any) -> int:
    # PyArrow: an attribute; Polars: a method; pandas: isna()
    try:
        count = getattr(given, "null_count", None)
        count = count() if callable(count) and not isinstance(given, type) else count
    except Exception as reason:
        raise _no_array(
            argument, given, f"its null_count raised {type(reason).__name__}"
        ) from reason
    if isinstance(count, (int, np.integer)):
        return int(count)
    if type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "isna"):
        return int(np.asarray(given.isna()).sum())
    return 0


def _converted(argument: str, given: Any, skip_nulls: bool) -> npt.NDArray[Any]:
    # a pandas column of a nullable or Arrow dtype gives objects unless it is asked for integers
    plain = getattr(getattr(given, "dtype", None), "numpy_dtype", None)
    if isinstance(plain, np.dtype) and plain in (INT32, INT64) and hasattr(given, "to_numpy"):
        return np.asarray(given.to_numpy(dtype=plain))
    made = given.__array__()
    if isinstance(made, np.ma.MaskedArray):
        # np.asarray would drop the mask
        return _unmasked(argument, made, skip_nulls)
    if not isinstance(made, np.ndarray):
        raise _no_array(argument, given, f"its __array__ gave {_name(made)}")
    return np.asarray(made)


def _no_array(argument: str, given: object, reason: object) -> TypeError:
    return TypeError(
        f"{argument} must be an array of int32 or int64 (NumPy, or anything with the buffer "
        f"protocol or __array__), not {_name(given)} ({reason}); "
        "a list becomes one by np.asarray(values, dtype=np.int64)"
    )


def _advice(dtype: np.dtype[Any]) -> str:
    if dtype.kind in "mM":
        return "int32 or int64; .view(np.int64) gives the ticks, in which NaT is -2**63"
    if dtype.kind in "fc":
        return "int32 or int64; floats are never cast silently (.astype(np.int64) rounds toward 0)"
    if dtype.kind == "u" and dtype.itemsize == 8:
        return "int32 or int64; elements above 2**63 - 1 have no int64: check x.max() first"
    if dtype.kind in "biu":
        return "int32 or int64; .astype(np.int64) is exact for every smaller integer type"
    return "int32 or int64"


def _name(given: object) -> str:
    kind = type(given)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
