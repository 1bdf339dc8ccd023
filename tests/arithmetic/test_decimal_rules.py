"""F1 to F4 over decimals: rounded once under the given context, whatever the ambient one is."""

import decimal
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.arithmetic.kit import (
    CONTEXTS,
    Kind,
    Outcome,
    decimals,
    kind_of,
    rounded,
    rounded_root,
)

from lunaflow.arithmetic import (
    ArithmeticContext,
    Ok,
    RoundingMode,
    compare_checked,
    div_checked,
    pow_int_checked,
    pow_nat_checked,
    sqrt_checked,
)
from lunaflow.arithmetic._decimal_rules import exactly

INF, NAN, SNAN = Decimal("Infinity"), Decimal("NaN"), Decimal("sNaN")
NARROW = ArithmeticContext(3, e_min=-2, e_max=2)


def check(found: Outcome, expected: Fraction | None, ctx: ArithmeticContext) -> None:
    if expected is None:
        assert kind_of(found) is Kind.OVERFLOW
        return
    value = found.unwrap()
    assert type(value) is Decimal
    assert Fraction(value) == expected
    assert len(value.as_tuple().digits) <= ctx.precision


@settings(max_examples=400)
@given(decimals(), decimals(), CONTEXTS)
def test_f1_quotients_of_decimals_are_rounded_once(
    x: Decimal, y: Decimal, ctx: ArithmeticContext
) -> None:
    found = div_checked(x, y, ctx)
    if y == 0:
        assert kind_of(found) is (Kind.DIVISION_BY_ZERO if x else Kind.DOMAIN_ERROR)
    else:
        check(found, rounded(Fraction(x) / Fraction(y), ctx), ctx)


@given(st.integers(-(10**45), 10**45), decimals(), CONTEXTS)
def test_f1_an_int_beside_a_decimal_counts_exactly(
    n: int, x: Decimal, ctx: ArithmeticContext
) -> None:
    for a, c in ((n, x), (x, n)):
        if c != 0:
            check(div_checked(a, c, ctx), rounded(Fraction(a) / Fraction(c), ctx), ctx)


@given(st.integers(-(2**64), 2**64), st.integers(0, 2 * 10**5), st.integers(-(2**64), 2**64))
def test_f1_ints_of_any_length_are_taken_with_all_their_digits(m: int, e: int, add: int) -> None:
    n = (m << e) + add
    assert exactly(n) == n
    assert compare_checked(Decimal(add), n) == Ok((add > n) - (add < n))
    if n:
        wide = ArithmeticContext(5, rounding=RoundingMode.TOWARD_ZERO)
        check(div_checked(n, Decimal(7), wide), rounded(Fraction(n, 7), wide), wide)


@pytest.mark.parametrize(
    ("x", "y", "kind"),
    [
        (Decimal(0), Decimal(0), Kind.DOMAIN_ERROR),
        (INF, -INF, Kind.DOMAIN_ERROR),
        (INF, Decimal(0), Kind.DIVISION_BY_ZERO),
        (NAN, Decimal("-0"), Kind.DIVISION_BY_ZERO),
        (SNAN, Decimal(1), Kind.DOMAIN_ERROR),
        (Decimal(1), SNAN, Kind.DOMAIN_ERROR),
        (SNAN, Decimal(0), Kind.DOMAIN_ERROR),
        (Decimal(10) ** 3000, Decimal(10) ** -4000, Kind.OVERFLOW),
    ],
)
def test_f1_in_the_order_of_the_law(x: Decimal, y: Decimal, kind: Kind) -> None:
    assert kind_of(div_checked(x, y)) is kind


def test_f1_nan_infinity_and_underflow_pass() -> None:
    assert div_checked(NAN, Decimal(2)) == div_checked(INF, NAN) == Ok(NAN)
    assert div_checked(INF, -2) == Ok(-INF)
    assert div_checked(1, INF) == Ok(Decimal(0))
    assert div_checked(Decimal("1e-2"), 1000, NARROW) == Ok(Decimal(0))
    assert div_checked(Decimal("1.23e-2"), 10, NARROW) == Ok(Decimal("0.0012"))


@settings(max_examples=400)
@example(Decimal("1.5129"), ArithmeticContext(2, rounding=RoundingMode.TOWARD_POSITIVE))
@example(Decimal(2), ArithmeticContext(1, rounding=RoundingMode.AWAY_FROM_ZERO, e_min=0))
@example(Decimal("2e-50"), ArithmeticContext(4, rounding=RoundingMode.AWAY_FROM_ZERO, e_min=0))
@example(Decimal("0.99999"), ArithmeticContext(2, rounding=RoundingMode.TOWARD_ZERO))
@given(decimals() | decimals(3, 60), CONTEXTS)
def test_f2_square_roots_of_decimals_round_as_the_context_says(
    x: Decimal, ctx: ArithmeticContext
) -> None:
    if x < 0:
        assert kind_of(sqrt_checked(x, ctx)) is Kind.DOMAIN_ERROR
    for y in (abs(x), Decimal((0, Decimal(x).as_tuple().digits, -3))):
        check(sqrt_checked(y, ctx), rounded_root(Fraction(y), ctx), ctx)


def test_f2_special_values() -> None:
    assert sqrt_checked(INF) == Ok(INF)
    assert sqrt_checked(NAN) == Ok(NAN)
    assert str(sqrt_checked(Decimal("-0")).unwrap()) == "-0"
    assert kind_of(sqrt_checked(SNAN)) is Kind.DOMAIN_ERROR
    assert kind_of(sqrt_checked(-INF)) is Kind.DOMAIN_ERROR


