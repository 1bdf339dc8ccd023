"""Doubling of integers, checked, chunk by chunk on OpenMP threads."""

from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.runtime._bits import Bits

def double_chunks(
    data: npt.NDArray[Any] | Bits,
    out: npt.NDArray[np.signedinteger[Any]],
    chunks: int,
    parts: int,
) -> int:
    """Write ``2 * data`` to `out` and return -1, or the first index where that does not fit.

    Each of `parts` threads takes neighbouring chunks of the elements in C order. `data` is bool or
    an integer dtype that the dtype of `out` holds, of any layout, not empty; `out` is int32 or
    int64 in native byte order, of as many elements. They may be the same memory only if no element
    fails. After a failure `out` has no promised contents.
    """
