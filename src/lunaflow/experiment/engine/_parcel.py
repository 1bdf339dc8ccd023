"""A plan on its way to fresh interpreters: each implementation and the fixture by itself."""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lunaflow.experiment._fixture import Fixture
from lunaflow.experiment._implementation import Implementation
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment.processes._transport import pack
from lunaflow.experiment.processes.standalone._batch import Clock
from lunaflow.experiment.processes.standalone._steps import Stateless


@dataclass(frozen=True, slots=True)
class Parts:
    """What a process needs of a plan to call its implementations."""

    implementations: tuple[Implementation, ...]
    fixture: Fixture
    steps: int
    clock: Clock
    packed: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    def implementation(self, id: str) -> Implementation:  # noqa: A002
        """Return the implementation of an id."""
        return next(one for one in self.implementations if one.id == id)

    def another(self, id: str) -> Implementation | None:  # noqa: A002
        """Return the implementation of an id unpacked once more; None if it was never packed."""
        for one, packed in zip(self.implementations, self.packed, strict=False):
            if one.id == id:
                unpacked: Implementation = _unpacked(packed)
                return unpacked
        return None


@dataclass(frozen=True, slots=True)
class Parcel:
    """The same, packed."""

    implementations: tuple[bytes, ...]
    fixture: bytes
    steps: int
    clock: bytes


def parts_of(plan: ValidatedBenchPlan, clock: Clock) -> Parts:
    """Return what a process needs of a plan."""
    return Parts(plan.implementations, plan.fixture, plan.sequence_length, clock)


def pack_parts(parts: Parts) -> Parcel:
    """Return the parts as bytes; CannotTravel names the one that cannot be sent."""
    return Parcel(
        tuple(
            pack(f"implementations[{one.id!r}]", one, _functions(one))
            for one in parts.implementations
        ),
        pack("make (of the fixture)", parts.fixture, _functions_of_fixture(parts.fixture)),
        parts.steps,
        pack("clock", parts.clock),
    )


def unpack_parts(parcel: Parcel) -> Parts:
    """Return the parts."""
    return Parts(
        tuple(map(_unpacked, parcel.implementations)),
        _unpacked(parcel.fixture),
        parcel.steps,
        _unpacked(parcel.clock),
        parcel.implementations,
    )


def _unpacked(packed: bytes) -> Any:
    return pickle.loads(packed)  # noqa: S301, it comes from our own parent process alone


def _functions(one: Implementation) -> Iterator[Any]:
    yield one.run.function if isinstance(one.run, Stateless) else one.run
    yield one.synchronize
    if one.spec is not None:
        yield from (one.spec.call, one.spec.encode, one.spec.decode)


def _functions_of_fixture(fixture: Fixture) -> Iterator[Any]:
    yield from (fixture.materialize, fixture.clone, fixture.prepare, fixture.reset)
    yield fixture.fingerprint
