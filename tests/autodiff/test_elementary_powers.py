"""D14: powers at their edges, in the three forms, of floats, nested duals and exact numbers."""

import decimal
import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.autodiff.calls import INF, NAN, Kind, checked, nth
from tests.autodiff.exact import MP, ulp

from lunaflow.arithmetic import ArithmeticError, pow_int_checked
from lunaflow.autodiff import Dual, derivative, gradient, hessian
from lunaflow.autodiff import elementary as el

POWERS = pytest.mark.parametrize("power", [operator.pow, el.pow, el.power, np.power])
ZEROS = pytest.mark.parametrize("zero", [0.0, -0.0, Fraction(0), Decimal(0)])


@POWERS
@pytest.mark.parametrize("exponent", [0, 0.0, -0.0, np.int64(0), False])
def test_d14_the_power_0_is_1_with_slope_0(power: Any, exponent: Any) -> None:
    for base in (0.0, -0.0, 2.5, -3.0, 1e300, INF, NAN):
        got = power(np.array(Dual(base, 1.0)) if power is np.power else Dual(base, 1.0), exponent)
        assert got.identical(Dual(1.0, 0.0))


@ZEROS
@pytest.mark.parametrize("n", range(5))
def test_d14_all_derivatives_of_powers_at_0_are_right(zero: Any, n: int) -> None:
    for k in range(1, 7):
        expected = math.factorial(n) if k == n else 0
        for exponent in (n, type(zero)(n)):
            got = nth(lambda x, c=exponent: x**c, k)(zero)  # type: ignore[misc]
            assert got == expected
            assert type(got) is type(zero)


@pytest.mark.parametrize(
    ("base", "exponent", "value", "slope"),
    [
        (-2.0, 3, -8.0, 12.0),
        (-2.0, -1, -0.5, -0.25),
        (-8.0, 1.0 / 3.0, NAN, NAN),
        (-1.0, 0.5, NAN, NAN),
        (0.0, 0.5, 0.0, INF),
        (0.0, -1, INF, -INF),
        (0.0, 1, 0.0, 1.0),
        (-0.0, 1.5, 0.0, 0.0),
        (0.0, INF, 0.0, 0.0),
        (-INF, -2.5, 0.0, -0.0),
        (1e-200, 2, 0.0, 2e-200),
    ],
)
@pytest.mark.parametrize("power", [operator.pow, el.pow])
def test_d14_powers_to_a_constant_with_ieee(
    power: Any, base: float, exponent: Any, value: float, slope: float
) -> None:
    got = power(Dual(base, 1.0), exponent)
    assert type(got) is Dual  # never complex
    assert got.identical(Dual(value, slope))


