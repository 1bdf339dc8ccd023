"""Student's t distribution for whole degrees of freedom, from its finite series."""

import functools
import math

import numpy as np

_LARGEST = 1e17  # beyond it the chance is lost in rounding, whatever the degrees of freedom


def two_sided_p(t: float, freedom: int) -> float:
    """Return the chance that a t variable lies beyond ``-t`` or ``t``, for t at least 0.

    Exact to about 1e-15, absolutely.
    """
    if math.isinf(t):
        return 0.0
    angle = math.atan2(t, math.sqrt(freedom))
    if freedom == 1:
        return 1 - 2 * angle / math.pi
    odd, cosine = freedom % 2, math.cos(angle)
    # powers of the cosine up to freedom - 2, each the one before times (k - 1) / k cosine**2
    k = np.arange(2 + odd, freedom - 1, 2)
    terms = np.cumprod([cosine if odd else 1.0, *((k - 1) / k * cosine**2)])
    inside = math.sin(angle) * float(terms.sum())
    return max(0.0, 1 - (2 / math.pi * (angle + inside) if odd else inside))


@functools.lru_cache(maxsize=64)
def quantile(confidence: float, freedom: int) -> float:
    """Return the t that a t variable lies within, up and down, with the chance `confidence`."""
    low, high = 0.0, 1.0
    while two_sided_p(high, freedom) > 1 - confidence and high < _LARGEST:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if two_sided_p(middle, freedom) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high
