"""Doubling of int32 and int64 memory, checked, chunk by chunk on OpenMP threads."""

from typing import Any

import numpy as np
import numpy.typing as npt

def double_chunks(
    data: npt.NDArray[np.signedinteger[Any]],
    out: npt.NDArray[np.signedinteger[Any]],
    chunks: int,
    parts: int,
) -> int:
    """Write ``2 * data`` to `out` and return -1, or the first index where that does not fit.

    Each of `parts` threads takes neighbouring chunks. Both arrays are 1-D, non-empty, of one length
    and item size; `out` is in native byte order. They may be the same memory only if no element
    fails. After a failure `out` has no promised contents.
    """
