"""Measuring the sizes of an experiment in one process; what is found is yielded as it comes."""

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lunaflow.experiment._fingerprint import fingerprint, is_unchanged
from lunaflow.experiment._observations import CONTROL_SUFFIX
from lunaflow.experiment._oracles import outcome_text
from lunaflow.experiment._outcomes import outcome_of_exception
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment.engine._calibration import calibrate
from lunaflow.experiment.engine._inputs import Implementations, Make, generator_for, make_input
from lunaflow.experiment.engine._placement import place
from lunaflow.experiment.engine._williams import williams_square
from lunaflow.experiment.processes._pipes import Message
from lunaflow.experiment.processes.standalone._batch import Clock, ClockError, time_batch

CHANGED_INPUT = "changed its input"
_BALLAST_BYTES = 2**16


@dataclass(frozen=True, slots=True)
class Task:
    """What one process has to measure, as plain data.

    Parameters
    ----------
    experiment : str
        Name of the experiment.
    timed : mapping of int to tuple of str
        For each size, in the order to measure them, the implementations to time.
    fingerprints : mapping of int to str
        Of the inputs that were validated.
    protocol : Protocol
        How to measure.
    seed : int
        Seed of inputs and orders.
    process : int
        Number of this process.
    """

    experiment: str
    timed: Mapping[int, tuple[str, ...]]
    fingerprints: Mapping[int, str]
    protocol: Protocol
    seed: int
    process: int


def measure(
    task: Task,
    implementations: Implementations,
    make: Make,
    *,
    clock: Clock = time.perf_counter_ns,
) -> Iterator[Message]:
    """Measure every size of a task and yield a message for each finding.

    The messages are ``size`` (measuring of it begins), ``timing`` (of an implementation, None: its
    batch is over), ``calibration``, ``block_done`` (still alive), ``block`` (not yet numbered) and
    ``failure``; those that are events have the fields of the event.
    """
    for size, names in task.timed.items():
        yield {"message": "size", "size": size}
        master = make_input(make, task.seed, task.experiment, size)
        if fingerprint(master) != task.fingerprints[size]:
            reason = "make gave another input than the one that was validated"
            yield _failure(None, size, "InfrastructureFailure", reason)
            continue
        yield from _SizeRun(task, size, implementations, master, clock).run(names)


class _SizeRun:
    """The calibration and the blocks of one size."""

    def __init__(
        self, task: Task, size: int, implementations: Implementations, master: Any, clock: Clock
    ) -> None:
        self._protocol = task.protocol
        self._size = size
        self._implementations = implementations
        self._master = master
        self._clock = clock
        self._rng = generator_for(task.seed, task.experiment, size, 1 + task.process)
        self._iterations: dict[str, int] = {}

    def run(self, names: Sequence[str]) -> Iterator[Message]:
        """Calibrate, then measure blocks; one that fails is dropped and the blocks start anew.

        A clock that goes backwards ends the size.
        """
        try:
            for name in names:
                yield self._timing(name)
                yield self._calibrated(name)
            while self._iterations:
                failed: set[str] = set()
                for message in self._blocks(list(self._iterations)):
                    yield message
                    if message["message"] == "failure":
                        failed.add(message["implementation"])
                if not failed:
                    return
                for name in failed:
                    del self._iterations[name]
        except ClockError as error:
            yield _failure(None, self._size, "InfrastructureFailure", str(error))

    def _calibrated(self, name: str) -> Message:
        data = place(self._master, self._rng)

        def seconds_of(count: int) -> float:
            return time_batch(self._implementations[name], data, count, self._clock)

        try:
            found = calibrate(seconds_of, self._protocol.batch_seconds)
        except ClockError:
            raise
        except Exception as error:
            return self._raised(name, error)
        if not is_unchanged(data, self._master):
            return _failure(name, self._size, "Invalid", CHANGED_INPUT)
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

    def _blocks(self, names: list[str]) -> Iterator[Message]:
        treatments = [*names, *(name + CONTROL_SUFFIX for name in names)]
        square = williams_square(len(treatments))
        for _ in range(self._protocol.blocks_per_process(len(square)) // len(square)):
            # a square that is broken off is not balanced: its blocks are sent when it is whole
            blocks: list[Message] = []
            for row in self._rng.permutation(len(square)):
                failed = False
                for message in self._block([treatments[i] for i in square[row]]):
                    if message["message"] == "block":
                        blocks.append(message)
                    else:
                        yield message
                        failed |= message["message"] == "failure"
                if failed:
                    return
                yield {"message": "block_done", "size": self._size}
            yield from blocks

    def _block(self, order: list[str]) -> Iterator[Message]:
        # copies are made in random order, so that no treatment always gets the same recycled memory
        data = {order[i]: place(self._master, self._rng) for i in self._rng.permutation(len(order))}
        # shifts where the outputs are put, block by block
        ballast = np.empty(int(self._rng.integers(_BALLAST_BYTES)), dtype=np.uint8)
        seconds, iterations = [], []
        for treatment in order:
            name = treatment.removesuffix(CONTROL_SUFFIX)
            iterations.append(self._iterations[name])
            yield self._timing(name)
            try:
                payload = self._implementations[name]
                seconds.append(time_batch(payload, data[treatment], iterations[-1], self._clock))
            except ClockError:
                raise
            except Exception as error:
                yield self._raised(name, error)
                return
        del ballast
        yield self._timing(None)
        changed = [t for t in order if not is_unchanged(data[t], self._master)]
        if changed:
            for name in {t.removesuffix(CONTROL_SUFFIX) for t in changed}:
                yield _failure(name, self._size, "Invalid", CHANGED_INPUT)
            return
        yield self._block_message(order, iterations, seconds)

    def _timing(self, name: str | None) -> Message:
        return {"message": "timing", "size": self._size, "implementation": name}

    def _block_message(
        self, order: list[str], iterations: list[int], seconds: list[float]
    ) -> Message:
        return {
            "message": "block",
            "size": self._size,
            "order": order,
            "iterations": iterations,
            "seconds": seconds,
            "gc_enabled": gc.isenabled(),
        }

    def _raised(self, name: str, error: Exception) -> Message:
        text = outcome_text(outcome_of_exception(error))
        return _failure(name, self._size, "Invalid", f"raised while it was timed: {text}")


def _failure(implementation: str | None, size: int, kind: str, reason: str) -> Message:
    return {
        "message": "failure",
        "implementation": implementation,
        "size": size,
        "status": {"kind": kind, "reason": reason},
    }
