"""Where to differentiate: the numbers a driver is given, of one type and without loss."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of
from lunaflow.autodiff._components import as_kind, kind_of
from lunaflow.autodiff._dual import Dual, seed, split
from lunaflow.autodiff._levels import running_level

_NUMBER = "a real number: float, int, Fraction, Decimal, Dual, or of a registered type"
_VECTOR = "a sequence or one-dimensional array of real numbers"


@dataclass(frozen=True, slots=True)
class Point:
    """Numbers of one type, or duals over it, in their order."""

    values: list[Any]
    kind: type

    def __len__(self) -> int:
        return len(self.values)

    def direction(self, i: int) -> list[Any]:
        """Return the tangents with 1 at place `i` and 0 elsewhere."""
        zero = self.kind(0)
        tangents = [zero] * len(self.values)
        tangents[i] = self.kind(1)
        return tangents

    def zeros(self) -> list[Any]:
        """Return what the derivative of a constant by each number is."""
        return [zero_beside(value, self.kind) for value in self.values]


def zero_beside(value: Any, kind: type) -> Any:
    """Return the zero in the ring of `value`, which is a number of that kind or a dual over it."""
    if type(value) is not Dual:
        return kind(0)
    with running_level() as level:
        return split(seed(value, kind(0), level, False), level)[1]


def as_scalar(x: Any) -> tuple[Any, type]:
    """Return the number to differentiate at, and its kind.

    Raises
    ------
    TypeError
        If it is no single real number.
    ValueError
        If it is an int that no float equals.
    """
    kind = _kind_within(x)
    if kind is None:
        raise reject_type("x", x, f"{_NUMBER} (gradient and jacobian take several variables)")
    kind = float if kind is int else kind
    return (x if type(x) is Dual else as_kind(kind, "x", x)), kind


def as_point(name: str, x: Any, kind: type | None = None) -> Point:
    """Return the numbers to differentiate at, ints as floats or in the kind of the others.

    Parameters
    ----------
    name : str
        What the errors shall call it.
    x : sequence or array
        One-dimensional, of plain numbers or duals.
    kind : type, optional
        The kind that they must have; otherwise they decide.

    Raises
    ------
    TypeError
        If they are no real numbers, or of kinds that do not mix.
    ValueError
        If there is not one dimension, or an int has to become a float and none equals it.
    """
    values = _members(name, x)
    if kind is None or values:
        kind = _common_kind(name, values, kind)
    if kind is float and all(type(value) is float for value in values):
        return Point(values, float)
    converted = [
        value if type(value) is Dual else as_kind(kind, f"{name}[{i}]", value)
        for i, value in enumerate(values)
    ]
    return Point(converted, kind)


def as_objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    """Return an object array of exactly these elements."""
    return np.fromiter(values, dtype=object, count=len(values))


def _members(name: str, x: Any) -> list[Any]:
    if _kind_within(x) is not None:
        raise reject_type(name, x, f"{_VECTOR} (derivative is for functions of a single number)")
    if isinstance(x, (str, bytes, bytearray)):
        raise reject_type(name, x, _VECTOR)
    if isinstance(x, Sequence):
        return list(x)
    if not hasattr(x, "__array__"):
        raise reject_type(name, x, _VECTOR)
    array = np.asanyarray(x)  # a masked array stays one, whose masked elements are no numbers
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not the shape {array.shape}")
    members: list[Any] = array.tolist()
    return members


def _common_kind(name: str, values: list[Any], wanted: type | None) -> type:
    kinds = {} if wanted is None else {wanted: f"{wanted.__name__} numbers"}
    for i, value in enumerate(values):
        kind = float if type(value) is float else _kind_within(value)
        if kind is None:
            raise _no_number(f"{name}[{i}]", value)
        if kind is not int and kind not in kinds:
            kinds[kind] = f"{name}[{i}] = {text_of(value, 30)}"
    if len(kinds) > 1:
        raise TypeError(f"{' and '.join(kinds.values())} do not mix: numbers of one type and int")
    return next(iter(kinds), float)


def _no_number(name: str, value: Any) -> Exception:
    if isinstance(value, (list, tuple, np.ndarray)):
        return ValueError(f"{name} must be a number, not {text_of(value)}: one dimension is taken")
    return reject_type(name, value, _NUMBER)


def _kind_within(x: Any) -> type | None:
    # the kind of the innermost value
    while type(x) is Dual:
        x = x.value
    return kind_of(x)
