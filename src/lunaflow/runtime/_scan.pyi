"""Inclusive scans of int32 and int64 memory, checked, chunk by chunk on OpenMP threads."""

from typing import Any

import numpy as np
import numpy.typing as npt

def scan_chunks(
    data: npt.NDArray[np.signedinteger[Any]],
    out: npt.NDArray[np.signedinteger[Any]],
    operation: int,
    low: int,
    high: int,
    chunks: int,
    parts: int,
    write: bool,
) -> int:
    """Write the inclusive scan of `data` to `out`; return -1 or the first index out of [low, high].

    Each of `parts` threads takes neighbouring chunks. `operation` is 0 for the running sum, 1 for
    the minimum, 2 for the maximum. `data` and `out` are 1-D, non-empty, of one length, each int32
    or int64, `out` in native byte order. With ``write=False`` nothing is written: the scan is only
    verified. After a failure `out` has no promised contents.
    """
