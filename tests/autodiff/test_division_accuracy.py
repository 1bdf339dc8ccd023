"""D8: the tangent of a quotient, checked or not, against exact rational numbers."""

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import (
    FINITE,
    NUMBERS,
    TINY,
    UNIT,
    dual,
    exact_tangent,
    is_accurate,
    is_within,
    over,
    trees,
)

from lunaflow.arithmetic import Ok
from lunaflow.autodiff._dual import Dual, div_checked, fresh_level, seed

DIVISORS = FINITE.filter(bool)


@settings(max_examples=1000)
@given(FINITE, FINITE, DIVISORS, FINITE)
@example(1e300, 0.0, 1e300, 1.0)
@example(1e-170, 0.0, 1e-170, 1.0)
@example(1e-320, 3.0, 1e300, 1e308)
@example(1e308, 1e308, 1e-308, 1e-308)
@example(5e-324, 5e-324, 5e-324, 5e-324)
@example(1.7976931348623157e308, 1.7976931348623157e308, 5e-324, 1.7976931348623157e308)
def test_d8_over_the_whole_range(a: float, b: float, c: float, d: float) -> None:
    x, y = Dual(a, b), Dual(c, d)
    quotient = x / y
    assert is_accurate(quotient.tangent, a, b, c, d)
    assert is_within(
        quotient.value, Fraction(a) / Fraction(c), abs(Fraction(a) / Fraction(c)) * UNIT + TINY
    )
    found = div_checked(x, y)
    if isinstance(found, Ok):
        assert found.value.identical(quotient)


@given(FINITE, FINITE, DIVISORS)
def test_d8_beside_constants(a: float, b: float, c: float) -> None:
    assert is_accurate((Dual(a, b) / c).tangent, a, b, c, 0.0)
    assert is_accurate((a / Dual(c, b)).tangent, a, 0.0, c, b)
    for divisor in (3, -(10**30)):
        assert is_accurate((Dual(a, b) / divisor).tangent, a, b, float(divisor), 0.0)


def magnitudes(numbers: random.Random) -> float:
    exponent = numbers.choice([numbers.randint(-1074, 1023), numbers.randint(-5, 5)])
    return math.ldexp(numbers.choice([-1, 1]) * numbers.uniform(1, 2), exponent)


@pytest.mark.parametrize("seed_of_numbers", range(4))
def test_d8_in_bulk(seed_of_numbers: int) -> None:
    numbers = random.Random(seed_of_numbers)
    for _ in range(5000):
        a, b, c, d = (magnitudes(numbers) for _ in range(4))
        assert c == 0 or is_accurate((Dual(a, b) / Dual(c, d)).tangent, a, b, c, d), (a, b, c, d)


# b is nearly (a/c) d, so that almost all digits cancel
@settings(max_examples=300)
@given(NUMBERS, NUMBERS, NUMBERS, st.integers(-4, 4))
def test_d8_where_the_terms_cancel(a: float, c: float, d: float, steps: int) -> None:
    assume(c != 0)
    product = Fraction(a) / Fraction(c) * Fraction(d)
    assume(abs(product) < Fraction(2) ** 1023)
    b = float(product) + steps * math.ulp(float(product))
    assert is_accurate((Dual(a, b) / Dual(c, d)).tangent, a, b, c, d)


@given(DIVISORS, FINITE)
def test_d8_under_the_checked_rules(c: float, d: float) -> None:
    level = fresh_level()
    x, y = seed(1.0, 3.0, level, True), seed(c, d, level, True)
    expected = div_checked(Dual(1.0, 3.0), Dual(c, d))
    if isinstance(expected, Ok):
        quotient = x / y
        assert (quotient.value, quotient.tangent) == (expected.value.value, expected.value.tangent)


@settings(max_examples=200)
@given(trees(st.floats(0.5, 2), 2), trees(st.floats(0.5, 2), 2))
def test_nested_quotients_are_second_derivatives(x: Any, y: Any) -> None:
    # (f/g)'' and (f/g)', where nothing cancels beyond a few bits
    found = dual(x) / dual(y)
    ((value, first), (second, mixed)) = over(*(_exact(z) for z in (x, y)))
    for leaf, exact in (
        (found.value.value, value),
        (found.value.tangent, first),
        (found.tangent.value, second),
        (found.tangent.tangent, mixed),
    ):
        assert abs(Fraction(leaf) - exact) <= 2000 * UNIT


def _exact(x: Any) -> Any:
    return tuple(map(_exact, x)) if isinstance(x, tuple) else Fraction(x)


def test_the_reference_is_the_quotient_rule() -> None:
    assert exact_tangent(3.0, 4.0, 5.0, 6.0) == (Fraction(2, 25), Fraction(4 * 5 + 3 * 6, 25))
    assert not is_within(math.inf, Fraction(1), Fraction(1))
    assert not is_within(math.nan, Fraction(1), Fraction(1))
    assert is_within(1.0, Fraction(2), Fraction(1))
    assert not is_within(1.0, Fraction(2), Fraction(1, 2))
