"""Where the inputs of an experiment come from, and who may change them."""

import enum
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lunaflow._arguments import require, require_callable
from lunaflow.experiment._fingerprint import fingerprint as hash_of_content

Materialize = Callable[[int, np.random.Generator], Any]
"""``materialize(scale, rng)`` makes the input of a scale."""


def require_maker(name: str, given: object) -> None:
    """Raise TypeError unless a function can be called with a scale and a generator."""
    require_callable(name, given)
    function: Any = given
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # functions of other languages need not say what they take
        return
    try:
        signature.bind(0, None)
    except TypeError as error:
        raise TypeError(
            f"{name} is called as {name}(size, rng), with an int and a numpy.random.Generator, "
            f"which {name}{signature} does not take: {error}"
        ) from None


class SetupPolicy(enum.Enum):
    """For what a copy of the input is made."""

    SHARED = "shared"
    """One for each implementation in each block; no call may change it."""

    EACH_BLOCK = "each block"
    """One for each implementation in each block; calls find what earlier ones have left."""

    EACH_CALL = "each call"
    """One for each call (each sequence of calls), or one that is reset before each."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """How inputs are made, copied and restored; none of it is timed.

    Parameters
    ----------
    materialize : callable
        ``materialize(scale, rng)`` returns the input of a scale; `rng` is a
        `numpy.random.Generator`, the same for the same seed, case, scale and number of the input.
    clone : callable, optional
        ``clone(input)`` returns an equal copy that shares nothing which a call could change.
        Default: arrays, containers and dataclasses are copied to fresh memory at random offsets,
        all else by `copy.deepcopy`.
    prepare : callable, optional
        ``prepare(copy)`` returns what the implementations are given, such as an open file.
    reset : callable, optional
        ``reset(prepared)`` brings a copy back to what it was, in place, before each call.
    setup_policy : SetupPolicy
        For what a copy is made.
    fingerprint : callable
        ``fingerprint(input)`` returns a str that tells inputs apart, the same in every process.
        Default: a hash of the content.

    Raises
    ------
    TypeError
        If an argument is of a wrong type.
    ValueError
        If there is a `reset` but copies are not for each call.
    """

    materialize: Materialize
    clone: Callable[[Any], Any] | None = None
    prepare: Callable[[Any], Any] | None = None
    reset: Callable[[Any], object] | None = None
    setup_policy: SetupPolicy = SetupPolicy.EACH_CALL
    fingerprint: Callable[[Any], str] = hash_of_content

    def __post_init__(self) -> None:
        require_maker("materialize", self.materialize)
        for name in ("clone", "prepare", "reset"):
            if getattr(self, name) is not None:
                require_callable(name, getattr(self, name))
        require("setup_policy", self.setup_policy, SetupPolicy, "a SetupPolicy")
        require_callable("fingerprint", self.fingerprint)
        if self.reset is not None and self.setup_policy is not SetupPolicy.EACH_CALL:
            raise ValueError(
                "reset is called before each call, so setup_policy must be EACH_CALL, "
                f"not {self.setup_policy.name}"
            )

    @classmethod
    def immutable(
        cls, generate: Materialize, fingerprint: Callable[[Any], str] = hash_of_content
    ) -> "Fixture":
        """Return the fixture of inputs that no implementation may change.

        ``generate(scale, rng)`` makes them. Each implementation has a copy of its own, which is
        checked after each block; who has changed it is Invalid.
        """
        return cls(generate, setup_policy=SetupPolicy.SHARED, fingerprint=fingerprint)

    @property
    def hidden_from_workers(self) -> tuple[str, ...]:
        """Names of the functions that a process without this interpreter's objects cannot call."""
        names = ("clone", "prepare", "reset")
        return tuple(name for name in names if getattr(self, name) is not None)
