"""The inputs of each scale: the same in every process, from seed, case, scale and number alone."""

import hashlib
from typing import Any

import numpy as np

from lunaflow.experiment._fixture import Fixture
from lunaflow.experiment._outcomes import outcome_of_exception
from lunaflow.experiment.engine._setup import Setup


class UnusableInput(ValueError):
    """An input that cannot be copied, or whose copies cannot be compared with it."""


def generator_for(seed: int, case: str, scale: int, *more: int) -> np.random.Generator:
    """Return the generator that belongs to a seed, a case, a scale and further numbers."""
    name = hashlib.sha256(case.encode("utf-8", "surrogatepass")).digest()
    entropy = [seed, int.from_bytes(name, "little"), scale, *more]
    return np.random.default_rng(np.random.SeedSequence(entropy))


def make_input(fixture: Fixture, seed: int, case: str, scale: int, number: int = 0) -> Any:
    """Return one of the inputs of a scale, the same for the same arguments."""
    # 0 is the number that no process has: 1 is that of the first
    more = (0, number) if number else ()
    return fixture.materialize(scale, generator_for(seed, case, scale, *more))


def require_usable(fixture: Fixture, value: Any, scale: int) -> None:
    """Raise UnusableInput unless a value can be copied, and compared with its copy.

    Every implementation gets a copy of its own, which is compared with the original afterwards.
    """
    what = f"the input that make gave for size {scale}, a {type(value).__name__},"
    setup = Setup(fixture)
    try:
        same = setup.is_same(setup.copy(value), value)
        print_of_it: object = fixture.fingerprint(value)
    except Exception as error:
        trap = outcome_of_exception(error).trap
        why = f"{trap.type_name}: {trap.message}"
        raise UnusableInput(f"{what} cannot be copied and compared ({why})") from error
    if not isinstance(print_of_it, str):
        raise UnusableInput(f"{what} has no str as its fingerprint")
    if not same:
        raise UnusableInput(f"{what} differs from its copy, so that a change would not be noticed")
