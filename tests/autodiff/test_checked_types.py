"""Checked division and roots of duals over other types than float, under their contexts."""

import decimal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.arithmetic.kit import CONTEXTS, decimals
from tests.autodiff.duals import (
    Kind,
    division_fault,
    dual,
    fault_of,
    over,
    root_fault,
    same,
    times,
    tree,
    trees,
)

from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    Err,
    Ok,
    RoundingMode,
    register,
)
from lunaflow.autodiff._dual import Dual, div_checked, sqrt_checked

SMALL = st.fractions(-5, 5, max_denominator=9)
DECIMALS = decimals(6, 8) | st.sampled_from(
    [Decimal(x) for x in ("0", "-0", "Infinity", "-Infinity", "NaN", "9E+30", "1E-30")]
)
ROUNDINGS = {
    RoundingMode.TO_NEAREST_EVEN: decimal.ROUND_HALF_EVEN,
    RoundingMode.TOWARD_ZERO: decimal.ROUND_DOWN,
    RoundingMode.TOWARD_POSITIVE: decimal.ROUND_CEILING,
    RoundingMode.TOWARD_NEGATIVE: decimal.ROUND_FLOOR,
    RoundingMode.AWAY_FROM_ZERO: decimal.ROUND_UP,
}


@contextmanager
def ambient(ctx: ArithmeticContext) -> Iterator[None]:
    """Let decimal's own operators round as `ctx` says, and stop at nothing."""
    with decimal.localcontext() as context:
        context.prec = ctx.precision
        context.rounding = ROUNDINGS[ctx.rounding]
        context.Emin = decimal.MIN_EMIN if ctx.e_min is None else ctx.e_min
        context.Emax = decimal.MAX_EMAX if ctx.e_max is None else ctx.e_max
        context.clamp = int(ctx.clamp)
        for signal in context.traps:
            context.traps[signal] = False
        yield


@settings(max_examples=200)
@given(trees(SMALL, 1) | trees(SMALL, 2), st.data())
def test_d4_of_fractions_is_exact(x: Any, data: st.DataObject) -> None:
    depth = 2 if isinstance(x[0], tuple) else 1
    y = data.draw(trees(SMALL, depth))
    found = div_checked(dual(x), dual(y))
    assert fault_of(found) == division_fault(x, y)
    assert found.is_ok() is bool(dual(y))
    if isinstance(found, Ok):
        assert same(tree(found.value), over(x, y))
        assert same(tree(found.value), tree(dual(x) / dual(y)))


@given(SMALL, SMALL, st.integers(-3, 3))
def test_ints_are_constants_of_every_type(a: Fraction, b: Fraction, n: int) -> None:
    x = Dual(a, b)
    constant = Dual(Fraction(n), 0)
    for plain, lifted in (((x, n), (x, constant)), ((n, x), (constant, x))):
        found = div_checked(*plain)
        assert fault_of(found) == fault_of(div_checked(*lifted))
        if isinstance(found, Ok):
            assert found.value.identical(plain[0] / plain[1])
            assert found.value.identical(lifted[0] / lifted[1])


@settings(max_examples=300)
@given(trees(DECIMALS, 1), trees(DECIMALS, 1), CONTEXTS)
def test_d4_of_decimals_under_a_context(x: Any, y: Any, ctx: ArithmeticContext) -> None:
    found = div_checked(dual(x), dual(y), ctx)
    with ambient(ctx):
        assert fault_of(found) == division_fault(x, y, ctx)
        if isinstance(found, Ok):
            assert same(tree(found.value), tree(dual(x) / dual(y)))


@settings(max_examples=100)
@given(trees(decimals(6, 3), 2), trees(decimals(6, 3), 2), CONTEXTS)
def test_d4_of_nested_decimals_under_a_context(x: Any, y: Any, ctx: ArithmeticContext) -> None:
    found = div_checked(dual(x), dual(y), ctx)
    with ambient(ctx):
        assert fault_of(found) == division_fault(x, y, ctx)
        if isinstance(found, Ok):
            assert same(tree(found.value), tree(dual(x) / dual(y)))


