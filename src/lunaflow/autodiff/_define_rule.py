"""`define_rule`: other people's functions, with the slope that someone gives for them."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import numpy as np

from lunaflow._arguments import require_callable
from lunaflow.autodiff._chain_rule import chain
from lunaflow.autodiff._differentiated import name_of
from lunaflow.autodiff._dual import Dual


class _Rule:
    """A function that also takes duals."""

    def __init__(self, function: Callable[..., Any], derivative: Callable[..., Any]) -> None:
        self.function = function
        self.derivative = derivative
        name = name_of(function)
        # an error's operation is a name: of a lambda or an object, its class
        self.operation = name if name.isidentifier() else type(function).__name__
        update_wrapper(self, function, updated=())

    def __call__(self, *args: Any) -> Any:
        """Return the function of numbers, and its dual of duals."""
        if any(isinstance(x, np.ndarray) for x in args):
            if not any(map(_holds_dual, args)):
                return self.function(*args)
            return np.frompyfunc(self, len(args), 1)(*args)
        if any(type(x) is Dual for x in args):
            return chain(self, args)
        return self.function(*args)

    def slopes(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the slopes that the derivative gives, one for each argument."""
        given = self.derivative(*values)
        slopes = given if isinstance(given, tuple) else (given,)
        if len(slopes) != len(values):
            raise ValueError(
                f"the derivative of {self.operation} must give as many slopes as it has arguments "
                f"({len(values)}), not {len(slopes)}"
            )
        return slopes

    def __reduce__(self) -> tuple[Any, ...]:
        return define_rule, (self.function, self.derivative)

    def __repr__(self) -> str:
        return f"define_rule({name_of(self.function)}, {name_of(self.derivative)})"


def define_rule(function: Callable[..., Any], derivative: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function to call instead of one that knows no `Dual`.

    Without a `Dual` among its arguments it calls `function`, with whatever it is given. With one it
    returns a `Dual`; with object arrays that hold duals it works on their elements, by NumPy's
    broadcasting. Second derivatives come from duals within duals, for which `derivative` is called
    with duals: write it with operators, `lunaflow.autodiff.elementary` or other such rules.

    In a checked derivative, finite arguments without a value (NaN) or slope (NaN) are
    DOMAIN_ERROR, an infinite slope is DIVISION_BY_ZERO and an infinite value OVERFLOW; the name of
    the function is the `operation`. Slopes by arguments that are no duals do not count.

    Parameters
    ----------
    function : callable
        Takes one or more numbers, returns a number. Keyword arguments are not taken.
    derivative : callable
        Takes the same arguments and returns the slope: of one argument a number, of several a tuple
        with one slope for each.

    Returns
    -------
    callable
        With name and documentation of `function`. It can be pickled if both functions can.

    Raises
    ------
    TypeError
        If one of them cannot be called. When the returned function is called: if a value or a slope
        is no real number.
    ValueError
        When the returned function is called with duals: if the number of slopes is not that of the
        arguments.

    Examples
    --------
    >>> from math import erf, exp, pi, sqrt
    >>> from lunaflow.autodiff import define_rule, derivative
    >>> my_erf = define_rule(erf, lambda x: 2 / sqrt(pi) * exp(-x * x))
    >>> derivative(my_erf, 0.0) == 2 / sqrt(pi)
    True
    """
    require_callable("function", function)
    require_callable("derivative", derivative)
    return _Rule(function, derivative)


def _holds_dual(x: Any) -> bool:
    if isinstance(x, np.ndarray):
        return x.dtype == object and any(type(item) is Dual for item in x.flat)
    return type(x) is Dual
