"""Exact values, slopes and tangents by mpmath, and the bounds of law D8 on a tangent's error."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath.ctx_mp import MPContext

Real = Any  # a number of mpmath
Rule = Callable[..., Any]

MP = MPContext()
MP.prec = 150  # the square of a double is exact, and 4096 times a logarithm still has 130 bits
LEAST = MP.ldexp(1, -1074)
UNIT = MP.ldexp(1, -53)
BEYOND = MP.ldexp(1, 1024) - MP.ldexp(1, 970)  # from here on the nearest double is infinite

LN2 = MP.log(2)
LN10 = MP.log(10)
ERF_FACTOR = 2 / MP.sqrt(MP.pi)


def real(x: float | Fraction) -> Real:
    """A float exactly; a fraction to the context's precision."""
    return MP.mpf(x) if isinstance(x, float) else MP.mpf(x.numerator) / x.denominator


def ulp(x: Real) -> Real:
    """The distance of doubles near the real x, their range being unbounded above."""
    if x == 0:
        return LEAST
    return MP.ldexp(1, max(MP.mag(x) - 1, -1022) - 52)


# ---------------------------------------------------------------- values


def _steps(a: float, c: float) -> Fraction:
    return Fraction(a) / Fraction(c)


def _fmod_steps(a: float, c: float) -> int:
    return math.trunc(_steps(a, c))


def _remainder_steps(a: float, c: float) -> int:
    return round(_steps(a, c))


def _mod_steps(a: float, c: float) -> int:
    return math.floor(_steps(a, c))


def _remainder(steps: Callable[[float, float], int]) -> Rule:
    return lambda a, c: real(Fraction(a) - steps(a, c) * Fraction(c))


def _of_reals(function: Rule) -> Rule:
    return lambda *point: function(*(real(x) for x in point))


def _power(a: Real, c: Real) -> Real:
    if a < 0:
        return MP.exp(c * MP.log(-a)) * (1 if int(c) % 2 == 0 else -1)
    return MP.exp(c * MP.log(a)) if a else MP.mpf(a**c)


VALUES: dict[str, Rule] = {
    "sqrt": _of_reals(MP.sqrt),
    "cbrt": _of_reals(lambda a: MP.sign(a) * MP.cbrt(abs(a))),
    "exp": _of_reals(MP.exp),
    "exp2": _of_reals(lambda a: MP.exp(a * LN2)),
    "expm1": _of_reals(MP.expm1),
    "log": _of_reals(MP.log),
    "log2": _of_reals(lambda a: MP.log(a) / LN2),
    "log10": _of_reals(lambda a: MP.log(a) / LN10),
    "log1p": _of_reals(MP.log1p),
    "sin": _of_reals(MP.sin),
    "cos": _of_reals(MP.cos),
    "tan": _of_reals(MP.tan),
    "asin": _of_reals(MP.asin),
    "acos": _of_reals(MP.acos),
    "atan": _of_reals(MP.atan),
    "sinh": _of_reals(MP.sinh),
    "cosh": _of_reals(MP.cosh),
    "tanh": _of_reals(MP.tanh),
    "asinh": _of_reals(MP.asinh),
    "acosh": _of_reals(MP.acosh),
    "atanh": _of_reals(MP.atanh),
    "erf": _of_reals(MP.erf),
    "erfc": _of_reals(MP.erfc),
    "gamma": _of_reals(MP.gamma),
    "lgamma": _of_reals(lambda a: MP.re(MP.loggamma(a))),
    "fabs": _of_reals(abs),
    "floor": _of_reals(MP.floor),
    "ceil": _of_reals(MP.ceil),
    "trunc": lambda a: MP.mpf(math.trunc(a)),
    "degrees": _of_reals(lambda a: a * 180 / MP.pi),
    "radians": _of_reals(lambda a: a * MP.pi / 180),
    "hypot": _of_reals(lambda a, c: MP.sqrt(a * a + c * c)),
    "atan2": _of_reals(MP.atan2),
    "fmod": _remainder(_fmod_steps),
    "remainder": _remainder(_remainder_steps),
    "mod": _remainder(_mod_steps),
    "copysign": lambda a, c: MP.mpf(math.copysign(a, c)),
    "power": _of_reals(_power),
    "power_constant_exponent": _of_reals(_power),
    "power_constant_base": _of_reals(_power),
    "division": _of_reals(lambda a, c: a / c),
}


# ---------------------------------------------------------------- slopes: one an argument


def _base_slope(a: Real, c: Real) -> Real:
    if a == 0:
        return MP.mpf(c == 1)  # where there is a finite one, c is 0 or at least 1
    return c * _power(a, c) / a


def _exponent_slope(a: Real, c: Real) -> Real:
    return _power(a, c) * MP.log(a) if a else MP.mpf(0)


def _hypot_slopes(a: Real, c: Real) -> tuple[Real, Real]:
    distance = MP.sqrt(a * a + c * c)
    return a / distance, c / distance


def _atan2_slopes(a: Real, c: Real) -> tuple[Real, Real]:
    square = a * a + c * c
    return c / square, -a / square


