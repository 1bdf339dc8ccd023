"""Where the data of a measurement lies: copies in fresh memory, at an offset drawn anew."""

from collections.abc import Callable
from typing import Any

import numpy as np

_LINE = 64
_PAGE = 4096


def place(value: Any, rng: np.random.Generator) -> Any:
    """Return a copy of `value` whose arrays lie in fresh memory at random offsets.

    Arrays, and arrays in lists, tuples and dicts, are copied with dtype, byte order, shape, strides
    and the read-only flag kept; the first byte that an array uses lies on a 64-byte line, at an
    offset within a page that `rng` draws. An array that occurs twice stays one array. Arrays of
    Python objects and subclasses of ndarray are copied where the allocator puts them, bytearrays
    and sets are copied. Everything else is left alone: what other objects hold (the fields of a
    dataclass, say) is shared between all who get it.
    """
    return _copied(value, lambda array: _placed(array, rng), {})


def duplicate(value: Any) -> Any:
    """Return a copy as `place` does, with arrays where the allocator puts them."""
    return _copied(value, lambda array: _placed(array, None), {})


def _copied(value: Any, copy: Callable[[Any], Any], seen: dict[int, Any]) -> Any:
    if isinstance(value, np.ndarray):
        if id(value) not in seen:
            seen[id(value)] = copy(value)
        return seen[id(value)]
    if type(value) is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
        items = [_copied(item, copy, seen) for item in value]
        return tuple(items) if type(value) is tuple else type(value)(*items)
    if type(value) is list:
        return [_copied(item, copy, seen) for item in value]
    if type(value) is dict:
        return {key: _copied(item, copy, seen) for key, item in value.items()}
    if type(value) in {bytearray, set}:
        return value.copy()
    return value


def _placed(array: Any, rng: np.random.Generator | None) -> Any:
    if type(array) is not np.ndarray or array.dtype.hasobject or array.size == 0:
        new = array.copy(order="K")
    else:
        new = _at_offset(array, 0 if rng is None else _LINE * int(rng.integers(_PAGE // _LINE)))
    if not array.flags.writeable:
        new.flags.writeable = False
    return new


def _at_offset(array: Any, offset: int) -> Any:
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low + 2 * _PAGE, dtype=np.uint8)
    base = -memory.ctypes.data % _LINE + offset + low % max(1, array.dtype.alignment)
    start = base + array.ctypes.data - low
    new: Any = np.ndarray(
        array.shape, array.dtype, buffer=memory.data, offset=start, strides=array.strides
    )
    new[...] = array
    return new
