"""How many calls fill the target time of a batch."""

from collections.abc import Callable
from dataclasses import dataclass

MAX_ITERATIONS = 2**24
_CONFIRMATIONS = 2


@dataclass(frozen=True, slots=True)
class IterationCount:
    """The calls that fill a batch.

    Parameters
    ----------
    iterations : int
        Calls in a batch.
    seconds : float
        What the last trial batch, of `iterations` calls, took.
    below_resolution : bool
        Whether even the largest batch allowed took no time that the clock can tell. There is no
        time per call then.
    """

    iterations: int
    seconds: float
    below_resolution: bool


def calibrate(
    seconds_of: Callable[[int], float],
    target_seconds: float,
    *,
    max_iterations: int = MAX_ITERATIONS,
) -> IterationCount:
    """Return the iteration count, doubled from 1, at which a batch fills the target time.

    A first call is not looked at: it may import, compile or start threads. A batch that is long
    enough is run twice more, and the shortest counts: one stall must not decide how much is
    measured.

    Parameters
    ----------
    seconds_of : callable
        ``seconds_of(n)`` runs a batch of n calls and returns its seconds, never below 0.
    target_seconds : float
        Time that a batch should at least take.
    max_iterations : int
        Largest count tried; a power of two.
    """
    seconds_of(1)
    count = 1
    while True:
        # nothing is divided: a zero reading only says that the batch is too short
        seconds = _shortest(seconds_of, count, target_seconds)
        if seconds >= target_seconds or count >= max_iterations:
            return IterationCount(count, seconds, below_resolution=seconds == 0)
        count *= 2


def _shortest(seconds_of: Callable[[int], float], count: int, target_seconds: float) -> float:
    shortest = seconds_of(count)
    for _ in range(_CONFIRMATIONS):
        if shortest < target_seconds:
            break
        shortest = min(shortest, seconds_of(count))
    return shortest
