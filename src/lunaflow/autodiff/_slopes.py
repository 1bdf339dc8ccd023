"""Slopes of the functions, each times a tangent, in any ring of numbers.

`f` holds the functions of that ring by name. Numbers are duals over floats or over duals, or of a
type of their own, and operators do what those of the type do. A slope is written so that it neither
cancels nor overflows, and branches by values alone; then its own slopes are right as well.
"""

import math
from collections.abc import Callable
from typing import Any

from lunaflow.autodiff import _values as values

_LN2 = math.log(2)
_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
_FAR = 350  # exp(-2 * _FAR) vanishes beside 1, and cosh(_FAR) is no overflow


def undefined(b: Any) -> Any:
    """Return what zero divided by zero is: NaN, or the exception of the type."""
    zero = 0 * b
    return math.nan if isinstance(zero, float) else zero / zero


def sqrt(f: Any, a: Any, b: Any) -> Any:
    """Return b / (2 sqrt(a))."""
    return b / (2 * f.sqrt(a))


def cbrt(f: Any, a: Any, b: Any) -> Any:
    """Return b / (3 cbrt(a)**2)."""
    root = f.cbrt(a)
    # a library's root may be some ulp off, which its square doubles
    return b / (root * root) if a == 0 else root / a * b / 3


def exp(f: Any, a: Any, b: Any) -> Any:
    """Return exp(a) b."""
    return f.exp(a) * b


def exp2(f: Any, a: Any, b: Any) -> Any:
    """Return 2**a log(2) b."""
    return f.exp2(a) * _LN2 * b


