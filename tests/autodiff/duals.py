"""Duals as trees of plain numbers, exact references over them, and strategies of every magnitude.

A tree is a number, or the pair of a value's and a tangent's trees. The references compute with
Python's own operators on the leaves, and know nothing of `Dual`.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lunaflow.arithmetic import ArithmeticContext, ArithmeticErrorKind, Err
from lunaflow.arithmetic import div_checked as scalar_div_checked
from lunaflow.arithmetic import sqrt_checked as scalar_sqrt_checked
from lunaflow.autodiff._dual import Dual

Kind = ArithmeticErrorKind
Fault = tuple[ArithmeticErrorKind, str]  # of which kind, in which component
TINY = Fraction(1, 2**1074)  # the least subnormal
UNIT = Fraction(1, 2**53)
LARGEST = Fraction(2) ** 1024 - Fraction(2) ** 970  # what rounds to infinity

EDGES = [
    0.0,
    5e-324,
    2.2250738585072014e-308,
    2.0**-537,
    1.0,
    1.5,
    2.0**512,
    1.7976931348623157e308,
]
NUMBERS = st.builds(
    lambda mantissa, exponent: math.ldexp(mantissa, exponent),
    st.sampled_from([1.0, -1.0, 1.5]) | st.floats(1, 2, exclude_max=True),
    st.integers(-1074, 1023),
)
FINITE = st.sampled_from([*EDGES, *(-x for x in EDGES)]) | NUMBERS | st.floats(-10, 10)
FLOATS = FINITE | st.sampled_from([math.inf, -math.inf, math.nan])


def dual(tree: Any) -> Any:
    """The number that a tree describes."""
    return Dual(dual(tree[0]), dual(tree[1])) if isinstance(tree, tuple) else tree


def tree(x: Any) -> Any:
    """The tree of a number."""
    return (tree(x.value), tree(x.tangent)) if isinstance(x, Dual) else x


def trees(leaves: st.SearchStrategy[Any], depth: int) -> st.SearchStrategy[Any]:
    """Trees of that depth: of one dual for 1, of a dual over duals for 2."""
    below = trees(leaves, depth - 1) if depth else leaves
    return st.tuples(below, below) if depth else leaves


def same(x: Any, y: Any) -> bool:
    """Whether two trees are equal, NaN equal to NaN, and zeros by their signs."""
    if isinstance(x, tuple) or isinstance(y, tuple):
        return isinstance(x, tuple) and isinstance(y, tuple) and all(map(same, x, y))
    if type(x) is not type(y):
        return False
    if isinstance(x, float) and x == y == 0:
        return math.copysign(1, x) == math.copysign(1, y)
    return bool(x == y or (x != x and y != y))


def leaves(x: Any) -> list[Any]:
    """The plain numbers of a tree."""
    return [*leaves(x[0]), *leaves(x[1])] if isinstance(x, tuple) else [x]


def is_finite(x: Any) -> bool:
    """Whether all floats of a tree are finite."""
    return all(math.isfinite(leaf) for leaf in leaves(x))


def plus(x: Any, y: Any) -> Any:
    """The sum of two trees of one shape."""
    return (plus(x[0], y[0]), plus(x[1], y[1])) if isinstance(x, tuple) else x + y


def negative(x: Any) -> Any:
    """The negative of a tree."""
    return (negative(x[0]), negative(x[1])) if isinstance(x, tuple) else -x


def minus(x: Any, y: Any) -> Any:
    """The difference of two trees of one shape."""
    return (minus(x[0], y[0]), minus(x[1], y[1])) if isinstance(x, tuple) else x - y


def times(x: Any, y: Any) -> Any:
    """The product of two trees of one shape, in T[eps]."""
    if not isinstance(x, tuple):
        return x * y
    return times(x[0], y[0]), plus(times(x[0], y[1]), times(x[1], y[0]))


def over(x: Any, y: Any) -> Any:
    """The textbook's quotient of two trees of one shape, of leaves that divide exactly."""
    if not isinstance(x, tuple):
        return x / y
    return over(x[0], y[0]), over(minus(times(x[1], y[0]), times(x[0], y[1])), times(y[0], y[0]))


def _first_infinite(x: Any) -> str:
    # the path to the first leaf that is not finite
    if not isinstance(x, tuple):
        return ""
    which = int(is_finite(x[0]))
    return f"{('value', 'tangent')[which]}.{_first_infinite(x[which])}"


def division_fault(x: Any, y: Any, ctx: ArithmeticContext | None = None) -> Fault | None:
    """D4 as it is written: why x / y has no checked quotient, None if it has one."""
    if not isinstance(x, tuple):
        return _scalar_fault(scalar_div_checked(x, y, ctx))
    (a, b), (c, d) = x, y
    tested = minus(times(b, c), times(a, d)), times(c, c)
    for name, n, m in (("value", a, c), ("tangent", *tested)):
        if (found := division_fault(n, m, ctx)) is not None:
            return found[0], f"{name}.{found[1]}"
    return _range_fault(x, lambda: tree(dual(x) / dual(y)), y)


def root_fault(x: Any, ctx: ArithmeticContext | None = None) -> Fault | None:
    """D6 as it is written: why x has no checked square root, None if it has one."""
    if not isinstance(x, tuple):
        return _scalar_fault(scalar_sqrt_checked(x, ctx))
    if (found := root_fault(x[0], ctx)) is not None:
        return found[0], f"value.{found[1]}"
    root = tree(scalar_sqrt_checked(dual(x[0]), ctx).unwrap())
    if (found := division_fault(x[1], plus(root, root), ctx)) is not None:
        return found[0], f"tangent.{found[1]}"
    slope = scalar_div_checked(dual(x[1]), dual(plus(root, root)), ctx)
    return _range_fault(x, lambda: (root, tree(slope.unwrap())))


def _scalar_fault(outcome: Any) -> Fault | None:
    return (outcome.error.kind, "") if isinstance(outcome, Err) else None


def _range_fault(x: Any, result: Callable[[], Any], *more: Any) -> Fault | None:
    # D7, of floats alone
    if not isinstance(leaves(x)[0], float) or not all(map(is_finite, (x, *more))):
        return None
    found = result()
    return None if is_finite(found) else (Kind.OVERFLOW, _first_infinite(found))


def fault_of(outcome: Any) -> Fault | None:
    """What an outcome says, with a path that ends in a dot as those of the references do."""
    return (outcome.error.kind, outcome.error.component + ".") if outcome.is_err() else None


def exact_tangent(a: float, b: float, c: float, d: float) -> tuple[Fraction, Fraction]:
    """The derivative of (a + b eps)/(c + d eps), and D8's scale, as rational numbers."""
    a_, b_, c_, d_ = map(Fraction, (a, b, c, d))
    return (b_ - a_ / c_ * d_) / c_, (abs(b_) + abs(a_ / c_ * d_)) / abs(c_)


def is_within(found: float, exact: Fraction, tolerance: Fraction) -> bool:
    """Whether a float is that near; infinite only if the number may have been out of range."""
    if math.isinf(found):
        return exact * (1 if found > 0 else -1) + tolerance >= LARGEST
    return not math.isnan(found) and abs(Fraction(found) - exact) <= tolerance


def is_accurate(tangent: float, a: float, b: float, c: float, d: float) -> bool:
    """D8 for a quotient."""
    exact, scale = exact_tangent(a, b, c, d)
    return is_within(tangent, exact, 4 * UNIT * scale + TINY)