@settings(max_examples=200)
@given(trees(DECIMALS, 1), st.integers(-9, 9) | st.just(10**50 + 1), CONTEXTS)
@example((Decimal(1) / 3, Decimal(1) / 7), 10**50 + 1, ArithmeticContext(50))
def test_d4_of_decimals_beside_ints(x: Any, n: int, ctx: ArithmeticContext) -> None:
    for dividend, divisor in ((dual(x), n), (n, dual(x))):
        found = div_checked(dividend, divisor, ctx)
        if isinstance(found, Ok):
            with ambient(ctx):
                assert same(tree(found.value), tree(dividend / divisor))


@settings(max_examples=200)
@given(trees(DECIMALS, 1) | trees(decimals(4, 3), 2), CONTEXTS)
def test_d6_of_decimals_under_a_context(x: Any, ctx: ArithmeticContext) -> None:
    found = sqrt_checked(dual(x), ctx)
    with ambient(ctx):
        assert fault_of(found) == root_fault(x, ctx)


def test_decimals_are_divided_under_decimal128_whatever_the_ambient_context() -> None:
    x, y = Dual(Decimal(2), Decimal(1)), Dual(Decimal(3), Decimal(7))
    with decimal.localcontext() as context:
        context.prec = 3
        found = div_checked(x, y).unwrap()
        beside = div_checked(1, y).unwrap()
    with decimal.localcontext() as context:
        context.prec = 34
        assert found.identical(x / y)
        assert beside.identical(1 / y)
        assert len(found.value.as_tuple().digits) == 34


def test_d6_of_fractions() -> None:
    root = sqrt_checked(Dual(Fraction(9, 4), Fraction(1))).unwrap()
    assert root.identical(Dual(Fraction(3, 2), Fraction(1, 3)))
    for value, kind, path in (
        (2, Kind.UNSUPPORTED_OPERATION, "value."),
        (-1, Kind.DOMAIN_ERROR, "value."),
        (0, Kind.DIVISION_BY_ZERO, "tangent."),
    ):
        assert fault_of(sqrt_checked(Dual(Fraction(value), 1))) == (kind, path)
    assert fault_of(sqrt_checked(Dual(Fraction(0), 0))) == (Kind.DOMAIN_ERROR, "tangent.")


@settings(max_examples=100)
@given(trees(SMALL, 1) | trees(SMALL, 2), st.data())
def test_d4_of_registered_fractions(x: Any, data: st.DataObject) -> None:
    register(gmpy2.mpq, div=lambda x, y, ctx: x / y)
    y = data.draw(trees(SMALL, 2 if isinstance(x[0], tuple) else 1))
    n, m = _in_mpq(x), _in_mpq(y)
    found = div_checked(dual(n), dual(m))
    assert fault_of(found) == division_fault(n, m)
    assert found.is_ok() is div_checked(dual(x), dual(y)).is_ok()
    if isinstance(found, Ok):
        assert same(tree(found.value), _in_mpq(over(x, y)))
        assert same(tree(found.value), tree(dual(n) / dual(m)))
        assert same(tree(dual(n) * dual(m)), _in_mpq(times(x, y)))


def _in_mpq(x: Any) -> Any:
    return tuple(map(_in_mpq, x)) if isinstance(x, tuple) else gmpy2.mpq(x.numerator, x.denominator)


@given(st.lists(st.integers(-50, 50), min_size=4, max_size=4), st.sampled_from([53, 200]))
def test_d4_of_registered_floats_of_any_length(numbers: list[int], precision: int) -> None:
    def root(x: Any, ctx: Any) -> Any:
        if x < 0:
            raise ValueError("no real root")
        return mpmath.sqrt(x)

    register(mpmath.mpf, div=lambda x, y, ctx: x / y, sqrt=root)
    with mpmath.workprec(precision):
        a, b, c, d = (mpmath.mpf(n) / 7 for n in numbers)
        x, y = Dual(a, b), Dual(c, d)
        found = div_checked(x, y)
        assert fault_of(found) == ((Kind.DIVISION_BY_ZERO, "value.") if c == 0 else None)
        if isinstance(found, Ok):
            assert found.value.identical(x / y)
            assert found.value.tangent == (b * c - a * d) / (c * c)
        squared = sqrt_checked(x)
        assert squared.is_ok() is (a > 0)
        if isinstance(squared, Ok):
            assert squared.value.identical(Dual(mpmath.sqrt(a), b / (2 * mpmath.sqrt(a))))
        elif a < 0:
            assert isinstance(squared.error.__cause__, ValueError)


