"""Timing one batch: inside the clock nothing but the payload."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Clock = Callable[[], int]
"""Returns nanoseconds that never go back, such as `time.perf_counter_ns`."""


class ClockError(RuntimeError):
    """The clock went backwards: a negative duration is no measurement."""


def time_batch(
    payload: Callable[[Any], Any],
    argument: Any,
    iterations: int,
    clock: Clock = time.perf_counter_ns,
) -> float:
    """Return the seconds of `iterations` calls ``payload(argument)``.

    Inside the clock is the loop over the payload alone. The last output is kept alive until the
    clock is read, so that freeing it is not timed. The garbage collector is off during the batch
    and is set back to what it was.

    Raises
    ------
    ClockError
        If the clock went backwards.
    """
    with _no_collector():
        output = None
        start = clock()
        for _ in itertools.repeat(None, iterations):
            output = payload(argument)
        end = clock()
        del output
    return _seconds(start, end)


def time_calls(
    payload: Callable[[Any], Any],
    fresh_argument: Callable[[], Any],
    iterations: int,
    clock: Clock = time.perf_counter_ns,
    *,
    group: int = 64,
) -> float:
    """Return the seconds of `iterations` calls of the payload, each with an argument of its own.

    Arguments are made outside the clock, at most `group` of them at a time; all else is as in
    `time_batch`.
    """
    seconds = 0.0
    while iterations > 0:
        arguments = [fresh_argument() for _ in range(min(group, iterations))]
        iterations -= len(arguments)
        with _no_collector():
            output = None
            start = clock()
            for argument in arguments:
                output = payload(argument)
            end = clock()
            del output
        seconds += _seconds(start, end)
    return seconds


@contextmanager
def _no_collector() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _seconds(start: int, end: int) -> float:
    if end < start:
        raise ClockError(f"the clock went backwards by {start - end} ns during a batch")
    return (end - start) / 1e9
