"""Elementary functions of duals over fractions, decimals and registered types."""

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.calls import Kind, checked, nth

from lunaflow.arithmetic import ArithmeticContext, ArithmeticError, register
from lunaflow.autodiff import Dual, derivative
from lunaflow.autodiff import elementary as el

FRACTIONS = st.fractions(-20, 20, max_denominator=50)
DECIMALS = st.decimals(Decimal("0.001"), 50, allow_nan=False, places=3)
DIGITS = ArithmeticContext.decimal128().precision


def near(got: Decimal, exact: Any, units: float = 8.0) -> bool:
    """Whether a decimal of 34 digits is that near to a number of mpmath."""
    assert type(got) is Decimal
    return bool(
        abs(mpmath.mpf(str(got)) - exact) <= units * abs(exact) * mpmath.mpf(10) ** (1 - DIGITS)
    )


# name, value, slope and second slope by mpmath
OF_DECIMALS: list[tuple[str, Any, Any, Any]] = [
    ("exp", mpmath.exp, mpmath.exp, mpmath.exp),
    ("log", mpmath.log, lambda x: 1 / x, lambda x: -1 / x**2),
    (
        "log10",
        mpmath.log10,
        lambda x: 1 / (x * mpmath.log(10)),
        lambda x: -1 / (x**2 * mpmath.log(10)),
    ),
    (
        "sqrt",
        mpmath.sqrt,
        lambda x: 1 / (2 * mpmath.sqrt(x)),
        lambda x: -1 / (4 * x ** mpmath.mpf(1.5)),
    ),
    ("fabs", abs, lambda x: mpmath.mpf(1), lambda x: mpmath.mpf(0)),
]


@pytest.mark.parametrize(("name", "value", "slope", "second"), OF_DECIMALS)
@given(x=DECIMALS)
def test_decimals_in_derivatives_have_34_digits(
    name: str, value: Any, slope: Any, second: Any, x: Decimal
) -> None:
    f = getattr(el, name)
    with mpmath.workdps(60):
        at = mpmath.mpf(str(x))
        for order, exact in enumerate((value, slope, second)):
            got = nth(f, order)(x) if order else nth(lambda t: f(x) * t, 1)(Decimal(1))
            assert near(got, exact(at))
            assert type(nth(f, order, errors="ieee")(x)) is Decimal


@given(DECIMALS, st.decimals(-4, 4, allow_nan=False, places=2))
def test_powers_of_decimals_in_derivatives(x: Decimal, y: Decimal) -> None:
    with mpmath.workdps(60):
        a, c = mpmath.mpf(str(x)), mpmath.mpf(str(y))
        assert near(derivative(lambda t: t**y, x), c * a ** (c - 1), 20) or y == 0
        slope = a**c * mpmath.log(a)
        assert near(derivative(lambda t: x**t, y), slope, 20)
        both = derivative(lambda t: (x * t) ** (y * t), Decimal(1))
        exact = a**c * (c + c * mpmath.log(a))
        assert abs(mpmath.mpf(str(both)) - exact) <= a**c * (abs(c) + abs(slope)) * mpmath.mpf(
            "1e-31"
        )


def test_hand_made_duals_of_decimals_obey_the_context_around_them() -> None:
    x = Dual(Decimal(2), Decimal(3))
    for precision in (6, 45):
        with decimal.localcontext(decimal.Context(prec=precision)):
            got = el.exp(x)
            assert (got.value, got.tangent) == (Decimal(2).exp(), Decimal(2).exp() * 3)
            assert el.log(x).tangent == Decimal(3) / 2
    with decimal.localcontext(decimal.Context(traps=[])):
        assert el.log(Dual(Decimal(0), Decimal(1))).value == Decimal("-Infinity")
        assert el.log(Dual(Decimal(-1), Decimal(1))).tangent.is_nan()
    with pytest.raises(decimal.InvalidOperation):
        el.log(Dual(Decimal(-1), Decimal(1)))


@given(FRACTIONS, FRACTIONS.filter(bool))
def test_remainders_of_fractions_are_exact_with_their_slopes(x: Fraction, y: Fraction) -> None:
    cases: list[tuple[Callable[..., Any], int, bool]] = [
        (el.mod, math.floor(x / y), x % y == 0),
        (el.fmod, math.trunc(x / y), x % y == 0 and x != 0),
        (el.remainder, round(x / y), 2 * abs(x - y * round(x / y)) == abs(y)),
    ]
    for f, n, jumps in cases:
        if jumps:
            for g, at in ((lambda t, f=f: f(t, y), x), (lambda t, f=f: f(x, t), y)):
                with pytest.raises(ArithmeticError, match="jumps"):
                    derivative(g, at)
            continue
        assert f(Dual(x, Fraction(2)), Dual(y, Fraction(3))).identical(
            Dual(x - n * y, Fraction(2 - 3 * n))
        )
        assert derivative(lambda t, f=f: f(t, y), x) == 1
        assert derivative(lambda t, f=f: f(x, t), y) == -n