@dataclass(frozen=True)
class Logged:
    """A number that takes part by the methods of the protocols, and keeps what it was given."""

    n: Fraction
    contexts: list[Any]

    def __add__(self, other: "Logged") -> "Logged":
        return Logged(self.n + other.n, self.contexts)

    def __sub__(self, other: "Logged") -> "Logged":
        return Logged(self.n - other.n, self.contexts)

    def __mul__(self, other: "Logged | int") -> "Logged":
        n = other.n if isinstance(other, Logged) else other
        return Logged(self.n * n, self.contexts)

    __rmul__ = __mul__

    def div_checked(
        self, other: "Logged", ctx: ArithmeticContext | None = None
    ) -> Ok["Logged"] | Err[ArithmeticError]:
        self.contexts.append(ctx)
        if other.n == 0:
            return Err(ArithmeticError(Kind.DIVISION_BY_ZERO, "over nothing", component="deep"))
        return Ok(Logged(self.n / other.n, self.contexts))

    def sqrt_checked(
        self, ctx: ArithmeticContext | None = None
    ) -> Ok["Logged"] | Err[ArithmeticError]:
        self.contexts.append(ctx)
        return Ok(Logged(self.n, self.contexts))


@pytest.mark.parametrize("ctx", [None, ArithmeticContext(7), ArithmeticContext.binary64()])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_d10_the_context_goes_on_unchanged(ctx: ArithmeticContext | None, depth: int) -> None:
    contexts: list[Any] = []
    x: Any = Logged(Fraction(3), contexts)
    y = x
    for _ in range(depth):
        x, y = Dual(x, y), Dual(y, x)
    assert div_checked(x, y, ctx).is_ok()
    assert len(contexts) == 2**depth
    assert sqrt_checked(x, ctx).is_ok()
    assert all(seen is ctx for seen in contexts)


def test_errors_of_a_type_keep_their_own_component() -> None:
    x, zero = Logged(Fraction(3), []), Logged(Fraction(0), [])
    found = div_checked(Dual(x, x), Dual(zero, x))
    assert isinstance(found, Err)
    assert found.error.component == "value.deep"
    assert found.error.kind is Kind.DIVISION_BY_ZERO
    assert "over nothing" in found.error.message


def test_a_type_without_the_operation_is_unsupported() -> None:
    x = Dual(gmpy2.mpfr(2), gmpy2.mpfr(1))
    assert fault_of(div_checked(x, x)) == (Kind.UNSUPPORTED_OPERATION, "value.")
    assert fault_of(sqrt_checked(x)) == (Kind.UNSUPPORTED_OPERATION, "value.")
    assert (x * x).identical(Dual(gmpy2.mpfr(4), gmpy2.mpfr(4)))


@pytest.mark.parametrize("ctx", [3, "decimal64", decimal.getcontext(), 1.5, object()])
def test_what_is_no_context_is_refused(ctx: Any) -> None:
    with pytest.raises(TypeError, match="ctx must be an ArithmeticContext or None, not"):
        div_checked(Dual(1.0, 1.0), Dual(1.0, 1.0), ctx)
    with pytest.raises(TypeError, match="ctx must be an ArithmeticContext or None, not"):
        sqrt_checked(Dual(1.0, 1.0), ctx)


def test_floats_ignore_the_context() -> None:
    ctx = ArithmeticContext(1, e_min=0, e_max=0)
    x, y = Dual(1.0, 0.3), Dual(3.0, 1e100)
    assert div_checked(x, y, ctx).unwrap().identical(div_checked(x, y).unwrap())
    assert sqrt_checked(y, ctx).unwrap().identical(sqrt_checked(y).unwrap())
