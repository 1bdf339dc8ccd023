"""Candidates of inputs that are made of parts, or may be of several kinds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from lunaflow._arguments import require_callable
from lunaflow.experiment.candidates._arrays import arrays
from lunaflow.experiment.candidates._containers import can_be_changed, mappings, sequences
from lunaflow.experiment.candidates._kinds import Candidates, WrongKind, wrong_kind
from lunaflow.experiment.candidates._numbers import complex_numbers, floats, integers
from lunaflow.experiment.candidates._texts import strings

_MISSING = object()

_BY_TYPE: tuple[tuple[type | tuple[type, ...], Candidates], ...] = (
    ((bool, int, np.bool_, np.integer), integers),
    ((float, np.floating), floats),
    ((complex, np.complexfloating), complex_numbers),
    (str, strings),
    (np.ndarray, arrays),
    (dict, mappings),
)


def by_type(value: Any) -> Iterable[Any]:
    """Return simpler values, as the candidate function for the type of `value` proposes them.

    Integers, floats, complex numbers, texts, arrays, mappings, lists, tuples and bytes, and all of
    them inside each other; named tuples field by field. A value of another type has no candidates,
    nor has a number or text of a subclass, a member of an enumeration among them, whose candidates
    would be of another type, or a dict of a subclass that cannot be copied and changed.
    """
    if not _keeps_its_type(value):
        return ()
    for kind, candidates in _BY_TYPE:
        if isinstance(value, kind):
            return candidates(value)
    if isinstance(value, tuple) and _is_named(value):
        return product(*[by_type] * len(value))(value)
    return sequences(value) if type(value) in {list, tuple, bytes, bytearray} else ()


def _keeps_its_type(value: Any) -> bool:
    """Say whether the candidates of a value have its type, for all that `by_type` knows of it."""
    kind = type(value)
    if isinstance(value, np.generic):
        # np.str_ is only how NumPy shows a text, and np.timedelta64 no integer
        return kind is value.dtype.type and kind is not np.timedelta64
    if isinstance(value, (int, float, complex, str)):
        return kind in {bool, int, float, complex, str}
    return not isinstance(value, dict) or can_be_changed(value)


def one_of(*functions: Candidates) -> Candidates:
    """Return the candidate function for inputs of several kinds.

    It gives the candidates of every function that takes the input, taking turns; a ready-made
    function takes inputs of its kind alone. No candidate function taking it is a TypeError.

    Order: that of the functions. Several that take the same inputs must agree on one.

    Parameters
    ----------
    *functions : callable
        At least one candidate function.
    """
    return _OneOf(_required(functions))


def product(*functions: Candidates) -> Candidates:
    """Return the candidate function for tuples and lists of a fixed length.

    Each position has its own candidate function; they take turns, and every candidate differs from
    the input at one position.

    Order: simpler at one position, and nowhere less simple.

    Parameters
    ----------
    *functions : callable
        One candidate function a position.
    """
    return _Product(_required(functions))


def _required(functions: tuple[Candidates, ...]) -> tuple[Candidates, ...]:
    for position, function in enumerate(functions):
        require_callable(f"functions[{position}]", function)
    return functions


@dataclass(frozen=True, slots=True)
class _OneOf:
    functions: tuple[Candidates, ...]

    def __post_init__(self) -> None:
        if not self.functions:
            raise ValueError("functions must hold at least one candidate function, not none")

    def __call__(self, value: Any) -> Iterable[Any]:
        taken, refusals = list[Iterable[Any]](), list[str]()
        for function in self.functions:
            try:
                taken.append(function(value))
            except WrongKind as error:
                refusals.append(str(error))
        if not taken:
            raise WrongKind("; ".join(refusals))
        return _in_turns(taken)


@dataclass(frozen=True, slots=True)
class _Product:
    functions: tuple[Candidates, ...]

    def __call__(self, values: Any) -> Iterable[Any]:
        if not isinstance(values, (tuple, list)) or len(values) != len(self.functions):
            raise wrong_kind(values, f"a tuple or list of length {len(self.functions)}")
        parts = [function(value) for function, value in zip(self.functions, values, strict=True)]
        return _in_turns([_replaced(values, i, part) for i, part in enumerate(parts)])


def _replaced(values: Any, position: int, simpler: Iterable[Any]) -> Iterator[Any]:
    for one in simpler:
        items = [*values[:position], one, *values[position + 1 :]]
        # _make goes round a constructor with a signature of its own
        yield type(values)._make(items) if _is_named(values) else type(values)(items)


def _is_named(values: Any) -> bool:
    return hasattr(values, "_fields") and hasattr(values, "_make")


def _in_turns(given: list[Iterable[Any]]) -> Iterator[Any]:
    for turn in zip_longest(*given, fillvalue=_MISSING):
        yield from (one for one in turn if one is not _MISSING)
