"""The overflow errors of both backends, worded once, so that they are equal."""

from typing import Any, Protocol

import numpy as np

from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime._task import limits, operation_name


class Computation(Protocol):
    """What an error says of the computation that failed."""

    @property
    def kind(self) -> PlanKind:
        """What was computed."""

    @property
    def reduction(self) -> ReductionKernel | None:
        """By which kernel."""

    @property
    def size(self) -> int:
        """Of how many elements."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """What results must fit."""


def result_overflow(task: Computation, value: int) -> ArithmeticError:
    """Return the error of a reduction whose exact result does not fit."""
    name = "total" if _is_sum(task) else "value"
    message = f"{_subject(task)} overflows: the exact {name} {value} does not fit {_type(task)}"
    return _error(task, message, None, value)


def element_overflow(
    task: Computation, index: int, element: int, total: int | None
) -> ArithmeticError:
    """Return the error of a map or map_reduce whose `element` at `index` does not fit, doubled."""
    message = (
        f"{_subject(task)} overflows at index {index}: "
        f"the exact element {2 * element} does not fit {_type(task)}"
    )
    if total is not None:
        message += f" (the exact total is {total})"
    error = _error(task, message, index, total)
    error.add_note(f"operands at index {index}: 2 * {element}")
    return error


def prefix_overflow(task: Computation, index: int, element: int, prefix: int) -> ArithmeticError:
    """Return the error of a scan whose exact prefix, up to `element` at `index`, does not fit."""
    message = (
        f"{_subject(task)} overflows at index {index}: "
        f"the exact prefix {prefix} does not fit {_type(task)}"
    )
    error = _error(task, message, index, None)
    error.add_note(f"operands at index {index}: {prefix - element} + {element}")
    return error


def _error(
    task: Computation, message: str, index: int | None, exact: int | None
) -> ArithmeticError:
    return ArithmeticError(
        ArithmeticErrorKind.OVERFLOW,
        message,
        operation=operation_name(task.kind, task.reduction),
        index=index,
        exact=exact,
    )


def _subject(task: Computation) -> str:
    return f"{operation_name(task.kind, task.reduction)} of {task.size} elements"


def _type(task: Computation) -> str:
    low, high = limits(task.dtype)
    return f"{task.dtype.name} ({low} to {high})"


def _is_sum(task: Computation) -> bool:
    return task.reduction is not None and task.reduction.name == "SUM"
