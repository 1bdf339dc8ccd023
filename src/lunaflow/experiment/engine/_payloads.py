"""What is timed: implementations in this process, and workers, in one shape."""

from functools import partial
from typing import Any, Protocol

import numpy as np

from lunaflow.experiment._implementation import Implementation
from lunaflow.experiment._oracles import outcome_text
from lunaflow.experiment._outcomes import Trapped, outcome_of_exception
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Status, classify
from lunaflow.experiment.engine._parcel import Parts
from lunaflow.experiment.engine._placement import duplicate
from lunaflow.experiment.engine._setup import Setup, bytes_of
from lunaflow.experiment.processes._worker import Worker, WorkerFailed
from lunaflow.experiment.processes.standalone._batch import ClockError, time_batch, time_calls
from lunaflow.experiment.processes.standalone._steps import payload_of

CHANGED_INPUT = "changed its input"
_GROUP = 64
_GROUP_BYTES = 2**26
_RENEWAL_NANOSECONDS = 10_000_000


class NotTimed(Exception):
    """An implementation whose batch gave no figure; `status` says why, and whose fault it is."""

    def __init__(self, status: Status, *, blames_setup: bool = False) -> None:
        super().__init__(str(status))
        self.status = status
        self.blames_setup = blames_setup


class Payload(Protocol):
    """An implementation with copies of the input, each in a slot of its own."""

    def begin(self, master: Any) -> None:
        """Take the input of which copies are placed, and forget those of the one before."""
        ...

    def place(self, slot: str, rng: np.random.Generator) -> None:
        """Put a copy of the input in a slot, where `rng` draws."""
        ...

    def renew(self, slot: str) -> None:
        """From now on put an instance of its own in each slot too, if that is a matter of moments.

        What a function keeps between calls, such as memory for its results, is then placed anew.
        """
        ...

    def seconds(self, slot: str, iterations: int) -> float:
        """Return the seconds of so many calls on the copy in a slot."""
        ...

    def check(self, slot: str) -> None:
        """Raise NotTimed if the copy in a slot is not as it must be after a batch."""
        ...

    def clear(self) -> None:
        """Let all copies go."""
        ...


