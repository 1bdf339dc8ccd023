"""Strictly valid ASCII JSON for values that plain JSON lacks: each such value carries a tag.

A tagged value is an object with the key ``"$"``: ``{"$": "float", "text": "nan"}``. The tags are
``float`` (NaN and the infinities), ``int`` (beyond 2**53, in hexadecimal), ``bytes``, ``array``,
``text`` (a str whose lone surrogates stand side by side and would be read back as one character)
and ``mapping`` (a dict with other keys than plain str, or with the key ``"$"``).
"""

import base64
import json
import re
from typing import Any

import numpy as np

from lunaflow._arguments import reject_type

_EXACT_IN_A_DOUBLE = 2**53
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def dumps(value: object) -> str:
    """Return `value` as one line of strict, ASCII-only JSON.

    Parameters
    ----------
    value : object
        None, bool, int, float, str, bytes, NumPy arrays and scalars, and lists, tuples and dicts of
        them. A tuple is written as a list, a NumPy scalar as the Python number that it holds.

    Raises
    ------
    TypeError
        If a value of another type, or an array of Python objects, is in it.
    """
    return json.dumps(_tagged(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def loads(text: str) -> Any:
    """Return the value that `dumps` wrote.

    Raises
    ------
    ValueError
        If `text` is not strict JSON, is nested too deeply, or holds a damaged tagged value.
    """
    try:
        return json.loads(text, object_hook=_untagged, parse_constant=_refuse_constant)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"a damaged value: {type(error).__name__}: {error}") from error


def _tagged(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        plain = -_EXACT_IN_A_DOUBLE <= value <= _EXACT_IN_A_DOUBLE
        return int(value) if plain else {"$": "int", "text": hex(value)}
    if isinstance(value, float):
        return float(value) if np.isfinite(value) else {"$": "float", "text": repr(float(value))}
    if isinstance(value, str):
        return _tagged_text(value)
    if isinstance(value, (list, tuple)):
        return [_tagged(item) for item in value]
    if isinstance(value, dict):
        return _tagged_mapping(value)
    if isinstance(value, bytes):
        return {"$": "bytes", "base64": _base64(value)}
    if isinstance(value, np.ndarray):
        return _tagged_array(value)
    raise reject_type("value", value, "None, a number, a text, bytes, an array or a container")


def _tagged_text(text: str) -> Any:
    if _SURROGATE_PAIR.search(text) is None:
        return str(text)
    return {"$": "text", "codes": [ord(character) for character in text]}


def _tagged_mapping(mapping: dict[Any, Any]) -> Any:
    if all(map(_is_plain_key, mapping)):
        return {key: _tagged(item) for key, item in mapping.items()}
    return {"$": "mapping", "items": [[_tagged(k), _tagged(v)] for k, v in mapping.items()]}


def _is_plain_key(key: object) -> bool:
    return isinstance(key, str) and key != "$" and _SURROGATE_PAIR.search(key) is None


def _tagged_array(array: Any) -> Any:
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects cannot be stored as JSON")
    return {
        "$": "array",
        "dtype": np.lib.format.dtype_to_descr(array.dtype),
        "shape": list(array.shape),
        "base64": _base64(array.tobytes()),
    }


def _untagged(found: dict[str, Any]) -> Any:
    match found.get("$"):
        case None:
            return found
        case "int":
            return int(found["text"], 16)
        case "float":
            return _FLOATS[found["text"]]
        case "text":
            return "".join(map(chr, found["codes"]))
        case "mapping":
            return {key: item for key, item in found["items"]}  # noqa: C416 (each must be a pair)
        case "bytes":
            return base64.b64decode(found["base64"], validate=True)
        case "array":
            return _array(found)
    raise ValueError(f"unknown tag {found['$']!r}")


def _array(found: dict[str, Any]) -> Any:
    dtype = np.lib.format.descr_to_dtype(_described(found["dtype"]))
    if dtype.hasobject:
        raise ValueError("an array of Python objects cannot be stored as JSON")
    data = base64.b64decode(found["base64"], validate=True)
    return np.frombuffer(bytearray(data), dtype=dtype).reshape(found["shape"])


def _fields(descr: list[Any]) -> list[Any]:
    # JSON has no tuples, and a structured dtype is described by a list of tuples
    return [
        (tuple(name) if isinstance(name, list) else name, _described(of), *map(tuple, shape))
        for name, of, *shape in descr
    ]


def _described(descr: Any) -> Any:
    return descr if isinstance(descr, str) else _fields(descr)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not strict JSON")
