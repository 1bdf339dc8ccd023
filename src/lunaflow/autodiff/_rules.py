"""The rules of the elementary functions: one table for code, documents and tests.

Adding a function is adding a row here and a kernel to `_kernels.pyx`. The tests compare each row
with the kernel of its name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lunaflow.autodiff import _slopes as slopes
from lunaflow.autodiff import _troubles as troubles
from lunaflow.autodiff._troubles import BREAKS, Fails, Trouble
from lunaflow.autodiff._values import is_infinite, is_whole

REAL = "all numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What is known of one function.

    Parameters
    ----------
    name : str
        Its name in `math`, or NumPy's if it has none there.
    numpy : str or None
        NumPy's spelling, None where NumPy has no such function.
    arguments : tuple of str
        Their names.
    returns : str
        The value in words: "the sine of x".
    derivatives : tuple of str
        The slope in each argument, as a formula for readers.
    tangents : tuple of callable
        The same as code: each takes the functions of a ring, the arguments and the tangent of one
        of them.
    domain : str
        Where there is a value, in words.
    fails : tuple of Fails
        Where value or slope fail, in the order in which that is tested.
    """

    name: str
    numpy: str | None
    arguments: tuple[str, ...] = ("x",)
    returns: str
    derivatives: tuple[str, ...]
    tangents: tuple[Callable[..., Any], ...]
    domain: str = REAL
    fails: tuple[Fails, ...] = ()

    @property
    def breaks(self) -> tuple[Callable[..., bool], ...]:
        """The tests of points at which the slopes of both sides differ, or the value jumps."""
        return tuple(fault.at for fault in self.fails if fault.trouble in BREAKS)

    def trouble(self, *values: Any) -> Trouble | None:
        """Return what stands against value or slope at these plain numbers."""
        return next((fault.trouble for fault in self.fails if fault.at(*values)), None)


def _unary(
    name: str,
    numpy: str | None,
    returns: str,
    derivative: str,
    tangent: Callable[..., Any],
    *fails: Fails,
    domain: str = REAL,
) -> Rule:
    return Rule(
        name=name,
        numpy=numpy,
        returns=returns,
        derivatives=(derivative,),
        tangents=(tangent,),
        domain=domain,
        fails=fails,
    )


def _logarithm(name: str, returns: str, derivative: str, tangent: Callable[..., Any]) -> Rule:
    fault = Fails("x <= 0", Trouble.NO_VALUE, lambda x: x <= 0)
    return _unary(name, name, returns, derivative, tangent, fault, domain="x > 0")


_INFINITE = Fails("x infinite", Trouble.NO_VALUE, is_infinite)
_WHOLE = Fails("x an integer", Trouble.JUMP, is_whole)
_ENDS = (
    Fails("abs(x) > 1", Trouble.NO_VALUE, lambda x: abs(x) > 1),
    Fails("abs(x) = 1", Trouble.INFINITE_SLOPE, lambda x: abs(x) == 1),
)
_POLES = Fails("x = 0, -1, -2 ...", Trouble.NO_VALUE, lambda x: x <= 0 and is_whole(x))
_NO_REMAINDER = Fails("x infinite or y = 0", Trouble.NO_VALUE, troubles.no_remainder)

