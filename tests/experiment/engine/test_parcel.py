"""M14: a plan travels part by part, so that the part which cannot is named."""

import threading
import time
import types
from typing import Any

import pytest
from tests.experiment.kit import parts_with

from lunaflow.experiment import CannotTravel, Fixture, Implementation, WorkerSpec
from lunaflow.experiment.engine._parcel import Parts, pack_parts, unpack_parts

LOCK = threading.Lock()


def locked(*given: Any) -> Any:
    with LOCK:
        return given


locked.__module__ = "__main__"


def make(size: int, rng: Any) -> Any:
    return size


def test_the_parts_of_a_plan_come_back_as_they_were(functions: types.ModuleType) -> None:
    parts = parts_with({"f": functions.total, "g": len}, functions.make, steps=3)
    assert unpack_parts(pack_parts(parts)) == parts
    assert unpack_parts(pack_parts(parts)).implementation("g").function is len


@pytest.mark.parametrize(
    ("implementation", "fixture", "clock", "named"),
    [
        (Implementation.stateless("f", "", locked), Fixture.immutable(make), None, "['f']"),
        (
            Implementation.in_process("f", "", lambda *given: given, synchronize=locked),
            Fixture.immutable(make), None, "['f']",
        ),
        (
            Implementation.worker("w", "", WorkerSpec(["true"], decode=locked)),
            Fixture.immutable(make), None, "['w']",
        ),
        (Implementation.stateless("f", "", len), Fixture(make, locked), None, "make"),
        (Implementation.stateless("f", "", len), Fixture.immutable(make), locked, "clock"),
    ],
)  # fmt: skip
def test_what_cannot_travel_is_named(
    implementation: Implementation, fixture: Fixture, clock: Any, named: str
) -> None:
    parts = Parts((implementation,), fixture, 1, clock or time.perf_counter_ns)
    with pytest.raises(CannotTravel, match="cannot be sent to a fresh interpreter") as caught:
        pack_parts(parts)
    assert named in str(caught.value).partition(" cannot")[0]
