"""Exact sums, extremes and counts: of one array, and of the pieces of a column."""

from typing import Any

import numpy as np

from lunaflow._arguments import as_count
from lunaflow._host import usable_cpus
from lunaflow.runtime._column import Array, Column, Piece, Values
from lunaflow.runtime._kernels import HIGH, LOW, TOTAL, reduce_chunks, threads_that_may_start
from lunaflow.runtime._layout import in_memory_order, without_repeats
from lunaflow.runtime._tuning import workers_for

EVERYTHING = TOTAL | LOW | HIGH


# the exact sum, the extremes and the number of elements; the extremes of none mean nothing
Totals = tuple[int, int, int, int]

NOTHING: Totals = (0, 0, 0, 0)


def reduce_values(
    values: Values,
    chunks: int,
    threads: int,
    wanted: int,
    flags: Values | None = None,
    kept: int = 0,
) -> Totals:
    """Return what is wanted of the elements, at least one, whose flag is `kept`."""
    if (
        isinstance(values, np.ndarray)
        and not values.flags.c_contiguous
        and not (values.ndim == 1 and values.strides[0] > 0)
        and (flags is None or isinstance(flags, np.ndarray))
    ):
        return _rearranged(values, chunks, threads, wanted, flags, kept)
    return reduce_chunks(values, chunks, threads, wanted, flags, kept)


def _rearranged(
    values: Array, chunks: int, threads: int, wanted: int, flags: Array | None, kept: int
) -> Totals:
    # an element that is repeated as often as one likes is read once
    times, values, beside = without_repeats(values, values if flags is None else flags)
    values, beside = in_memory_order(values, beside)
    chunks = min(chunks, values.size)
    threads = min(threads, chunks)
    total, low, high, count = reduce_chunks(
        values, chunks, threads, wanted, None if flags is None else beside, kept
    )
    return total * times, low, high, count * times


def joined(one: Totals, other: Totals) -> Totals:
    """Return the totals of the elements of both."""
    if not (one[3] and other[3]):
        return one if one[3] else other
    return (one[0] + other[0], min(one[1], other[1]), max(one[2], other[2]), one[3] + other[3])


def shared_among(operation: str, dtype: np.dtype[Any], size: int, workers: int | None) -> int:
    """Return by how many workers an everyday form of an operation shares `size` elements."""
    if workers is None:
        count = workers_for(operation, dtype, size)
    else:
        count = as_count("workers", workers, 1)
    return 1 if count == 1 else max(1, min(count, usable_cpus(), size))


def totals_of(
    argument: str,
    elements: Array | Column,
    wanted: int,
    *,
    operation: str,
    workers: int | None,
    nulls: str,
) -> Totals:
    """Return what is wanted of an array's or column's elements that are not null.

    Raises
    ------
    InvalidInput
        If elements are null and `nulls` is ``"error"``; all pieces are read before.
    """
    if workers is not None:
        as_count("workers", workers, 1)
    if isinstance(elements, np.ndarray):
        pieces = iter((Piece(elements),) if elements.size else ())
        elements = Column("has no null element", elements.dtype, pieces)
    found, read = NOTHING, 0
    for piece in elements.pieces:
        read += piece.values.size
        found = joined(found, _of_piece(piece, wanted, operation, workers))
        # let go of it before the column makes the next one
        del piece
    if nulls == "error" and found[3] < read:
        accepted = 'data without nulls; nulls="skip" skips them in sum, min and max'
        raise elements.refusal(argument, read - found[3], read, accepted)
    return found


def _of_piece(piece: Piece, wanted: int, operation: str, workers: int | None) -> Totals:
    values = piece.values
    chunks = shared_among(operation, values.dtype, values.size, workers)
    threads = 1 if chunks == 1 else threads_that_may_start(chunks)
    return reduce_values(values, chunks, threads, wanted, piece.flags, piece.kept)
