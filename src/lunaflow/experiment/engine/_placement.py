"""Where the data of a measurement lies: copies in fresh memory, at an offset drawn anew."""

import copy
import dataclasses
import types
from collections.abc import Callable
from typing import Any

import numpy as np

_LINE = 64
_PAGE = 4096
_ATOMS = frozenset({int, float, complex, bool, str, bytes, type(None), np.float64, np.int64})
_SHARED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)

Memo = dict[int, Any]
"""The copies made so far by the id of their original, as `copy.deepcopy` keeps them."""


def place(value: Any, rng: np.random.Generator) -> Any:
    """Return a copy of `value` whose arrays lie in fresh memory at random offsets.

    Arrays, and arrays in lists, tuples, dicts, sets and dataclasses, are copied with dtype, byte
    order, shape, strides and the read-only flag kept; the first byte that an array uses lies on a
    64-byte line, at the offset within a page that `rng` draws. Arrays of Python objects, subclasses
    of ndarray and all other objects are copied by their own rules (`copy.deepcopy`), where the
    allocator puts them. What occurs twice in `value` is one object in the copy too. Functions,
    classes and modules are shared.

    Raises
    ------
    Exception
        Whatever an object that cannot be copied raises.
    """
    return _copied(value, lambda array: _placed(array, rng), {})


def duplicate(value: Any) -> Any:
    """Return a copy as `place` does, with arrays at the beginning of a page."""
    return _copied(value, lambda array: _placed(array, None), {})


def _copied(value: Any, copy_array: Callable[[Any], Any], memo: Memo) -> Any:
    if type(value) in _ATOMS or isinstance(value, _SHARED):
        return value
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        new = copy_array(value)
    elif type(value) in {list, dict}:
        return _container_copied(value, copy_array, memo)
    elif type(value) in {tuple, set, frozenset} or _is_named_tuple(value):
        items = [_copied(item, copy_array, memo) for item in value]
        new = type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    elif type(value) is types.MappingProxyType:
        new = types.MappingProxyType(_copied(dict(value), copy_array, memo))
    elif _is_plain_dataclass(value):
        return _dataclass_copied(value, copy_array, memo)
    else:
        return copy.deepcopy(value, memo)
    # what holds itself by way of a list was copied on the way
    return memo.setdefault(id(value), new)


def _container_copied(value: Any, copy_array: Callable[[Any], Any], memo: Memo) -> Any:
    # entered into the memo before it is filled: it may hold itself
    new: Any = type(value)()
    memo[id(value)] = new
    if type(value) is list:
        new.extend(_copied(item, copy_array, memo) for item in value)
    else:
        for key, item in value.items():
            new[_copied(key, copy_array, memo)] = _copied(item, copy_array, memo)
    return new


def _dataclass_copied(value: Any, copy_array: Callable[[Any], Any], memo: Memo) -> Any:
    new = object.__new__(type(value))
    memo[id(value)] = new
    names = [field.name for field in dataclasses.fields(value)]
    names += [name for name in getattr(value, "__dict__", {}) if name not in names]
    for name in names:
        if hasattr(value, name):
            object.__setattr__(new, name, _copied(getattr(value, name), copy_array, memo))
    return new


def _is_named_tuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _is_plain_dataclass(value: Any) -> bool:
    """Say whether all that a dataclass object holds is in its fields and its ``__dict__``."""
    kind = type(value)
    if not dataclasses.is_dataclass(kind) or kind.__new__ is not object.__new__:
        return False
    if hasattr(kind, "__deepcopy__") or kind.__reduce_ex__ is not object.__reduce_ex__:
        return False
    fields = {field.name for field in dataclasses.fields(kind)}
    slots = {name for base in kind.__mro__ for name in _slots(base)}
    return slots - {"__dict__", "__weakref__"} <= fields


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _placed(array: Any, rng: np.random.Generator | None) -> Any:
    if type(array) is not np.ndarray or array.size == 0:
        new = array.copy(order="K")
    else:
        new = _at_offset(array, 0 if rng is None else _LINE * int(rng.integers(_PAGE // _LINE)))
    if not array.flags.writeable:
        new.flags.writeable = False
    return new


def _at_offset(array: Any, offset: int) -> Any:
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low + 2 * _PAGE, dtype=np.uint8)
    base = -memory.ctypes.data % _PAGE + offset + low % max(1, array.dtype.alignment)
    start = base + array.ctypes.data - low
    new: Any = np.ndarray(
        array.shape, array.dtype, buffer=memory.data, offset=start, strides=array.strides
    )
    new[...] = array
    return new
