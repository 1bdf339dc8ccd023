"""Where a function has no value or no slope: the kinds of such points, and what tells them."""

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lunaflow.arithmetic import ArithmeticErrorKind
from lunaflow.arithmetic._failures import Failure
from lunaflow.arithmetic._int_rules import TOO_LONG as TOO_LONG_FAILURE
from lunaflow.arithmetic._int_rules import power_exceeds
from lunaflow.autodiff import _values as values

_Kind = ArithmeticErrorKind


class Trouble(enum.Enum):
    """What the value of an argument alone says against a function's value or slope."""

    NO_VALUE = "no value"
    POLE = "pole"
    INFINITE_SLOPE = "infinite slope"
    KINK = "kink"
    JUMP = "jump"
    TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class Fails:
    """Points at which a function fails: in words, in kind, and as a test of plain numbers."""

    where: str
    trouble: Trouble
    at: Callable[..., bool]


BREAKS = (Trouble.KINK, Trouble.JUMP)
# of which component each says that it does not exist, and why
FAILURES = {
    Trouble.NO_VALUE: ("value", Failure(_Kind.DOMAIN_ERROR, "the function has no value here")),
    Trouble.POLE: ("value", Failure(_Kind.DIVISION_BY_ZERO, "zero to a negative power")),
    Trouble.INFINITE_SLOPE: (
        "tangent",
        Failure(_Kind.DIVISION_BY_ZERO, "the slope is infinite here"),
    ),
    Trouble.KINK: (
        "tangent",
        Failure(_Kind.DOMAIN_ERROR, "there is no slope here: those of the two sides differ"),
    ),
    Trouble.JUMP: (
        "tangent",
        Failure(_Kind.DOMAIN_ERROR, "there is no slope here: the function jumps"),
    ),
    Trouble.TOO_LONG: ("value", TOO_LONG_FAILURE),
}


def length_kinks(*coordinates: Any) -> bool:
    """Say whether the distance has a kink: in the origin, and between infinite coordinates."""
    infinite = sum(values.is_infinite(x) for x in coordinates)
    return infinite > 1 or all(x == 0 for x in coordinates)


def mantissa_jumps(x: Any) -> bool:
    """Say whether the mantissa of x jumps."""
    return bool(x == 0) or (math.isfinite(x) and abs(math.frexp(x)[0]) == 0.5)


def no_remainder(x: Any, y: Any) -> bool:
    """Say whether x has no remainder by y."""
    return not values.is_nan(x) and not values.is_nan(y) and (values.is_infinite(x) or y == 0)


def fmod_jumps(x: Any, y: Any) -> bool:
    """Say whether the remainder with the sign of x jumps: at multiples of y other than 0."""
    return bool(x != 0 and values.remainder("fmod", x, y) == 0)


def mod_jumps(x: Any, y: Any) -> bool:
    """Say whether x % y jumps: that of decimals has the sign of x, that of others the sign of y."""
    truncates = isinstance(x, Decimal) or isinstance(y, Decimal)
    return bool(y != 0 and x % y == 0) and not (truncates and x == 0)


def remainder_jumps(x: Any, y: Any) -> bool:
    """Say whether the nearest remainder jumps: half way between multiples of y."""
    size = abs(values.remainder("remainder", x, y))
    return bool(abs(y) - size == size)


def copysign_kinks(x: Any, y: Any) -> bool:
    """Say whether |x| with the sign of y has a kink."""
    return not values.is_nan(y) and bool(x == 0)


def copysign_jumps(x: Any, y: Any) -> bool:
    """Say whether |x| with the sign of y jumps."""
    return not values.is_nan(x) and bool(y == 0)


def is_pole(x: Any, y: Any) -> bool:
    """Say whether x**y is zero to a negative power."""
    return bool(x == 0 and y < 0)


def root_of_negative(x: Any, y: Any) -> bool:
    """Say whether x**y is no real number; powers of minus infinity are 0 or infinite."""
    return (
        bool(x < 0)
        and not values.is_infinite(x)
        and not values.is_nan(y)
        and not values.is_whole(y)
    )


def infinite_at_zero(x: Any, y: Any) -> bool:
    """Say whether x**y has an infinite slope in x."""
    return bool(x == 0 and 0 < y < 1)


def jumps_beyond(x: Any, y: Any) -> bool:
    """Say whether x**y jumps in x, as infinite powers do at 1 and -1."""
    return values.is_infinite(y) and bool(abs(x) == 1)


def negative_base(x: Any, y: Any) -> bool:
    """Say whether x**y exists at single exponents at most, so that it has no slope in y."""
    return not values.is_nan(y) and bool(x < 0)


def jumps_at_exponent(x: Any, y: Any) -> bool:
    """Say whether x**y jumps in y."""
    return bool(y == 0) and (bool(x == 0) or values.is_infinite(x))


def too_long(x: Any, y: Any) -> bool:
    """Say whether x**y is a fraction too long to be computed."""
    if not isinstance(x, Fraction) or not values.is_whole(y) or (y < 0 and x == 0):
        return False
    return power_exceeds(max(abs(x.numerator), x.denominator), abs(math.trunc(y)))
