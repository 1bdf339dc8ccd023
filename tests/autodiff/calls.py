"""The elementary functions by the names of their rules, and ways to call them."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.autodiff.exact import MP, SLOPES, Real, real

from lunaflow.arithmetic import ArithmeticErrorKind
from lunaflow.autodiff import Dual, derivative
from lunaflow.autodiff import _rules as rules
from lunaflow.autodiff import elementary as el
from lunaflow.autodiff._dual import fresh_level, seed
from lunaflow.autodiff._rules import Rule

Kind = ArithmeticErrorKind
NAN, INF = math.nan, math.inf
STEP = Fraction(1, 2**50)

RULES: dict[str, Rule] = {
    **rules.UNARY,
    **rules.BINARY,
    "power_constant_exponent": rules.POWER_OF_CONSTANT_EXPONENT,
    "power_constant_base": rules.POWER_OF_CONSTANT_BASE,
}
# which arguments of a form are duals
MOVING = {"power_constant_exponent": (0,), "power_constant_base": (1,)}


def function(rule: str) -> Callable[..., Any]:
    """The public function of a rule."""
    call: Callable[..., Any] = getattr(el, "pow" if rule.startswith("power") else rule)
    return call


def moving(rule: str) -> tuple[int, ...]:
    """The positions of the arguments that are duals."""
    return MOVING.get(rule, tuple(range(len(RULES[rule].arguments))))


def arguments(
    rule: str, at: Sequence[float], along: Sequence[float], make: Callable[[float, float], Any]
) -> list[Any]:
    """The arguments of a rule's function: duals, and plain numbers where its form has them."""
    duals = moving(rule)
    return [make(a, b) if i in duals else a for i, (a, b) in enumerate(zip(at, along, strict=True))]


def call(rule: str, at: Sequence[float], along: Sequence[float]) -> Any:
    """A rule's function of unchecked duals over floats."""
    return function(rule)(*arguments(rule, at, along, Dual))


def checked(level: int | None = None) -> Callable[[Any, Any], Any]:
    """How a checked derivative makes its duals."""
    chosen = fresh_level() if level is None else level
    return lambda a, b: seed(a, b, chosen, True)


def nth(f: Callable[[Any], Any], n: int, **options: Any) -> Callable[[Any], Any]:
    """The n-th derivative of a function."""
    for _ in range(n):
        f = _slope_of(f, options)
    return f


def _slope_of(f: Callable[[Any], Any], options: dict[str, Any]) -> Callable[[Any], Any]:
    return lambda x: derivative(f, x, **options)


def second_slopes(rule: str, at: Sequence[float]) -> dict[tuple[int, int], Any]:
    """The second derivatives that nested duals give, by the positions of the arguments."""
    found = {}
    for i in moving(rule):
        for j in moving(rule):
            args = [
                Dual(Dual(a, float(k == i)), Dual(float(k == j), 0.0)) if k in moving(rule) else a
                for k, a in enumerate(at)
            ]
            found[i, j] = function(rule)(*args).tangent.tangent
    return found


def exact_second_slope(rule: str, at: Sequence[float], i: int, j: int) -> Real:
    """The same by differences of exact slopes, good to about 25 digits."""
    step = STEP * max(abs(Fraction(at[i])), Fraction(1, 1000))
    above, below = (
        [Fraction(a) + (sign * step if k == i else 0) for k, a in enumerate(at)] for sign in (1, -1)
    )
    slopes = SLOPES[rule]
    return (slopes(*above)[j] - slopes(*below)[j]) / real(2 * step)


def is_near(got: float, exact: Real, relative: float) -> bool:
    """Whether a float is that near to an exact number."""
    error = MP.mpf(relative) * abs(exact) + MP.ldexp(1, -1070)
    return math.isfinite(got) and bool(abs(real(got) - exact) <= error)
