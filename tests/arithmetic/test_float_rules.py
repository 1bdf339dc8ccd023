"""F1 to F4 over floats, against fractions and mpmath."""

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.arithmetic.kit import FLOATS, Kind, bits, is_nearest_root, kind_of, nearest

from lunaflow.arithmetic import (
    ArithmeticContext,
    Ok,
    compare_checked,
    div_checked,
    pow_int_checked,
    pow_nat_checked,
    sqrt_checked,
)

INF, NAN, MAX, LEAST = math.inf, math.nan, 1.7976931348623157e308, 5e-324


def quotient(a: float, c: float) -> float | Kind:
    """F1, line by line; finite quotients by fractions."""
    if a == 0 and c == 0:
        return Kind.DOMAIN_ERROR
    if math.isinf(a) and math.isinf(c):
        return Kind.DOMAIN_ERROR
    if c == 0:
        return Kind.DIVISION_BY_ZERO
    if a != a or c != c:
        return NAN
    sign = math.copysign(1.0, a) * math.copysign(1.0, c)
    if math.isinf(a) or math.isinf(c):
        return sign * (INF if math.isinf(a) else 0.0)
    size = abs(nearest(Fraction(a) / Fraction(c)))
    return Kind.OVERFLOW if math.isinf(size) else sign * size


@settings(max_examples=500)
@given(FLOATS, FLOATS)
def test_f1_division_is_right_or_says_why_not(a: float, c: float) -> None:
    expected = quotient(a, c)
    found = div_checked(a, c)
    if isinstance(expected, Kind):
        assert kind_of(found) is expected
    else:
        assert bits(found.unwrap()) == bits(expected)


@pytest.mark.parametrize(
    ("a", "c", "kind"),
    [
        (0.0, -0.0, Kind.DOMAIN_ERROR),
        (-INF, INF, Kind.DOMAIN_ERROR),
        (1.0, 0.0, Kind.DIVISION_BY_ZERO),
        (NAN, -0.0, Kind.DIVISION_BY_ZERO),
        (INF, 0.0, Kind.DIVISION_BY_ZERO),
        (MAX, 0.5, Kind.OVERFLOW),
        (-1.0, LEAST, Kind.OVERFLOW),
    ],
)
def test_f1_in_the_order_of_the_law(a: float, c: float, kind: Kind) -> None:
    assert kind_of(div_checked(a, c)) is kind


def test_f1_nan_infinity_and_underflow_pass() -> None:
    assert div_checked(NAN, 1.0) == div_checked(0.0, NAN) == div_checked(INF, NAN) == Ok(NAN)
    assert div_checked(INF, 2.0) == Ok(INF)
    assert bits(div_checked(-1.0, INF).unwrap()) == bits(-0.0)
    assert div_checked(LEAST, 2.0) == Ok(0.0)
    assert div_checked(LEAST, LEAST) == Ok(1.0)


@given(FLOATS)
def test_f2_square_roots(x: float) -> None:
    found = sqrt_checked(x)
    if x < 0:
        assert kind_of(found) is Kind.DOMAIN_ERROR
    elif x == 0 or not math.isfinite(x):
        assert bits(found.unwrap()) == bits(x)
    else:
        assert is_nearest_root(found.unwrap(), Fraction(x))


@given(FLOATS, FLOATS)
def test_f3_comparison(x: float, y: float) -> None:
    found = compare_checked(x, y)
    if x != x or y != y:
        assert kind_of(found) is Kind.UNORDERED_COMPARISON
    else:
        assert found == Ok((x > y) - (x < y))
        assert type(found.unwrap()) is int


@given(FLOATS)
def test_f4_power_zero_is_one_and_powers_of_zero(x: float) -> None:
    assert pow_int_checked(x, 0) == pow_nat_checked(x, 0) == Ok(1.0)
    for zero in (0.0, -0.0):
        assert kind_of(pow_int_checked(zero, -3)) is Kind.DIVISION_BY_ZERO
        assert bits(pow_nat_checked(zero, 3).unwrap()) == bits(zero)


@settings(max_examples=300)
@example(1.0000000000000002, 10**18)
@example(0.9999999999999999, -(2**60) - 1)
@example(5e-324, -1)
@example(-2.0, 1023)
@given(
    st.floats(allow_nan=False, allow_infinity=False).filter(bool)
    | st.builds(lambda k: 1.0 + k * 2.0**-53, st.integers(-(2**20), 2**20)),
    st.integers(-40, 40) | st.integers(-(2**62), 2**62),
)
def test_f4_float_powers_are_within_two_ulp_and_never_infinite(x: float, n: int) -> None:
    found = pow_int_checked(x, n)
    with mpmath.workprec(200):
        exact = mpmath.power(mpmath.mpf(x), n)
        size = abs(exact)
        assume(abs(size - mpmath.mpf(2) ** 1024) > mpmath.mpf(2) ** 972)
        if size > mpmath.mpf(2) ** 1024:
            assert kind_of(found) is Kind.OVERFLOW
        else:
            ulp = math.ulp(float(size))
            assert abs(mpmath.mpf(found.unwrap()) - exact) <= 2 * ulp
            assert math.copysign(1.0, found.unwrap()) == (-1.0 if x < 0 and n % 2 else 1.0)


@pytest.mark.parametrize("n", [2**53 + 1, 2**63 - 1, 2**64 + 1, 10**400 + 1])
def test_f4_exponents_beyond_the_floats_keep_their_parity(n: int) -> None:
    for exponent in (n, -n):
        assert pow_int_checked(-1.0, exponent) == Ok(-1.0)
        assert pow_int_checked(-1.0, exponent + 1) == Ok(1.0)
    assert kind_of(pow_int_checked(-0.0, -n)) is Kind.DIVISION_BY_ZERO
    assert bits(pow_int_checked(-0.5, 2**64 + 1).unwrap()) == bits(-0.0)
    assert kind_of(pow_int_checked(1.0 + 2.0**-52, 2**63 + n)) is Kind.OVERFLOW
    assert pow_int_checked(-INF, -n) == Ok(-0.0)
    assert pow_nat_checked(-INF, n) == Ok(-INF)


@given(FLOATS, st.integers(max_value=-1))
def test_f4_a_negative_natural_exponent_is_tested_first(x: float, n: int) -> None:
    assert kind_of(pow_nat_checked(x, n)) is Kind.DOMAIN_ERROR


@given(FLOATS, FLOATS, st.integers(-9, 9))
def test_the_context_does_not_count_for_floats(x: float, y: float, n: int) -> None:
    ctx = ArithmeticContext(1, e_max=0)
    assert div_checked(x, y, ctx) == div_checked(x, y)
    assert sqrt_checked(x, ctx=ctx) == sqrt_checked(x)
    assert pow_int_checked(x, n, ctx=ctx) == pow_int_checked(x, n)
