"""Is the array given as `out` one that a result can be written to."""

import numpy as np

from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._inputs import Vector


def check_output(out: object, data: Vector, dtype: np.dtype[np.signedinteger]) -> None:
    """Refuse an `out` that is not writable, of `dtype` and ``len(data)``, free of overlap.

    It may be the input itself; any other overlap, with the input or with itself, is refused.

    Raises
    ------
    TypeError
        If it is no NumPy array.
    InvalidInput
        In every other case.
    """
    accepted = f"a writable one-dimensional {dtype.name} array of length {len(data)}"
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    if isinstance(out, np.ma.MaskedArray):
        raise InvalidInput("out", "is a masked array", accepted)
    if out.ndim != 1 or len(out) != len(data):
        raise InvalidInput("out", f"has shape {out.shape}", accepted)
    if out.dtype != dtype:
        raise InvalidInput("out", f"has dtype {out.dtype} (byte order {out.dtype.str})", accepted)
    if not out.flags.writeable:
        raise InvalidInput("out", "is read-only", accepted)
    if len(out) > 1 and abs(out.strides[0]) < out.itemsize:
        raise InvalidInput("out", f"overlaps itself (stride {out.strides[0]} bytes)", accepted)
    if not is_same_memory(out, data) and np.shares_memory(out, data):
        raise InvalidInput("out", "overlaps the input partly", accepted + ", or the input itself")


def is_same_memory(out: Vector, data: Vector) -> bool:
    """Say whether `out` is the very elements of `data`, in their order."""
    return (
        out.__array_interface__["data"][0] == data.__array_interface__["data"][0]
        and (len(out) <= 1 or out.strides == data.strides)
        and out.dtype == data.dtype
    )
