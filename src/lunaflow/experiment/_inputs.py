"""The input of each size: the same in every process, from seed, experiment and size alone."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

Make = Callable[[int, np.random.Generator], Any]


def generator_for(seed: int, experiment: str, size: int, *more: int) -> np.random.Generator:
    """Return the generator that belongs to a seed, an experiment, a size and further numbers."""
    name = hashlib.sha256(experiment.encode("utf-8", "surrogatepass")).digest()
    entropy = [seed, int.from_bytes(name, "little"), size, *more]
    return np.random.default_rng(np.random.SeedSequence(entropy))


def make_input(make: Make, seed: int, experiment: str, size: int) -> Any:
    """Return the input of a size, the same for the same arguments."""
    return make(size, generator_for(seed, experiment, size))
