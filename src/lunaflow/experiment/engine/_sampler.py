"""Timing one batch: inside the clock nothing but the payload."""

import gc
import itertools
import time
from collections.abc import Callable
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
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        output = None
        start = clock()
        for _ in itertools.repeat(None, iterations):
            output = payload(argument)
        end = clock()
        del output
    finally:
        if was_enabled:
            gc.enable()
    if end < start:
        raise ClockError(f"the clock went backwards by {start - end} ns during a batch")
    return (end - start) / 1e9