def test_d14_the_slope_of_a_constant_is_not_looked_at() -> None:
    assert derivative(lambda x: x**2, -3.0) == -6.0
    assert derivative(lambda x: x**2.0, 0.0) == 0.0
    with pytest.raises(ArithmeticError, match="no value here"):
        derivative(lambda x: x ** Dual(2.0, 0.0), -3.0)
    assert derivative(lambda x: 0.0**x, 2.0) == 0.0
    assert derivative(lambda x: 2**x, 3.0) == 8 * math.log(2)
    assert derivative(lambda x: 1.0**x, 3.0) == 0.0
    assert derivative(lambda x: x**x, 1.0) == 1.0
    assert gradient(lambda p: p[0] ** p[1], [0.0, 2.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("f", "order", "kind"),
    [
        (lambda x: x**1.5, 2, Kind.DIVISION_BY_ZERO),
        (lambda x: x**2.5, 3, Kind.DIVISION_BY_ZERO),
        (lambda x: x ** Dual(2.5, 0.0), 3, Kind.DIVISION_BY_ZERO),
        (lambda x: (1e200 * x) ** 2, 2, Kind.OVERFLOW),
    ],
)
def test_d15_slopes_of_powers_at_0_are_infinite_from_some_order_on(
    f: Any, order: int, kind: Any
) -> None:
    assert nth(f, order - 1)(0.0) == 0.0
    with pytest.raises(ArithmeticError) as raised:
        nth(f, order)(0.0)
    assert raised.value.kind is kind
    assert raised.value.operation == "**"


def test_d14_mixed_slopes_of_powers_at_base_0() -> None:
    assert hessian(lambda p: p[0] ** p[1], [0.0, 3.0]).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(ArithmeticError) as raised:
        hessian(lambda p: p[0] ** p[1], [0.0, 1.0])
    assert raised.value.kind is Kind.DIVISION_BY_ZERO
    mixed = hessian(lambda p: p[0] ** p[1], [0.0, 1.0], errors="ieee")
    assert not math.isfinite(mixed[0, 1])


@given(st.floats(0.1, 10), st.floats(-5, 5))
def test_d14_second_slopes_in_the_exponent(x: float, y: float) -> None:
    log = math.log(x)
    got = nth(lambda t: x**t, 2)(y)
    assert got == pytest.approx(x**y * log * log, rel=1e-13)
    third = nth(lambda t: x**t, 3)(y)
    assert third == pytest.approx(x**y * log**3, rel=1e-13)


@pytest.mark.parametrize("x", [1e-300, 1e-100, 1e100, 1e300])
@pytest.mark.parametrize("c", [0.1, 0.3, 0.7, 1e-20])
def test_d8_a_rounded_exponent_is_not_magnified_in_second_slopes(x: float, c: float) -> None:
    base: Any = Dual(Dual(x, x), Dual(x, 0.0))
    nested = (base**c).tangent
    power = MP.exp(MP.mpf(c) * MP.log(MP.mpf(x)))
    for got, exact in (
        (nested.value, c * power),
        (nested.tangent, MP.mpf(c) * (MP.mpf(c) - 1) * power),
    ):
        assert abs(MP.mpf(got) - exact) <= 8 * ulp(exact)


# ---------------------------------------------------------------- ints that are no doubles

LONG = st.integers(2**53, 2**70) | st.integers(-(2**70), -(2**53))
NEAR_ONE = st.builds(
    lambda k, s: s * (1 + k * 2.0**-52), st.integers(-600, 600), st.sampled_from([1.0, -1.0])
)


@given(NEAR_ONE, LONG)
def test_d8_powers_to_long_ints_count_each_unit(x: float, n: int) -> None:
    got = Dual(x, 1.0) ** n
    if -(2**62) < n < 2**62:
        assert abs(got.value) == abs(pow_int_checked(x, n).unwrap_or(INF))
    exact = n * MP.exp((n - 1) * MP.log(abs(MP.mpf(x))))
    exact = exact if x > 0 or n % 2 else -exact
    if abs(exact) < MP.ldexp(1, 1023):
        assert abs(MP.mpf(got.tangent) - exact) <= 4 * ulp(exact) + ulp(exact)
    else:
        assert got.tangent == math.copysign(INF, exact) or abs(exact) < MP.ldexp(1, 1024)


@pytest.mark.parametrize("n", [2**53 + 1, 2**60 + 1, 2**70 + 1, 10**400 + 1])
def test_the_parity_of_a_long_int_is_not_lost(n: int) -> None:
    assert (Dual(-1.0, 1.0) ** n).value == -1.0
    assert (Dual(-1.0, 1.0) ** (n + 1)).value == 1.0
    assert (Dual(-1.0, 0.0) ** n).identical(Dual(-1.0, 0.0))
    assert (Dual(0.5, 1.0) ** n).identical(Dual(0.0, 0.0))
    assert (Dual(-2.0, 1.0) ** n).identical(Dual(-INF, INF))
    assert el.pow(Dual(-1.0, 1.0), np.int64(2**53 + 1)).identical(Dual(-1.0, 2.0**53))
    nested = Dual(Dual(-1.0, 1.0), Dual(1.0, 0.0)) ** (2**53 + 1)
    assert nested.value.identical(Dual(-1.0, 2.0**53))
    assert nested.tangent.tangent == pytest.approx(-(2.0**106))


def test_d15_powers_to_long_ints_obey_the_rules_too() -> None:
    made = checked()
    with pytest.raises(ArithmeticError, match="negative power"):
        made(0.0, 1.0) ** -(2**60)
    with pytest.raises(OverflowError):
        made(1.5, 1.0) ** (2**60)
    assert (made(0.5, 1.0) ** (2**60)).value == 0.0


# ---------------------------------------------------------------- exact numbers


@given(st.fractions(-9, 9), st.integers(-6, 9))
def test_powers_of_fractions_are_exact_to_the_second_slope(x: Fraction, n: int) -> None:
    assume(x != 0 or n >= 0)
    slopes = [
        x**n,
        n * x ** (n - 1) if n else 0,
        n * (n - 1) * x ** (n - 2) if n not in (0, 1) else 0,
    ]
    for order, slope in enumerate(slopes):
        for exponent in (n, Fraction(n)):
            got = nth(lambda t, c=exponent: t**c, order)(x)  # type: ignore[misc]
            assert (got, type(got)) == (slope, Fraction)


def test_a_power_too_long_to_be_held_fails_before_it_is_computed() -> None:
    with pytest.raises(OverflowError, match="more than 1000000 bits"):
        derivative(lambda x: x ** (10**12), Fraction(3))
    assert derivative(lambda x: x ** (10**12), Fraction(1)) == 10**12


def test_powers_of_decimals_obey_the_context() -> None:
    with decimal.localcontext(decimal.Context(prec=30)):
        x = Dual(Decimal(2), Decimal(1))
        got = x ** Decimal("2.5")
        assert got.value == Decimal(2) ** Decimal("2.5")
        assert got.tangent == Decimal("2.5") * Decimal(2) ** Decimal("1.5")
        assert (2**x).tangent == 4 * Decimal(2).ln()
        both = x**x
        assert both.tangent == 2 * Decimal(2) ** 1 + 4 * Decimal(2).ln()
