"""Checked operations on fractions: exact, or no result."""

import math
from fractions import Fraction

from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._errors import ArithmeticErrorKind
from lunaflow.arithmetic._failures import BY_ZERO, NEGATIVE_ROOT, ZERO_BY_ZERO, Failure
from lunaflow.arithmetic._int_rules import TOO_LONG, power_exceeds

IRRATIONAL = Failure(
    ArithmeticErrorKind.UNSUPPORTED_OPERATION, "the square root is irrational, so no fraction"
)


def divide(
    x: Fraction | int, y: Fraction | int, _ctx: ArithmeticContext | None
) -> Fraction | Failure:
    """Return the quotient."""
    if y == 0:
        return ZERO_BY_ZERO if x == 0 else BY_ZERO
    return Fraction(x) / y


def square_root(x: Fraction, _ctx: ArithmeticContext | None) -> Fraction | Failure:
    """Return the square root of a ratio of two squares."""
    if x < 0:
        return NEGATIVE_ROOT
    root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return root if root * root == x else IRRATIONAL


def power(x: Fraction, n: int, _ctx: ArithmeticContext | None) -> Fraction | Failure:
    """Return x**n; OVERFLOW if numerator or denominator would have more than 10**6 bits."""
    if n < 0 and x == 0:
        return BY_ZERO
    if power_exceeds(max(abs(x.numerator), x.denominator), abs(n)):
        return TOO_LONG
    return x**n