def _one(slope: Rule) -> Rule:
    return lambda a: (slope(real(a)),)


def _step_slopes(steps: Callable[[float, float], int]) -> Rule:
    return lambda a, c: (MP.mpf(1), MP.mpf(-steps(a, c)))


SLOPES: dict[str, Rule] = {
    "sqrt": _one(lambda a: 1 / (2 * MP.sqrt(a))),
    "cbrt": _one(lambda a: 1 / (3 * MP.cbrt(abs(a)) ** 2)),
    "exp": _one(MP.exp),
    "exp2": _one(lambda a: MP.exp(a * LN2) * LN2),
    "expm1": _one(MP.exp),
    "log": _one(lambda a: 1 / a),
    "log2": _one(lambda a: 1 / (a * LN2)),
    "log10": _one(lambda a: 1 / (a * LN10)),
    "log1p": _one(lambda a: 1 / (1 + a)),
    "sin": _one(MP.cos),
    "cos": _one(lambda a: -MP.sin(a)),
    "tan": _one(lambda a: 1 / MP.cos(a) ** 2),
    "asin": _one(lambda a: 1 / MP.sqrt((1 - a) * (1 + a))),
    "acos": _one(lambda a: -1 / MP.sqrt((1 - a) * (1 + a))),
    "atan": _one(lambda a: 1 / (1 + a * a)),
    "sinh": _one(MP.cosh),
    "cosh": _one(MP.sinh),
    "tanh": _one(lambda a: 1 / MP.cosh(a) ** 2),
    "asinh": _one(lambda a: 1 / MP.sqrt(1 + a * a)),
    "acosh": _one(lambda a: 1 / MP.sqrt((a - 1) * (a + 1))),
    "atanh": _one(lambda a: 1 / ((1 - a) * (1 + a))),
    "erf": _one(lambda a: ERF_FACTOR * MP.exp(-a * a)),
    "erfc": _one(lambda a: -ERF_FACTOR * MP.exp(-a * a)),
    "gamma": _one(lambda a: MP.gamma(a) * MP.digamma(a)),
    "lgamma": _one(MP.digamma),
    "fabs": _one(MP.sign),
    "floor": _one(lambda a: MP.mpf(0)),
    "ceil": _one(lambda a: MP.mpf(0)),
    "trunc": _one(lambda a: MP.mpf(0)),
    "degrees": _one(lambda a: 180 / MP.pi),
    "radians": _one(lambda a: MP.pi / 180),
    "hypot": _of_reals(_hypot_slopes),
    "atan2": _of_reals(_atan2_slopes),
    "fmod": _step_slopes(_fmod_steps),
    "remainder": _step_slopes(_remainder_steps),
    "mod": _step_slopes(_mod_steps),
    "copysign": lambda a, c: (MP.mpf(math.copysign(1, a) * math.copysign(1, c)), MP.mpf(0)),
    "power": _of_reals(lambda a, c: (_base_slope(a, c), _exponent_slope(a, c))),
    "power_constant_exponent": _of_reals(lambda a, c: (_base_slope(a, c), MP.mpf(0))),
    "power_constant_base": _of_reals(lambda a, c: (MP.mpf(0), _exponent_slope(a, c))),
    "division": _of_reals(lambda a, c: (1 / c, -a / (c * c))),
}


# ---------------------------------------------------------------- the law


@dataclass(frozen=True, slots=True)
class Measured:
    """How far a tangent is from the exact one: in units of D8's bound, and in ulp of its terms."""

    share: float
    ulps: float


def bound(
    name: str, point: Sequence[float], slopes: Sequence[Real], along: Sequence[float]
) -> Real:
    """How far D8 lets the tangent be from the exact one."""
    terms = [slope * real(b) for slope, b in zip(slopes, along, strict=True)]
    if name == "division":
        return 4 * UNIT * sum(abs(term) for term in terms) + LEAST
    if name in ("gamma", "lgamma"):
        size = abs(VALUES["gamma"](*point)) if name == "gamma" else 1
        return 32 * UNIT * (abs(slopes[0]) + size) * abs(real(along[0])) + ulp(terms[0])
    allowed = sum(4 * ulp(slope) * abs(real(b)) for slope, b in zip(slopes, along, strict=True))
    return allowed + ulp(sum(terms))


def measure(
    name: str, point: Sequence[float], slopes: Sequence[Real], along: Sequence[float], got: float
) -> Measured:
    """Compare a tangent at `point` along `along` with the exact one; all given are finite."""
    terms = [slope * real(b) for slope, b in zip(slopes, along, strict=True)]
    exact, allowed = sum(terms), bound(name, point, slopes, along)
    if math.isnan(got):
        return Measured(math.inf, math.inf)
    if math.isinf(got):
        fits = (exact if got > 0 else -exact) + allowed >= BEYOND
        return Measured(0.0, 0.0) if fits else Measured(math.inf, math.inf)
    error = abs(real(got) - exact)
    return Measured(float(error / allowed), float(error / ulp(sum(abs(term) for term in terms))))
