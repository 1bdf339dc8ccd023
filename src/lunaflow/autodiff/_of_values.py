"""Functions of `math` without slopes: of the values of duals, or of no duals at all."""

import math
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import numpy as np

from lunaflow._texts import text_of
from lunaflow.autodiff._dual import Dual
from lunaflow.autodiff._plain import elementwise, holds_objects, is_array


def isnan(x: Any, /) -> Any:
    """Return whether x is NaN; of a Dual whether its value is."""
    return _test("isnan", x)


def isinf(x: Any, /) -> Any:
    """Return whether x is infinite; of a Dual whether its value is."""
    return _test("isinf", x)


def isfinite(x: Any, /) -> Any:
    """Return whether x is neither infinite nor NaN; of a Dual whether its value is."""
    return _test("isfinite", x)


def isclose(a: Any, b: Any, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> Any:
    """Return whether two numbers are close; of duals whether their values are.

    Parameters
    ----------
    a, b : number, Dual, or array of them
        What is compared.
    rel_tol : float
        The largest difference that counts as close, relative to the larger magnitude.
    abs_tol : float
        The largest difference that counts as close in any case.

    Returns
    -------
    bool, or array of bool
        Whether abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol).
    """

    def compare(x: Any, y: Any) -> bool:
        return math.isclose(value_of(x), value_of(y), rel_tol=rel_tol, abs_tol=abs_tol)

    if is_array(a) or is_array(b):
        return np.asarray(elementwise(compare, (a, b))).astype(bool)
    return compare(a, b)


def prod(numbers: Iterable[Any], /, *, start: Any = 1) -> Any:
    """Return the product of `start` and the numbers of an iterable, of any types that multiply."""
    return math.prod(numbers, start=start)


def value_of(x: Any) -> Any:
    """Return the value of a Dual, innermost, or what is no Dual itself."""
    while isinstance(x, Dual):
        x = x.value
    return x


def without_slopes(function: Callable[..., Any], advice: str) -> Callable[..., Any]:
    """Return a function of `math` that refuses duals in words, and then says what to do."""

    @wraps(function)
    def refusing(*args: Any, **options: Any) -> Any:
        for x in args:
            if isinstance(x, Dual):
                raise TypeError(f"{function.__name__} of {text_of(x)} has no derivative: {advice}")
        return function(*args, **options)

    return refusing


def _test(name: str, x: Any) -> Any:
    of_number = getattr(math, name)
    if not is_array(x):
        return of_number(value_of(x))
    if not holds_objects(x):
        return getattr(np, name)(x)
    return np.asarray(elementwise(lambda item: of_number(value_of(item)), (x,))).astype(bool)
