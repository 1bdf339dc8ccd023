"""Single calls of implementations, here or in processes that may die of them."""

import pickle
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

from lunaflow.experiment._implementation import Implementation
from lunaflow.experiment._outcomes import (
    Aborted,
    OperationResult,
    Outcome,
    Value,
    outcome_of_exception,
)
from lunaflow.experiment._protocol import Protocol as Measuring
from lunaflow.experiment.engine._parcel import Parcel, Parts
from lunaflow.experiment.engine._placement import duplicate
from lunaflow.experiment.engine._setup import Setup
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes._supervised import (
    START_SECONDS,
    Supervised,
    fresh_interpreter_with,
)
from lunaflow.experiment.processes._transport import pack_job, pack_value, send_back
from lunaflow.experiment.processes._worker import Worker
from lunaflow.experiment.processes.standalone._steps import run_steps


@dataclass(frozen=True, slots=True)
class Called:
    """What a sequence of calls came to.

    Parameters
    ----------
    steps : tuple of OperationResult
        One a step; an exception, or the end of the process, ends the sequence.
    changed_input : bool
        Whether the input is another one afterwards, though it is shared.
    seconds : float
        How long it took.
    """

    steps: tuple[OperationResult, ...]
    changed_input: bool = False
    seconds: float = field(default=0.0, compare=False)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the last step that was carried out."""
        return self.steps[-1].outcome


class Calls(Protocol):
    """Calls implementations by their ids."""

    def __call__(self, name: str, argument: Any) -> Called:
        """Call an implementation on a copy of the argument."""
        ...


def call(implementation: Implementation, argument: Any, parts: Parts) -> Called:
    """Call an implementation in this process, on a copy of the argument.

    An exception is the outcome `Trapped`; an outcome that the implementation returns is taken as it
    is.
    """
    setup = Setup(parts.fixture)
    data = setup.copy(argument)
    given, context = setup.given(data), duplicate(implementation.initial_context)
    start = time.monotonic()
    found = run_steps(implementation.step, given, context, parts.steps)
    seconds = time.monotonic() - start
    steps = tuple(_result(raised, returned) for raised, returned in found)
    return Called(steps, setup.shared and not setup.is_same(data, argument), seconds)


def answer(implementation: Implementation, request: bytes, parts: Parts) -> tuple[Message, bytes]:
    """Return what a fresh interpreter sends back for a pickled argument.

    The message is ``called`` with the pickled `Called`, or ``refused`` where the argument or the
    outcome cannot be pickled.
    """
    try:
        # the bytes come from our own parent process alone
        argument = pickle.loads(request)  # noqa: S301
    except Exception:
        return {"message": "refused"}, b""
    found = call(implementation, argument, parts)
    # contexts are of no use to who judges, and may be things that cannot travel
    found = replace(found, steps=tuple(replace(one, next_context=None) for one in found.steps))
    called = send_back(found)
    return ({"message": "refused"}, b"") if called is None else ({"message": "called"}, called)


class CallsHere:
    """Calls implementations in this process.

    Parameters
    ----------
    parts : Parts
        The implementations, and how their inputs are copied.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __call__(self, name: str, argument: Any) -> Called:
        """Call an implementation once, see `call`."""
        return call(self._parts.implementation(name), argument, self._parts)


