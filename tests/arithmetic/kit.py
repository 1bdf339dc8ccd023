"""Exact references, written with integers and fractions alone, and strategies that reach edges."""

import math
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    ArithmeticErrorKind,
    Err,
    Ok,
    RoundingMode,
)

Kind = ArithmeticErrorKind
Outcome = Ok[Any] | Err[ArithmeticError]

EDGES = [0.0, 5e-324, 2.2250738585072014e-308, 1.0, 1.5, 1.7976931348623157e308, math.inf]
FLOATS = st.sampled_from([*EDGES, *(-x for x in EDGES), math.nan]) | st.floats()
BIG_INTS = st.integers(-(2**70), 2**70) | st.builds(
    lambda m, e: m << e, st.integers(-(2**80), 2**80), st.integers(0, 3000)
)
FRACTIONS = st.fractions() | st.builds(
    lambda n, d: Fraction(n, 2**d), st.integers(-(2**80), 2**80), st.integers(0, 2000)
)


def kind_of(outcome: Outcome) -> ArithmeticErrorKind | None:
    """The kind of an Err, None for an Ok."""
    return outcome.error.kind if isinstance(outcome, Err) else None


def bits(x: float) -> bytes:
    """The bits of a float, one pattern for all NaNs."""
    assert type(x) is float
    return b"nan" if x != x else struct.pack("<d", x)


def floor_log(q: Fraction, base: int) -> int:
    """The largest k with base**k <= q."""
    size = len(bin(q.numerator)) - len(bin(q.denominator))
    k = math.floor(size * math.log(2, base)) - 2
    while Fraction(base) ** (k + 1) <= q:
        k += 1
    return k


def nearest(q: Fraction) -> float:
    """The nearest float, ties to even; infinite beyond the range."""
    if q == 0:
        return 0.0
    unit = max(floor_log(abs(q), 2), -1022) - 52
    try:
        size = math.ldexp(round(abs(q) / Fraction(2) ** unit), unit)
    except OverflowError:
        size = math.inf
    return -size if q < 0 else size


def is_nearest_root(root: float, q: Fraction) -> bool:
    """Whether `root` is the nearest float to the square root of `q`."""
    below, here, above = (
        Fraction(x) for x in (math.nextafter(root, 0.0), root, math.nextafter(root, math.inf))
    )
    return (below + here) ** 2 <= 4 * q <= (here + above) ** 2


def _step(rounding: RoundingMode, negative: bool, floor: int, above: int, tie: int) -> int:
    # above: whether the magnitude lies above `floor`; tie: its side of the middle, -1, 0 or 1
    if rounding is RoundingMode.TO_NEAREST_EVEN:
        return floor + (tie > 0 or (tie == 0 and floor % 2))
    away = {
        RoundingMode.TOWARD_ZERO: False,
        RoundingMode.AWAY_FROM_ZERO: True,
        RoundingMode.TOWARD_POSITIVE: not negative,
        RoundingMode.TOWARD_NEGATIVE: negative,
    }[rounding]
    return floor + (above and away)


def _finish(steps: int, unit: int, ctx: ArithmeticContext) -> Fraction | None:
    value = steps * Fraction(10) ** unit
    too_large = ctx.e_max is not None and abs(value) >= Fraction(10) ** (ctx.e_max + 1)
    return None if too_large else value


def _unit(adjusted: int, ctx: ArithmeticContext) -> int:
    return (adjusted if ctx.e_min is None else max(adjusted, ctx.e_min)) - ctx.precision + 1


def rounded(q: Fraction, ctx: ArithmeticContext) -> Fraction | None:
    """`q` rounded under a decimal context, None if that overflows."""
    if q == 0:
        return q
    unit = _unit(floor_log(abs(q), 10), ctx)
    steps = abs(q) / Fraction(10) ** unit
    floor = math.floor(steps)
    rest = steps - floor
    tie = (2 * rest > 1) - (2 * rest < 1)
    whole = _step(ctx.rounding, q < 0, floor, rest > 0, tie)
    return _finish(-whole if q < 0 else whole, unit, ctx)


def rounded_root(q: Fraction, ctx: ArithmeticContext) -> Fraction | None:
    """The square root of `q` rounded under a decimal context, None if that overflows."""
    if q == 0:
        return q
    unit = _unit(floor_log(q, 10) // 2, ctx)
    square = q / Fraction(100) ** unit
    floor = math.isqrt(math.floor(square))
    middle = Fraction(2 * floor + 1, 2) ** 2
    tie = (square > middle) - (square < middle)
    return _finish(_step(ctx.rounding, False, floor, square > floor**2, tie), unit, ctx)


def decimals(digits: int = 12, exponent: int = 25) -> st.SearchStrategy[Decimal]:
    """Finite decimals."""
    return st.builds(
        lambda n, e: Decimal(n).scaleb(e),
        st.integers(-(10**digits), 10**digits) | st.integers(-20, 20),
        st.integers(-exponent, exponent),
    )


CONTEXTS = st.builds(
    ArithmeticContext,
    st.integers(1, 40),
    rounding=st.sampled_from(RoundingMode),
    e_min=st.none() | st.integers(-30, 0),
    e_max=st.none() | st.integers(0, 30),
    clamp=st.booleans(),
)
