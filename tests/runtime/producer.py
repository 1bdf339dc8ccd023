"""A producer of Arrow columns by hand, through ctypes, that counts what is released."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from tests.runtime.kit import Array

_POINTER = ctypes.c_void_p
_RELEASE = ctypes.CFUNCTYPE(None, _POINTER)
_GET = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, _POINTER)
_TEXT = ctypes.CFUNCTYPE(_POINTER, _POINTER)


class _Schema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", _POINTER),
        ("dictionary", _POINTER),
        ("release", _POINTER),
        ("private_data", _POINTER),
    ]


class _Array(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", _POINTER),
        ("children", _POINTER),
        ("dictionary", _POINTER),
        ("release", _POINTER),
        ("private_data", _POINTER),
    ]


class _Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", _POINTER),
        ("get_next", _POINTER),
        ("get_last_error", _POINTER),
        ("release", _POINTER),
        ("private_data", _POINTER),
    ]


# what C code may call or read at any time is never collected
_ALIVE: list[Any] = []

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [_POINTER, ctypes.c_char_p, _POINTER]


def _kept(thing: Any) -> Any:
    _ALIVE.append(thing)
    return thing


class Producer:
    """Offers chunks as a stream or, if there is one, as an array.

    `made` and `released` count schemas, arrays and streams by name. `chunks` are dicts with the
    fields of an array and its `buffers`: arrays or None. After them, `fails` is the code that the
    stream gives.
    """

    def __init__(
        self,
        form: bytes,
        chunks: Sequence[dict[str, Any]],
        *,
        fails: int = 0,
        schema_fails: int = 0,
    ) -> None:
        self.form = form
        self.chunks = list(chunks)
        self.fails = fails
        self.schema_fails = schema_fails
        self.made = {"schema": 0, "array": 0, "stream": 0}
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self._next = 0

    def _release(self, struct: type[ctypes.Structure], name: str) -> Any:
        released = self.released

        def release(address: int) -> None:
            released[name] += 1
            struct.from_address(address).release = None

        self.made[name] += 1
        return ctypes.cast(_kept(_RELEASE(release)), _POINTER)

    def fill_schema(self, address: int) -> None:
        schema = _Schema.from_address(address)
        ctypes.memset(address, 0, ctypes.sizeof(_Schema))
        schema.format = self.form
        schema.release = self._release(_Schema, "schema")

    def fill_array(self, address: int, chunk: dict[str, Any]) -> None:
        array = _Array.from_address(address)
        ctypes.memset(address, 0, ctypes.sizeof(_Array))
        buffers: list[Array | None] = _kept(chunk["buffers"])
        pointers = _kept((_POINTER * max(1, len(buffers)))())
        for i, buffer in enumerate(buffers):
            pointers[i] = None if buffer is None else buffer.ctypes.data
        array.n_buffers = len(buffers)
        array.buffers = ctypes.addressof(pointers)
        array.length = chunk["length"]
        array.offset = chunk.get("offset", 0)
        array.null_count = chunk.get("null_count", -1)
        array.release = self._release(_Array, "array")

    def _capsule(self, struct: type[ctypes.Structure], name: bytes) -> tuple[Any, Any]:
        made = _kept(struct())
        return made, _new_capsule(ctypes.addressof(made), _kept(name), None)

    def stream(self) -> Any:
        stream, capsule = self._capsule(_Stream, b"arrow_array_stream")

        def get_schema(_: int, out: int) -> int:
            if not self.schema_fails:
                self.fill_schema(out)
            return self.schema_fails

        def get_next(_: int, out: int) -> int:
            if self._next == len(self.chunks):
                if not self.fails:
                    ctypes.memset(out, 0, ctypes.sizeof(_Array))
                return self.fails
            self.fill_array(out, self.chunks[self._next])
            self._next += 1
            return 0

        text = _kept(ctypes.create_string_buffer("the disk is ü full".encode()))
        last_error = _kept(_TEXT(lambda _: ctypes.addressof(text) if self.fails else None))
        stream.get_schema = ctypes.cast(_kept(_GET(get_schema)), _POINTER)
        stream.get_next = ctypes.cast(_kept(_GET(get_next)), _POINTER)
        stream.get_last_error = ctypes.cast(last_error, _POINTER)
        stream.release = self._release(_Stream, "stream")
        return capsule

    def array(self) -> tuple[Any, Any]:
        schema, schema_capsule = self._capsule(_Schema, b"arrow_schema")
        self.fill_schema(ctypes.addressof(schema))
        array, array_capsule = self._capsule(_Array, b"arrow_array")
        self.fill_array(ctypes.addressof(array), self.chunks[0])
        # these two capsules have no destructor: the schema goes with this object
        self.made["schema"] -= 1
        return schema_capsule, array_capsule


class AsStream:
    """What offers a producer's stream."""

    def __init__(self, producer: Producer) -> None:
        self.producer = producer

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.producer.stream()


class AsArray:
    """What offers a producer's only chunk."""

    def __init__(self, producer: Producer) -> None:
        self.producer = producer

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.producer.array()


def chunk(values: Array, **more: Any) -> dict[str, Any]:
    """Return the chunk of an array without nulls; `more` replaces its fields."""
    return {"buffers": [None, values], "length": len(values)} | more


def bitmap(truths: Sequence[bool]) -> Array:
    """Return the bytes whose bits these are."""
    return np.packbits(np.array(truths, bool), bitorder="little")
