"""Truth values of one bit each, as Arrow keeps them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Bits:
    """A run of bits: element i is bit ``first + i``, the lowest bit of a byte being the first.

    Parameters
    ----------
    data : ndarray
        1-D, contiguous uint8, which holds all of them.
    first : int
        The position of element 0, at least 0.
    size : int
        Number of elements.
    """

    data: npt.NDArray[np.uint8]
    first: int
    size: int

    dtype: ClassVar[np.dtype[np.bool_]] = np.dtype(np.bool_)

    def __getitem__(self, index: int) -> bool:
        at = self.first + range(self.size)[index]
        return bool(self.data[at >> 3] >> (at & 7) & 1)
