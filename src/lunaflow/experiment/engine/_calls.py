"""Single calls of implementations, here or in a fresh interpreter that may die of them."""

import pickle
import time
from dataclasses import dataclass, field
from typing import Any, Self

from lunaflow.experiment._fingerprint import is_unchanged
from lunaflow.experiment._outcomes import (
    Aborted,
    OperationResult,
    Outcome,
    Value,
    outcome_of_exception,
)
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment.engine._inputs import Implementation, Implementations
from lunaflow.experiment.engine._placement import duplicate
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes._supervised import Supervised, fresh_interpreter_with
from lunaflow.experiment.processes._transport import Packed, pack_job, pack_value, send_back


@dataclass(frozen=True, slots=True)
class Called:
    """The outcome of one call, whether it changed its input, and how many seconds it took."""

    outcome: Outcome
    changed_input: bool = False
    seconds: float = field(default=0.0, compare=False)


def call(implementation: Implementation, argument: Any) -> Called:
    """Call an implementation once, on a copy of the argument.

    An exception is the outcome `Trapped`; an outcome that the implementation returns is taken as it
    is.
    """
    data = duplicate(argument)
    start = time.monotonic()
    outcome = _outcome(implementation, data)
    seconds = time.monotonic() - start
    return Called(outcome, not is_unchanged(data, argument), seconds)


def answer(implementation: Implementation, request: bytes) -> tuple[Message, bytes]:
    """Return what a fresh interpreter sends back for a pickled argument.

    The message is ``called`` with the pickled `Called`, or ``refused`` where the argument or the
    outcome cannot be pickled.
    """
    try:
        # the bytes come from our own parent process alone
        argument = pickle.loads(request)  # noqa: S301
    except Exception:
        return {"message": "refused"}, b""
    called = send_back(call(implementation, argument))
    return ({"message": "refused"}, b"") if called is None else ({"message": "called"}, called)


class CallsHere:
    """Calls implementations in this process.

    Parameters
    ----------
    implementations : mapping of str to callable
        The implementations.
    """

    def __init__(self, implementations: Implementations) -> None:
        self._implementations = implementations

    def __call__(self, name: str, argument: Any) -> Called:
        """Call an implementation once, see `call`."""
        return call(self._implementations[name], argument)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        pass


class CallsApart(CallsHere):
    """Calls implementations in one fresh interpreter; if one dies of a call, in another.

    Arguments and outcomes go there and back by pickle. What cannot is called in this process.

    Parameters
    ----------
    implementations : mapping of str to callable
        The implementations.
    callables : Packed
        The same, for a fresh interpreter.
    protocol : Protocol
        Says how long a call, and how long the start, may take.
    """

    def __init__(
        self, implementations: Implementations, callables: Packed, protocol: Protocol
    ) -> None:
        super().__init__(implementations)
        self._job = pack_job(None, callables)
        self._protocol = protocol
        self._interpreter: Supervised | None = None
        self._asked = 0
        self._packed: tuple[Any, bytes | None] = (None, None)

    def __call__(self, name: str, argument: Any) -> Called:
        """Call an implementation once; a death is `Aborted`, a hang `Timeout`."""
        request = self._request(argument)
        called = None if request is None else self._ask(self._running(), name, request)
        return super().__call__(name, argument) if called is None else called

    def __exit__(self, *exc: object) -> None:
        self._packed = (None, None)
        if self._interpreter is not None:
            self._interpreter.__exit__(*exc)
            self._interpreter = None

    def _request(self, argument: Any) -> bytes | None:
        # every implementation gets the same input: it is packed once
        if self._packed[0] is not argument or self._packed[1] is None:
            self._packed = (argument, pack_value(argument))
        return self._packed[1]

    def _running(self) -> Supervised:
        if self._interpreter is None:
            self._interpreter = fresh_interpreter_with(self._job)
            self._interpreter.receive(self._protocol.silence_seconds)
        return self._interpreter

    def _ask(self, interpreter: Supervised, name: str, request: bytes) -> Called | None:
        """Return what the call came to, None if the interpreter cannot say."""
        if (ending := interpreter.ending) is not None:
            return Called(ending)  # it never was ready: nor would another be
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
            return Called(interpreter.ending or Aborted(None, ""))
        return _unpacked(message)


def _unpacked(message: Message) -> Called | None:
    try:
        called = pickle.loads(message["payload"])  # noqa: S301 (as in `answer`)
    except Exception:
        return None
    return called if isinstance(called, Called) else None


def _outcome(implementation: Implementation, data: Any) -> Outcome:
    try:
        given = implementation(data)
    except Exception as error:
        return outcome_of_exception(error)
    if isinstance(given, OperationResult):
        return given.outcome
    return given if isinstance(given, Outcome) else Value(given)
