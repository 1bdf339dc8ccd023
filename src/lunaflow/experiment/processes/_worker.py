"""A worker as the engine sees it: calls, timed batches, and how it ended if it did."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from lunaflow.experiment._outcomes import (
    Aborted,
    OperationResult,
    Outcome,
    ParseFailure,
    Trap,
    Trapped,
    Value,
)
from lunaflow.experiment._worker_spec import WorkerSpec
from lunaflow.experiment.processes._codecs import decoder, encoder
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes._start import standalone
from lunaflow.experiment.processes._supervised import Ending, Supervised
from lunaflow.experiment.processes._transport import pack
from lunaflow.experiment.processes.standalone._pickles import dumps, loads, whole

_CALL_SLOT = "call"


class WorkerFailed(Exception):
    """A worker that did not do what it was told; `outcome` says how that went."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(str(outcome))
        self.outcome = outcome


class Worker:
    """A worker's process, started when it is needed and anew after it has ended.

    Parameters
    ----------
    spec : WorkerSpec
        What it is.
    steps : int
        Calls of a sequence.
    """

    def __init__(self, spec: WorkerSpec, steps: int) -> None:
        self._spec = spec
        self._steps = steps
        self._process: Supervised | None = None
        self._input: Any = None
        self._has_input = False
        self._left: list[str] = []
        self._last_printed = ("", "")

    @property
    def left_behind(self) -> tuple[str, ...]:
        """Names of the processes that it has left running, before it was called again."""
        return tuple(self._left)

    def call(self, argument: Any) -> tuple[tuple[OperationResult, ...], bool, float]:
        """Return the results of a sequence, whether the input was changed, and the seconds."""
        try:
            if self._spec.command is not None:
                return self._call_command(argument)
            return self._call_function(argument)
        except WorkerFailed as failed:
            return (self._result(failed.outcome),), False, 0.0

    def begin(self, master: Any) -> None:
        """Take the input of which copies are placed."""
        self._input, self._has_input = master, False

    def place(self, slot: str, seed: int) -> None:
        """Put a fresh copy of the input where `seed` says, for a treatment."""
        if self._spec.command is not None:
            self._ask({"do": "place", "slot": slot}, [self._encoded(self._input)])
            return
        self._give_input()
        self._ask({"do": "place", "slot": slot, "seed": seed})

    def seconds(self, slot: str, iterations: int, *, fresh: bool) -> float:
        """Return the seconds of so many calls on a placed copy, or each on a fresh one."""
        message = self._ask({"do": "time", "slot": slot, "iterations": iterations, "fresh": fresh})
        if message["message"] != "timed":
            raise WorkerFailed(self._called(message) or ParseFailure("no time came back"))
        return float(message["seconds"])

    def change_in(self, slot: str) -> tuple[bool, Any]:
        """Say whether a placed copy may have been changed, with what it is now, None if unknown."""
        message = self._ask({"do": "check", "slot": slot})
        payload = message.get("payload")
        return message["changed"], loads(payload) if payload else None

    def close(self, exc: tuple[Any, ...] = (None, None, None)) -> None:
        """End the process, if there is one."""
        process, self._process, self._has_input = self._process, None, False
        if process is not None:
            process.__exit__(*exc)
            self._left += process.left_behind

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close((kind, error, trace))

    def _call_command(self, argument: Any) -> tuple[tuple[OperationResult, ...], bool, float]:
        self._ask({"do": "place", "slot": _CALL_SLOT}, [self._encoded(argument)])
        results, seconds = list[OperationResult](), 0.0
        for _ in range(self._steps):
            message = self._ask({"do": "call", "slot": _CALL_SLOT})
            self._left += message.get("left", ())
            seconds += message.get("seconds", 0.0)
            failed = self._called(message)
            results.append(self._result(failed or self._decoded(message), message.get("code")))
            if failed is not None:
                break
        changed = self._ask({"do": "check", "slot": _CALL_SLOT})["changed"]
        return tuple(results), changed, seconds

    def _call_function(self, argument: Any) -> tuple[tuple[OperationResult, ...], bool, float]:
        self.begin(argument)
        self._give_input()
        message = self._ask({"do": "call"})
        try:
            found = loads(message["payload"])
        except Exception as error:
            reason = f"what it returned cannot be unpickled: {type(error).__name__}: {error}"
            raise WorkerFailed(ParseFailure(reason)) from error
        results = tuple(self._result(_outcome(*one)) for one in found)
        return results, message["changed"], message["seconds"]

    def _give_input(self) -> None:
        if self._has_input and self._process is not None:
            return
        try:
            data, buffers = dumps(self._input)
            views = [buffer.raw() for buffer in buffers]
        except Exception as error:
            reason = f"the input cannot be pickled: {type(error).__name__}: {error}"
            raise WorkerFailed(ParseFailure(reason)) from error
        writable = [not view.readonly for view in views]
        self._ask({"do": "input", "writable": writable}, [data, *views])
        self._has_input = True

    def _ask(self, request: dict[str, Any], parts: Sequence[bytes | memoryview] = ()) -> Message:
        process = self._running()
        process.new_output()
        process.send(json.dumps({**request, "parts": len(parts)}).encode())
        for part in parts:
            process.send(part)
        return self._answer(process, self._spec.time_limit)

    def _answer(self, process: Supervised, seconds: float) -> Message:
        message = process.receive(seconds)
        if message is None:
            raise WorkerFailed(self._ended(process))
        match message["message"]:
            case "raised":
                raise WorkerFailed(Trapped(_trap(message), frozenset()))
            case "refused":
                raise WorkerFailed(ParseFailure(message["reason"]))
            case "unable":
                raise WorkerFailed(Aborted(None, message["reason"]))
        return message

    def _ended(self, process: Supervised) -> Ending:
        self._last_printed = process.printed()
        self.close()
        return process.ending or Aborted(None, "")

    def _running(self) -> Supervised:
        if self._process is None:
            self._process = self._start()
            if self._spec.command is None:
                self._load(self._process)
            self._answer(self._process, self._spec.start_limit)
        return self._process

    def _start(self) -> Supervised:
        spec, memory = self._spec, self._spec.memory_limit or 0
        if spec.command is not None:
            limits = (str(memory), str(spec.output_limit))
            arguments = [json.dumps(spec.command), *limits]
            command = [*standalone(sys.executable, "_commands", "-I", "-S"), *arguments]
        else:
            command = standalone(os.fspath(spec.python or sys.executable), "_agent")
        return Supervised(
            command,
            environment=_environment(spec),
            folder=None if spec.folder is None else os.fspath(spec.folder),
            memory_limit=memory if spec.command is None else 0,
            output_limit=spec.output_limit,
        )

    def _load(self, process: Supervised) -> None:
        spec = self._spec
        by_name = isinstance(spec.call, str)
        load = {
            "do": "load",
            "name": spec.call if by_name else "",
            "steps": self._steps,
            "stateful": spec.stateful,
            "path": list(sys.path) if spec.python is None else None,
            "parts": 2,
        }
        process.send(json.dumps(load).encode())
        process.send(b"" if by_name else pack("the call of a worker", spec.call))
        process.send(whole(spec.initial_context))

    def _encoded(self, argument: Any) -> bytes:
        try:
            data = encoder(self._spec.encode)(argument)
            return bytes(memoryview(data))
        except Exception as error:
            reason = f"the input cannot be encoded: {type(error).__name__}: {error}"
            raise WorkerFailed(ParseFailure(reason)) from error

    def _decoded(self, message: Message) -> Outcome:
        try:
            return Value(decoder(self._spec.decode)(message.get("payload", b"")))
        except Exception as error:
            return ParseFailure(f"the result cannot be decoded: {type(error).__name__}: {error}")

    def _called(self, message: Message) -> Outcome | None:
        """Return the outcome of a command's call that gave no result, None if it gave one."""
        code = message.get("code")
        if code == 0:
            return None
        printed = self._printed()
        if code is None:
            limit = self._spec.output_limit
            return Aborted(None, f"{printed[1]}\nits result had more than {limit} bytes")
        return Aborted(code, printed[1] or printed[0])

    def _result(self, outcome: Outcome, code: int | None = None) -> OperationResult:
        stdout, stderr = self._printed()
        return OperationResult(outcome, None, stdout, stderr, code)

    def _printed(self) -> tuple[str, str]:
        return self._last_printed if self._process is None else self._process.printed()


def _outcome(raised: bool, found: Any) -> Outcome:
    if raised:
        return Trapped(_trap(found), frozenset())
    return found if isinstance(found, Outcome) else Value(found)


def _trap(found: Mapping[str, Any]) -> Trap:
    return Trap(found["type_name"], found["text"], found["kind"], found["index"])


def _environment(spec: WorkerSpec) -> dict[str, str]:
    variables = dict(os.environ)
    if spec.python is not None:
        # what tells this interpreter where its modules are would mislead another one
        for name in ("PYTHONPATH", "PYTHONHOME"):
            variables.pop(name, None)
    return {**variables, **spec.environment}
