"""Functions of many numbers, or of the parts of one: lengths, exact sums, mantissas."""

from collections.abc import Iterable
from typing import Any

def hypot_of_many(coordinates: list[Any]) -> Any:
    """Return the distance of a point with any number of coordinates from the origin."""

def dist(p: Iterable[Any], q: Iterable[Any], /) -> Any:
    """Return the distance of two points, given as sequences of coordinates."""

def fsum(numbers: Iterable[Any], /) -> Any:
    """Return the sum of an iterable, rounded once."""

def sumprod(p: Iterable[Any], q: Iterable[Any], /) -> Any:
    """Return the sum of the products of two sequences, rounded once over floats."""

def fma(x: Any, y: Any, z: Any, /) -> Any:
    """Return x*y + z, rounded once over floats."""

def ldexp(x: Any, i: int, /) -> Any:
    """Return x * 2**i."""

def frexp(x: Any, /) -> tuple[Any, int]:
    """Return the mantissa m, 0 or of size in [0.5, 1), and the int e of x = m * 2**e."""

def modf(x: Any, /) -> tuple[Any, Any]:
    """Return the fractional and the integer part of x, both with the sign of x."""
