"""Serves calls of a command: each call is a process of its own, with all that descends from it.

Arguments: the command as JSON, the bytes of memory that a process may take (0: no limit), the most
bytes that a result may have, and a descriptor for replies. ``{input}`` in the command stands for
the path of a file with the input, which is standard input too; ``{result}`` for that of the pipe
that takes the result, which the variable ``LUNAFLOW_RESULT`` names too. Requests on standard input:

=========  ========================  =============================================================
``do``     fields and parts          reply
=========  ========================  =============================================================
``place``  ``slot``; the input       ``placed``
``call``   ``slot``                  ``called``: ``code``, ``left``, ``seconds``; the result
``time``   ``slot``, ``iterations``  ``timed``: ``seconds``; where a call fails, as for ``call``
``check``  ``slot``                  ``checked``: ``changed``
=========  ========================  =============================================================

A command that cannot be started is answered ``unable`` with the reason. In place of the code of a
process that was ended because its result was too long there is none.
"""

from __future__ import annotations

import json
import os
import select
import sys
import tempfile
import time
from typing import IO, Any

from ._descendants import descendants, end_all, names_of, reap
from ._frames import read_request, reply
from ._warden import UNABLE, prepare, return_code, start

_CHUNK = 2**18


def main(arguments: list[str]) -> None:
    """Serve requests until there are no more."""
    memory, limit, replies = map(int, arguments[1:4])
    os.set_inheritable(replies, False)
    commands = _Commands(json.loads(arguments[0]), memory, limit)
    reply(replies, {"message": "ready"})
    while (found := read_request(sys.stdin.buffer)) is not None:
        reply(replies, *commands.answer(*found))


class _Commands:
    def __init__(self, command: list[str], memory: int, limit: int) -> None:
        self._command = command
        self._memory = memory
        self._limit = limit
        self._woken = prepare()
        # files without a name: whatever ends this process, none of them stays
        self._inputs: dict[str, tuple[bytes, IO[bytes]]] = {}

    def answer(self, request: dict[str, Any], parts: list[bytes]) -> tuple[dict[str, Any], bytes]:
        slot = request["slot"]
        try:
            if request["do"] == "place":
                return self._place(slot, parts[0])
            if request["do"] == "check":
                return {"message": "checked", "changed": self._is_changed(slot)}, b""
            if request["do"] == "time":
                return self._time(slot, request["iterations"])
            return self._call(slot)
        except UNABLE as error:
            return {"message": "unable", "reason": str(error)}, b""

    def _place(self, slot: str, data: bytes) -> tuple[dict[str, Any], bytes]:
        file = tempfile.TemporaryFile(prefix="lunaflow-")  # noqa: SIM115
        file.write(data)
        file.flush()
        if slot in self._inputs:
            self._inputs[slot][1].close()
        self._inputs[slot] = data, file
        return {"message": "placed"}, b""

    def _is_changed(self, slot: str) -> bool:
        data, file = self._inputs[slot]
        file.seek(0)
        return file.read() != data

    def _time(self, slot: str, iterations: int) -> tuple[dict[str, Any], bytes]:
        seconds = 0.0
        for _ in range(iterations):
            called, result = self._call(slot)
            if called["code"] != 0:
                return called, result
            seconds += called["seconds"]
        return {"message": "timed", "seconds": seconds}, b""

    def _call(self, slot: str) -> tuple[dict[str, Any], bytes]:
        file = self._inputs[slot][1]
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        reading, writing = os.pipe()
        paths = {"{input}": f"/dev/fd/{file.fileno()}", "{result}": f"/dev/fd/{writing}"}
        command = [_with_paths(text, paths) for text in self._command]
        environment = {**os.environ, "LUNAFLOW_RESULT": paths["{result}"]}
        inherited = (writing, file.fileno())
        try:
            begun = time.perf_counter()
            process = start(command, self._memory, pass_fds=inherited, stdin=file, env=environment)
            os.close(writing)
            writing = -1
            return self._finished(process.pid, reading, begun)
        finally:
            for descriptor in (reading, writing):
                if descriptor >= 0:
                    os.close(descriptor)

    def _finished(self, pid: int, reading: int, begun: float) -> tuple[dict[str, Any], bytes]:
        result = bytearray()
        status = None
        open_ = True
        while status is None and len(result) <= self._limit:
            waiting = [self._woken, reading] if open_ else [self._woken]
            readable = select.select(waiting, [], [])[0]
            status = reap().get(pid)
            seconds = time.perf_counter() - begun
            if self._woken in readable:
                _drop(self._woken)
            if reading in readable:
                open_ = self._take(reading, result)
        # who was left behind may hold the pipe open: what has been written is all that counts
        while open_ and len(result) <= self._limit and select.select([reading], [], [], 0)[0]:
            open_ = self._take(reading, result)
        left = names_of(descendants()) if status is not None else []
        end_all(pid)
        _drop(self._woken)
        called: dict[str, Any] = {"message": "called", "left": left, "seconds": seconds}
        if status is None or len(result) > self._limit:
            return {**called, "code": None}, b""
        return {**called, "code": return_code(status)}, bytes(result)

    def _take(self, reading: int, result: bytearray) -> bool:
        data = os.read(reading, _CHUNK)
        result += data
        return bool(data)


def _with_paths(text: str, paths: dict[str, str]) -> str:
    for name, path in paths.items():
        text = text.replace(name, path)
    return text


def _drop(descriptor: int) -> None:
    try:
        while os.read(descriptor, _CHUNK):
            pass
    except BlockingIOError:
        return
