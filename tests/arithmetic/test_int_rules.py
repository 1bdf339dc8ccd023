"""F1 to F4 over ints of any size, and over an int beside a float."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.arithmetic.kit import BIG_INTS, FLOATS, Kind, bits, is_nearest_root, kind_of, nearest

from lunaflow.arithmetic import (
    Ok,
    compare_checked,
    div_checked,
    pow_int_checked,
    pow_nat_checked,
    sqrt_checked,
)
from lunaflow.arithmetic._int_rules import power_exceeds

TOP = 2**1024 - 2**970  # the least positive number that rounds to infinity


@settings(max_examples=300)
@example(TOP, 1)
@example(TOP - 1, 1)
@example(10**5000, 10**4999)
@example(-1, 10**5000)
@given(BIG_INTS, BIG_INTS)
def test_f1_quotients_of_ints_are_the_nearest_float(x: int, y: int) -> None:
    found = div_checked(x, y)
    if y == 0:
        assert kind_of(found) is (Kind.DIVISION_BY_ZERO if x else Kind.DOMAIN_ERROR)
    elif math.isinf(expected := nearest(Fraction(x, y))):
        assert kind_of(found) is Kind.OVERFLOW
    else:
        assert found == Ok(expected)
        assert type(found.unwrap()) is float


@settings(max_examples=300)
@example(2**53 + 1, 3.0)
@example(10**400, 1e200)
@example(10**400, 5e-324)
@example(10**400, 0.0)
@example(-(10**400), math.inf)
@example(0, 0.0)
@given(BIG_INTS, FLOATS)
def test_f1_an_int_beside_a_float_counts_exactly(n: int, x: float) -> None:
    for a, c in ((n, x), (x, n)):
        found = div_checked(a, c)
        if a == 0 and c == 0:
            assert kind_of(found) is Kind.DOMAIN_ERROR
        elif c == 0:
            assert kind_of(found) is Kind.DIVISION_BY_ZERO
        elif not math.isfinite(x):
            # of an int beside an infinity or NaN no more than the sign counts
            signs = [float((v > 0) - (v < 0)) if v is n else x for v in (a, c)]
            assert found == div_checked(signs[0], signs[1])
        elif math.isinf(expected := nearest(Fraction(a) / Fraction(c))):
            assert kind_of(found) is Kind.OVERFLOW
        else:
            assert found == Ok(expected)


@settings(max_examples=300)
@example(2**2048)
@example((TOP - 1) ** 2)
@example(TOP**2)
@example((2**53 + 1) ** 2)
@example((2**53 + 1) ** 2 + 1)
@example(((2**53 + 1) ** 2 << 900) + 1)
@example(((2**53 + 1) ** 2 << 900) - 1)
@given(BIG_INTS)
def test_f2_square_roots_of_ints_are_the_nearest_float(x: int) -> None:
    found = sqrt_checked(x)
    if x < 0:
        assert kind_of(found) is Kind.DOMAIN_ERROR
    elif x >= TOP**2:
        assert kind_of(found) is Kind.OVERFLOW
    else:
        root = found.unwrap()
        assert math.isfinite(root)
        assert root == 1.7976931348623157e308 or is_nearest_root(root, Fraction(x))


@given(BIG_INTS, BIG_INTS, FLOATS)
def test_f3_comparisons_are_exact(x: int, y: int, z: float) -> None:
    assert compare_checked(x, y) == Ok((x > y) - (x < y))
    if z != z:
        assert kind_of(compare_checked(x, z)) is Kind.UNORDERED_COMPARISON
        assert kind_of(compare_checked(z, x)) is Kind.UNORDERED_COMPARISON
    else:
        assert compare_checked(x, z) == Ok((x > z) - (x < z))
        assert compare_checked(z, x) == Ok((z > x) - (z < x))
    assert compare_checked(2**53 + 1, float(2**53)) == Ok(1)


@settings(max_examples=300)
@given(st.integers(-(2**90), 2**90) | st.integers(-3, 3), st.integers(-1200, 60))
def test_f4_powers_of_ints(x: int, n: int) -> None:
    found = pow_int_checked(x, n)
    if n >= 0:
        assert found == pow_nat_checked(x, n) == Ok(x**n)
        assert type(found.unwrap()) is int
    elif x == 0:
        assert kind_of(found) is Kind.DIVISION_BY_ZERO
    else:
        assert found == Ok(nearest(Fraction(1, x**-n)))
        assert math.copysign(1.0, found.unwrap()) == (-1.0 if x < 0 and n % 2 else 1.0)


@pytest.mark.parametrize("x", [2, -3, 7, 10**30, -(10**400)])
def test_f4_negative_powers_vanish_without_being_computed(x: int) -> None:
    assert bits(pow_int_checked(x, -(10**30)).unwrap()) == bits(0.0)
    tiny = pow_int_checked(x, -(10**30) - 1).unwrap()
    assert bits(tiny) == bits(-0.0 if x < 0 else 0.0)


@pytest.mark.parametrize(
    ("x", "n"), [(2, 10**6), (3, 630931), (2**50 + 1, 20000), (10, 10**18), (-7, 10**400)]
)
def test_f4_an_exact_power_beyond_a_million_bits_is_overflow(x: int, n: int) -> None:
    assert kind_of(pow_nat_checked(x, n)) is Kind.OVERFLOW
    assert kind_of(pow_int_checked(x, n)) is Kind.OVERFLOW


@pytest.mark.parametrize(
    ("x", "n"), [(2, 10**6 - 1), (3, 630929), (2**50 - 1, 20000), (-1, 10**99)]
)
def test_f4_an_exact_power_of_a_million_bits_is_computed(x: int, n: int) -> None:
    power = pow_nat_checked(x, n).unwrap()
    assert power.bit_length() <= 10**6
    assert power == x**n


@given(st.integers(0, 2**200) | st.integers(0, 5), st.integers(0, 10**4))
def test_f4_the_bound_is_told_as_if_computed(base: int, n: int) -> None:
    size = (base**n).bit_length() if n * base.bit_length() < 3 * 10**6 else 10**7
    assert power_exceeds(base, n) == (size > 10**6)