class CallsApart:
    """Calls implementations in one fresh interpreter; if one dies of a call, in another.

    Arguments and outcomes go there and back by pickle. What cannot is called in this process.

    Parameters
    ----------
    parts : Parts
        The implementations, and how their inputs are copied.
    parcel : Parcel
        The same, packed.
    protocol : Protocol
        Says how long a call, and how long the start, may take.
    """

    def __init__(self, parts: Parts, parcel: Parcel, protocol: Measuring) -> None:
        self._here = CallsHere(parts)
        self._job = pack_job((None, parcel))
        self._protocol = protocol
        self._interpreter: Supervised | None = None
        self._asked = 0
        self._packed: tuple[Any, bytes | None] = (None, None)
        self._left: list[str] = []

    @property
    def left_behind(self) -> tuple[str, ...]:
        """Names of the processes that the interpreters have left running when they ended."""
        return tuple(self._left)

    def __call__(self, name: str, argument: Any) -> Called:
        """Call an implementation once; a death is `Aborted`, a hang `Timeout`."""
        request = self._request(argument)
        called = None if request is None else self._ask(self._running(), name, request)
        return self._here(name, argument) if called is None else called

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._packed = (None, None)
        if self._interpreter is not None:
            self._interpreter.__exit__(*exc)
            self._left += self._interpreter.left_behind
            self._interpreter = None

    def _request(self, argument: Any) -> bytes | None:
        # every implementation gets the same input: it is packed once
        if self._packed[0] is not argument or self._packed[1] is None:
            self._packed = (argument, pack_value(argument))
        return self._packed[1]

    def _running(self) -> Supervised:
        if self._interpreter is None:
            self._interpreter = fresh_interpreter_with(self._job)
            self._interpreter.receive(START_SECONDS + self._protocol.silence_seconds)
        return self._interpreter

    def _ask(self, interpreter: Supervised, name: str, request: bytes) -> Called | None:
        """Return what the call came to, None if the interpreter cannot say."""
        if (ending := interpreter.ending) is not None:
            return Called((OperationResult(ending),))  # never was ready: nor would another be
        self._asked += 1
        interpreter.new_output()
        interpreter.send(f"{self._asked} {name}".encode("utf-8", "surrogatepass"))
        interpreter.send(request)
        message = interpreter.receive(self._protocol.validation_seconds)
        while message is not None and message.get("request") != self._asked:
            # from somebody whom an earlier call has left behind
            message = interpreter.receive(self._protocol.validation_seconds)
        if message is None:
            self.__exit__(None, None, None)
            return Called((OperationResult(interpreter.ending or Aborted(None, "")),))
        return _unpacked(message)


class CallsOfWorkers:
    """Calls workers, each in its own process, and leaves all others to whom they are given to.

    Parameters
    ----------
    parts : Parts
        The implementations.
    others : callable
        Calls those that are no workers.
    """

    def __init__(self, parts: Parts, others: Calls) -> None:
        self._others = others
        self._workers = {
            one.id: Worker(one.spec, parts.steps)
            for one in parts.implementations
            if one.spec is not None
        }
        self._shared = Setup(parts.fixture).shared
        self._stack = ExitStack()

    def __call__(self, name: str, argument: Any) -> Called:
        """Call an implementation once."""
        if name not in self._workers:
            return self._others(name, argument)
        steps, changed, seconds = self._workers[name].call(argument)
        return Called(steps, self._shared and changed, seconds)

    def left_behind(self) -> dict[str, tuple[str, ...]]:
        """Return by the worker the names of the processes that it has left running."""
        return {name: worker.left_behind for name, worker in self._workers.items()}

    def __enter__(self) -> Self:
        for worker in self._workers.values():
            self._stack.enter_context(worker)
        return self

    def __exit__(self, *exc: Any) -> None:
        self._stack.__exit__(*exc)


def _unpacked(message: Message) -> Called | None:
    try:
        called = pickle.loads(message["payload"])  # noqa: S301 (as in `answer`)
    except Exception:
        return None
    return called if isinstance(called, Called) else None


def _result(raised: bool, returned: Any) -> OperationResult:
    if raised:
        return OperationResult(outcome_of_exception(returned))
    if isinstance(returned, OperationResult):
        return returned
    if hasattr(returned, "next_context") and hasattr(returned, "outcome"):
        outcome = returned.outcome
        outcome = outcome if isinstance(outcome, Outcome) else Value(outcome)
        return OperationResult(outcome, returned.next_context)
    return OperationResult(returned if isinstance(returned, Outcome) else Value(returned))
