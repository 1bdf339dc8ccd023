"""What comes back from another process: messages, what it prints, and a note.

A message is a line of JSON, followed by so many raw bytes as its field ``bytes`` says. What a
process is about to time it notes in a file, which is read if it ends before its time.
"""

import os
from typing import Any

from lunaflow._stored import dumps, loads
from lunaflow.experiment.processes.standalone._frames import write_all

Message = dict[str, Any]
_LONGEST_LINE = 2**24


class Garbage(ValueError):
    """What was sent is no message."""


def send(descriptor: int, message: Message, payload: bytes = b"") -> None:
    """Write a message to a pipe; `payload` becomes its field ``payload`` at the other end."""
    header = {**message, "bytes": len(payload)} if payload else message
    write_all(descriptor, f"{dumps(header)}\n".encode("ascii"))
    write_all(descriptor, payload)


def write_note(descriptor: int, name: str | None) -> None:
    """Write over the beginning of a file what `read_note` reads there."""
    os.pwrite(descriptor, f"{dumps(name)}\n".encode("ascii"), 0)


def read_note(descriptor: int) -> str | None:
    """Return the last note in a file, None if there is none."""
    line, end, _ = os.pread(descriptor, _LONGEST_LINE, 0).partition(b"\n")
    try:
        found = loads(line.decode("ascii")) if end else None
    except ValueError:
        return None  # somebody else has written there
    return found if isinstance(found, str) else None


class Inbox:
    """Puts messages together from the pieces in which they arrive."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._header: Message | None = None
        self._searched = 0

    def add(self, data: bytes) -> None:
        """Take what has arrived."""
        self._data += data

    def next(self) -> Message | None:
        """Return the next message if all of it has arrived.

        Raises
        ------
        Garbage
            If it is none.
        """
        if self._header is None:
            self._header = self._next_header()
        if self._header is None:
            return None
        length = self._header.get("bytes", 0)
        if len(self._data) < length:
            return None
        message, self._header = self._header, None
        if length:
            message["payload"] = bytes(memoryview(self._data)[:length])
            del self._data[:length]
        return message

    def _next_header(self) -> Message | None:
        end = self._data.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._data)
            if self._searched > _LONGEST_LINE:
                raise Garbage(repr(bytes(self._data[:80])))
            return None
        line = bytes(self._data[:end])
        del self._data[: end + 1]
        self._searched = 0
        return _message(line)


class Excerpt:
    """The beginning and the end of an output, and how much there was."""

    def __init__(self, shown: int = 2**12) -> None:
        self._shown = shown
        self._beginning = bytearray()
        self._end = bytearray()
        self._left_out = 0

    def add(self, data: bytes) -> None:
        """Take a piece of the output."""
        room = self._shown - len(self._beginning)
        self._beginning += data[:room]
        self._end += data[max(room, 0) :]
        if (surplus := len(self._end) - self._shown) > 0:
            self._left_out += surplus
            del self._end[:surplus]

    def text(self) -> str:
        """Return what is kept, in words."""
        between = f"\n... {self._left_out} bytes left out ...\n" if self._left_out else ""
        kept = (self._beginning, between.encode(), self._end)
        return b"".join(kept).decode("utf-8", "replace").strip()


def _message(line: bytes) -> Message:
    try:
        found = loads(line.decode("ascii"))
    except ValueError:
        raise Garbage(repr(line[:80])) from None
    length = found.get("bytes", 0) if isinstance(found, dict) else None
    if length is None or "message" not in found or type(length) is not int or length < 0:
        raise Garbage(repr(line[:80]))
    return dict(found)
