"""How a command's input becomes bytes, and its bytes a result."""

import io
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from lunaflow._stored import parse

Codec = Literal["json", "text", "bytes", "npy"]


def encoder(codec: Codec | Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Return the function that makes bytes."""
    return codec if callable(codec) else CODECS[codec][0]


def decoder(codec: Codec | Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Return the function that reads bytes."""
    return codec if callable(codec) else CODECS[codec][1]


def _to_json(value: Any) -> bytes:
    return json.dumps(value, default=_as_plain, allow_nan=False).encode("ascii")


def _as_plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is nothing that JSON holds")


def _from_json(data: bytes) -> Any:
    return parse(data.decode("utf-8"))


def _to_text(value: Any) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"encode='text' takes a str, not {type(value).__name__}")
    return value.encode("utf-8")


def _from_text(data: bytes) -> str:
    return data.decode("utf-8")


def _same_bytes(value: Any) -> bytes:
    if not isinstance(value, (bytes, bytearray)):
        raise TypeError(f"encode='bytes' takes bytes, not {type(value).__name__}")
    return bytes(value)


def _to_npy(value: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, value, allow_pickle=False)
    return file.getvalue()


def _from_npy(data: bytes) -> Any:
    return np.load(io.BytesIO(data), allow_pickle=False)


CODECS: Mapping[str, tuple[Callable[[Any], bytes], Callable[[bytes], Any]]] = MappingProxyType(
    {
        "json": (_to_json, _from_json),
        "text": (_to_text, _from_text),
        "bytes": (_same_bytes, _same_bytes),
        "npy": (_to_npy, _from_npy),
    }
)
"""By name, the functions that make and read bytes."""
