"""`register`: types of other libraries take part, and their exceptions become errors."""

import decimal
import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arithmetic.kit import Kind, kind_of

from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    Err,
    Ok,
    compare_checked,
    div_checked,
    parse_checked,
    pow_int_checked,
    pow_nat_checked,
    register,
    sqrt_checked,
)


def register_mpq() -> None:
    register(
        gmpy2.mpq,
        div=lambda x, y, ctx: x / y,
        compare=gmpy2.cmp,
        pow_int=lambda x, n, ctx: x**n,
        parse=lambda text, ctx: gmpy2.mpq(text),
    )


def as_mpq(x: Fraction) -> Any:
    return gmpy2.mpq(x.numerator, x.denominator)


@given(st.fractions(), st.fractions(), st.integers(-20, 20))
def test_fractions_of_gmpy2_take_part(a: Fraction, b: Fraction, n: int) -> None:
    register_mpq()
    x, y = as_mpq(a), as_mpq(b)
    assert kind_of(div_checked(x, y)) is (None if b else Kind.DIVISION_BY_ZERO)
    if b:
        assert div_checked(x, y) == Ok(as_mpq(a / b))
        assert div_checked(n, y) == Ok(as_mpq(n / b))
        assert pow_int_checked(y, n) == Ok(as_mpq(b**n))
    assert compare_checked(x, y) == Ok((a > b) - (a < b))
    assert compare_checked(n, y) == Ok((n > b) - (n < b))
    assert pow_nat_checked(x, abs(n)) == Ok(as_mpq(a ** abs(n)))
    assert kind_of(pow_int_checked(gmpy2.mpq(0), -1)) is Kind.DIVISION_BY_ZERO
    assert parse_checked(str(a), gmpy2.mpq) == Ok(x)
    assert kind_of(parse_checked("one", gmpy2.mpq)) is Kind.PARSE_ERROR
    assert kind_of(sqrt_checked(x)) is Kind.UNSUPPORTED_OPERATION


def test_floats_of_mpmath_take_part_under_the_context() -> None:
    def root(x: Any, ctx: ArithmeticContext | None) -> Any:
        with mpmath.workprec(ctx.precision if ctx else 53):
            if x < 0:
                raise ValueError("no real root")
            return mpmath.sqrt(x)

    register(mpmath.mpf, div=lambda x, y, ctx: mpmath.fdiv(x, y), sqrt=root)
    assert sqrt_checked(mpmath.mpf(2)) == Ok(mpmath.sqrt(2))
    wide = sqrt_checked(mpmath.mpf(2), ArithmeticContext(200)).unwrap()
    with mpmath.workprec(200):
        assert wide == mpmath.sqrt(2)
    found = sqrt_checked(mpmath.mpf(-2))
    assert isinstance(found, Err)
    assert found.error.kind is Kind.DOMAIN_ERROR
    assert found.error.message == "sqrt_checked(mpf('-2.0')): no real root"
    assert isinstance(found.error.__cause__, ValueError)
    assert div_checked(mpmath.mpf(1), 4) == Ok(mpmath.mpf(0.25))
    assert kind_of(div_checked(1, mpmath.mpf(0))) is Kind.DIVISION_BY_ZERO


def test_a_type_of_numbers_that_is_not_registered_is_unsupported() -> None:
    for x in (gmpy2.mpq(1), gmpy2.mpz(1), mpmath.mpf(1)):
        assert kind_of(div_checked(x, 2)) is Kind.UNSUPPORTED_OPERATION
        assert kind_of(div_checked(2, x)) is Kind.UNSUPPORTED_OPERATION


class Token:
    """No number, before it is registered."""


class Child(Token):
    pass


class Grandchild(Child):
    pass


def raising(error: BaseException) -> Any:
    def function(*_operands: Any) -> Any:
        raise error

    return function


OWN = ArithmeticError(Kind.FORMAT_ERROR, "own", component="value")


