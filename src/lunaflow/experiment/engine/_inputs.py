"""The input of each size: the same in every process, from seed, experiment and size alone."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lunaflow.experiment._fingerprint import fingerprint, is_unchanged
from lunaflow.experiment._outcomes import outcome_of_exception
from lunaflow.experiment.engine._placement import duplicate

Make = Callable[[int, np.random.Generator], Any]
"""Makes the input of a size."""

Implementation = Callable[[Any], Any]
"""Takes an input and returns the result."""

Implementations = Mapping[str, Implementation]
"""By their names."""


class UnusableInput(ValueError):
    """An input that cannot be copied, or whose copies cannot be compared with it."""


def generator_for(seed: int, experiment: str, size: int, *more: int) -> np.random.Generator:
    """Return the generator that belongs to a seed, an experiment, a size and further numbers."""
    name = hashlib.sha256(experiment.encode("utf-8", "surrogatepass")).digest()
    entropy = [seed, int.from_bytes(name, "little"), size, *more]
    return np.random.default_rng(np.random.SeedSequence(entropy))


def make_input(make: Make, seed: int, experiment: str, size: int) -> Any:
    """Return the input of a size, the same for the same arguments."""
    return make(size, generator_for(seed, experiment, size))


def require_usable(value: Any, size: int) -> None:
    """Raise UnusableInput unless a value can be copied, and compared with its copy.

    Every implementation gets a copy of its own, which is compared with the original afterwards.
    """
    what = f"the input that make gave for size {size}, a {type(value).__name__},"
    try:
        fingerprint(value)
        same = is_unchanged(duplicate(value), value)
    except Exception as error:
        trap = outcome_of_exception(error).trap
        why = f"{trap.type_name}: {trap.message}"
        raise UnusableInput(f"{what} cannot be copied and compared ({why})") from error
    if not same:
        raise UnusableInput(f"{what} differs from its copy, so that a change would not be noticed")
