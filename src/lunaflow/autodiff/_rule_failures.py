"""Why a user's rule has no result: what its numbers that are not finite mean."""

from typing import Any

from lunaflow.arithmetic import ArithmeticErrorKind
from lunaflow.arithmetic._failures import OUT_OF_RANGE, Failure
from lunaflow.autodiff._components import Fallen

_NO_VALUE = Failure(ArithmeticErrorKind.DOMAIN_ERROR, "the function has no value here")
_NO_SLOPE = Failure(ArithmeticErrorKind.DOMAIN_ERROR, "the function has no slope here")
_INFINITE_SLOPE = Failure(ArithmeticErrorKind.DIVISION_BY_ZERO, "the slope is infinite here")


def of_value(value: Any) -> Fallen:
    """Return the failure of a value that is infinite or NaN."""
    return Fallen("", _NO_VALUE if value != value else OUT_OF_RANGE)


def of_slope(number: Any, path: str) -> Fallen:
    """Return the failure of a slope, whose component at `path` is infinite or NaN."""
    return Fallen(path, _NO_SLOPE if number != number else _INFINITE_SLOPE)