_ROOTS = (
    _unary(
        "sqrt",
        "sqrt",
        "the square root of x",
        "1 / (2 sqrt(x))",
        slopes.sqrt,
        Fails("x < 0", Trouble.NO_VALUE, lambda x: x < 0),
        Fails("x = 0", Trouble.INFINITE_SLOPE, lambda x: x == 0),
        domain="x >= 0",
    ),
    _unary(
        "cbrt",
        "cbrt",
        "the cube root of x",
        "1 / (3 cbrt(x)**2)",
        slopes.cbrt,
        Fails("x = 0", Trouble.INFINITE_SLOPE, lambda x: x == 0),
    ),
)
_EXPONENTIALS = (
    _unary("exp", "exp", "e**x", "exp(x)", slopes.exp),
    _unary("exp2", "exp2", "2**x", "2**x log(2)", slopes.exp2),
    _unary("expm1", "expm1", "e**x - 1", "exp(x)", slopes.exp),
    _logarithm("log", "the natural logarithm of x", "1 / x", slopes.log),
    _logarithm("log2", "the logarithm of x to base 2", "1 / (x log(2))", slopes.log2),
    _logarithm("log10", "the logarithm of x to base 10", "1 / (x log(10))", slopes.log10),
    _unary(
        "log1p",
        "log1p",
        "log(1 + x)",
        "1 / (1 + x)",
        slopes.log1p,
        Fails("x <= -1", Trouble.NO_VALUE, lambda x: x <= -1),
        domain="x > -1",
    ),
)
_CIRCULAR = (
    _unary("sin", "sin", "the sine of x", "cos(x)", slopes.sin, _INFINITE),
    _unary("cos", "cos", "the cosine of x", "-sin(x)", slopes.cos, _INFINITE),
    _unary("tan", "tan", "the tangent of x", "1 / cos(x)**2", slopes.tan, _INFINITE),
    _unary(
        "asin",
        "arcsin",
        "the arc sine of x",
        "1 / sqrt(1 - x**2)",
        slopes.asin,
        *_ENDS,
        domain="abs(x) <= 1",
    ),
    _unary(
        "acos",
        "arccos",
        "the arc cosine of x",
        "-1 / sqrt(1 - x**2)",
        slopes.acos,
        *_ENDS,
        domain="abs(x) <= 1",
    ),
    _unary("atan", "arctan", "the arc tangent of x", "1 / (1 + x**2)", slopes.atan),
    _unary("degrees", "degrees", "the angle x in degrees", "180 / pi", slopes.degrees),
    _unary("radians", "radians", "the angle x in radians", "pi / 180", slopes.radians),
)
_HYPERBOLIC = (
    _unary("sinh", "sinh", "the hyperbolic sine of x", "cosh(x)", slopes.sinh),
    _unary("cosh", "cosh", "the hyperbolic cosine of x", "sinh(x)", slopes.cosh),
    _unary("tanh", "tanh", "the hyperbolic tangent of x", "1 / cosh(x)**2", slopes.tanh),
    _unary(
        "asinh", "arcsinh", "the inverse hyperbolic sine of x", "1 / sqrt(1 + x**2)", slopes.asinh
    ),
    _unary(
        "acosh",
        "arccosh",
        "the inverse hyperbolic cosine of x",
        "1 / sqrt(x**2 - 1)",
        slopes.acosh,
        Fails("x < 1", Trouble.NO_VALUE, lambda x: x < 1),
        Fails("x = 1", Trouble.INFINITE_SLOPE, lambda x: x == 1),
        domain="x >= 1",
    ),
    _unary(
        "atanh",
        "arctanh",
        "the inverse hyperbolic tangent of x",
        "1 / (1 - x**2)",
        slopes.atanh,
        Fails("abs(x) >= 1", Trouble.NO_VALUE, lambda x: abs(x) >= 1),
        domain="abs(x) < 1",
    ),
)
_SPECIAL = (
    _unary("erf", None, "the error function of x", "2 / sqrt(pi) exp(-x**2)", slopes.erf),
    _unary(
        "erfc",
        None,
        "the complementary error function of x",
        "-2 / sqrt(pi) exp(-x**2)",
        slopes.erfc,
    ),
    _unary(
        "gamma",
        None,
        "the gamma function of x",
        "gamma(x) digamma(x)",
        slopes.gamma,
        _POLES,
        domain="all but 0, -1, -2 ...",
    ),
    _unary(
        "lgamma",
        None,
        "the logarithm of abs(gamma(x))",
        "digamma(x)",
        slopes.lgamma,
        _POLES,
        domain="all but 0, -1, -2 ...",
    ),
)
_STEPS = (
    _unary(
        "fabs",
        "fabs",
        "the absolute value of x",
        "1 for x > 0, -1 for x < 0",
        slopes.fabs,
        Fails("x = 0", Trouble.KINK, lambda x: x == 0),
    ),
    _unary("floor", "floor", "the largest integer up to x", "0", slopes.flat, _WHOLE),
    _unary("ceil", "ceil", "the smallest integer from x on", "0", slopes.flat, _WHOLE),
    _unary(
        "trunc",
        "trunc",
        "the integer part of x",
        "0",
        slopes.flat,
        Fails("x an integer but 0", Trouble.JUMP, lambda x: x != 0 and is_whole(x)),
    ),
)
UNARY = {
    rule.name: rule
    for rule in (*_ROOTS, *_EXPONENTIALS, *_CIRCULAR, *_HYPERBOLIC, *_SPECIAL, *_STEPS)
}

