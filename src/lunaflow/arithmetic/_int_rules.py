"""Checked operations on ints, and on floats beside ints: exact, or one correctly rounded float."""

import math
from typing import Any

from lunaflow.arithmetic import _float_rules
from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._errors import ArithmeticErrorKind
from lunaflow.arithmetic._failures import (
    BY_ZERO,
    NEGATIVE_ROOT,
    NOT_ORDERED,
    OUT_OF_RANGE,
    ZERO_BY_ZERO,
    Failure,
)

POWER_BITS = 10**6
TOO_LONG = Failure(ArithmeticErrorKind.OVERFLOW, f"the exact power has more than {POWER_BITS} bits")
_EXACT = 2**53  # every int up to here is a float


def divide(x: int, y: int, _ctx: ArithmeticContext | None) -> float | Failure:
    """Return the quotient as the nearest float."""
    if y == 0:
        return ZERO_BY_ZERO if x == 0 else BY_ZERO
    return _quotient(x, y)


def divide_mixed(x: Any, y: Any, _ctx: ArithmeticContext | None) -> float | Failure:
    """Divide floats, or an int and a float as if the int had been written without rounding."""
    if _is_exact(x) and _is_exact(y):
        return _float_rules.divide(x, y)
    known = y if isinstance(x, int) else x
    if known == 0 or not math.isfinite(known):
        # beside 0, inf and NaN of an int no more than the sign counts
        return _float_rules.divide(_sign(x), _sign(y))
    (a, b), (c, d) = x.as_integer_ratio(), y.as_integer_ratio()
    return _quotient(a * d, b * c)


def square_root(x: int, _ctx: ArithmeticContext | None) -> float | Failure:
    """Return the nearest float to the square root."""
    if x < 0:
        return NEGATIVE_ROOT
    if x.bit_length() > 2048:
        return OUT_OF_RANGE
    # 55 bits or more of the root: those beyond 53 and the last, which says "and more", round it
    half = (x.bit_length() - 110) // 2
    scaled = x >> 2 * half if half > 0 else x << -2 * half
    root = math.isqrt(scaled)
    if root * root != scaled or (half > 0 and scaled << 2 * half != x):
        root |= 1
    try:
        return math.ldexp(root, half)
    except OverflowError:
        return OUT_OF_RANGE


def compare(x: Any, y: Any) -> int | Failure:
    """Compare exactly; NaN has no order."""
    return NOT_ORDERED if x != x or y != y else (x > y) - (x < y)


def power(x: int, n: int, _ctx: ArithmeticContext | None) -> float | Failure:
    """Return x**n: an exact int, or the nearest float where n is negative."""
    if n >= 0:
        return TOO_LONG if power_exceeds(abs(x), n) else x**n
    if x == 0:
        return BY_ZERO
    if (abs(x).bit_length() - 1) * -n > 1100:
        return -0.0 if x < 0 and n % 2 else 0.0
    return _quotient(1, x**-n)


def power_exceeds(base: int, n: int) -> bool:
    """Say whether base**n, neither of them negative, has more than 10**6 bits."""
    if base < 2 or n < 2:
        return n == 1 and base.bit_length() > POWER_BITS
    if (base.bit_length() - 1) * n >= POWER_BITS:
        return True
    bits = n * math.log2(base)
    if abs(bits - POWER_BITS) > 1e-3:
        return bits > POWER_BITS
    power: int = base**n
    return power.bit_length() > POWER_BITS  # too close to be told from its logarithm


def _quotient(n: int, d: int) -> float | Failure:
    try:
        return n / d  # Python rounds the quotient of two ints once, whatever their size
    except OverflowError:
        return OUT_OF_RANGE


def _is_exact(x: Any) -> bool:
    return isinstance(x, float) or abs(x) <= _EXACT


def _sign(x: Any) -> float:
    return x if isinstance(x, float) else 1.0 if x > 0 else -1.0
