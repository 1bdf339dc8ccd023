"""Integers of any dtype and layout, read and written block by block in C order."""

from typing import Any

import numpy.typing as npt

def joined_axes(array: npt.NDArray[Any]) -> tuple[tuple[int, int], ...]:
    """Return the (length, stride) pairs of the fewest axes that visit the elements in C order.

    At least one; arrays with equal pairs and one address are the same elements in one order.
    """
