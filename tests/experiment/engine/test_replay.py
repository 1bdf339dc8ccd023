"""M10: a failure event holds what replays it, and replaying tells what becomes of it now."""

import types
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
    RelationalOracle,
    RunContext,
    Shrinker,
    WorkerSpec,
    read_events,
    run,
)
from lunaflow.experiment.engine import _replayable
from lunaflow.experiment.engine._replay import replay_failure

ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50, inputs=1)
AS_IT_IS = Shrinker(lambda given: ())


def failures(file: Path) -> list[dict[str, Any]]:
    return [event for event in read_events(file).events if event["event"] == "failure"]


def run_of(functions: types.ModuleType, file: Path, name: str, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"sizes": [12], "make": functions.make, "protocol": ALONE, **more}
    implementations = {"right": functions.total, name: getattr(functions, name)}
    Experiment("e", implementations, **given).run(events=file)
    (failure,) = failures(file)
    return failure


def test_m10_the_smallest_input_and_the_path_to_it_are_kept_and_replayed(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    shrinker = Shrinker(lambda x: [x[: len(x) // 2], x[1:]], text=lambda x: f"{len(x)} long")
    file = tmp_path / "run with spaces.jsonl"
    failure = run_of(functions, file, "wrong_from_ten_on", shrinker=shrinker, sizes=[64])
    assert failure["minimal"].shape == (10,)
    assert failure["path"][-1] == failure["input"] == "10 long"
    assert failure["command"] == f"lunaflow replay '{file}' --id f1 --yes"
    assert (failure["draw"], failure["step"]) == (0, 0)
    replayed = replay_failure(failure)
    assert (replayed.fails, replayed.same) == (True, True)


def test_m10_a_death_is_replayed_in_a_process_that_may_die(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    failure = run_of(functions, tmp_path / "run.jsonl", "aborting_from_ten_on")
    replayed = replay_failure(failure)
    assert replayed.same
    assert "SIGABRT" in str(replayed.status)


def test_m10_an_input_that_is_too_long_to_be_kept_is_made_again(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_replayable, "_LONGEST_MINIMAL", 100)
    monkeypatch.setattr(_replayable, "_LONGEST_RECIPE", 3000)
    file = tmp_path / "run.jsonl"
    failure = run_of(functions, file, "wrong_from_ten_on", sizes=[1000], seed=5, shrinker=AS_IT_IS)
    assert failure["minimal"] is None
    assert len(failure["recipe"]) < 3000
    assert replay_failure(failure).same


def test_m10_workers_sequences_and_relations_are_replayed(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    implementations = [
        Implementation.stateless("a", "", sum),
        Implementation.worker("b", "", WorkerSpec(call="math:fsum")),
        Implementation.stateless("odd", "", len),
    ]
    spec = BenchSpec(
        "case",
        Fixture.immutable(lambda size, rng: [7.0] * size),
        implementations,
        RelationalOracle.equal("alike"),
        [3],
        sequence_length=2,
        shrinker=AS_IT_IS,
    )
    run(spec.compile().unwrap(), RunContext(sink=file, protocol=ALONE))
    (failure,) = failures(file)
    assert (failure["implementation"], failure["minimal"]) == ("odd", [7.0, 7.0, 7.0])
    assert replay_failure(failure).same


def test_m10_functions_without_a_name_travel_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    Experiment(
        "e",
        {"f": lambda x: x + 1},
        sizes=[3],
        make=lambda size, rng: size,
        oracle=ReferenceOracle.equal("same", lambda x: x),
        protocol=ALONE,
    ).run(events=file)
    (failure,) = failures(file)
    assert replay_failure(failure).same


def test_without_a_file_there_is_no_command(functions: types.ModuleType) -> None:
    result = Experiment(
        "e",
        {"right": functions.total, "wrong": functions.wrong_from_ten_on},
        sizes=[12],
        make=functions.make,
        protocol=ALONE,
    ).run()
    assert [(f.id, f.command) for f in result.failures] == [("f1", None)]