@given(FRACTIONS.filter(bool), FRACTIONS.filter(bool))
def test_steps_of_fractions_are_exact(x: Fraction, y: Fraction) -> None:
    sign = 1 if x > 0 else -1
    d = Dual(x, Fraction(5))
    assert el.fabs(d).identical(Dual(abs(x), Fraction(5 * sign)))
    assert abs(d).identical(el.fabs(d))
    kept = (x > 0) == (y > 0)
    assert el.copysign(d, y).identical(Dual(x if kept else -x, Fraction(5 if kept else -5)))
    if x.denominator != 1:
        for name in ("floor", "ceil", "trunc"):
            expected = Fraction(getattr(math, name)(x))
            assert getattr(el, name)(d).identical(Dual(expected, Fraction(0)))
    larger = el.maximum(d, y)
    assert larger.identical(d if x >= y else Dual(y, Fraction(0)))
    root = el.sqrt(Dual(x * x, Fraction(1)))
    assert root.identical(Dual(abs(x), 1 / (2 * abs(x))))
    assert nth(el.sqrt, 2)(x * x) == Fraction(-1, 4) / abs(x) ** 3


def test_remainders_of_decimals_have_the_sign_of_the_first() -> None:
    assert derivative(lambda x: x % 3, Decimal("-7.5")) == 1
    assert (Dual(Decimal("-7.5"), Decimal(1)) % 3).value == Decimal("-1.5")
    assert derivative(lambda y: Decimal("-7.5") % y, Decimal(3)) == 2
    assert derivative(lambda x: x % 3, Decimal(0)) == 1  # no jump, unlike floats
    with pytest.raises(ArithmeticError, match="jumps"):
        derivative(lambda x: x % 3, Fraction(0))
    got = el.remainder(Dual(Decimal(5), Decimal(1)), Dual(Decimal(3), Decimal(1)))
    assert got.identical(Dual(Decimal(-1), Decimal(-1)))


@pytest.mark.parametrize("x", [Fraction(1, 2), Decimal("0.5")])
@pytest.mark.parametrize(
    "name", ["sin", "tanh", "erf", "gamma", "cbrt", "exp2", "log2", "degrees", "acosh", "expm1"]
)
def test_what_a_type_cannot_hold_is_unsupported(name: str, x: Any) -> None:
    f = getattr(el, name)
    with pytest.raises(ArithmeticError) as raised:
        derivative(f, x)
    if name != "acosh":  # which has no value there
        assert raised.value.kind is Kind.UNSUPPORTED_OPERATION
        assert (raised.value.operation, raised.value.component) == (name, "value")
    with pytest.raises(TypeError, match=f"has no {name}"):
        f(Dual(x, 1))
    with pytest.raises(TypeError, match=f"has no {name}"):
        derivative(f, x, errors="ieee")


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (el.exp, Fraction(1, 2)),
        (el.sqrt, Fraction(2)),
        (lambda x: x ** Fraction(1, 2), Fraction(2)),
        (lambda x: 2**x, Fraction(3)),
        (lambda x: el.hypot(x, 1), Fraction(3)),
        (lambda x: el.hypot(x, 1, 2), Decimal(3)),
        (lambda x: el.atan2(1, x), Decimal(3)),
        (lambda x: el.log(8, x), Fraction(2)),
        (lambda x: el.fsum([x, x]), Decimal(2)),
        (lambda x: el.frexp(x)[0], Fraction(3)),
        (lambda x: el.modf(x)[0], Decimal("2.5")),
        (lambda x: el.ldexp(x, 2), Decimal(2)),
    ],
)
def test_functions_of_several_numbers_too(f: Any, x: Any) -> None:
    with pytest.raises(ArithmeticError) as raised:
        derivative(f, x)
    assert raised.value.kind is Kind.UNSUPPORTED_OPERATION
    with pytest.raises(TypeError):
        derivative(f, x, errors="ieee")


@pytest.mark.parametrize(
    ("f", "x", "kind"),
    [
        (el.log, Decimal(0), Kind.DOMAIN_ERROR),
        (el.log10, Decimal(-1), Kind.DOMAIN_ERROR),
        (el.sqrt, Decimal(0), Kind.DIVISION_BY_ZERO),
        (el.sqrt, Fraction(-1), Kind.DOMAIN_ERROR),
        (el.exp, Decimal(10) ** 30, Kind.OVERFLOW),
        (abs, Fraction(0), Kind.DOMAIN_ERROR),
        (abs, Decimal(0), Kind.DOMAIN_ERROR),
        (el.floor, Fraction(3), Kind.DOMAIN_ERROR),
        (el.ceil, Decimal(3), Kind.DOMAIN_ERROR),
        (lambda x: el.copysign(x, 1), Decimal(0), Kind.DOMAIN_ERROR),
        (lambda x: x**-1, Fraction(0), Kind.DIVISION_BY_ZERO),
        (lambda x: x ** Decimal("0.5"), Decimal(0), Kind.DIVISION_BY_ZERO),
        (lambda x: x ** Decimal("1.5"), Decimal(-1), Kind.DOMAIN_ERROR),
        (lambda x: x**x, Decimal(-1), Kind.DOMAIN_ERROR),
        (lambda x: el.maximum(x, 2), Fraction(2), Kind.DOMAIN_ERROR),
    ],
)
def test_d15_kinds_are_those_of_floats(f: Any, x: Any, kind: Kind) -> None:
    for order in (1, 2):
        with pytest.raises(ArithmeticError) as raised:
            nth(f, order)(x)
        assert raised.value.kind is kind
    if isinstance(x, Decimal):
        got = derivative(f, x, errors="ieee")
        assert not got.is_finite() or f.__name__ == "<lambda>"


