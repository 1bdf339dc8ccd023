"""The overflow errors of both backends, worded once, so that they are equal."""

from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind
from lunaflow.runtime._task import Task, limits, operation_name


def result_overflow(task: Task, value: int) -> ArithmeticError:
    """Return the error of a reduction whose exact result does not fit."""
    name = "total" if _is_sum(task) else "value"
    message = f"{_subject(task)} overflows: the exact {name} {value} does not fit {_type(task)}"
    return _error(task, message, None, value)


def element_overflow(task: Task, index: int, total: int | None) -> ArithmeticError:
    """Return the error of a map or map_reduce whose element at `index` does not fit, doubled."""
    element = int(task.data[index])
    message = (
        f"{_subject(task)} overflows at index {index}: "
        f"the exact element {2 * element} does not fit {_type(task)}"
    )
    if total is not None:
        message += f" (the exact total is {total})"
    error = _error(task, message, index, total)
    error.add_note(f"operands at index {index}: 2 * {element}")
    return error


def prefix_overflow(task: Task, index: int, prefix: int) -> ArithmeticError:
    """Return the error of a scan whose exact prefix, up to `index`, does not fit."""
    element = int(task.data[index])
    message = (
        f"{_subject(task)} overflows at index {index}: "
        f"the exact prefix {prefix} does not fit {_type(task)}"
    )
    error = _error(task, message, index, None)
    error.add_note(f"operands at index {index}: {prefix - element} + {element}")
    return error


def _error(task: Task, message: str, index: int | None, exact: int | None) -> ArithmeticError:
    return ArithmeticError(
        ArithmeticErrorKind.OVERFLOW,
        message,
        operation=operation_name(task.kind, task.reduction),
        index=index,
        exact=exact,
    )


def _subject(task: Task) -> str:
    return f"{operation_name(task.kind, task.reduction)} of {len(task.data)} elements"


def _type(task: Task) -> str:
    low, high = limits(task.dtype)
    return f"{task.dtype.name} ({low} to {high})"


def _is_sum(task: Task) -> bool:
    return task.reduction is not None and task.reduction.name == "SUM"
