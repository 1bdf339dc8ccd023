"""Pickles between interpreters whose NumPy may differ, with arrays where we put them."""

from __future__ import annotations

import ctypes
import io
import pickle
import random
from collections.abc import Iterable
from typing import Any

PROTOCOL = 5
"""The newest that every Python from 3.9 on reads."""

_LINE = 64
_PAGE = 4096


def whole(value: Any) -> bytes:
    """Return a value as one pickle."""
    return pickle.dumps(value, protocol=PROTOCOL)


def dumps(value: Any) -> tuple[bytes, list[pickle.PickleBuffer]]:
    """Return a value as a pickle and the buffers that lie outside of it."""
    buffers: list[pickle.PickleBuffer] = []
    return pickle.dumps(value, protocol=PROTOCOL, buffer_callback=buffers.append), buffers


def loads(data: bytes, buffers: Iterable[Any] = ()) -> Any:
    """Return the value of a pickle."""
    # the bytes come from the process at the other end of our own pipe alone
    return _Unpickler(io.BytesIO(data), buffers=buffers).load()


class Held:
    """A pickled input, from which fresh copies are made.

    Parameters
    ----------
    data : bytes
        The pickle.
    buffers : list of bytes
        The buffers that lie outside of it.
    writable : list of bool
        Which of them may be written to.
    """

    def __init__(self, data: bytes, buffers: list[bytes], writable: list[bool]) -> None:
        self._data = data
        self._buffers = buffers
        self._writable = writable
        self._settled: tuple[bytes, list[bytes]] = (b"", [])
        self.size = len(data) + sum(map(len, buffers))

    def settle(self) -> None:
        """Find out how this interpreter pickles an unchanged copy: others may do it otherwise."""
        data, buffers = dumps(self.fresh(random.Random(0)))
        self._settled = data, [bytes(buffer) for buffer in buffers]

    def fresh(self, drawn: random.Random) -> Any:
        """Return a copy whose buffers lie where `drawn` says."""
        placed = (
            _at_offset(data, drawn, writable)
            for data, writable in zip(self._buffers, self._writable)
        )
        return loads(self._data, placed)

    def change_in(self, value: Any) -> bytes | None:
        """Return a copy's pickle as it is now; None if it is as it was, empty if there is none."""
        try:
            data, buffers = dumps(value)
            now = data, [bytes(buffer) for buffer in buffers]
            return None if now == self._settled else whole(value)
        except Exception:
            return b""


def _at_offset(data: bytes, drawn: random.Random, writable: bool) -> memoryview:
    """Return a copy of some bytes on a 64-byte line, at an offset within a page that is drawn."""
    memory = bytearray(len(data) + 2 * _PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    start = -address % _PAGE + _LINE * drawn.randrange(_PAGE // _LINE)
    view = memoryview(memory)[start : start + len(data)]
    view[:] = data
    return view if writable else view.toreadonly()


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        # NumPy 2 moved numpy.core to numpy._core, and pickles name the one they come from
        for candidate in _names_of(module):
            try:
                return super().find_class(candidate, name)
            except ModuleNotFoundError as error:
                missing = error
        raise missing


def _names_of(module: str) -> list[str]:
    if module == "numpy.core" or module.startswith("numpy.core."):
        return ["numpy._core" + module[len("numpy.core") :], module]
    if module == "numpy._core" or module.startswith("numpy._core."):
        return [module, "numpy.core" + module[len("numpy._core") :]]
    return [module]