@pytest.mark.parametrize("f", [abs, el.floor, lambda x: x % 1, lambda x: x**-1])
def test_d15_with_ieee_fractions_raise_their_own_exception(f: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        derivative(f, Fraction(0), errors="ieee")
    with pytest.raises(ZeroDivisionError):
        f(Dual(Fraction(0), 1))


def test_tiny_and_huge_decimals_are_not_taken_for_zero_or_infinity() -> None:
    tiny, huge = Decimal("1e-2000"), Decimal("1e2000")
    assert derivative(el.log, tiny) == huge
    assert derivative(abs, -tiny) == -1
    assert derivative(lambda x: el.maximum(x, 0), tiny) == 1
    with pytest.raises(ArithmeticError, match="jumps"):
        derivative(el.floor, huge)


def test_numbers_mix_from_both_sides_and_types_do_not() -> None:
    x = Dual(Fraction(7, 2), Fraction(1))
    assert el.fmod(x, 2).identical(el.fmod(x, Fraction(2)))
    assert el.fmod(8, x).identical(el.fmod(Fraction(8), x))
    assert el.maximum(9, x).identical(Dual(Fraction(9), Fraction(0)))
    for other in (1.5, Decimal(1), Dual(1.5, 1.0)):
        for f in (el.fmod, el.pow, el.maximum, el.copysign):
            with pytest.raises(TypeError):
                f(x, other)
            with pytest.raises(TypeError):
                f(other, x)


def test_registered_types_have_powers_and_what_their_operators_give() -> None:
    register(gmpy2.mpq, div=lambda x, y, ctx: x / y, sqrt=lambda x, ctx: _root_of(x))
    x = Dual(gmpy2.mpq(-7, 2), gmpy2.mpq(1))
    assert (x**3).identical(Dual(gmpy2.mpq(-343, 8), gmpy2.mpq(147, 4)))
    assert abs(x).identical(Dual(gmpy2.mpq(7, 2), gmpy2.mpq(-1)))
    assert (x % 2).identical(Dual(gmpy2.mpq(1, 2), gmpy2.mpq(1)))
    assert el.sqrt(x * x).identical(Dual(gmpy2.mpq(7, 2), gmpy2.mpq(-1)))
    assert derivative(el.sqrt, gmpy2.mpq(9)) == gmpy2.mpq(1, 6)
    assert derivative(lambda t: el.maximum(t, 1), gmpy2.mpq(9)) == 1
    assert nth(lambda t: t**2, 3)(gmpy2.mpq(0)) == 0
    with pytest.raises(TypeError, match="mpq has no sin"):
        el.sin(x)
    with pytest.raises(ArithmeticError) as raised:
        derivative(lambda t: abs(t), gmpy2.mpq(0))
    assert raised.value.kind is Kind.DOMAIN_ERROR


def _root_of(x: Any) -> Any:
    return gmpy2.mpq(math.isqrt(int(x.numerator)), math.isqrt(int(x.denominator)))


def test_floats_of_mpmath_keep_their_digits() -> None:
    register(mpmath.mpf, div=lambda x, y, ctx: x / y, sqrt=lambda x, ctx: mpmath.sqrt(x))
    with mpmath.workdps(50):
        x = mpmath.mpf(2)
        assert derivative(lambda t: t**3, x) == 12
        assert derivative(el.sqrt, x) == 1 / (2 * mpmath.sqrt(x))
        assert derivative(abs, -x) == -1
        power = derivative(lambda t: t ** mpmath.mpf("2.5"), x)
        assert abs(power - mpmath.mpf("2.5") * x ** mpmath.mpf("1.5")) < mpmath.mpf("1e-48")
        assert type(power) is mpmath.mpf


def test_the_mode_is_kept_through_exact_functions() -> None:
    made = checked()
    x = el.sqrt(made(Fraction(4), Fraction(1)))
    with pytest.raises(ArithmeticError):
        x / (x - 2)
    y = made(Decimal(4), Decimal(1)) ** 2
    with pytest.raises(ArithmeticError):
        y / (y - 16)
