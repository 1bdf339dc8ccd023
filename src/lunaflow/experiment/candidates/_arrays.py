"""Simpler arrays."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from lunaflow._arguments import require_callable
from lunaflow.experiment.candidates._cuts import blocks
from lunaflow.experiment.candidates._kinds import Candidates, wrong_kind
from lunaflow.experiment.candidates._numbers import complex_numbers, floats, integers
from lunaflow.experiment.candidates._texts import strings

_BY_KIND: dict[str, Candidates] = {
    "b": integers,
    "i": integers,
    "u": integers,
    "f": floats,
    "c": complex_numbers,
    "U": strings,
}


def arrays(array: Any, *, elements: Candidates | None = None) -> Iterable[Any]:
    """Return simpler arrays: shorter along an axis, then with simpler elements.

    Along each axis are cut out everything, halves, ever smaller blocks, single slices, taking turns
    between the axes. Then blocks of elements become zero, in C order, and last single elements
    get simpler. Dtype, byte order and the number of axes stay; candidates share no memory with the
    input. Masked arrays and other subclasses get shorter only, as do arrays of dtypes that are no
    numbers, texts or objects.

    Order: the smaller sum of the lengths of all axes is simpler; of equal shapes the one whose
    first differing element is.

    Parameters
    ----------
    array : ndarray
        The input.
    elements : callable, optional
        Candidates of an element; by default those of its kind, for an array of Python objects
        `by_type`. If given, no block becomes zero.
    """
    if not isinstance(array, np.ndarray):
        raise wrong_kind(array, "a NumPy array")
    if elements is not None:
        require_callable("elements", elements)
    return _simpler(array, elements)


def _simpler(array: Any, elements: Candidates | None) -> Iterator[Any]:
    yield from _shorter(array)
    if type(array) is not np.ndarray:
        return
    if elements is None and array.dtype.kind in _BY_KIND:
        yield from _zeroed(array)
    chosen = elements or _default(array)
    if chosen is not None:
        yield from _elementwise(array, chosen)


def _default(array: Any) -> Candidates | None:
    if array.dtype.kind == "O":
        from lunaflow.experiment.candidates._combined import by_type

        return by_type
    return _BY_KIND.get(array.dtype.kind)


def _shorter(array: Any) -> Iterator[Any]:
    axes = [partial(_cut, array, axis) for axis in range(array.ndim)]
    cuts = [map(cut, blocks(array.shape[axis])) for axis, cut in enumerate(axes)]
    for turn in zip_longest(*cuts):
        yield from (shorter for shorter in turn if shorter is not None)


def _cut(array: Any, axis: int, cut: slice) -> Any:
    kept = np.ones(array.shape[axis], dtype=np.bool_)
    kept[cut] = False
    # by indexing, which subclasses define for themselves: np.compress drops a mask
    return array[(slice(None),) * axis + (kept,)]


def _zeroed(array: Any) -> Iterator[Any]:
    nonzero = (array != np.zeros((), array.dtype)).ravel()
    for block in blocks(array.size):
        if np.count_nonzero(nonzero[block]) > 1:
            simpler = array.copy(order="C")
            simpler.reshape(-1)[block] = np.zeros((), array.dtype)
            yield simpler


def _elementwise(array: Any, elements: Candidates) -> Iterator[Any]:
    for number, element in enumerate(array.flat):
        for simpler in elements(element):
            # a flat view has an index even where the array has no axis
            changed = array.copy(order="C")
            changed.reshape(-1)[number] = simpler
            yield changed
