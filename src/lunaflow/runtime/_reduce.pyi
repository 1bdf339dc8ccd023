"""Exact sums and extremes of int32 and int64 memory, chunk by chunk on OpenMP threads."""

from typing import Any

import numpy as np
import numpy.typing as npt

TOTAL: int
LOW: int
HIGH: int

def reduce_chunks(
    data: npt.NDArray[np.signedinteger[Any]],
    chunks: int,
    parts: int,
    wanted: int,
) -> tuple[int, int, int]:
    """Return the exact total, the smallest and the largest element of 1-D, non-empty `data`.

    `wanted` says which of them, as a sum of TOTAL, LOW and HIGH; the others are not meaningful.
    `data` is int32 or int64 of any stride, alignment and byte order. Each of `parts` threads takes
    neighbouring chunks; ``1 <= parts <= chunks <= len(data)`` is the caller's promise.
    """

def first_outside(data: npt.NDArray[np.signedinteger[Any]], low: int, high: int) -> int:
    """Return the first index whose element is not in [low, high] (both in range), or -1."""

def part_starts(length: int, chunks: int, parts: int) -> list[int]:
    """Return where each part of `chunks` nearly equal chunks starts, and `length` at the end."""
