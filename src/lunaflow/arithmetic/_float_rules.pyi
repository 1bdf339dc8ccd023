"""The laws of checked operations on floats, as the rules that dispatch calls."""

from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._failures import Failure

def divide(x: float, y: float) -> float | Failure:
    """Return x / y, or why not."""

def square_root(x: float, ctx: ArithmeticContext | None) -> float | Failure:
    """Return the square root of x, or why not; the context does not count."""

def power(x: float, n: int, ctx: ArithmeticContext | None) -> float | Failure:
    """Return x**n, or why not; the context does not count."""
