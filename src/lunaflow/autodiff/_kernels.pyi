"""The elementary functions over two doubles each, and the tables that find them by name."""

from collections.abc import Callable
from typing import final

TROUBLES: tuple[str, ...]
UNARY: dict[str, UnaryKernel]
BINARY: dict[str, BinaryKernel]

@final
class UnaryKernel:
    """One function of one argument, over the doubles of a + b eps."""

    name: str
    by_math: Callable[[float], float] | None
    def evaluate_at(self, a: float, b: float) -> tuple[float, float]:
        """Return the value and the tangent of f(a + b eps)."""

    def trouble_at(self, a: float) -> str:
        """Return which of `TROUBLES` there is at a."""

@final
class BinaryKernel:
    """One function of two arguments, over the doubles of a + b eps and c + d eps."""

    name: str
    by_math: Callable[[float, float], float] | None
    def evaluate_at(self, a: float, b: float, c: float, d: float) -> tuple[float, float]:
        """Return the value and the tangent of f(a + b eps, c + d eps)."""

    def trouble_at(self, a: float, c: float) -> str:
        """Return which of `TROUBLES` there is at (a, c)."""