class LocalPayload:
    """An implementation in this process.

    Parameters
    ----------
    implementation : Implementation
        What is called.
    parts : Parts
        How inputs are copied, the steps of a sequence, and the clock.
    """

    def __init__(self, implementation: Implementation, parts: Parts) -> None:
        self._implementation = implementation
        self._setup = Setup(parts.fixture)
        self._clock = parts.clock
        self._another = partial(parts.another, implementation.id)
        self._renews = False
        self._sequence = payload_of(implementation.step, parts.steps)
        self._function = implementation.function if parts.steps == 1 else None
        self._master: Any = None
        self._mark: str | None = None
        self._group = 1
        self._placed: dict[str, tuple[Any, Any, Any]] = {}

    def begin(self, master: Any) -> None:
        """Take the input of which copies are placed, and forget those of the one before."""
        self.clear()
        self._renews = False
        self._master = master
        self._mark = None if self._setup.shared else self._setup.fingerprint(master)
        self._group = max(1, min(_GROUP, _GROUP_BYTES // (1 + bytes_of(master))))

    def place(self, slot: str, rng: np.random.Generator) -> None:
        """Put a copy of the input in a slot, where `rng` draws."""
        data = self._setup.copy(self._master, rng)
        if not self._setup.shared and not self._is_as_made(data):
            raise NotTimed(_setup_fault("clone gave another input"), blames_setup=True)
        function = self._other_function() if self._renews else self._function
        self._placed[slot] = data, self._setup.given(data), function

    def renew(self, slot: str) -> None:
        """From now on put an instance of its own in each slot too, if that is a matter of moments.

        A function that is imported by its name is one for all, and keeps nothing.
        """
        if self._function is None or self._setup.each_call:
            return
        data, given, _ = self._placed[slot]
        start = self._clock()
        function = self._other_function()
        if function is None or function is self._function:
            return
        self._placed[slot] = data, given, function
        self.seconds(slot, 1)
        self._renews = self._clock() - start <= _RENEWAL_NANOSECONDS

    def seconds(self, slot: str, iterations: int) -> float:
        """Return the seconds of so many calls on the copy in a slot."""
        _, given, function = self._placed[slot]
        try:
            return self._timed(function, given, iterations)
        except ClockError:
            raise
        except Exception as error:
            raise NotTimed(_raised(outcome_of_exception(error))) from error

    def check(self, slot: str) -> None:
        """Raise NotTimed if the copy in a slot is not as it must be after a batch."""
        data, given, _ = self._placed[slot]
        if self._setup.resets:
            self._setup.reset(given)
            if not self._setup.is_same(data, self._master):
                reason = "reset does not bring the input back to what it was"
                raise NotTimed(_setup_fault(reason), blames_setup=True)
        elif self._setup.shared and not self._setup.is_same(data, self._master):
            raise NotTimed(Invalid(CHANGED_INPUT))

    def clear(self) -> None:
        """Let all copies go."""
        self._placed.clear()

    def _other_function(self) -> Any:
        try:
            another = self._another()
        except Exception as error:
            raise NotTimed(_raised(outcome_of_exception(error))) from error
        return None if another is None else another.function

    def _timed(self, function: Any, given: Any, iterations: int) -> float:
        context = self._implementation.initial_context
        fresh = self._setup.each_call
        if function is not None and not fresh:
            return time_batch(function, given, iterations, self._clock)

        def argument() -> tuple[Any, Any]:
            return (self._anew(given) if fresh else given), duplicate(context)

        group = 1 if self._setup.resets else self._group if fresh else _GROUP
        return time_calls(self._sequence, argument, iterations, self._clock, group=group)

    def _is_as_made(self, data: Any) -> bool:
        # the input itself is looked at too: a clone may share what calls have changed
        same = self._setup.is_same(data, self._master)
        return same and self._setup.fingerprint(self._master) == self._mark

    def _anew(self, given: Any) -> Any:
        if self._setup.resets:
            return self._setup.reset(given)
        return self._setup.given(self._setup.copy(self._master))


class WorkerPayload:
    """An implementation in a process of its own, whose clock is its own too.

    Parameters
    ----------
    worker : Worker
        The process.
    parts : Parts
        Says who may change an input.
    """

    def __init__(self, worker: Worker, parts: Parts) -> None:
        self._worker = worker
        self._setup = Setup(parts.fixture)
        self._master: Any = None

    def begin(self, master: Any) -> None:
        """Take the input of which copies are placed."""
        self._master = master
        self._worker.begin(master)

    def place(self, slot: str, rng: np.random.Generator) -> None:
        """Put a copy of the input in a slot, where `rng` draws."""
        self._guarded(self._worker.place, slot, int(rng.integers(2**53)))

    def renew(self, slot: str) -> None:
        """Change nothing: the function of a worker stays where its process has it."""

    def seconds(self, slot: str, iterations: int) -> float:
        """Return the seconds of so many calls on the copy in a slot."""
        fresh = self._setup.each_call
        return float(self._guarded(self._worker.seconds, slot, iterations, fresh=fresh))

    def check(self, slot: str) -> None:
        """Raise NotTimed if the copy in a slot is not as it must be after a batch."""
        if not self._setup.shared:
            return
        changed, now = self._guarded(self._worker.change_in, slot)
        if changed and (now is None or not self._setup.is_same(now, self._master)):
            raise NotTimed(Invalid(CHANGED_INPUT))

    def clear(self) -> None:
        """Do nothing: a copy there makes room for the next one in its slot."""

    def _guarded(self, function: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except WorkerFailed as failed:
            if isinstance(failed.outcome, Trapped):
                raise NotTimed(_raised(failed.outcome)) from failed
            status = classify(failed.outcome)
            raise NotTimed(status or InfrastructureFailure(str(failed))) from failed


def _raised(outcome: Trapped) -> Status:
    return Invalid(f"raised while it was timed: {outcome_text(outcome)}")


def _setup_fault(reason: str) -> Status:
    return InfrastructureFailure(f"the fixture: {reason}")
