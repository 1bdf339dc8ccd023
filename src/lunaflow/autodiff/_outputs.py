"""What the user's function returned: values and tangents, and the arrays that a driver returns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of
from lunaflow.autodiff._components import kind_of
from lunaflow.autodiff._dual import Dual, split
from lunaflow.autodiff._points import as_objects

Pair = tuple[Any, Any]  # value, and tangent or None for a constant
_FLOAT_ELEMENTS = (float, int, np.floating, np.integer)


def scalar_output(result: Any, level: int) -> Pair:
    """Return value and tangent of the one number that a function had to return.

    Raises
    ------
    TypeError
        If it is no number.
    ValueError
        If it has a shape, or holds the dual of another derivative.
    """
    if _is_collection(result):
        raise ValueError(
            f"the function must return a single number here, not the shape {_shape(result)} "
            f"({text_of(result)}): functions of several outputs have a jacobian"
        )
    return _pair("the result of the function", result, level)


def outputs(result: Any, level: int) -> list[Pair] | Pair:
    """Return value and tangent of each of the numbers that a function returned, or of the one.

    Raises
    ------
    TypeError
        If something is no number.
    ValueError
        If there is more than one dimension, or the dual of another derivative.
    """
    if not _is_collection(result):
        return _pair("the result of the function", result, level)
    if len(shape := _shape(result)) != 1:
        raise ValueError(
            "the function must return a number or a one-dimensional collection of them, not the "
            f"shape {shape} ({text_of(result)})"
        )
    items = result.tolist() if isinstance(result, np.ndarray) else result
    return [
        split(item, level)
        if type(item) is Dual
        else _pair(f"output {i} of the function", item, level)
        for i, item in enumerate(items)
    ]


def as_array(items: Sequence[Any], kind: type) -> npt.NDArray[Any]:
    """Return a float64 array if all came from floats and are plain ones, otherwise of objects."""
    if kind is float and all(isinstance(item, _FLOAT_ELEMENTS) for item in items):
        return np.array(items, dtype=np.float64)
    return as_objects(items)


def _pair(name: str, item: Any, level: int) -> Pair:
    if type(item) is Dual:
        return split(item, level)
    if isinstance(item, np.ndarray) and item.ndim == 0:
        return _pair(name, item[()], level)
    if kind_of(item) is None:
        raise reject_type(name, item, "a real number")
    return item, None


def _is_collection(result: Any) -> bool:
    if isinstance(result, np.ndarray):
        return result.ndim > 0
    return isinstance(result, (list, tuple))


def _shape(result: Any) -> tuple[int, ...]:
    if not _is_collection(result):
        return ()
    if isinstance(result, np.ndarray):
        shape: tuple[int, ...] = result.shape
        return shape
    # what members of different shapes make has the length alone
    inner = {_shape(item) for item in result}
    return (len(result), *(inner.pop() if len(inner) == 1 else ()))