_PLANE = (
    Rule(
        name="hypot",
        numpy="hypot",
        arguments=("x", "y"),
        returns="the distance of the point (x, y) from the origin",
        derivatives=("x / hypot(x, y)", "y / hypot(x, y)"),
        tangents=(slopes.hypot_first, slopes.hypot_second),
        fails=(Fails("x = y = 0, or both infinite", Trouble.KINK, troubles.length_kinks),),
    ),
    Rule(
        name="atan2",
        numpy="arctan2",
        arguments=("y", "x"),
        returns="the angle of the point (x, y)",
        derivatives=("x / (x**2 + y**2)", "-y / (x**2 + y**2)"),
        tangents=(slopes.atan2_first, slopes.atan2_second),
        domain="all but x = y = 0",
        fails=(
            Fails("x = y = 0", Trouble.NO_VALUE, lambda y, x: x == 0 and y == 0),
            Fails("y = 0 and x < 0", Trouble.JUMP, lambda y, x: y == 0 and x < 0),
        ),
    ),
)
_REMAINDERS = (
    Rule(
        name="fmod",
        numpy="fmod",
        arguments=("x", "y"),
        returns="the remainder of x by y with the sign of x",
        derivatives=("1", "-trunc(x / y)"),
        tangents=(slopes.remainder_first, slopes.fmod_second),
        domain="x finite, y not 0",
        fails=(
            _NO_REMAINDER,
            Fails("x a multiple of y but 0", Trouble.JUMP, troubles.fmod_jumps),
        ),
    ),
    Rule(
        name="mod",
        numpy="mod",
        arguments=("x", "y"),
        returns="x % y, the remainder with the sign of y (of decimals: of x)",
        derivatives=("1", "-floor(x / y)"),
        tangents=(slopes.remainder_first, slopes.mod_second),
        domain="x finite, y not 0",
        fails=(_NO_REMAINDER, Fails("x a multiple of y", Trouble.JUMP, troubles.mod_jumps)),
    ),
    Rule(
        name="remainder",
        numpy=None,
        arguments=("x", "y"),
        returns="x less the nearest multiple of y",
        derivatives=("1", "-n, n the nearest integer to x / y"),
        tangents=(slopes.remainder_first, slopes.remainder_second),
        domain="x finite, y not 0",
        fails=(
            _NO_REMAINDER,
            Fails("x half way between multiples of y", Trouble.JUMP, troubles.remainder_jumps),
        ),
    ),
    Rule(
        name="copysign",
        numpy="copysign",
        arguments=("x", "y"),
        returns="abs(x) with the sign of y",
        derivatives=("1, or -1 where the signs of x and y differ", "0"),
        tangents=(slopes.copysign_first, slopes.copysign_second),
        fails=(
            Fails("x = 0", Trouble.KINK, troubles.copysign_kinks),
            Fails("y = 0", Trouble.JUMP, troubles.copysign_jumps),
        ),
    ),
)

_POLE = Fails("x = 0 and y < 0", Trouble.POLE, troubles.is_pole)
_FOR_THE_BASE = (
    _POLE,
    Fails("x = 0 and 0 < y < 1", Trouble.INFINITE_SLOPE, troubles.infinite_at_zero),
    Fails("x < 0 and y no integer", Trouble.NO_VALUE, troubles.root_of_negative),
    Fails("abs(x) = 1 and y infinite", Trouble.JUMP, troubles.jumps_beyond),
    Fails("a fraction of more than 10**6 bits", Trouble.TOO_LONG, troubles.too_long),
)
_FOR_THE_EXPONENT = (
    Fails("x < 0 and y not constant", Trouble.NO_VALUE, troubles.negative_base),
    Fails("y = 0 and x 0 or infinite, y not constant", Trouble.JUMP, troubles.jumps_at_exponent),
    _POLE,
)


def _power(name: str, fails: tuple[Fails, ...]) -> Rule:
    return Rule(
        name=name,
        numpy="power",
        arguments=("x", "y"),
        returns="x**y",
        derivatives=("y x**(y - 1)", "x**y log(x)"),
        tangents=(slopes.power_first, slopes.power_second),
        domain="x > 0, or y an integer, or x = 0 and y > 0",
        fails=fails,
    )


POWER_OF_CONSTANT_EXPONENT = _power("power_constant_exponent", _FOR_THE_BASE)
POWER_OF_CONSTANT_BASE = _power("power_constant_base", _FOR_THE_EXPONENT)
BINARY = {
    rule.name: rule
    for rule in (
        *_PLANE,
        *_REMAINDERS,
        _power("power", (*_FOR_THE_EXPONENT, *_FOR_THE_BASE)),
    )
}


def _without_slopes(name: str, fault: Fails) -> Rule:
    # functions whose slopes `_many.pyx` has
    return Rule(name=name, numpy=None, returns="", derivatives=(), tangents=(), fails=(fault,))


LENGTH = _without_slopes(
    "hypot",
    Fails("all coordinates 0, or two infinite", Trouble.KINK, troubles.length_kinks),
)
MANTISSA = _without_slopes(
    "frexp", Fails("x = 0 or a power of 2", Trouble.JUMP, troubles.mantissa_jumps)
)


def power_log(k: int) -> Rule:
    """Return the rule of x**y log(x)**k, which no user calls: slopes of powers are made of it."""
    return Rule(
        name=f"power_log_{k}",
        numpy=None,
        arguments=("x", "y"),
        returns=f"x**y log(x)**{k}",
        derivatives=("", ""),
        tangents=(slopes.power_log_first(k), slopes.power_log_second(k)),
    )


def _choice(name: str, chosen: str) -> Rule:
    tie = Fails("x = y, tangents differ", Trouble.KINK, lambda x, y: x == y)
    return Rule(
        name=name,
        numpy=name,
        arguments=("x", "y"),
        returns=f"the {chosen} of x and y, NaN if one is NaN",
        derivatives=(f"1 where x is {chosen}, else 0", f"1 where y is {chosen}, else 0"),
        tangents=(),
        fails=(tie,),
    )


CHOICES = {
    "maximum": _choice("maximum", "larger"),
    "minimum": _choice("minimum", "smaller"),
}
