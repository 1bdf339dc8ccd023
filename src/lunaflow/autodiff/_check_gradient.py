"""`check_gradient`: a gradient that someone wrote by hand, against the one that duals give."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import require_callable
from lunaflow.autodiff._call import checked_call
from lunaflow.autodiff._outputs import as_array
from lunaflow.autodiff._passes import value_and_gradient
from lunaflow.autodiff._points import as_point

TOLERANCE = 1e-8
_NOISE = 1e-6  # of the largest slope: below this share, rounding of the other terms shows


@dataclass(frozen=True, slots=True)
class GradientCheck:
    """How far a gradient written by hand is from the one that `lunaflow.autodiff` computes.

    Parameters
    ----------
    agrees : bool
        Whether `error` is at most `tolerance`.
    component : int or None
        The worst component; None of an empty gradient.
    given, computed : float or None
        Its slope as written by hand, and as computed by duals.
    error : float
        The largest relative error, that of this component; infinite if a number is NaN.
    tolerance : float
        The largest relative error taken as rounding.
    """

    agrees: bool
    component: int | None
    given: float | None
    computed: float | None
    error: float
    tolerance: float = TOLERANCE

    def __bool__(self) -> bool:
        return self.agrees

    def __str__(self) -> str:
        if self.component is None:
            return "the gradients agree: there are no variables"
        numbers = f"component {self.component} (given {self.given!r}, computed {self.computed!r})"
        if self.agrees:
            return f"the gradients agree within {self.error:.1e} of each slope, worst at {numbers}"
        return (
            f"the gradients differ by {self.error:.1e} of the slope at {numbers}, more than "
            f"{self.tolerance:.0e}"
        )


def check_gradient(
    f: Callable[..., Any],
    jac: Callable[..., Any],
    x: Sequence[Any] | npt.NDArray[Any],
    *,
    args: Sequence[Any] = (),
) -> GradientCheck:
    """Compare a gradient written by hand with the one that duals give.

    The relative error of a component is abs(given - computed) divided by the larger of abs(given),
    abs(computed), and 1e-6 times the largest slope that was computed; up to 1e-8 it counts as
    rounding. So a component is told right from wrong unless it is 14 digits smaller than the
    largest one. Where all slopes vanish, as at a minimum, there is only rounding to compare: choose
    another point.

    Parameters
    ----------
    f : callable
        The scalar function, called as ``f(x, *args)``, as for `gradient`.
    jac : callable
        Its gradient, called as ``jac(x, *args)`` with a float64 array (of dtype object for numbers
        that are no floats); returns n numbers.
    x : sequence or one-dimensional array
        Where to compare: n numbers, as for `gradient`.
    args : tuple
        The other arguments of both.

    Returns
    -------
    GradientCheck
        Whether they agree, and the worst component; ``print`` it.

    Raises
    ------
    ArithmeticError
        If `f` has no value or gradient at `x`.
    TypeError
        If an argument is of a wrong type, or `f` or `jac` return no numbers.
    ValueError
        If `jac` does not return n numbers, or as `gradient`.
    """
    require_callable("jac", jac)
    call = checked_call(f, args, 0, "raise")
    point = as_point("x", x)
    computed = value_and_gradient(call, x)[1].tolist()
    given = as_point(
        "the result of jac", jac(as_array(point.values, point.kind), *call.args)
    ).values
    if len(given) != len(computed):
        raise ValueError(
            f"jac must return as many numbers as x has, shape ({len(computed)},), not the shape "
            f"({len(given)},)"
        )
    return _compared(given, computed)


def _compared(given: list[Any], computed: list[Any]) -> GradientCheck:
    if not computed:
        return GradientCheck(True, None, None, None, 0.0)
    g, c = (np.array([float(number) for number in numbers]) for numbers in (given, computed))
    with np.errstate(all="ignore"):
        scale = np.maximum(np.maximum(abs(g), abs(c)), _NOISE * abs(c).max())
        errors = np.where(g == c, 0.0, abs(g - c) / scale)
    errors = np.where(np.isnan(errors), np.inf, errors)
    worst = int(np.argmax(errors))
    error = float(errors[worst])
    return GradientCheck(error <= TOLERANCE, worst, given[worst], computed[worst], error)
