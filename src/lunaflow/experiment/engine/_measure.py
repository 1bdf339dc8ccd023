"""Measuring the scales of a plan in one process; what is found is yielded as it comes."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from lunaflow.experiment._event_values import status_to_event
from lunaflow.experiment._observations import CONFIRMATORY, CONTROL_SUFFIX, EXPLORATORY, Phase
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._statuses import InfrastructureFailure, Status
from lunaflow.experiment.engine._calibration import calibrate
from lunaflow.experiment.engine._inputs import generator_for, make_input
from lunaflow.experiment.engine._parcel import Parts
from lunaflow.experiment.engine._payloads import LocalPayload, NotTimed, Payload, WorkerPayload
from lunaflow.experiment.engine._williams import williams_square
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes._worker import Worker
from lunaflow.experiment.processes.standalone._batch import ClockError

_CALIBRATION = "calibration"
_BALLAST_BYTES = 2**16
_BALLAST_PIECES = 16
_WARM_SECONDS = 0.002


@dataclass(frozen=True, slots=True)
class Task:
    """What one process has to measure, as plain data.

    Parameters
    ----------
    case : str
        Name of the case.
    timed : mapping of int to tuple of str
        For each scale, in the order to measure them, the implementations to time.
    inputs : mapping of int to tuple of (int, str)
        For each scale the numbers and fingerprints of the inputs that were validated; the process
        takes one of them, by its own number.
    protocol : Protocol
        How to measure.
    seed : int
        Seed of inputs and orders.
    process : int
        Number of this process.
    """

    case: str
    timed: Mapping[int, tuple[str, ...]]
    inputs: Mapping[int, tuple[tuple[int, str], ...]]
    protocol: Protocol
    seed: int
    process: int


def measure(task: Task, parts: Parts) -> Iterator[Message]:
    """Measure every scale of a task and yield a message for each finding.

    The messages are ``size`` (measuring of it begins), ``timing`` (of an implementation, None: its
    batch is over), ``calibration``, ``block_done`` (still alive), ``block`` (not yet numbered),
    ``failure`` and ``size_done``; those that are events have the fields of the event.
    """
    with ExitStack() as stack:
        payloads = {one.id: _payload(one, parts, stack) for one in parts.implementations}
        for size, names in task.timed.items():
            yield {"message": "size", "size": size}
            inputs = task.inputs[size]
            number, print_of_it = inputs[task.process % len(inputs)]
            master = make_input(parts.fixture, task.seed, task.case, size, number)
            if parts.fixture.fingerprint(master) == print_of_it:
                run = _SizeRun(task, size, payloads, number)
                yield from run.run(names, master)
            else:
                reason = "make gave another input than the one that was validated"
                yield _failure(None, size, InfrastructureFailure(reason))
            yield {"message": "size_done", "size": size}


def _payload(implementation: Any, parts: Parts, stack: ExitStack) -> Payload:
    if implementation.spec is None:
        return LocalPayload(implementation, parts)
    worker = stack.enter_context(Worker(implementation.spec, parts.steps))
    return WorkerPayload(worker, parts)


class _SizeRun:
    """The calibration and the blocks of one scale."""

    def __init__(self, task: Task, size: int, payloads: Mapping[str, Payload], number: int) -> None:
        self._protocol = task.protocol
        self._size = size
        self._payloads = payloads
        self._input = number
        self._rng = generator_for(task.seed, task.case, size, 1 + task.process)
        self._iterations: dict[str, int] = {}
        self._short: set[str] = set()
        self._kept: list[Any] = []

    def run(self, names: Sequence[str], master: Any) -> Iterator[Message]:
        """Calibrate, then measure blocks; one that fails is dropped and the blocks start anew.

        They are calibrated in random order, and what memory they keep from their first call on lies
        where it is drawn to: fresh processes alone, which all do the same, would lay it out alike.
        A clock that goes backwards ends the scale.
        """
        try:
            for i in self._rng.permutation(len(names)):
                name = names[i]
                self._kept += [self._ballast() for _ in range(_BALLAST_PIECES)]
                yield self._timing(name)
                self._payloads[name].begin(master)
                message = self._calibrated(name)
                yield message
                if message["message"] == "failure" and message["implementation"] is None:
                    return
            while self._iterations:
                failed: set[str] = set()
                timed = [name for name in names if name in self._iterations]
                for message in self._phases(timed):
                    yield message
                    if message["message"] == "failure":
                        failed.add(message["implementation"])
                if not failed:
                    return
                for name in failed:
                    self._iterations.pop(name, None)
                if None in failed:
                    return
        except ClockError as error:
            yield _failure(None, self._size, InfrastructureFailure(str(error)))

    def _calibrated(self, name: str) -> Message:
        payload = self._payloads[name]
        try:
            payload.place(_CALIBRATION, self._rng)
            found = calibrate(
                lambda count: payload.seconds(_CALIBRATION, count), self._protocol.batch_seconds
            )
            payload.check(_CALIBRATION)
            if found.seconds < _WARM_SECONDS * found.iterations:
                self._short.add(name)
                payload.renew(_CALIBRATION)
        except NotTimed as error:
            return self._not_timed(name, error)
        if not found.below_resolution:
            self._iterations[name] = found.iterations
        return {
            "message": "calibration",
            "implementation": name,
            "size": self._size,
            "iterations": found.iterations,
            "seconds": found.seconds,
            "below_resolution": found.below_resolution,
        }

    def _phases(self, names: list[str]) -> Iterator[Message]:
        """Measure the blocks that open the scale, which decide nothing, and those that do."""
        treatments = [*names, *(name + CONTROL_SUFFIX for name in names)]
        square = williams_square(len(treatments))
        for _ in range(self._protocol.exploratory_blocks):
            row = square[int(self._rng.integers(len(square)))]
            failed = yield from self._block([treatments[i] for i in row], EXPLORATORY)
            if failed:
                return
        for _ in range(self._protocol.blocks_per_process(len(square)) // len(square)):
            orders = [square[row] for row in self._rng.permutation(len(square))]
            failed = yield from self._square([[treatments[i] for i in row] for row in orders])
            if failed:
                return

    def _square(self, orders: list[list[str]]) -> Any:
        # a square that is broken off is not balanced: its blocks are sent when it is whole
        blocks: list[Message] = []
        for order in orders:
            failed = False
            for message in self._messages_of_block(order, CONFIRMATORY):
                if message["message"] == "block":
                    blocks.append(message)
                else:
                    yield message
                    failed |= message["message"] == "failure"
            if failed:
                return True
            yield {"message": "block_done", "size": self._size}
        yield from blocks
        return False

    def _block(self, order: list[str], phase: Phase) -> Any:
        failed = False
        for message in self._messages_of_block(order, phase):
            yield message
            failed |= message["message"] == "failure"
        return failed

    def _messages_of_block(self, order: list[str], phase: Phase) -> Iterator[Message]:
        # copies are made in random order, so that no treatment always gets the same recycled memory
        for i in self._rng.permutation(len(order)):
            name = order[i].removesuffix(CONTROL_SUFFIX)
            try:
                self._payloads[name].place(order[i], self._rng)
            except NotTimed as error:
                yield self._not_timed(name, error)
                return
        # shifts where the outputs are put, block by block
        ballast = self._ballast()
        seconds, iterations = [], []
        for treatment in order:
            name = treatment.removesuffix(CONTROL_SUFFIX)
            iterations.append(self._iterations[name])
            yield self._timing(name)
            try:
                seconds.append(self._seconds(name, treatment))
            except NotTimed as error:
                yield self._not_timed(name, error)
                return
        del ballast
        yield self._timing(None)
        failures = self._failures_after(order)
        for name in self._iterations:
            self._payloads[name].clear()
        yield from failures or [self._block_message(order, iterations, seconds, phase)]

    def _seconds(self, name: str, treatment: str) -> float:
        if name in self._short:
            # the first call on a fresh copy finds caches cold, threads asleep, memory not there
            self._payloads[name].seconds(treatment, 1)
        return self._payloads[name].seconds(treatment, self._iterations[name])

    def _ballast(self) -> Any:
        return np.empty(int(self._rng.integers(_BALLAST_BYTES)), dtype=np.uint8)

    def _failures_after(self, order: list[str]) -> list[Message]:
        failures: dict[str | None, Message] = {}
        for treatment in order:
            name = treatment.removesuffix(CONTROL_SUFFIX)
            try:
                self._payloads[name].check(treatment)
            except NotTimed as error:
                message = self._not_timed(name, error)
                failures.setdefault(message["implementation"], message)
        return list(failures.values())

    def _timing(self, name: str | None) -> Message:
        return {"message": "timing", "size": self._size, "implementation": name}

    def _block_message(
        self, order: list[str], iterations: list[int], seconds: list[float], phase: Phase
    ) -> Message:
        return {
            "message": "block",
            "size": self._size,
            "order": order,
            "iterations": iterations,
            "seconds": seconds,
            "gc_enabled": gc.isenabled(),
            "phase": phase,
            "input": self._input,
        }

    def _not_timed(self, name: str, error: NotTimed) -> Message:
        # what the fixture does wrong is no fault of the implementation
        return _failure(None if error.blames_setup else name, self._size, error.status)


def _failure(implementation: str | None, size: int, status: Status) -> Message:
    return {
        "message": "failure",
        "implementation": implementation,
        "size": size,
        "status": status_to_event(status),
    }
