"""The passes of dual numbers through a function that give its derivatives by several variables."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from lunaflow.autodiff._call import Call
from lunaflow.autodiff._components import working_context
from lunaflow.autodiff._levels import running_level
from lunaflow.autodiff._outputs import Pair, as_array, outputs, scalar_output
from lunaflow.autodiff._points import Point, as_objects, as_point
from lunaflow.autodiff._seeds import seeds

Array = npt.NDArray[Any]
_P = TypeVar("_P")


def value_and_gradient(call: Call, x: Any) -> tuple[Any, Array]:
    """Return the value of a scalar function, and its slopes by each variable."""
    point = as_point("x", x)
    pairs = _passes(call, point, scalar_output)
    zeros = point.zeros()
    slopes = [
        zero if tangent is None else tangent
        for zero, (_, tangent) in zip(zeros, pairs, strict=False)  # one pass if no variables
    ]
    return pairs[0][0], as_array(slopes, point.kind)


def value_and_jacobian(call: Call, x: Any) -> tuple[Any, Array]:
    """Return the outputs, and a row of slopes for each; a single number has one row."""
    point = as_point("x", x)
    columns = _passes(call, point, outputs)
    value, rows = _value(columns[0], point.kind), _as_rows(columns)
    zeros = point.zeros()
    slopes = [
        zero if tangent is None else tangent
        for row in rows
        for zero, (_, tangent) in zip(zeros, row, strict=False)
    ]
    return value, as_array(slopes, point.kind).reshape(len(rows), len(point))


def value_and_jvp(call: Call, x: Any, v: Any) -> tuple[Any, Any]:
    """Return the outputs, and their slopes along the direction `v`."""
    point = as_point("x", x)
    direction = as_point("v", v, point.kind)
    if len(direction) != len(point):
        raise ValueError(f"v must have as many numbers as x ({len(point)}), not {len(direction)}")
    found = _pass(call, point, direction.values, outputs)
    zero = point.kind(0)
    if not isinstance(found, list):
        value, tangent = found
        return value, zero if tangent is None else tangent
    tangents = [zero if tangent is None else tangent for _, tangent in found]
    return _value(found, point.kind), as_array(tangents, point.kind)


def hessian(call: Call, x: Any) -> Array:
    """Return the second derivatives of a scalar function, the mirrored ones computed once."""
    point = as_point("x", x)
    n = len(point)
    if n == 0:
        value_and_gradient(call, x)  # says what is wrong with the result
    zeros = point.zeros()
    slopes = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(i + 1):
            slope = _second_slope(call, point, i, j)
            slopes[i, j] = slopes[j, i] = zeros[i] if slope is None else slope
    return as_array(slopes.ravel().tolist(), point.kind).reshape(n, n)


def _second_slope(call: Call, point: Point, i: int, j: int) -> Any:
    with running_level() as level:
        values: list[Any] = seeds(point.values, point.direction(i), level, call.checked)
        outer = Point(values, point.kind)
        _, slope = _pass(call, outer, point.direction(j), scalar_output)
        return None if slope is None else scalar_output(slope, level)[1]


def _passes(call: Call, point: Point, read: Callable[[Any, int], _P]) -> list[_P]:
    # one direction after the other; without variables the function is called for its shape
    directions = [point.direction(i) for i in range(len(point))] or [[]]
    return [_pass(call, point, direction, read) for direction in directions]


def _pass(call: Call, point: Point, direction: list[Any], read: Callable[[Any, int], _P]) -> _P:
    # an epsilon of its own for each pass, so that what a function keeps cannot mix with the next
    with running_level() as level, working_context(point.kind(0), None):
        variables = as_objects(seeds(point.values, direction, level, call.checked))
        return read(call.of(variables), level)


def _value(found: list[Pair] | Pair, kind: type) -> Any:
    return as_array([value for value, _ in found], kind) if isinstance(found, list) else found[0]


def _as_rows(columns: list[list[Pair] | Pair]) -> list[tuple[Pair, ...]]:
    listed = [column if isinstance(column, list) else [column] for column in columns]
    lengths = sorted({len(column) for column in listed})
    if len(lengths) > 1:
        raise ValueError(
            f"the function must return as many numbers each time, not shapes ({lengths[0]},) and "
            f"({lengths[-1]},)"
        )
    return list(zip(*listed, strict=True))