def log(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b / a."""
    return b / a


def log2(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b / (a log(2))."""
    return b / a / _LN2


def log10(f: Any, a: Any, b: Any) -> Any:
    """Return b / (a log(10))."""
    return b / a / f.log(f.like(a, 10))


def log1p(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b / (1 + a)."""
    return b / (1 + a)


def sin(f: Any, a: Any, b: Any) -> Any:
    """Return cos(a) b."""
    return f.cos(a) * b


def cos(f: Any, a: Any, b: Any) -> Any:
    """Return -sin(a) b."""
    return -(f.sin(a) * b)


def tan(f: Any, a: Any, b: Any) -> Any:
    """Return b / cos(a)**2."""
    cosine = f.cos(a)
    return b / (cosine * cosine)


def asin(f: Any, a: Any, b: Any) -> Any:
    """Return b / sqrt(1 - a**2)."""
    if -0.5 < a < 0.5:
        return b / f.sqrt(1 - a * a)
    return b / (f.sqrt(1 - a) * f.sqrt(1 + a))


def acos(f: Any, a: Any, b: Any) -> Any:
    """Return -b / sqrt(1 - a**2)."""
    return -asin(f, a, b)


def atan(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b / (1 + a**2)."""
    if -1 <= a <= 1:
        return b / (1 + a * a)
    inverse = 1 / a
    return b * inverse * inverse / (1 + inverse * inverse)


def sinh(f: Any, a: Any, b: Any) -> Any:
    """Return cosh(a) b."""
    return f.cosh(a) * b


def cosh(f: Any, a: Any, b: Any) -> Any:
    """Return sinh(a) b."""
    return f.sinh(a) * b


def tanh(f: Any, a: Any, b: Any) -> Any:
    """Return b / cosh(a)**2."""
    if -_FAR < a < _FAR:
        cosine = f.cosh(a)
        return b / cosine / cosine
    return 4 * f.exp(-2 * f.fabs(a)) * b


def asinh(f: Any, a: Any, b: Any) -> Any:
    """Return b / sqrt(1 + a**2)."""
    return b / f.hypot(1.0, a)


def acosh(f: Any, a: Any, b: Any) -> Any:
    """Return b / sqrt(a**2 - 1)."""
    return b / (f.sqrt(a - 1) * f.sqrt(a + 1))


def atanh(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b / (1 - a**2)."""
    return b / ((1 - a) * (1 + a))


def erf(f: Any, a: Any, b: Any) -> Any:
    """Return 2 / sqrt(pi) exp(-a**2) b."""
    value = f.primal(a)
    if abs(value) > 30:
        return 0 * b
    # the square of so short a number is exact, and what is left of a**2 is small
    short = math.ldexp(round(math.ldexp(value, 20)), -20)
    return f.exp(-short * short) * _TWO_OVER_ROOT_PI * f.exp(-((a - short) * (a + short))) * b


def erfc(f: Any, a: Any, b: Any) -> Any:
    """Return -2 / sqrt(pi) exp(-a**2) b."""
    return -erf(f, a, b)


def gamma(f: Any, a: Any, b: Any) -> Any:
    """Return gamma(a) digamma(a) b."""
    return f.gamma(a) * b * digamma(f, a)


def lgamma(f: Any, a: Any, b: Any) -> Any:
    """Return digamma(a) b."""
    return digamma(f, a) * b


def digamma(f: Any, a: Any) -> Any:
    """Return the slope of log(gamma(a))."""
    if a > 0:
        return _digamma_of_positive(f, a)
    if values.is_whole(f.primal(a)):
        return undefined(a)
    rest = a - round(f.primal(a))
    if abs(f.primal(rest)) <= 0.25:
        cotangent = 1 / f.tan(math.pi * rest)
    else:
        cotangent = f.tan(math.pi * (math.copysign(0.5, f.primal(rest)) - rest))
    return _digamma_of_positive(f, 1 - a) - math.pi * cotangent


def _digamma_of_positive(f: Any, a: Any) -> Any:
    # by recurrence to where Stirling's series, and those of its slopes, are good
    result: Any = 0
    while a < 20:
        result = result - 1 / a
        a = a + 1
    w = 1 / a / a
    series = 1 / 240 - w * (1 / 132 - w * (691 / 32760 - w / 12))
    series = w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * series)))
    return result + (f.log(a) - (0.5 / a + series))


def fabs(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b with the sign of a."""
    return -b if a < 0 else b


def flat(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return 0 b: between its jumps the function is constant."""
    return 0 * b


def degrees(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return 180 / pi b."""
    return b * (180 / math.pi)


def radians(f: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return pi / 180 b."""
    return b * (math.pi / 180)


def hypot_first(f: Any, a: Any, c: Any, b: Any) -> Any:
    """Return a / hypot(a, c) b."""
    return cosine(f, a, c) * b


def hypot_second(f: Any, a: Any, c: Any, d: Any) -> Any:
    """Return c / hypot(a, c) d."""
    return cosine(f, c, a) * d


def cosine(f: Any, a: Any, c: Any) -> Any:
    """Return a / hypot(a, c) by the ratio of the smaller to the larger, so that nothing cancels."""
    size, other = abs(f.primal(a)), abs(f.primal(c))
    if values.is_infinite(max(size, other)):
        return share(f, a, f.hypot(a, c))
    if size >= other:
        ratio = c / a
        return f.copysign(1.0, f.primal(a)) / f.sqrt(1 + ratio * ratio)
    ratio = a / c
    return f.copysign(1.0, f.primal(c)) * ratio / f.sqrt(1 + ratio * ratio)


def share(f: Any, a: Any, distance: Any) -> Any:
    """Return a / distance, also for an infinite distance, of which a is a coordinate."""
    if not values.is_infinite(f.primal(distance)):
        return a / distance
    return f.copysign(1.0, f.primal(a)) if values.is_infinite(f.primal(a)) else 0 * a


def atan2_first(f: Any, a: Any, c: Any, b: Any) -> Any:
    """Return c / (a**2 + c**2) b."""
    return cosine(f, c, a) * b / f.hypot(a, c)


def atan2_second(f: Any, a: Any, c: Any, d: Any) -> Any:
    """Return -a / (a**2 + c**2) d."""
    return -(cosine(f, a, c) * d / f.hypot(a, c))


def remainder_first(f: Any, a: Any, c: Any, b: Any) -> Any:  # noqa: ARG001
    """Return b."""
    return b


def fmod_second(f: Any, a: Any, c: Any, d: Any) -> Any:
    """Return -n d, where n is the quotient rounded towards zero."""
    return _minus_quotient(f, f.fmod, a, c) * d


def mod_second(f: Any, a: Any, c: Any, d: Any) -> Any:
    """Return -n d, where n is the quotient rounded down."""
    return _minus_quotient(f, f.mod, a, c) * d


def remainder_second(f: Any, a: Any, c: Any, d: Any) -> Any:
    """Return -n d, where n is the nearest integer to the quotient."""
    return _minus_quotient(f, f.remainder, a, c) * d


def _minus_quotient(f: Any, remainder: Any, a: Any, c: Any) -> Any:
    a, c = f.primal(a), f.primal(c)
    return -values.whole_quotient(a, remainder(a, c), c)


def copysign_first(f: Any, a: Any, c: Any, b: Any) -> Any:
    """Return b, or -b where the sign changes."""
    is_kept = (f.copysign(f.primal(a), f.primal(c)) < 0) == (a < 0)
    return b if is_kept else -b


def copysign_second(f: Any, a: Any, c: Any, d: Any) -> Any:  # noqa: ARG001
    """Return 0 d: only the sign of c counts."""
    return 0 * d


def power_first(f: Any, a: Any, c: Any, b: Any) -> Any:
    """Return c a**(c - 1) b."""
    return 0 * b if _is_constant(f, c, 0) else c * _lower_power(f, a, c, 0, b)


def power_second(f: Any, a: Any, c: Any, d: Any) -> Any:
    """Return a**c log(a) d."""
    return f.power_log(a, c, 1) * d


def power_log(f: Any, a: Any, c: Any, k: int) -> Any:
    """Return a**c log(a)**k of plain numbers: what slopes of powers are made of."""
    if isinstance(a, int):
        a = values.like(c, a)
    if (a == 0 and c > 0) or (c < 0 and values.is_infinite(a)):
        return 0 * c
    return f.power(a, c) * f.log(a) ** k


def power_log_first(k: int) -> Callable[..., Any]:
    """Return the slope of `power_log` in a: a**(c - 1) (c log(a)**k + k log(a)**(k - 1))."""

    def tangent(f: Any, a: Any, c: Any, b: Any) -> Any:
        lower = k * _lower_power(f, a, c, k - 1, b)
        return lower if _is_constant(f, c, 0) else c * _lower_power(f, a, c, k, b) + lower

    return tangent


def power_log_second(k: int) -> Callable[..., Any]:
    """Return the slope of `power_log` in c: a**c log(a)**(k + 1)."""
    return lambda f, a, c, d: f.power_log(a, c, k + 1) * d


def _is_constant(f: Any, c: Any, number: int) -> bool:
    return not f.is_dual(c) and bool(c == number)


def _lower_power(f: Any, a: Any, c: Any, k: int, b: Any) -> Any:
    """Return a**(c - 1) log(a)**k b."""
    if a == 0 or _has_predecessor(f.primal(c)):
        return f.power_log(a, c - 1, k) * b
    return f.power_log(a, c, k) * (b / a)  # a power magnifies what c - 1 loses when it is rounded


def _has_predecessor(c: Any) -> bool:
    """Say whether c - 1 is not rounded."""
    lower = c - 1
    step = lower - c
    return bool((c - (lower - step)) + (-1 - step) == 0)
