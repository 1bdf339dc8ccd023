"""What a fixture does with an input: copies of it, and whether they are still the same."""

import sys
from typing import Any

import numpy as np

from lunaflow.experiment._fingerprint import fingerprint, is_unchanged
from lunaflow.experiment._fixture import Fixture, SetupPolicy
from lunaflow.experiment.engine._placement import duplicate, place

_SAMPLED = 1000


class Setup:
    """The functions of a fixture, with what stands for those that it does not have.

    Parameters
    ----------
    fixture : Fixture
        Makes and copies inputs.
    """

    def __init__(self, fixture: Fixture) -> None:
        self._fixture = fixture
        self.shared = fixture.setup_policy is SetupPolicy.SHARED
        self.each_call = fixture.setup_policy is SetupPolicy.EACH_CALL

    def copy(self, master: Any, rng: np.random.Generator | None = None) -> Any:
        """Return a copy of an input; where it lies `rng` draws, unless the fixture has a clone."""
        if self._fixture.clone is not None:
            return self._fixture.clone(master)
        return duplicate(master) if rng is None else place(master, rng)

    def given(self, copy: Any) -> Any:
        """Return what the implementations get."""
        return copy if self._fixture.prepare is None else self._fixture.prepare(copy)

    @property
    def resets(self) -> bool:
        """Whether one copy is brought back before each call."""
        return self._fixture.reset is not None

    def reset(self, given: Any) -> Any:
        """Bring what implementations got back to what it was, and return it."""
        if self._fixture.reset is not None:
            self._fixture.reset(given)
        return given

    def fingerprint(self, value: Any) -> str:
        """Return what tells inputs apart."""
        return self._fixture.fingerprint(value)

    def is_same(self, value: Any, master: Any) -> bool:
        """Say whether a copy is what the input is."""
        by_content = self._fixture.fingerprint is fingerprint
        if by_content:
            return is_unchanged(value, master)
        return self._fixture.fingerprint(value) == self._fixture.fingerprint(master)


def bytes_of(value: Any) -> int:
    """Return about how many bytes a value takes; of long containers only the beginning counts."""
    if isinstance(value, (np.ndarray, np.generic)):
        return int(value.nbytes)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        items = list(value.values() if isinstance(value, dict) else value)
        seen = items[:_SAMPLED]
        total = sum(map(bytes_of, seen))
        return sys.getsizeof(value) + total * len(items) // max(1, len(seen))
    return sys.getsizeof(value, 0)
