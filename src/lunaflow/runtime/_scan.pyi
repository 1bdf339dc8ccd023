"""Inclusive scans of integers, checked, chunk by chunk on OpenMP threads."""

from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.runtime._bits import Bits

def scan_chunks(
    data: npt.NDArray[Any] | Bits,
    out: npt.NDArray[np.signedinteger[Any]],
    operation: int,
    start: int,
    low: int,
    high: int,
    chunks: int,
    parts: int,
    write: bool,
) -> int:
    """Write the inclusive scan of `data` to `out`; return -1 or the first index out of [low, high].

    Each of `parts` threads takes neighbouring chunks of the elements in C order. `operation` is 0
    for the running sum, 1 for the minimum, 2 for the maximum; `start` is what comes before the
    first element, in [low, high] for a sum. `data` is bool or an integer dtype that int64 holds, of
    any layout, not empty; `out` is int32 or int64 in native byte order, of as many elements. With
    ``write=False`` nothing is written: the scan is only verified. After a failure `out` has no
    promised contents.
    """
