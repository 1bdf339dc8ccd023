"""Law D11: code written once against the protocols runs on every type, derivatives included.

Each algorithm takes numbers that have `div_checked` (and `sqrt_checked`), here by the functions of
the facade. Its derivative is taken by duals over float, Fraction, Decimal, and duals of these, and
compared with a derivative that is known in closed form and computed in fractions.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff.checked import Dual, div_checked, sqrt_checked


def newton_root(x: Any, steps: int = 7) -> Any:
    """Take a square root by Newton's method, without a square root."""
    y = x
    for _ in range(steps):
        y = div_checked(y + div_checked(x, y).unwrap(), 2).unwrap()
    return y


def golden_fraction(x: Any, depth: int = 12) -> Any:
    """Compute the continued fraction x + 1/(x + 1/(x + ...))."""
    y = x
    for _ in range(depth):
        y = x + div_checked(1, y).unwrap()
    return y


def cholesky_corner(x: Any) -> Any:
    """Factorise [[x, 2, 1], [2, 5, 3], [1, 3, 7]], and return the product of the diagonal."""
    a = [[x, 2, 1], [2, 5, 3], [1, 3, 7]]
    rows: list[list[Any]] = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            rest = a[i][j] - sum((rows[i][k] * rows[j][k] for k in range(j)), 0 * x)
            root_or_quotient = sqrt_checked(rest) if i == j else div_checked(rest, rows[j][j])
            rows[i][j] = root_or_quotient.unwrap()
    return rows[0][0] * rows[1][1] * rows[2][2]


def runge_kutta_step(x: Any, h: Any = None) -> Any:
    """Advance y' = y/(1 + y) from y = x by one classical step of length 1/4."""

    def rhs(y: Any) -> Any:
        return div_checked(y, 1 + y).unwrap()

    def part(y: Any, n: int) -> Any:
        return div_checked(y, n).unwrap()

    k1 = rhs(x)
    k2 = rhs(x + part(k1, 8))
    k3 = rhs(x + part(k2, 8))
    k4 = rhs(x + part(k3, 4))
    return x + part(k1 + 2 * k2 + 2 * k3 + k4, 24)


RATIONAL = [newton_root, golden_fraction, runge_kutta_step]
POINT = Fraction(5, 4)
TYPES: dict[str, Callable[[Fraction], Any]] = {
    "float": float,
    "Fraction": Fraction,
    "Decimal": lambda x: Decimal(x.numerator) / 4,
}
TOLERANCE = {"float": Fraction(1, 10**13), "Fraction": Fraction(0), "Decimal": Fraction(1, 10**24)}


def exact_slope(f: Callable[[Any], Any], x: Fraction) -> Fraction:
    """Return the derivative of a rational function by a polynomial through exact values.

    Richardson's extrapolation of central differences of fractions, whose error falls with each row;
    it uses no dual.
    """
    h = Fraction(1, 64)
    rows: list[Fraction] = []
    for i in range(9):
        step = h / 2**i
        column = [(f(x + step) - f(x - step)) / (2 * step)]
        for k, previous in enumerate(rows, start=1):
            column.append((4**k * column[-1] - previous) / (4**k - 1))
        rows = column
    return rows[-1]


def close(actual: Any, expected: Fraction, name: str, slack: Fraction = Fraction(0)) -> bool:
    error = abs(Fraction(actual) - expected)
    bound: Fraction = TOLERANCE[name] * (1 + abs(expected))
    return error <= bound or error <= slack


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("f", RATIONAL, ids=lambda f: f.__name__)
def test_d11_the_same_code_on_numbers_and_duals_of_them(f: Callable[[Any], Any], name: str) -> None:
    x = TYPES[name](POINT)
    number, dual = f(x), f(Dual.variable(x))
    assert dual.value == number
    assert close(number, f(POINT), name)
    assert close(dual.tangent, exact_slope(f, POINT), name, Fraction(1, 10**25))


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("f", RATIONAL, ids=lambda f: f.__name__)
def test_d11_the_same_code_on_duals_of_duals(f: Callable[[Any], Any], name: str) -> None:
    x = TYPES[name](POINT)
    nested = f(Dual(Dual.variable(x), Dual.constant(type(x)(1))))
    plain = f(Dual.variable(x))
    assert nested.value.value == plain.value
    assert close(nested.value.tangent, Fraction(plain.tangent), name)
    assert close(nested.tangent.value, Fraction(plain.tangent), name)

    def slope(at: Fraction) -> Fraction:
        return Fraction(f(Dual.variable(at)).tangent)

    assert close(nested.tangent.tangent, exact_slope(slope, POINT), name, Fraction(1, 10**23))


@pytest.mark.parametrize("name", ["float", "Decimal"])
def test_d11_a_cholesky_factorisation(name: str) -> None:
    # the product of the diagonal is the root of the determinant
    x = TYPES[name](POINT)

    def determinant(at: Fraction) -> Fraction:
        return at * (35 - 9) - 2 * (14 - 3) + 1 * (6 - 5)

    corner = cholesky_corner(Dual.variable(x))
    assert corner.value == cholesky_corner(x)
    assert close(Fraction(corner.value) ** 2, determinant(POINT), name)
    # the derivative of sqrt(d) is d'/(2 sqrt(d)), so its square is rational
    assert close(Fraction(corner.tangent) ** 2, Fraction(26) ** 2 / (4 * determinant(POINT)), name)
    nested = cholesky_corner(Dual(Dual.variable(x), Dual.constant(type(x)(1))))
    assert nested.value.value == corner.value
    second = -(Fraction(26) ** 2) / 4
    assert close(
        Fraction(nested.tangent.tangent) * determinant(POINT) * Fraction(corner.value), second, name
    )


def test_d11_a_factorisation_of_fractions_is_exact_or_says_that_a_root_is_irrational() -> None:
    with pytest.raises(ArithmeticError, match=r"Fraction\(41, 9\).*irrational"):
        cholesky_corner(Dual.variable(Fraction(9)))
    x = Dual.variable(Fraction(9))  # of [[x, 6], [6, 13]]
    first = sqrt_checked(x).unwrap()
    below = div_checked(6, first).unwrap()
    second = sqrt_checked(13 - below * below).unwrap()
    # the determinant is 13 x - 36, the slope of its root 13/(2 * 9)
    assert (first * second).identical(Dual(Fraction(9), Fraction(13, 18)))
