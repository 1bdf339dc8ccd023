"""A hash that tells inputs apart, the same in every process."""

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


def fingerprint(value: object) -> str:
    """Return a hash (SHA-256, hexadecimal) of a value's content.

    Arrays count with dtype, shape and bytes, containers and dataclasses with what is in them,
    numbers and texts with their value. An object of another kind counts with its type alone, so
    equal values never differ in their fingerprint.
    """
    digest = hashlib.sha256()
    for part in _parts(value):
        # each part with its length, so that no two sequences of parts run together
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    yield kind.encode("utf-8", "surrogatepass")
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        yield f"{np.lib.format.dtype_to_descr(value.dtype)} {value.shape}".encode()
        yield value.tobytes()
    elif value is None or isinstance(value, (bool, int, float, complex)):
        yield _number_text(value).encode()
    elif isinstance(value, str):
        yield value.encode("utf-8", "surrogatepass")
    elif isinstance(value, (bytes, bytearray)):
        yield bytes(value)
    else:
        yield from _container_parts(value)


def _container_parts(value: Any) -> Iterator[bytes]:
    items: list[Any] = []
    if isinstance(value, Mapping):
        items = [part for item in value.items() for part in item]
    elif isinstance(value, (list, tuple)):
        items = list(value)
    elif isinstance(value, np.ndarray):
        items = [value.shape, *value.ravel().tolist()]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        items = [getattr(value, field.name) for field in dataclasses.fields(value)]
    yield len(items).to_bytes(8, "little")
    for item in items:
        yield from _parts(item)


def _number_text(value: Any) -> str:
    # decimal texts of huge integers are refused by the interpreter's own limit
    return hex(value) if type(value) is int else repr(value)
