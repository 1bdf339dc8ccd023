"""What the tests of the engine share: parts of a plan from plain functions."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from lunaflow.experiment import Fixture, Implementation, OperationResult, Value
from lunaflow.experiment.engine._calls import Called
from lunaflow.experiment.engine._parcel import Parts
from lunaflow.experiment.processes.standalone._batch import Clock


def parts_with(
    functions: Mapping[str, Callable[[Any], Any]],
    make: Callable[..., Any],
    *,
    fixture: Fixture | None = None,
    steps: int = 1,
    clock: Clock = time.perf_counter_ns,
) -> Parts:
    """Return stateless implementations, on inputs that nobody may change."""
    implementations = tuple(Implementation.stateless(n, "", f) for n, f in functions.items())
    return Parts(implementations, fixture or Fixture.immutable(make), steps, clock)


def called(value: Any, *, changed_input: bool = False) -> Called:
    """Return what one call that returned a value came to."""
    return Called((OperationResult(Value(value)),), changed_input)
