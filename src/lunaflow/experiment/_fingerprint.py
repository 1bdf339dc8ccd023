"""A hash that tells inputs apart, the same in every process."""

import hashlib
import types
from collections.abc import Iterable, Set
from typing import Any

import numpy as np

from lunaflow.arithmetic import same_value

_NUMBERS = frozenset({type(None), bool, int, float, complex})
_NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


def fingerprint(value: object) -> str:
    """Return a hash (SHA-256, hexadecimal) of a value's content.

    Arrays count with dtype, shape and bytes, lists and tuples with their items in order, dicts and
    sets with their items in any order, numbers and texts with type and value, functions, classes
    and modules with their name, and every other object with what it is pickled by. The type counts
    everywhere: 1, 1.0 and True differ although they are equal, as do 0.0 and -0.0.

    Raises
    ------
    Exception
        Whatever an object that cannot be pickled raises.
    """
    return hashlib.sha256(_encoded(value, ())).hexdigest()


def is_unchanged(value: object, original: object) -> bool:
    """Say whether `value`, once a copy of `original`, is still the same.

    That is so if the two are the same value, or have the same fingerprint, as objects have that
    compare by identity.
    """
    try:
        if same_value(value, original):
            return True
    except Exception:  # noqa: S110 (a comparison that raises says nothing; the fingerprint decides)
        pass
    return fingerprint(value) == fingerprint(original)


def _encoded(value: Any, inside: tuple[int, ...]) -> bytes:
    """Return bytes that stand for a value: short ones themselves, a digest of all others."""
    kind = type(value)
    if kind in _NUMBERS:
        return _name(kind) + _number_text(value).encode()
    if kind is str:
        return _hashed(_name(kind), value.encode("utf-8", "surrogatepass"))
    if kind in {bytes, bytearray}:
        return _hashed(_name(kind), value)
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        return _hashed(_name(kind), *_array_parts(value))
    if isinstance(value, _NAMED):
        return _hashed(_name(kind), _name(value))
    if id(value) in inside:
        # it holds itself: how far up is all there is to say
        return _hashed(_name(kind), len(inside) - inside.index(id(value)))
    return _hashed(_name(kind), *_parts(value, (*inside, id(value))))


def _parts(value: Any, inside: tuple[int, ...]) -> Iterable[bytes]:
    if type(value) in {list, tuple}:
        return (_encoded(item, inside) for item in value)
    if type(value) in {dict, types.MappingProxyType}:
        return _pairs(value.items(), inside)
    if isinstance(value, Set):
        return sorted(_encoded(item, inside) for item in value)
    if isinstance(value, np.ndarray):
        return (_encoded(item, inside) for item in (value.shape, *value.ravel().tolist()))
    return _reduced(value, inside)


def _pairs(items: Iterable[tuple[Any, Any]], inside: tuple[int, ...]) -> list[bytes]:
    found = sorted((_encoded(key, inside), _encoded(item, inside)) for key, item in items)
    return [part for pair in found for part in pair]


def _reduced(value: Any, inside: tuple[int, ...]) -> Iterable[bytes]:
    reduced = value.__reduce_ex__(4)
    if isinstance(reduced, str):
        yield reduced.encode("utf-8", "surrogatepass")
        return
    function, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
    for part in (function, arguments, state, None if items is None else list(items)):
        yield _encoded(part, inside)
    yield from _pairs(pairs or (), inside)


def _array_parts(value: Any) -> list[bytes]:
    descr = f"{np.lib.format.dtype_to_descr(value.dtype)} {value.shape}".encode()
    if isinstance(value, np.ma.MaskedArray):
        return [descr, value.tobytes(), np.ma.getmaskarray(value).tobytes()]
    return [descr, value.tobytes()]


def _hashed(*parts: bytes | int) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        data = part.to_bytes(8, "little") if isinstance(part, int) else part
        # each part with its length, so that no two sequences of parts run together
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


def _name(named: Any) -> bytes:
    module = getattr(named, "__module__", "")
    name = getattr(named, "__qualname__", getattr(named, "__name__", ""))
    return f"{module}.{name} ".encode("utf-8", "surrogatepass")


def _number_text(value: Any) -> str:
    # decimal texts of huge integers are refused by the interpreter's own limit
    return hex(value) if type(value) is int else repr(value)
