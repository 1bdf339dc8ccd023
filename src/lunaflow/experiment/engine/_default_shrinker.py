"""How inputs get simpler where nobody has said how."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment._shrink import Shrinker
from lunaflow.experiment.candidates import by_type

_SECONDS = 30.0
_MOST_STEPS = 1000


def default_shrinker(
    make: object = None, *, clock: Callable[[], float] = time.monotonic
) -> Shrinker:
    """Return a shrinker that proposes nothing more after thirty seconds.

    Nobody has asked for it, so it must not make a run much longer where calls are slow. Inputs get
    simpler by their type, unless `make` has a method ``simpler_inputs`` for those that it makes.
    """
    candidates = getattr(make, "simpler_inputs", by_type)
    return Shrinker(_Until(clock() + _SECONDS, clock, candidates), max_steps=_MOST_STEPS)


@dataclass(frozen=True, slots=True)
class _Until:
    deadline: float
    clock: Callable[[], float]
    candidates: Callable[[Any], Iterable[Any]]

    def __call__(self, value: Any) -> Iterable[Any]:
        return self._in_time(self.candidates(value))

    def _in_time(self, candidates: Iterable[Any]) -> Iterator[Any]:
        for candidate in candidates:
            if self.clock() >= self.deadline:
                return
            yield candidate
