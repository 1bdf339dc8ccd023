"""Serves calls of one Python function, in whatever interpreter and environment it is started.

Arguments: a descriptor for replies. Requests come on standard input:

=========  =========================================  ============================================
``do``     fields and parts                           reply
=========  =========================================  ============================================
``load``   ``name``, ``steps``, ``stateful``,         ``ready``
           ``path``; the pickled function (empty: by
           name), the pickled initial context
``input``  ``writable``; the pickled input, buffers   ``taken``
``call``   none                                       ``called``: ``changed``, ``seconds``; the
                                                      pickled outcomes
``place``  ``slot``, ``seed``                         ``placed``
``time``   ``slot``, ``iterations``, ``fresh``        ``timed``: ``seconds``
``check``  ``slot``                                   ``checked``: ``changed``
=========  =========================================  ============================================

An outcome is a pair: False and what was returned, or True and the exception's ``type_name``,
``message``, ``kind`` and ``index``. With ``changed`` of a ``check`` comes the pickled input as it
is now. What raises while it is timed is ``raised``, with the exception; what cannot be imported,
pickled or unpickled is ``refused``, with the reason.
"""

from __future__ import annotations

import enum
import importlib
import os
import random
import sys
import time
from typing import Any, BinaryIO

from ._batch import ClockError, time_batch, time_calls
from ._frames import read_request, reply
from ._pickles import Held, loads, whole
from ._steps import Run, Stateless, payload_of, run_steps

Answer = tuple[dict[str, Any], bytes]

_BALLAST_BYTES = 2**16
_GROUP = 64
_GROUP_BYTES = 2**26


class Refused(Exception):
    """A request that cannot be answered; the text says why."""


def main(arguments: list[str]) -> None:
    """Serve requests until there are no more."""
    replies = int(arguments[0])
    # what the function starts must not hold our pipe open
    os.set_inheritable(replies, False)
    agent = _Agent()
    with own_input() as requests:
        while (found := read_request(requests)) is not None:
            reply(replies, *agent.answer(*found))


def own_input() -> BinaryIO:
    """Return standard input, and let whoever reads from it later find nothing there."""
    mine = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(mine, "rb")


class _Agent:
    def __init__(self) -> None:
        self._run: Run = Stateless(len)
        self._steps = 1
        self._stateful = False
        self._context = b""
        self._held = Held(b"", [], [])
        self._placed: dict[str, tuple[Any, bytearray]] = {}

    def answer(self, request: dict[str, Any], parts: list[bytes]) -> Answer:
        """Return the reply to a request and its payload."""
        do = {
            "load": self._load,
            "input": self._take,
            "call": self._call,
            "place": self._place,
            "time": self._time,
            "check": self._check,
        }
        try:
            return do[request["do"]](request, parts)
        except Refused as error:
            return {"message": "refused", "reason": str(error)}, b""

    def _load(self, request: dict[str, Any], parts: list[bytes]) -> Answer:
        if request["path"] is not None:
            sys.path[:] = request["path"]
        function, self._context = parts
        try:
            found = loads(function) if function else named(request["name"])
            loads(self._context)
        except Exception as error:
            raise Refused(_because("the function cannot be loaded", error)) from error
        self._stateful, self._steps = request["stateful"], request["steps"]
        self._run = found if self._stateful else Stateless(found)
        return {"message": "ready"}, b""

    def _take(self, request: dict[str, Any], parts: list[bytes]) -> Answer:
        self._placed.clear()
        self._held = Held(parts[0], parts[1:], request["writable"])
        try:
            self._held.settle()
        except Exception as error:
            raise Refused(_because("the input cannot be unpickled", error)) from error
        return {"message": "taken"}, b""

    def _call(self, request: dict[str, Any], parts: list[bytes]) -> Answer:  # noqa: ARG002
        given, context = self._held.fresh(random.Random(0)), loads(self._context)
        begun = time.monotonic()
        found = run_steps(self._run, given, context, self._steps)
        seconds = time.monotonic() - begun
        outcomes = [(raised, described(one) if raised else _outcome(one)) for raised, one in found]
        try:
            payload = whole(outcomes)
        except Exception as error:
            raise Refused(_because("what it returned cannot be pickled", error)) from error
        changed = self._held.change_in(given) is not None
        return {"message": "called", "changed": changed, "seconds": seconds}, payload

    def _place(self, request: dict[str, Any], parts: list[bytes]) -> Answer:  # noqa: ARG002
        self._placed.pop(request["slot"], None)
        drawn = random.Random(request["seed"])
        # shifts where the outputs are put, as long as this copy lies there
        ballast = bytearray(drawn.randrange(_BALLAST_BYTES))
        self._placed[request["slot"]] = self._held.fresh(drawn), ballast
        return {"message": "placed"}, b""

    def _time(self, request: dict[str, Any], parts: list[bytes]) -> Answer:  # noqa: ARG002
        given = self._placed[request["slot"]][0]
        try:
            seconds = self._seconds(given, request["iterations"], request["fresh"])
        except ClockError as error:
            raise Refused(str(error)) from error
        except Exception as error:
            return {"message": "raised", **described(error)}, b""
        return {"message": "timed", "seconds": seconds}, b""

    def _seconds(self, given: Any, iterations: int, fresh: bool) -> float:
        if not fresh and not self._stateful and self._steps == 1:
            return time_batch(self._run.function, given, iterations)  # type: ignore[attr-defined]
        drawn = random.Random(iterations)

        def argument() -> tuple[Any, Any]:
            return self._held.fresh(drawn) if fresh else given, loads(self._context)

        group = max(1, min(_GROUP, _GROUP_BYTES // (1 + self._held.size))) if fresh else _GROUP
        return time_calls(payload_of(self._run, self._steps), argument, iterations, group=group)

    def _check(self, request: dict[str, Any], parts: list[bytes]) -> Answer:  # noqa: ARG002
        now = self._held.change_in(self._placed[request["slot"]][0])
        return {"message": "checked", "changed": now is not None}, now or b""


def named(name: str) -> Any:
    """Return what ``"module:name"`` names."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def described(error: BaseException) -> dict[str, Any]:
    """Return an exception as plain data."""
    kind, index = getattr(error, "kind", None), getattr(error, "index", None)
    if isinstance(kind, enum.Enum):
        kind = kind.name
    return {
        "type_name": type(error).__name__,
        "text": _text(error),
        "kind": kind if isinstance(kind, str) else None,
        "index": _index(index),
    }


def _outcome(returned: Any) -> Any:
    return getattr(returned, "outcome", returned) if hasattr(returned, "next_context") else returned


def _index(index: Any) -> Any:
    if type(index) is int:
        return index
    if isinstance(index, (tuple, list)) and all(type(one) is int for one in index):
        return list(index)
    return None


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as another:
        return f"<no text: its __str__ raised {type(another).__name__}>"


def _because(what: str, error: Exception) -> str:
    return f"{what}: {type(error).__name__}: {_text(error)}"
