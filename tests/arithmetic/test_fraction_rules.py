"""F1 to F4 over fractions: exact, or no result."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arithmetic.kit import BIG_INTS, FRACTIONS, Kind, kind_of

from lunaflow.arithmetic import (
    Ok,
    compare_checked,
    div_checked,
    pow_int_checked,
    pow_nat_checked,
    sqrt_checked,
)


@given(FRACTIONS, FRACTIONS | BIG_INTS)
def test_f1_quotients_of_fractions_are_exact(x: Fraction, y: Fraction | int) -> None:
    for a, c in ((x, y), (y, x)):
        found = div_checked(a, c)
        if c == 0:
            assert kind_of(found) is (Kind.DIVISION_BY_ZERO if a else Kind.DOMAIN_ERROR)
        else:
            assert found.unwrap() * c == a
            assert type(found.unwrap()) is Fraction


@given(FRACTIONS)
def test_f2_square_roots_of_squares_are_exact(x: Fraction) -> None:
    assert sqrt_checked(x * x) == Ok(abs(x))


@given(FRACTIONS)
def test_f2_other_square_roots_fail(x: Fraction) -> None:
    found = sqrt_checked(x)
    if x < 0:
        assert kind_of(found) is Kind.DOMAIN_ERROR
    elif found.is_ok():
        assert found.unwrap() ** 2 == x
    else:
        assert kind_of(found) is Kind.UNSUPPORTED_OPERATION
    assert kind_of(sqrt_checked(2 * x * x)) is (None if x == 0 else Kind.UNSUPPORTED_OPERATION)


@given(FRACTIONS, FRACTIONS | BIG_INTS)
def test_f3_comparisons_of_fractions(x: Fraction, y: Fraction | int) -> None:
    assert compare_checked(x, y) == Ok((x > y) - (x < y))
    assert compare_checked(y, x) == Ok((y > x) - (y < x))


@given(st.fractions(max_denominator=10**9), st.integers(-60, 60))
def test_f4_powers_of_fractions_are_exact(x: Fraction, n: int) -> None:
    found = pow_int_checked(x, n)
    if x == 0 and n < 0:
        assert kind_of(found) is Kind.DIVISION_BY_ZERO
    elif n >= 0:
        assert found == pow_nat_checked(x, n) == Ok(x**n)
        assert type(found.unwrap()) is Fraction
    else:
        assert found.unwrap() * x**-n == 1


@pytest.mark.parametrize("x", [Fraction(3, 2), Fraction(-1, 3), Fraction(7)])
@pytest.mark.parametrize("n", [10**6, -(10**6), 10**400])
def test_f4_a_power_beyond_a_million_bits_is_overflow(x: Fraction, n: int) -> None:
    assert kind_of(pow_int_checked(x, n)) is Kind.OVERFLOW


def test_f4_the_bound_is_for_numerator_and_denominator() -> None:
    half = Fraction(1, 2)
    assert pow_nat_checked(half, 10**6 - 1) == Ok(Fraction(1, 2 ** (10**6 - 1)))
    assert kind_of(pow_nat_checked(half, 10**6)) is Kind.OVERFLOW
    assert pow_int_checked(half, 1 - 10**6) == Ok(Fraction(2 ** (10**6 - 1)))
    assert pow_int_checked(Fraction(-1), 10**400 + 1) == Ok(Fraction(-1))
