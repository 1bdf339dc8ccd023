"""Scales: real numbers that compare exactly with each other, whatever their types."""

import math
from fractions import Fraction

import numpy as np

from lunaflow._arguments import reject_type

Scale = int | float | Fraction


def as_scale(name: str, given: object) -> Scale:
    """Return `given` as an int, float or Fraction of the same value.

    A NaN is a ValueError; a bool, a str and all else that is not such a number a TypeError.
    """
    if isinstance(given, (bool, np.bool_)):
        raise reject_type(name, given, "a real number (a bool is not a scale)")
    if isinstance(given, Fraction):
        return given
    if isinstance(given, (int, np.integer)):
        return int(given)
    if isinstance(given, (float, np.float16, np.float32)):
        value = float(given)
        if math.isnan(value):
            raise ValueError(f"{name} must be a number, not NaN")
        return value
    raise reject_type(name, given, "an int, a float or a Fraction")
