"""Requests and replies as both ends of a pipe see them.

A frame is eight bytes with a length, then so many bytes. A request is a frame of JSON, followed by
so many frames of raw bytes as its field ``parts`` says. A reply is a line of JSON, followed by so
many raw bytes as its field ``bytes`` says.
"""

from __future__ import annotations

import json
import os
from typing import Any, BinaryIO


def frame(data: bytes | bytearray | memoryview) -> tuple[bytes, bytes | bytearray | memoryview]:
    """Return the two parts of the frame that carries `data`."""
    length = data.nbytes if isinstance(data, memoryview) else len(data)
    return length.to_bytes(8, "little"), data


def read_frame(file: BinaryIO) -> bytes | None:
    """Return what the next frame carries, None at the end."""
    header = file.read(8)
    if len(header) < 8:
        return None
    length = int.from_bytes(header, "little")
    data = file.read(length)
    return data if len(data) == length else None


def read_request(file: BinaryIO) -> tuple[dict[str, Any], list[bytes]] | None:
    """Return the next request and its parts, None at the end."""
    header = read_frame(file)
    if header is None:
        return None
    request = json.loads(header)
    parts = []
    for _ in range(request.get("parts", 0)):
        part = read_frame(file)
        if part is None:
            return None
        parts.append(part)
    return request, parts


def reply(descriptor: int, message: dict[str, Any], payload: bytes = b"") -> None:
    """Write a reply; `payload` becomes its field ``payload`` at the other end."""
    header = dict(message, bytes=len(payload)) if payload else message
    write_all(descriptor, json.dumps(header, ensure_ascii=True).encode("ascii") + b"\n")
    write_all(descriptor, payload)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, however few bytes the system takes at once."""
    written = 0
    while written < len(data):
        written += os.write(descriptor, memoryview(data)[written:])
