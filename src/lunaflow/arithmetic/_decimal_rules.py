"""Checked operations on decimals: rounded once, under the given context and never the ambient."""

import decimal
import functools
from decimal import Decimal

from lunaflow.arithmetic._context import ArithmeticContext, RoundingMode
from lunaflow.arithmetic._errors import ArithmeticErrorKind
from lunaflow.arithmetic._failures import (
    BY_ZERO,
    INF_BY_INF,
    NEGATIVE_ROOT,
    NOT_ORDERED,
    OUT_OF_RANGE,
    ZERO_BY_ZERO,
    Failure,
)

SIGNALS = Failure(ArithmeticErrorKind.DOMAIN_ERROR, "a signalling NaN is an operand")
_DEFAULT = ArithmeticContext.decimal128()
_ROUNDING = {
    RoundingMode.TO_NEAREST_EVEN: decimal.ROUND_HALF_EVEN,
    RoundingMode.TOWARD_ZERO: decimal.ROUND_DOWN,
    RoundingMode.TOWARD_POSITIVE: decimal.ROUND_CEILING,
    RoundingMode.TOWARD_NEGATIVE: decimal.ROUND_FLOOR,
    RoundingMode.AWAY_FROM_ZERO: decimal.ROUND_UP,
}


def context_of(ctx: ArithmeticContext | None) -> decimal.Context:
    """Return a fresh decimal context with the numbers of `ctx`, no traps and no flags.

    Raises
    ------
    ValueError
        If the decimal module has no such precision or exponent range.
    """
    return _template(ctx or _DEFAULT).copy()


def exactly(x: Decimal | int) -> Decimal:
    """Return `x` as a decimal, with all its digits."""
    if isinstance(x, Decimal) or x.bit_length() <= 20_000:
        return Decimal(x)
    # decimal's own conversion takes time by the square of the length
    half = x.bit_length() // 2
    c = _widest(decimal.MAX_PREC)
    high, low = exactly(x >> half), exactly(x & ((1 << half) - 1))
    return c.fma(high, c.power(Decimal(2), Decimal(half)), low)


def finished(result: Decimal, c: decimal.Context, *operands: Decimal) -> Decimal | Failure:
    """Return `result` unless finite operands left the range of the context."""
    overflowed = c.flags[decimal.Overflow] and all(x.is_finite() for x in operands)
    return OUT_OF_RANGE if overflowed else result


def divide(x: Decimal | int, y: Decimal | int, ctx: ArithmeticContext | None) -> Decimal | Failure:
    """Return the quotient; which quotients fail, and in which order, is as for floats."""
    c = context_of(ctx)
    x, y = exactly(x), exactly(y)
    if x.is_snan() or y.is_snan():
        return SIGNALS
    if y.is_zero():
        return ZERO_BY_ZERO if x.is_zero() else BY_ZERO
    if x.is_infinite() and y.is_infinite():
        return INF_BY_INF
    return finished(c.divide(x, y), c, x, y)


def square_root(x: Decimal, ctx: ArithmeticContext | None) -> Decimal | Failure:
    """Return the square root in the rounding of the context; that of -0 is -0."""
    c = context_of(ctx)
    if x.is_snan():
        return SIGNALS
    if x.is_signed() and not (x.is_zero() or x.is_nan()):
        return NEGATIVE_ROOT
    root = c.sqrt(x)
    if c.flags[decimal.Inexact] and c.rounding != decimal.ROUND_HALF_EVEN:
        # decimal rounds square roots to even whatever the context says
        c.clear_flags()
        root = c.plus(_stand_in_for_root(x, c.prec))
    return finished(root, c, x)


def compare(x: Decimal | int, y: Decimal | int) -> int | Failure:
    """Compare exactly, without a context."""
    x, y = exactly(x), exactly(y)
    return NOT_ORDERED if x.is_nan() or y.is_nan() else (x > y) - (x < y)


def power(x: Decimal, n: int, ctx: ArithmeticContext | None) -> Decimal | Failure:
    """Return x**n, correctly rounded."""
    c = context_of(ctx)
    if x.is_snan():
        return SIGNALS
    if n == 0:
        return Decimal(1)
    if n < 0 and x.is_zero():
        return BY_ZERO
    return finished(_power(x, Decimal(n), c), c, x)


def _power(x: Decimal, n: Decimal, c: decimal.Context) -> Decimal:
    # decimal's own power may be off by a unit of the last place, so more digits are taken until
    # both neighbours of what it says round to the same result
    extra = 8
    while True:
        extra *= 2
        wide = _widest(c.prec + extra)
        near = wide.power(x, n)
        if near.is_nan() or wide.flags[decimal.Overflow] or wide.flags[decimal.Subnormal]:
            return c.power(x, n)
        if not wide.flags[decimal.Inexact]:
            return c.plus(near)
        results = {c.plus(wide.next_minus(near)), c.plus(wide.next_plus(near))}
        if len(results) == 1:
            return results.pop()
        c.clear_flags()


def _stand_in_for_root(x: Decimal, precision: int) -> Decimal:
    # a number that every rounding to `precision` digits sends where it sends the irrational root
    wide = _widest(precision + 2)
    root = wide.sqrt(x)
    if not wide.flags[decimal.Inexact]:
        return root
    wide.prec = 2 * precision + 5
    if wide.multiply(root, root) > x:
        wide.prec = precision + 2
        root = wide.next_minus(root)
    sign, digits, exponent = root.as_tuple()
    return Decimal((sign, (*digits, 5), int(exponent) - 1))


def _widest(precision: int) -> decimal.Context:
    return decimal.Context(
        prec=precision,
        rounding=decimal.ROUND_HALF_EVEN,
        Emin=decimal.MIN_EMIN,
        Emax=decimal.MAX_EMAX,
        clamp=0,
        flags=[],
        traps=[],
    )


@functools.lru_cache(maxsize=64)
def _template(ctx: ArithmeticContext) -> decimal.Context:
    e_min = decimal.MIN_EMIN if ctx.e_min is None else ctx.e_min
    e_max = decimal.MAX_EMAX if ctx.e_max is None else ctx.e_max
    for name, number, least, most in (
        ("precision", ctx.precision, 1, decimal.MAX_PREC),
        ("e_min", e_min, decimal.MIN_EMIN, 0),
        ("e_max", e_max, 0, decimal.MAX_EMAX),
    ):
        if not least <= number <= most:
            raise ValueError(f"{name} of a decimal must be from {least} to {most}, not {number}")
    return decimal.Context(
        prec=ctx.precision,
        rounding=_ROUNDING[ctx.rounding],
        Emin=e_min,
        Emax=e_max,
        capitals=1,
        clamp=int(ctx.clamp),
        flags=[],
        traps=[],
    )
