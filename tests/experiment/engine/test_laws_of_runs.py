"""Laws that only a whole run can keep: where the oracle runs, what blocks share, what is told."""

import gc
import os
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment import (
    BenchSpec,
    Experiment,
    Fixture,
    Implementation,
    Protocol,
    ReferenceOracle,
    RunContext,
    Valid,
    Value,
    read_events,
    run,
)
from lunaflow.experiment._statuses import Status

ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50, inputs=2)


class StayingHere:
    """Makes inputs, and keeps the run in this interpreter."""

    def __call__(self, size: int, rng: Any) -> Any:
        return rng.integers(0, 100, size)

    def __reduce__(self) -> Any:
        raise TypeError("it stays here")


@pytest.mark.parametrize("here", [True, False])
def test_e5_the_oracle_runs_in_the_runner_and_never_while_something_is_timed(
    functions: types.ModuleType, here: bool
) -> None:
    asked: list[tuple[int, bool]] = []

    def noted() -> None:
        asked.append((os.getpid(), functions.is_being_timed()))

    def expected(given: Any, step: int, context: Any) -> Value:
        noted()
        return Value(int(given.sum()))

    def validate(given: Any, step: int, wanted: Any, actual: Any) -> Status:
        noted()
        return Valid()

    spec = BenchSpec(
        "case",
        Fixture.immutable(StayingHere() if here else functions.make),
        [Implementation.stateless(name, "", functions.total) for name in "ab"],
        ReferenceOracle("noted", None, 1, expected, validate, str),
        [4],
    )
    result = run(spec.compile().unwrap(), RunContext(protocol=ALONE)).result
    assert result.times("a", 4).size > 0
    assert set(asked) == {(os.getpid(), False)}
    # once an input for what is expected, and once for each of two results
    assert len(asked) == 2 * 3


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Switch the garbage collector off for a test."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("collector_off")
def test_m2_m3_treatments_of_a_block_share_its_input_and_the_collectors_state_is_told(
    tmp_path: Path,
) -> None:
    file = tmp_path / "run.jsonl"
    experiment = Experiment(
        "case", {"a": sum, "b": lambda x: sum(x)}, sizes=[3], make=StayingHere(), protocol=ALONE
    )
    result = experiment.run(events=file, progress=False)
    blocks = [event for event in read_events(file).events if event["event"] == "block"]
    assert {event["phase"] for event in blocks} == {"exploratory", "confirmatory"}
    for event in blocks:
        assert sorted(event["order"]) == ["a", "a (control)", "b", "b (control)"]
        assert len(event["seconds"]) == len(event["iterations"]) == 4
        assert (event["input"], event["gc_enabled"]) == (0, False)
    found = result.comparison("a", "b", 3)
    assert found is not None
    assert set(found.evidence) == {
        event["id"] for event in blocks if event["phase"] == "confirmatory"
    }
