"""The derivative by a single number, of any type and in any mode."""

from typing import Any

from lunaflow.autodiff._call import Call
from lunaflow.autodiff._components import working_context
from lunaflow.autodiff._dual import seed
from lunaflow.autodiff._levels import running_level
from lunaflow.autodiff._outputs import scalar_output
from lunaflow.autodiff._points import as_scalar, zero_beside


def value_and_derivative(call: Call, x: Any) -> tuple[Any, Any]:
    """Return the value of a function, and its slope."""
    start, kind = as_scalar(x)
    with running_level() as level, working_context(kind(0), None):
        result = call.of(seed(start, kind(1), level, call.checked))
        value, tangent = scalar_output(result, level)
    return value, zero_beside(start, kind) if tangent is None else tangent


def derivative(call: Call, x: Any) -> Any:
    """Return the slope of a function."""
    return value_and_derivative(call, x)[1]


def from_float(result: Any, level: int) -> tuple[Any, Any]:
    """Return value and slope of what a function of a float returned, whatever that is."""
    value, tangent = scalar_output(result, level)
    return value, 0.0 if tangent is None else tangent
