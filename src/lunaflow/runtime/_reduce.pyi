"""Exact sums, extremes and counts of integers, chunk by chunk on OpenMP threads."""

from typing import Any

import numpy.typing as npt

from lunaflow.runtime._bits import Bits

TOTAL: int
LOW: int
HIGH: int

def reduce_chunks(
    data: npt.NDArray[Any] | Bits,
    chunks: int,
    parts: int,
    wanted: int,
    flags: npt.NDArray[Any] | Bits | None = None,
    kept: int = 0,
    length: int = -1,
) -> tuple[int, int, int, int]:
    """Return the exact total, the smallest, the largest and the number of elements of `data`.

    `wanted` says which of them, as a sum of TOTAL, LOW and HIGH; the others are not meaningful, and
    the extremes are not if the number is 0. `data` is bool or an integer dtype that int64 holds, of
    any layout, not empty. Each of `parts` threads takes neighbouring chunks of the elements in C
    order; ``1 <= parts <= chunks <= data.size`` is the caller's promise.

    With `flags`, bool and of the shape of `data`, only the elements whose flag equals `kept` count.
    With ``length >= 0`` only so many elements from the first on are read.
    """

def first_outside(data: npt.NDArray[Any] | Bits, low: int, high: int) -> int:
    """Return the first index, in C order, whose element is not in [low, high], or -1."""

def part_starts(length: int, chunks: int, parts: int) -> list[int]:
    """Return where each part of `chunks` nearly equal chunks starts, and `length` at the end."""
