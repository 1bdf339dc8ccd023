"""When are two results the same: shape, dtype and elements, NaN equal to NaN."""

import dataclasses
import decimal
import math
import numbers
from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from lunaflow._texts import text_of


def same_value(a: object, b: object) -> bool:
    """Say whether `a` and `b` are the same value.

    Arrays are the same when shape, dtype and all elements agree; NaN equals NaN; containers are
    compared element by element, dataclasses field by field; data frames by their own ``equals``; a
    Python number and a NumPy scalar when both are of one kind (integer, float, complex, bool) and
    equal.
    """
    return first_difference(a, b) is None


def first_difference(a: object, b: object, where: str = "") -> str | None:
    """Return a text naming the first place where `a` and `b` differ, or None if nowhere."""
    at = f" at {where}" if where else ""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return _array_difference(a, b, where)
    if _is_number(a) and _is_number(b):
        return None if _same_number(a, b) else f"{text_of(a)} is not {text_of(b)}{at}"
    if _is_frame(a) or _is_frame(b):
        same = type(a) is type(b) and bool(a.equals(b))  # type: ignore[attr-defined]
        return None if same else f"{type(a).__name__} and {type(b).__name__} differ{at}"
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return _mapping_difference(a, b, where)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return _sequence_difference(a, b, where)
    if compares_by_fields(a) and type(a) is type(b):
        return _field_difference(a, b, where)
    if isinstance(a, Set) and isinstance(b, Set):
        return None if a == b else f"{text_of(a)} is not {text_of(b)}{at}"
    if a is b or (type(a) is type(b) and equal_or_same(a, b)):
        return None
    return f"{text_of(a)} is not {text_of(b)}{at}"


def equal_or_same(a: object, b: object) -> bool:
    """Compare by ``==``, and by `same_value` where arrays or NaN take part."""
    if holds_array(a) or holds_array(b):
        return same_value(a, b)
    if _is_nan(a) or _is_nan(b):
        return _is_nan(a) and _is_nan(b)
    return bool(a == b)


def value_hash(value: object) -> int:
    """Hash consistently with `equal_or_same`; raises TypeError for what holds an array."""
    return hash("NaN") if _is_nan(value) else hash(value)


def holds_array(value: object) -> bool:
    """Say whether `value` is an array or frame, or a container with one in it."""
    if isinstance(value, np.ndarray) or _is_frame(value):
        return True
    if isinstance(value, Mapping):
        return any(holds_array(v) for v in value.values())
    if isinstance(value, (list, tuple)):
        return any(holds_array(v) for v in value)
    if compares_by_fields(value):
        return any(holds_array(getattr(value, name)) for name in compared_fields(value))
    return False


def compares_by_fields(value: object) -> bool:
    """Say whether a dataclass object is compared field by field."""
    # a dataclass declared with eq=False brings its own ==, as Ok does
    params = getattr(type(value), "__dataclass_params__", None)
    return params is not None and bool(params.eq)


def compared_fields(value: Any) -> list[str]:
    """Return the names of the fields of a dataclass object that count in a comparison."""
    return [field.name for field in dataclasses.fields(value) if field.compare]


def _array_difference(a: Any, b: Any, where: str) -> str | None:
    at = f" at {where}" if where else ""
    for one in (a, b):
        if not isinstance(one, np.ndarray):
            return f"{text_of(a)} is not {text_of(b)}{at} (only one of them is an array)"
    if a.shape != b.shape:
        return f"shape {a.shape} is not {b.shape}{at}"
    if a.dtype != b.dtype:
        return f"dtype {a.dtype} is not {b.dtype}{at}"
    if a.dtype.names is not None:
        return _record_difference(a, b, where)
    if isinstance(a, np.ma.MaskedArray) or isinstance(b, np.ma.MaskedArray):
        mask_a, mask_b = np.ma.getmaskarray(a), np.ma.getmaskarray(b)
        if not np.array_equal(mask_a, mask_b):
            return f"the masks differ{at}"
        a, b = np.ma.getdata(a), np.where(mask_a, np.ma.getdata(a), np.ma.getdata(b))
    if a.dtype == object:
        return _sequence_difference(a.ravel().tolist(), b.ravel().tolist(), where)
    differ = np.asarray(a != b)
    if a.dtype.kind in "fcmM":
        differ &= ~(np.isnan(a) & np.isnan(b))
    if not differ.any():
        return None
    position = tuple(int(i) for i in np.unravel_index(int(np.argmax(differ)), a.shape))
    index = f"{where}[{', '.join(map(str, position))}]"
    count = int(np.count_nonzero(differ))
    return f"{a[position]} is not {b[position]} at {index} ({count} of {a.size} elements differ)"


def _record_difference(a: Any, b: Any, where: str) -> str | None:
    for name in a.dtype.names:
        if (difference := _array_difference(a[name], b[name], f"{where}[{name!r}]")) is not None:
            return difference
    return None


def _field_difference(a: Any, b: Any, where: str) -> str | None:
    for name in compared_fields(a):
        at = f"{where}.{name}"
        if (difference := first_difference(getattr(a, name), getattr(b, name), at)) is not None:
            return difference
    return None


def _sequence_difference(a: Any, b: Any, where: str) -> str | None:
    at = f" at {where}" if where else ""
    if type(a) is not type(b):
        return f"{type(a).__name__} is not {type(b).__name__}{at}"
    if len(a) != len(b):
        return f"length {len(a)} is not {len(b)}{at}"
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if (difference := first_difference(x, y, f"{where}[{i}]")) is not None:
            return difference
    return None


def _mapping_difference(a: Any, b: Any, where: str) -> str | None:
    at = f" at {where}" if where else ""
    if a.keys() != b.keys():
        return f"keys {text_of(list(a))} are not {text_of(list(b))}{at}"
    for key in a:
        if (difference := first_difference(a[key], b[key], f"{where}[{text_of(key)}]")) is not None:
            return difference
    return None


def _is_number(x: object) -> bool:
    return isinstance(x, (int, float, complex, np.generic)) and not isinstance(x, np.void)


def _number_kind(x: Any) -> str:
    for kind, types in (
        ("bool", (bool, np.bool_)),
        ("integer", (int, np.integer)),
        ("float", (float, np.floating)),
        ("complex", (complex, np.complexfloating)),
    ):
        if isinstance(x, types):
            return kind
    return type(x).__name__


def _same_number(a: Any, b: Any) -> bool:
    if isinstance(a, np.generic) and isinstance(b, np.generic) and a.dtype != b.dtype:
        return False
    if _number_kind(a) != _number_kind(b):
        return False
    if isinstance(a, np.generic) != isinstance(b, np.generic):
        # NumPy would round the Python number to the scalar's precision before it compares
        a, b = (x.item() if isinstance(x, np.generic) else x for x in (a, b))
    return bool(a == b) or (_is_nan(a) and _is_nan(b))


def _is_nan(x: Any) -> bool:
    if isinstance(x, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(x))
    if isinstance(x, (complex, np.complexfloating)):
        return math.isnan(x.real) or math.isnan(x.imag)
    if isinstance(x, decimal.Decimal):
        return x.is_nan()
    return isinstance(x, numbers.Real) and x != x


def _is_frame(x: object) -> bool:
    # pandas, polars and pyarrow containers compare by their own rules, without being imported here
    library = type(x).__module__.partition(".")[0]
    return library in {"pandas", "polars", "pyarrow"} and hasattr(x, "equals")
