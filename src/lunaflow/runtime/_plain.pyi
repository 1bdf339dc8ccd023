"""Arrays of the plainest kind on one thread, at once: nothing of them needs the general way.

Each function returns None where an array is not plain or longer than it may be, or an array of
results does not fit: the general way then computes it, or says what is wrong.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

def total(x: object, longest: int) -> int | None:
    """Return the exact sum, whether it fits int64 or not."""

def lowest(x: object, longest: int) -> int | None:
    """Return the smallest element."""

def highest(x: object, longest: int) -> int | None:
    """Return the largest element."""

def running_sums(x: object, out: object, longest: int) -> npt.NDArray[np.int64] | None:
    """Return the inclusive running sums in int64, in `out` unless that is None."""

def doubled(x: object, out: object, longest: int) -> npt.NDArray[np.signedinteger[Any]] | None:
    """Return ``2 * x`` in the dtype of `x`, in `out` unless that is None."""

def may_receive(x: object, out: object, type_number: int) -> bool:
    """Say whether both are plain, lie apart, and `out` is 1-D, writable, as long, of this type."""
