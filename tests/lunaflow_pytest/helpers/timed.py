"""Functions that say how long they took: no time passes but what they add to the clock."""

import random
from typing import Any

import numpy as np

NOW = [0]


def clock() -> int:
    """Return the nanoseconds that all functions have taken."""
    return NOW[0]


def make(size: int, rng: np.random.Generator) -> Any:
    return rng.integers(1, 100, size)


class Takes:
    """A sum that takes some microseconds, and stays in the interpreter that it was made in."""

    def __init__(self, name: str, microseconds: float, *, jitter: float = 0.0) -> None:
        self.__name__ = name
        self._microseconds = microseconds
        self._jitter = jitter
        self._rng = random.Random(name)

    def __call__(self, x: Any) -> int:
        factor = 1 + self._jitter * self._rng.uniform(-1, 1)
        NOW[0] += round(1000 * self._microseconds * factor)
        return self.result(x)

    def result(self, x: Any) -> int:
        return int(x.sum())

    def __reduce__(self) -> Any:
        raise TypeError("it stays here")


class TakesOddly(Takes):
    """The same, wrong from five elements on."""

    def result(self, x: Any) -> int:
        return int(x.sum()) + (len(x) >= 5)


class TakesUntilItRaises(Takes):
    """The same, but large arrays are too much for it."""

    def result(self, x: Any) -> int:
        if len(x) > 6:
            raise OverflowError(f"too much at {len(x)}")
        return super().result(x)
