"""Columns: integers in pieces, some of them null, and the same once no null is left."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.runtime._bits import Bits
from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._kernels import TOTAL, reduce_chunks

Array = npt.NDArray[Any]
Values = Array | Bits

# elements that become Python integers at a time
_BLOCK = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Neighbouring elements of a column, at least one.

    Parameters
    ----------
    values : ndarray or Bits
        Bool or an integer dtype that int64 holds.
    flags : ndarray or Bits, optional
        Bool, of the shape of `values`: which of them are null. None: none is.
    kept : int
        The flag of an element that is not null, 0 or 1.
    """

    values: Values
    flags: Values | None = None
    kept: int = 1

    def nulls(self) -> int:
        """Count the elements that are null."""
        if self.flags is None:
            return 0
        set_flags = reduce_chunks(self.flags, 1, 1, TOTAL)[0]
        return self.values.size - set_flags if self.kept else set_flags


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Integers in pieces, to be read once.

    Parameters
    ----------
    said : str
        What it is, for messages, with fields for the numbers `nulls` and `size`.
    dtype : numpy.dtype
        Of the elements of every piece.
    pieces : iterator of Piece
        Its elements, in order.
    """

    said: str
    dtype: np.dtype[Any]
    pieces: Iterator[Piece]

    def refusal(self, argument: str, nulls: int, size: int, accepted: str) -> InvalidInput:
        """Return the error that says how many elements are null."""
        return InvalidInput(argument, self.said.format(nulls=nulls, size=size), accepted)


@dataclass(frozen=True, slots=True, eq=False)
class Chunked:
    """Integers, none null, that lie in several places.

    Parameters
    ----------
    arrays : tuple of ndarray or Bits
        None of them empty.
    dtype : numpy.dtype
        Of all of them.
    """

    arrays: tuple[Values, ...]
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """The number of elements."""
        return sum(array.size for array in self.arrays)

    @property
    def shape(self) -> tuple[int]:
        """The shape, which has one dimension."""
        return (self.size,)


Elements = Array | Chunked


def settled(argument: str, column: Column) -> Elements:
    """Return the elements of a column.

    Raises
    ------
    InvalidInput
        If any of them is null.
    """
    pieces = list(column.pieces)
    nulls = sum(piece.nulls() for piece in pieces)
    if nulls:
        size = sum(piece.values.size for piece in pieces)
        accepted = "data without nulls: drop or fill them first"
        raise column.refusal(argument, nulls, size, accepted)
    if not pieces:
        return np.empty(0, column.dtype)
    first = pieces[0].values
    if len(pieces) == 1 and isinstance(first, np.ndarray):
        return first
    return Chunked(tuple(piece.values for piece in pieces), column.dtype)


def arrays_of(data: Elements) -> tuple[Values, ...]:
    """Return the places where the elements lie, in order."""
    return (data,) if isinstance(data, np.ndarray) else data.arrays


def element_at(data: Elements, index: int) -> int:
    """Return the element at an index in C order."""
    for array in arrays_of(data):
        if index < array.size:
            return int(array.flat[index] if isinstance(array, np.ndarray) else array[index])
        index -= array.size
    raise IndexError(f"there is no element {index} after the last one")


def integers(data: Elements) -> Iterator[int]:
    """Yield the elements in C order as Python integers."""
    return itertools.chain.from_iterable(map(_integers, arrays_of(data)))


def _integers(array: Values) -> Iterator[int]:
    if isinstance(array, Bits):
        yield from (int(array[index]) for index in range(array.size))
        return
    for start in range(0, array.size, _BLOCK):
        yield from map(int, array.flat[start : start + _BLOCK].tolist())
