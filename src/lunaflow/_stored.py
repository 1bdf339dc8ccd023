"""What stored formats share: strict JSON, tags for what plain JSON lacks, exact records.

A tagged value is an object with the key ``"$"``: ``{"$": "float", "text": "nan"}``. The tags are
``int`` (beyond 2**53, in hexadecimal), ``float`` (NaN and the infinities), ``fraction`` (numerator
and denominator), ``bytes``, ``array``, ``text`` (a str in which a high and a low surrogate stand
side by side and would be read back as one character) and ``mapping`` (with other keys than plain
str, or with the key ``"$"``).
"""

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of

# Other JSON readers keep integers as binary64: beyond 2**53 neighbours become the same number.
_EXACT_IN_JSON = 2**53
_HEXADECIMAL = re.compile(r"-?0x[1-9a-f][0-9a-f]*", re.ASCII)
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def dumps(value: object) -> str:
    """Return `value` as one line of strict, ASCII-only JSON.

    Parameters
    ----------
    value : object
        What `tagged` accepts.

    Raises
    ------
    TypeError
        If a value of another type, or an array of Python objects, is in it.
    """
    import json  # imported where it is used: import lunaflow needs none of it

    return json.dumps(tagged(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def loads(text: str) -> Any:
    """Return the value that `dumps` wrote.

    Raises
    ------
    ValueError
        If `text` is not strict JSON, is nested too deeply, or holds a damaged tagged value.
    """
    try:
        return untagged(parse(text))
    except RecursionError as error:
        raise ValueError("the values are nested too deeply") from error


def parse(text: str) -> Any:
    """Return strict JSON as plain values, tags not yet taken for what they mean.

    Raises
    ------
    ValueError
        If `text` is not JSON, holds NaN, an infinity, a number beyond every float or an integer
        of more digits than the interpreter reads, has a field twice in one object, or is nested
        too deeply.
    """
    import json

    try:
        return json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            object_pairs_hook=_unique_fields,
        )
    except RecursionError as error:
        raise ValueError("the values are nested too deeply") from error


def tagged(value: Any) -> Any:
    """Return `value` as plain JSON can hold it, with tags where needed.

    Parameters
    ----------
    value : object
        None, bool, int, float, Fraction, str, bytes, NumPy arrays and scalars, and lists, tuples
        and mappings of them. A tuple becomes a list, a NumPy scalar the Python number it holds.

    Raises
    ------
    TypeError
        If a value of another type, or an array of Python objects, is in it.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _tagged_integer(int(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$": "float", "text": repr(float(value))}
    if isinstance(value, str):
        return _tagged_text(value)
    if isinstance(value, (list, tuple)):
        return [tagged(item) for item in value]
    if isinstance(value, Mapping):
        return _tagged_mapping(value)
    return _tagged_rarity(value)


def untagged(found: Any) -> Any:
    """Return the value that `tagged` made plain; a sequence comes back as a list.

    Raises
    ------
    ValueError
        If a tagged value is damaged or of an unknown kind; the message begins with its place.
    """
    if isinstance(found, list):
        return [_item(i, item) for i, item in enumerate(found)]
    if not isinstance(found, Mapping):
        return found
    if "$" not in found:
        return {key: _item(key, item) for key, item in found.items()}
    try:
        return _untagged(found)
    except (ValueError, RecursionError):
        raise
    except Exception as error:  # NumPy raises what it likes for a dtype that is none
        raise ValueError(f"a damaged tagged value: {text_of(found)}") from error


def read_record(where: str, given: object, names: tuple[str, ...]) -> Mapping[str, Any]:
    """Return `given` if it is a mapping with exactly the fields `names`; else ValueError."""
    if not isinstance(given, Mapping):
        wanted = ", ".join(names)
        raise ValueError(f"{where} must be an object with {wanted}, not {text_of(given)}")
    for name in names:
        if name not in given:
            raise ValueError(f"{where} lacks the field {name!r}")
    for name in given:
        if name not in names:
            known = ", ".join(names)
            raise ValueError(f"{where} has the unknown field {text_of(name)}; known: {known}")
    return given


def check_format(given: Mapping[str, Any], expected: str, version: int) -> None:
    """Raise ValueError unless `given` says it is of this format and version."""
    if given.get("format") != expected:
        raise ValueError(f"format must be {expected!r}, not {text_of(given.get('format'))}")
    found = given.get("version")
    if type(found) is not int or found != version:
        raise ValueError(f"version must be {version}, not {text_of(found)}")


def _tagged_integer(n: int) -> Any:
    return n if abs(n) <= _EXACT_IN_JSON else {"$": "int", "text": hex(n)}


def _tagged_text(text: str) -> Any:
    if _SURROGATE_PAIR.search(text) is None:
        return str(text)
    return {"$": "text", "codes": [ord(character) for character in text]}


def _tagged_mapping(mapping: Mapping[Any, Any]) -> Any:
    if all(map(_is_plain_key, mapping)):
        return {key: tagged(item) for key, item in mapping.items()}
    return {"$": "mapping", "items": [[tagged(k), tagged(v)] for k, v in mapping.items()]}


def _is_plain_key(key: object) -> bool:
    return isinstance(key, str) and key != "$" and _SURROGATE_PAIR.search(key) is None


def _tagged_rarity(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"$": "fraction", "items": [tagged(value.numerator), tagged(value.denominator)]}
    if isinstance(value, bytes):
        return {"$": "bytes", "base64": _base64(value)}
    if isinstance(value, np.ndarray):
        return _tagged_array(value)
    raise reject_type("value", value, "None, a number, a text, bytes, an array or a container")


def _tagged_array(array: Any) -> Any:
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects cannot be stored as JSON")
    return {
        "$": "array",
        "dtype": np.lib.format.dtype_to_descr(array.dtype),
        "shape": list(array.shape),
        "base64": _base64(array.tobytes()),
    }


def _item(place: object, item: Any) -> Any:
    try:
        return untagged(item)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def _untagged(found: Mapping[str, Any]) -> Any:
    match found:
        case {"$": "int", "text": str(text), **rest} if not rest and _HEXADECIMAL.fullmatch(text):
            return int(text, 16)
        case {"$": "float", "text": text, **rest} if not rest:
            return _FLOATS[text]
        case {"$": "fraction", "items": [n, d], **rest} if not rest:
            return _fraction(untagged(n), untagged(d))
        case {"$": "text", "codes": codes, **rest} if not rest:
            return "".join(map(chr, codes))
        case {"$": "mapping", "items": items, **rest} if not rest:
            return {untagged(key): untagged(item) for key, item in items}
        case {"$": "bytes", "base64": text, **rest} if not rest:
            return _bytes(text)
        case {"$": "array", "dtype": dtype, "shape": shape, "base64": text, **rest} if not rest:
            return _array(dtype, shape, text)
    raise ValueError(f"a damaged tagged value: {text_of(found)}")


def _fraction(numerator: Any, denominator: Any) -> Fraction:
    if type(numerator) is not int or type(denominator) is not int or denominator < 1:
        raise ValueError("a fraction must be of two integers, the denominator above 0")
    return Fraction(numerator, denominator)


def _array(descr: Any, shape: list[int], text: str) -> Any:
    dtype = np.lib.format.descr_to_dtype(_described(descr))
    if dtype.hasobject:
        raise ValueError("an array of Python objects cannot be stored as JSON")
    return np.frombuffer(bytearray(_bytes(text)), dtype=dtype).reshape(shape)


def _described(descr: Any) -> Any:
    # JSON has no tuples, and a structured dtype is described by a list of tuples
    if isinstance(descr, str):
        return descr
    return [
        (tuple(name) if isinstance(name, list) else name, _described(of), *map(tuple, shape))
        for name, of, *shape in descr
    ]


def _bytes(text: str) -> bytes:
    import base64

    return base64.b64decode(text, validate=True)


def _base64(data: bytes) -> str:
    import base64

    return base64.b64encode(data).decode("ascii")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not strict JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits:.80} is beyond the range of a float")
    return number


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {text_of(twice)} occurs twice in one object")
    return fields
