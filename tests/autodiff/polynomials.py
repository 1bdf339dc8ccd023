"""Polynomials and rational functions whose values and slopes are known exactly, as fractions."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

SMALL = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 9))
WHOLE = st.integers(-6, 6)


@dataclass(frozen=True)
class Polynomial:
    """The sum of c[k] * x**k, called with Horner's rule."""

    c: tuple[Any, ...]

    def __call__(self, x: Any) -> Any:
        total = self.c[-1] + 0 * x
        for coefficient in self.c[-2::-1]:
            total = total * x + coefficient
        return total

    def slope(self) -> "Polynomial":
        """Its derivative, by the formula of schools."""
        return Polynomial(tuple(k * c for k, c in enumerate(self.c))[1:] or (0,))


@dataclass(frozen=True)
class Ratio:
    """A polynomial by another one."""

    p: Polynomial
    q: Polynomial

    def __call__(self, x: Any) -> Any:
        return self.p(x) / self.q(x)

    def slope_at(self, x: Fraction) -> Fraction:
        p, q = self.p, self.q
        exact: Fraction = (p.slope()(x) * q(x) - p(x) * q.slope()(x)) / (q(x) * q(x))
        return exact


@dataclass(frozen=True)
class Quadratic:
    """x A x + b x + c in several variables, of which A need not be symmetric."""

    a: tuple[tuple[Any, ...], ...]
    b: tuple[Any, ...]
    c: Any

    def __call__(self, x: Sequence[Any]) -> Any:
        total = self.c + 0 * x[0] if len(x) else self.c
        for i, row in enumerate(self.a):
            for j, factor in enumerate(row):
                total = total + factor * x[i] * x[j]
            total = total + self.b[i] * x[i]
        return total

    def hessian(self) -> list[list[Any]]:
        n = range(len(self.b))
        return [[self.a[i][j] + self.a[j][i] for j in n] for i in n]

    def gradient(self, x: Sequence[Any]) -> list[Any]:
        rows = zip(self.hessian(), self.b, strict=True)
        return [sum((h * y for h, y in zip(row, x, strict=True)), b) for row, b in rows]


def polynomials(numbers: st.SearchStrategy[Any], most: int = 5) -> st.SearchStrategy[Polynomial]:
    """Polynomials of degree below `most`."""
    return st.lists(numbers, min_size=1, max_size=most).map(lambda c: Polynomial(tuple(c)))


def ratios(numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Ratio]:
    """Ratios of polynomials, whose divisor may vanish."""
    return st.builds(Ratio, polynomials(numbers), polynomials(numbers))


def quadratics(
    numbers: st.SearchStrategy[Any], least: int = 1
) -> st.SearchStrategy[tuple[Quadratic, list[Any]]]:
    """Quadratic functions with a point."""

    def of_size(n: int) -> st.SearchStrategy[tuple[Quadratic, list[Any]]]:
        vector = st.lists(numbers, min_size=n, max_size=n)
        rows = st.lists(vector.map(tuple), min_size=n, max_size=n).map(tuple)
        return st.tuples(st.builds(Quadratic, rows, vector.map(tuple), numbers), vector)

    return st.integers(least, 4).flatmap(of_size)
