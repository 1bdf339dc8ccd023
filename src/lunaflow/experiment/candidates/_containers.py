"""Simpler sequences and mappings."""

import copy
from collections.abc import Iterable, Iterator
from typing import Any

from lunaflow._arguments import require_callable
from lunaflow.experiment.candidates._cuts import blocks
from lunaflow.experiment.candidates._kinds import Candidates, wrong_kind

_SEQUENCES = (list, tuple, bytes, bytearray)


def sequences(items: Any, *, elements: Candidates | None = None) -> Iterable[Any]:
    """Return simpler sequences: parts cut out, then elements made simpler.

    Cut out are everything, halves, ever smaller blocks, single elements. Then come, in blocks of
    the same sizes, all elements as simple as they get at once, and last each element by itself.

    Order: the shorter one is simpler; of equal lengths the one whose first differing element is.

    Parameters
    ----------
    items : list, tuple, bytes or bytearray
        The input; candidates are of its type.
    elements : callable, optional
        Candidates of an element; by default `by_type`.
    """
    if type(items) not in _SEQUENCES:
        raise wrong_kind(items, "a list, tuple, bytes or bytearray")
    return _shorter(items, _elements_or_default(elements))


def mappings(items: Any, *, values: Candidates | None = None) -> Iterable[Any]:
    """Return simpler mappings: items cut out as `sequences` cuts them, then values made simpler.

    Order: the one with fewer items is simpler; of equally many, with the same keys, the one with a
    simpler value and no value less simple. Keys stay as they are.

    Parameters
    ----------
    items : dict
        The input, perhaps of a subclass; candidates are copies with items deleted or replaced.
    values : callable, optional
        Candidates of a value; by default `by_type`.
    """
    if not isinstance(items, dict):
        raise wrong_kind(items, "a dict")
    return _fewer(items, _elements_or_default(values))


def can_be_changed(items: dict[Any, Any]) -> bool:
    """Say whether a dict can be copied, and its copy changed, as `mappings` does."""
    if type(items) is dict:
        return True
    # a subclass may have a constructor of its own, which copying calls, or refuse every change
    try:
        twin = copy.copy(items)
        if twin is items:
            return False
        for key, value in [*items.items()][:1]:
            twin[key] = value
            del twin[key]
    except Exception:
        return False
    return type(twin) is type(items)


def _elements_or_default(given: Candidates | None) -> Candidates:
    if given is None:
        from lunaflow.experiment.candidates._combined import by_type

        return by_type
    require_callable("the candidates of an element", given)
    return given


def _shorter(items: Any, elements: Candidates) -> Iterator[Any]:
    kind = type(items)
    for cut in blocks(len(items)):
        yield items[: cut.start] + items[cut.stop :]
    yield from (kind(simpler) for simpler in simpler_elements(list(items), elements))


def simpler_elements(items: list[Any], elements: Candidates) -> Iterator[list[Any]]:
    """Yield lists of the same length: blocks at their simplest, then element by element.

    The block of a single element is left to the latter, where its simplest form comes first.
    """
    simplest = [next(iter(elements(item)), item) for item in items]
    changed = [a is not b for a, b in zip(simplest, items, strict=True)]
    for block in blocks(len(items)):
        if sum(changed[block]) > 1:
            yield items[: block.start] + simplest[block] + items[block.stop :]
    for position, item in enumerate(items):
        for simpler in elements(item):
            yield [*items[:position], simpler, *items[position + 1 :]]


def _fewer(items: Any, values: Candidates) -> Iterator[Any]:
    keys = list(items)
    for cut in blocks(len(keys)):
        fewer = copy.copy(items)
        for key in keys[cut]:
            del fewer[key]
        yield fewer
    for key in keys:
        for simpler in values(items[key]):
            changed = copy.copy(items)
            changed[key] = simpler
            yield changed