@given(decimals(), decimals() | st.integers())
def test_f3_comparisons_are_exact(x: Decimal, y: Decimal | int) -> None:
    a, b = Fraction(x), Fraction(y)
    assert compare_checked(x, y) == Ok((a > b) - (a < b))
    assert compare_checked(y, x) == Ok((b > a) - (b < a))


def test_f3_infinities_and_nans() -> None:
    assert compare_checked(-INF, INF) == Ok(-1)
    assert compare_checked(INF, 10**400) == Ok(1)
    assert compare_checked(Decimal("1e999999999999999999"), INF) == Ok(-1)
    for nan in (NAN, SNAN, -NAN):
        assert kind_of(compare_checked(nan, nan)) is Kind.UNORDERED_COMPARISON
        assert kind_of(compare_checked(1, nan)) is Kind.UNORDERED_COMPARISON


@settings(max_examples=400)
@given(decimals(6, 9), st.integers(-30, 30), CONTEXTS)
def test_f4_powers_of_decimals_are_correctly_rounded(
    x: Decimal, n: int, ctx: ArithmeticContext
) -> None:
    found = pow_int_checked(x, n, ctx)
    if n == 0:
        assert found == Ok(Decimal(1))
    elif x == 0 and n < 0:
        assert kind_of(found) is Kind.DIVISION_BY_ZERO
    else:
        check(found, rounded(Fraction(x) ** n, ctx), ctx)
    if n > 0:
        check(pow_nat_checked(x, n, ctx), rounded(Fraction(x) ** n, ctx), ctx)


@pytest.mark.parametrize("mode", RoundingMode)
@pytest.mark.parametrize("sign", [1, -1])
def test_f4_powers_a_hair_from_a_boundary(mode: RoundingMode, sign: int) -> None:
    ctx = ArithmeticContext(5, rounding=mode)
    for tail in (1, -1):
        with decimal.localcontext() as ambient:
            ambient.prec = 100
            x = sign * (Decimal(1) + tail * Decimal("1e-60"))
        for n in (3, -3):
            check(pow_int_checked(x, n, ctx), rounded(Fraction(x) ** n, ctx), ctx)


def test_f4_special_values_and_huge_exponents() -> None:
    assert pow_int_checked(Decimal(0), 0) == pow_int_checked(NAN, 0) == Ok(Decimal(1))
    assert pow_int_checked(NAN, 3) == Ok(NAN)
    assert kind_of(pow_int_checked(SNAN, 0)) is Kind.DOMAIN_ERROR
    assert pow_int_checked(-INF, 3) == Ok(-INF)
    assert pow_int_checked(INF, -3) == Ok(Decimal(0))
    assert pow_int_checked(Decimal(-1), 10**400 + 1) == Ok(Decimal(-1))
    assert kind_of(pow_int_checked(Decimal(-2), 10**400 + 1)) is Kind.OVERFLOW
    assert pow_int_checked(Decimal(-2), -(10**400)) == Ok(Decimal(0))
    up = ArithmeticContext(3, rounding=RoundingMode.AWAY_FROM_ZERO, e_min=-5)
    assert pow_int_checked(Decimal(2), -(10**40), up) == Ok(Decimal("1e-7"))
    assert kind_of(pow_int_checked(Decimal("1.1"), 10**9)) is Kind.OVERFLOW


HOSTILE = decimal.Context(prec=1, rounding=decimal.ROUND_UP, Emin=0, Emax=0, clamp=1)


@given(decimals(), decimals().filter(bool), st.integers(-5, 5))
def test_the_ambient_context_neither_counts_nor_changes(x: Decimal, y: Decimal, n: int) -> None:
    def results() -> list[Any]:
        root = sqrt_checked(abs_x)
        return [div_checked(x, y), root, compare_checked(x, y), pow_int_checked(y, n)]

    abs_x = x.copy_abs()
    expected = results()
    with decimal.localcontext(HOSTILE) as ambient:
        for signal in ambient.traps:
            ambient.traps[signal] = True
        before = ambient.copy()
        found = results()
        assert found == expected
        assert ambient.flags == before.flags
        assert ambient.prec == 1


def test_the_default_is_decimal128_and_binary64_counts_decimal_digits() -> None:
    third = div_checked(1, Decimal(3)).unwrap()
    assert third == Decimal("0." + 34 * "3")
    assert div_checked(Decimal(1), 3, ArithmeticContext.decimal128()) == Ok(third)
    # a context has no radix of its own: its precision counts in the type's
    wide = div_checked(1, Decimal(3), ArithmeticContext.binary64()).unwrap()
    assert wide == Decimal("0." + 53 * "3")
    narrow = div_checked(Decimal("1e1000"), Decimal("1e-24"), ArithmeticContext.binary64())
    assert kind_of(narrow) is Kind.OVERFLOW


@pytest.mark.parametrize(
    ("ctx", "name"),
    [
        (ArithmeticContext(decimal.MAX_PREC + 1), "precision"),
        (ArithmeticContext(5, e_min=decimal.MIN_EMIN - 1), "e_min"),
        (ArithmeticContext(5, e_max=sys.maxsize + 1), "e_max"),
    ],
)
def test_a_context_beyond_the_decimal_module_is_refused_with_the_range(
    ctx: ArithmeticContext, name: str
) -> None:
    with pytest.raises(ValueError, match=rf"{name} of a decimal must be from -?\d+ to \d+, not"):
        div_checked(Decimal(1), Decimal(3), ctx)
    assert div_checked(1.0, 4.0, ctx) == Ok(0.25)
