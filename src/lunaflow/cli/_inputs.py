"""The inputs that ``lunaflow tune`` measures on: random numbers, or arrays from files."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from lunaflow.cli._data import Array, load_array
from lunaflow.cli._refusal import refuse

TYPES: dict[str, np.dtype[Any]] = {"I32": np.dtype(np.int32), "I64": np.dtype(np.int64)}
_SPREAD = 1000


@dataclass(frozen=True, slots=True)
class RandomNumbers:
    """Integers in [-1000, 1000), small enough that no sum of 2**24 overflows by their size."""

    element_type: str

    def __call__(self, size: int, rng: np.random.Generator) -> Array:
        """Return a 1-D array of `size` elements."""
        numbers: Array = rng.integers(-_SPREAD, _SPREAD, size)
        return numbers.astype(TYPES[self.element_type])

    def __str__(self) -> str:
        return f"random integers in [{-_SPREAD}, {_SPREAD})"


@dataclass(frozen=True, slots=True)
class Repeated:
    """An array from a file, tiled or cut to each length."""

    reference: str

    def __call__(self, size: int, rng: np.random.Generator) -> Array:  # noqa: ARG002
        """Return the first `size` elements of the endless repetition of the array."""
        return np.resize(_loaded(self.reference), size)

    def __str__(self) -> str:
        return self.reference


Inputs = RandomNumbers | Repeated


def inputs_from(references: tuple[str, ...]) -> dict[str, Inputs]:
    """Return the inputs of each element type: the named arrays, else random numbers.

    An array that is not 1-D int32 or int64, an empty one, or a second one of the same type ends the
    command with exit status 2.
    """
    inputs: dict[str, Inputs] = {name: RandomNumbers(name) for name in TYPES}
    for reference in references:
        element_type = _element_type(reference)
        if isinstance(known := inputs[element_type], Repeated):
            refuse(
                f"--data {reference} and --data {known.reference} are both {element_type}; "
                "give one array for each of int32 and int64"
            )
        inputs[element_type] = Repeated(reference)
    return inputs


def _element_type(reference: str) -> str:
    array = _loaded(reference)
    if array.ndim != 1 or array.size == 0:
        refuse(f"--data {reference} has shape {array.shape}; tune takes 1-D arrays with elements")
    for name, dtype in TYPES.items():
        if array.dtype.newbyteorder("=") == dtype:
            return name
    refuse(f"--data {reference} has dtype {array.dtype}; tune takes int32 and int64")


@functools.cache
def _loaded(reference: str) -> Array:
    array = load_array(reference)
    return array.astype(array.dtype.newbyteorder("="), copy=False)