@pytest.mark.parametrize(
    ("error", "kind", "parse_kind"),
    [
        (ZeroDivisionError("zero"), Kind.DIVISION_BY_ZERO, Kind.DIVISION_BY_ZERO),
        (decimal.DivisionByZero(), Kind.DIVISION_BY_ZERO, Kind.DIVISION_BY_ZERO),
        (OverflowError("far"), Kind.OVERFLOW, Kind.OVERFLOW),
        (ValueError("bad"), Kind.DOMAIN_ERROR, Kind.PARSE_ERROR),
        (decimal.InvalidOperation(), Kind.DOMAIN_ERROR, Kind.PARSE_ERROR),
        (FloatingPointError("trap"), Kind.DOMAIN_ERROR, Kind.PARSE_ERROR),
        (OWN, Kind.FORMAT_ERROR, Kind.FORMAT_ERROR),
    ],
    ids=repr,
)
def test_builtin_arithmetic_exceptions_become_errors(
    error: Exception, kind: Kind, parse_kind: Kind
) -> None:
    fail, x = raising(error), Token()
    register(Token, div=fail, sqrt=fail, compare=fail, pow_int=fail, parse=fail)
    outcomes = [div_checked(x, 1), sqrt_checked(x), compare_checked(1, x), pow_int_checked(x, 2)]
    assert [kind_of(o) for o in outcomes] == [kind] * 4
    assert kind_of(parse_checked("1", Token)) is parse_kind
    first = outcomes[0]
    assert isinstance(first, Err)
    if error is OWN:
        assert first.error is OWN
    else:
        assert first.error.__cause__ is error
        assert first.error.operation == "div_checked"
        assert f"{__file__}:" in first.error.__notes__[0]


@pytest.mark.parametrize("error", [KeyError("k"), TypeError("t"), KeyboardInterrupt()], ids=repr)
def test_other_exceptions_pass_through(error: BaseException) -> None:
    register(Token, sqrt=raising(error))
    with pytest.raises(type(error)) as caught:
        sqrt_checked(Token())
    assert caught.value is error


def test_results_may_be_values_ok_or_err() -> None:
    for result, expected in (
        (3, Ok(3)), (None, Ok(None)), (Ok(Ok(3)), Ok(Ok(3))), (Err(OWN), Err(OWN)),
    ):  # fmt: skip
        register(Token, div=lambda x, y, ctx, r=result: r)
        assert div_checked(Token(), Token()) == expected


def test_an_order_is_a_sign() -> None:
    for order, sign in ((5, 1), (-(10**30), -1), (0, 0)):
        register(Token, compare=lambda x, y, o=order: o)
        assert compare_checked(Token(), Token()) == Ok(sign)
    register(Token, compare=lambda x, y: Err(OWN))
    assert compare_checked(Token(), 1) == Err(OWN)
    register(Token, compare=operator.is_)
    with pytest.raises(TypeError, match="result of the registered compare must be an integer"):
        compare_checked(Token(), 1)


def test_the_nearest_base_decides_and_registering_again_replaces_what_is_given() -> None:
    with pytest.raises(TypeError, match="^x must be a number"):
        sqrt_checked(Child())
    register(Token, sqrt=lambda x, ctx: "token", div=lambda x, y, ctx: "token")
    assert sqrt_checked(Grandchild()) == Ok("token")
    assert div_checked(Grandchild(), Token()) == Ok("token")
    register(Child, sqrt=lambda x, ctx: "child")
    assert sqrt_checked(Token()) == Ok("token")
    assert sqrt_checked(Grandchild()) == Ok("child")
    assert kind_of(div_checked(Child(), Child())) is Kind.UNSUPPORTED_OPERATION
    register(Token, sqrt=lambda x, ctx: "again")
    assert sqrt_checked(Token()) == Ok("again")
    assert div_checked(Token(), Token()) == Ok("token")


class Other:
    pass


def mixes() -> Iterator[tuple[Any, Any]]:
    for other in (1.0, Fraction(1), decimal.Decimal(1), Other()):
        yield Token(), other
        yield other, Token()


def test_registered_types_mix_with_themselves_and_int_alone() -> None:
    register(Token, div=lambda x, y, ctx: "token", compare=lambda x, y: 1)
    register(Other, div=lambda x, y, ctx: "other", compare=lambda x, y: 1)
    assert div_checked(Token(), 1) == div_checked(1, Child()) == Ok("token")
    for x, y in mixes():
        for operation in (div_checked, compare_checked):
            with pytest.raises(TypeError, match=f"mix {type(x).__name__} and {type(y).__name__}"):
                operation(x, y)
    with pytest.raises(TypeError, match="^y must be a number"):
        div_checked(Token(), "1")


def test_bad_registrations_are_refused() -> None:
    wrong: Any = "int"
    with pytest.raises(TypeError, match="^type must be a class, not str"):
        register(wrong)
    wrong = 3
    with pytest.raises(TypeError, match="^sqrt must be callable, not int"):
        register(Token, sqrt=wrong)
    for fixed in (float, int, bool, Fraction, decimal.Decimal, object):
        with pytest.raises(ValueError, match=f"type must not be {fixed.__name__}"):
            register(fixed, sqrt=lambda x, ctx: x)
