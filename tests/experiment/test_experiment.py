"""The whole way: validate, measure in fresh interpreters, conclude; and what may go wrong."""

import os
import signal
import subprocess
import sys
import threading
import time
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
    CannotTravel,
    EventWriter,
    Experiment,
    InfrastructureFailure,
    Invalid,
    Label,
    Protocol,
    ReferenceOracle,
    Shrinker,
    compare,
    read_events,
    read_run,
    recorded_run,
)
from lunaflow.experiment.stats import Decision
from lunaflow.policy import Fallback, Global

SHORT = Protocol("SHORT", pairs=4, processes=2, batch_seconds=1e-5, resamples=50)
ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50)
LOCK = threading.Lock()


def local_make(size: int, rng: np.random.Generator) -> Any:
    return rng.integers(0, 100, size)


def test_an_experiment_from_validation_to_policy(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    steps: list[tuple[int, int, str]] = []
    result = Experiment(
        "sum",
        {"numpy": functions.total, "slow": functions.slow, "wrong": functions.wrong_from_ten_on},
        sizes=[5, 20],
        make=functions.make,
        protocol=SHORT,
    ).run(events=file, progress=lambda *step: steps.append(step))
    # M1: fast but wrong is a failure and has no figures where it is wrong
    assert [(f.implementation, f.size) for f in result.failures] == [("wrong", 20)]
    assert isinstance(result.failures[0].status, Invalid)
    assert result.failures[0].status.reason.startswith("value mismatch")
    assert result.times("wrong", 20).size == 0
    assert result.times("wrong", 5).size == result.times("numpy", 5).size == 12
    assert result.comparison("wrong", "numpy", 20) is None
    assert result.verdict("wrong", "numpy", 20) is Decision.UNKNOWN
    assert result.labels("numpy", "wrong")[1] is Label.UNKNOWN
    assert isinstance(result.policy("numpy", "slow", fallback="slow"), Fallback | Global)
    assert set(result.noise_floor) == {5, 20}
    assert result.controls == tuple(f"{name} (control)" for name in result.implementations)
    assert "FAILED wrong at size 20" in str(result)
    result.report(tmp_path / "report.html")
    assert "wrong" in (tmp_path / "report.html").read_text(encoding="utf-8")
    # the file tells the same
    record = read_run(file)
    assert record.experiments == (result,)
    assert (record.complete, record.ending, record.damaged_lines) == (True, "finished", ())
    assert record.environment["numpy"] == np.__version__
    assert steps[-1][0] == steps[-1][1] == max(done for done, _, _ in steps)
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)


def test_m5_events_hold_all_that_the_verdicts_rest_on(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    result = compare(
        functions.total, functions.slow, sizes=[4], make=functions.make, protocol=ALONE, events=file
    )
    events = read_events(file).events
    kinds = [event["event"] for event in events]
    assert kinds[0] == "run_started"
    assert kinds[1] == "experiment_started"
    assert kinds[-2:] == ["experiment_finished", "run_finished"]
    (comparison,) = [event for event in events if event["event"] == "comparison"]
    blocks = {event["id"]: event for event in events if event["event"] == "block"}
    assert set(comparison["evidence"]) == set(blocks)
    found = result.comparison("total", "slow", 4)
    assert found is not None
    assert comparison["id"] == found.id
    assert comparison["decision"] == found.decision.value
    assert comparison["relative_delta_pct"] == found.relative_delta_pct
    assert comparison["threshold_pct"] == found.threshold_pct
    assert tuple(comparison["interval"]) == found.interval
    (crossover,) = [event for event in events if event["event"] == "crossover"]
    assert crossover["kind"] == "NoCrossover"
    assert crossover["labels"] == [[4, str(found.label)]]
    assert result.crossover("total", "slow").evidence.observation_ids == ((found.id,),)


def test_m14_five_processes_are_fresh_and_resampled_as_a_whole(
    functions: types.ModuleType,
) -> None:
    result = compare(
        functions.total,
        functions.total_by_python,
        sizes=[4],
        make=functions.make,
        protocol=SHORT,
        processes=5,
    )
    assert {block.process for block in result.blocks} == set(range(5))
    found = result.comparison("total", "total_by_python", 4)
    assert found is not None
    assert found.grouping == found.comparison.grouping == "processes"


def test_an_implementation_that_changes_its_input_is_invalid_and_not_timed(
    functions: types.ModuleType,
) -> None:
    result = compare(
        functions.total,
        functions.sorting_in_place,
        sizes=[6],
        make=functions.make,
        protocol=ALONE,
    )
    (failure,) = result.failures
    assert failure.status == Invalid("changed its input")
    assert result.times("sorting_in_place", 6).size == 0
    assert result.times("total", 6).size > 0


@pytest.mark.parametrize("name", ["changing_while_measured", "raising_while_measured"])
def test_m1_who_fails_only_while_it_is_measured_has_no_figures(
    functions: types.ModuleType, name: str
) -> None:
    result = compare(
        functions.total, getattr(functions, name), sizes=[4, 8], make=functions.make, protocol=SHORT
    )
    assert {(f.implementation, f.size) for f in result.failures} == {(name, 4), (name, 8)}
    # the second process was not asked to measure it again
    assert {f.process for f in result.failures} == {0}
    assert result.times(name, 8).size == 0
    assert result.times("total", 8).size > 0


def test_valid_traps_are_recorded_and_not_timed(functions: types.ModuleType) -> None:
    result = Experiment(
        "traps",
        {"a": functions.overflowing, "b": functions.overflowing, "c": functions.total},
        sizes=[3],
        make=functions.make,
        oracle=ReferenceOracle.same_outcome("traps", functions.overflowing),
        protocol=ALONE,
    ).run()
    assert [(t.implementation, t.size, t.kind) for t in result.traps] == [
        ("a", 3, "OverflowError"),
        ("b", 3, "OverflowError"),
    ]
    assert [f.implementation for f in result.failures] == ["c"]
    assert result.blocks == ()
    assert "not timed: a at size 3 traps (OverflowError)" in str(result)


def test_e5_the_same_exception_on_both_sides_is_no_agreement(functions: types.ModuleType) -> None:
    # by default a value is wanted: the same bug twice is no right answer
    result = compare(
        functions.overflowing,
        functions.overflowing,
        sizes=[3],
        make=functions.make,
        protocol=ALONE,
        progress=False,
    )
    assert [f.implementation for f in result.failures] == ["f", "g"]
    assert (result.traps, result.blocks) == ((), ())
    for failure in result.failures:
        assert isinstance(failure.status, InfrastructureFailure)
        assert "OverflowError: too much at 3" in failure.status.reason
        assert "The reference overflowing raised" in failure.status.reason
        assert "oracle=ReferenceOracle.same_outcome" in failure.status.reason


def test_e1_the_oracles_id_stands_in_every_validation_event(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    experiment = Experiment(
        "oracle",
        {"a": functions.total, "b": functions.overflowing},
        sizes=[3, 4],
        make=functions.make,
        oracle=ReferenceOracle.close("within 1e-9", functions.total_by_python),
        protocol=ALONE,
    )
    experiment.run(events=file)
    found = [event for event in read_events(file).events if event["event"] == "validation"]
    assert [event["oracle"] for event in found] == ["within 1e-9"] * 4


def test_e5_an_oracle_that_raises_is_an_infrastructure_failure(
    functions: types.ModuleType,
) -> None:
    def bad_reference(x: Any) -> int:
        raise OSError("no reference")

    result = Experiment(
        "oracle",
        {"a": functions.total},
        sizes=[3],
        make=functions.make,
        oracle=ReferenceOracle.equal("equal", bad_reference),
        protocol=ALONE,
    ).run()
    (failure,) = result.failures
    assert isinstance(failure.status, InfrastructureFailure)
    assert "OSError: no reference" in failure.status.reason
    assert result.blocks == ()


def test_m7_a_crash_is_that_sizes_failure_and_the_run_goes_on(functions: types.ModuleType) -> None:
    result = compare(
        functions.total,
        functions.exiting_at_eight,
        sizes=[4, 8, 12],
        make=functions.make,
        protocol=SHORT,
        processes=3,
    )
    # a size that ended two processes is not measured again
    assert [(f.size, f.process) for f in result.failures] == [(8, 0), (8, 1)]
    assert isinstance(result.failures[0].status, InfrastructureFailure)
    assert "exit code 7" in result.failures[0].status.reason
    assert result.times("total", 8).size == 0
    assert result.times("exiting_at_eight", 12).size == result.times("total", 4).size > 0
    assert {(b.size, b.process) for b in result.blocks} == {
        (s, p) for s in (4, 12) for p in range(3)
    }
    assert result.finished


def test_m7_a_process_that_hangs_is_ended_and_the_run_goes_on(functions: types.ModuleType) -> None:
    result = compare(
        functions.total,
        functions.hanging,
        sizes=[4],
        make=functions.make,
        protocol=replace(ALONE, silence_seconds=1.0),
    )
    (failure,) = result.failures
    assert failure.size == 4
    assert isinstance(failure.status, InfrastructureFailure)
    assert "sent nothing for 1" in failure.status.reason
    assert result.finished


def test_m10_the_failing_input_is_made_small_and_stands_in_the_file(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    result = Experiment(
        "shrinking",
        {"f": functions.total, "g": functions.wrong_from_ten_on},
        sizes=[64],
        make=functions.make,
        shrinker=Shrinker(lambda x: [x[: len(x) // 2], x[1:]], text=lambda x: f"{len(x)} long"),
        protocol=ALONE,
    ).run(events=file)
    (failure,) = read_run(file).experiments[0].failures
    assert result.failures == (failure,)
    assert failure.input_text == "10 long"
    assert failure.path == tuple(f"{n} long" for n in (32, 16, 15, 14, 13, 12, 11, 10))
    assert failure.fingerprint is not None


def test_m8_a_make_that_differs_between_processes_is_told(functions: types.ModuleType) -> None:
    result = compare(
        functions.total,
        functions.total_by_python,
        sizes=[4],
        make=functions.make_differently,
        protocol=ALONE,
    )
    (failure,) = result.failures
    assert failure.implementation is None
    assert isinstance(failure.status, InfrastructureFailure)
    assert "another input than the one that was validated" in failure.status.reason
    assert result.blocks == ()


def test_lambdas_travel_by_cloudpickle() -> None:
    result = Experiment(
        "lambdas",
        {"a": lambda x: x.sum(), "b": lambda x: np.sum(x)},
        sizes=[4],
        make=local_make,
        protocol=ALONE,
    ).run()
    assert result.failures == ()
    assert result.times("b", 4).size == 4


def test_m14_what_cannot_travel_is_refused_before_anything_runs(tmp_path: Path) -> None:
    calls: list[int] = []

    def make(size: int, rng: np.random.Generator) -> Any:
        calls.append(size)
        return rng.random(size)

    def locked(x: Any) -> Any:
        with LOCK, lock:
            return x.sum()

    lock = threading.Lock()
    file = tmp_path / "run.jsonl"
    experiment = Experiment("e", {"f": np.sum, "g": locked}, sizes=[4], make=make, protocol=SHORT)
    with pytest.raises(CannotTravel, match=r"implementations\['g'\].*processes=1"):
        experiment.run(events=file)
    assert calls == []
    assert not file.exists()


def test_with_one_process_what_cannot_travel_is_measured_here() -> None:
    lock = threading.Lock()
    seen: set[int] = set()

    def locked(x: Any) -> Any:
        seen.add(os.getpid())
        with lock:
            return x.sum()

    result = compare(np.sum, locked, sizes=[4], make=local_make, protocol=SHORT, processes=1)
    assert seen == {os.getpid()}
    assert result.times("locked", 4).size == 4
    assert result.protocol.processes == 1


def test_m9_an_interrupt_is_recorded_and_passed_on(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"

    def interrupt(done: int, total: int, text: str) -> None:
        if "process 2" in text:
            raise KeyboardInterrupt

    experiment = Experiment(
        "e",
        {"f": functions.total, "g": functions.slow},
        sizes=[4],
        make=functions.make,
        protocol=SHORT,
    )
    with pytest.raises(KeyboardInterrupt):
        experiment.run(events=file, progress=interrupt)
    record = read_run(file)
    assert (record.complete, record.ending) == (False, "interrupted")
    (partial,) = record.experiments
    assert not partial.finished
    assert len(partial.blocks) == 4
    assert partial.comparison("f", "g", 4) is not None
    assert "(not finished)" in str(partial)


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
import measured_functions as m
from lunaflow.experiment import Experiment, Protocol
protocol = Protocol("LONG", pairs=100000, processes=2, batch_seconds=1e-4)
Experiment("e", {"f": m.total, "g": m.slow}, sizes=[4], make=m.make, protocol=protocol).run(
    events=sys.argv[2])
"""


def test_m9_a_killed_run_leaves_a_readable_file_and_no_process(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    helpers = str(Path(functions.__file__ or "").parent)
    runner = subprocess.Popen([sys.executable, "-c", KILLED, helpers, str(file)])
    try:
        deadline = time.monotonic() + 60
        while not file.exists() or file.read_bytes().count(b'"event":"block"') < 5:
            assert time.monotonic() < deadline
            assert runner.poll() is None
            time.sleep(0.01)
        children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text().split()
    finally:
        runner.send_signal(signal.SIGKILL)
        runner.wait()
    record = read_run(file)
    assert (record.complete, record.ending) == (False, "cut off")
    (partial,) = record.experiments
    assert len(partial.blocks) >= 5
    assert partial.times("f", 4).size >= 5
    # the measuring process notices that nobody listens any more
    assert len(children) == 1
    while Path(f"/proc/{children[0]}/cmdline").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_several_experiments_are_one_run_in_one_file(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    made = [
        Experiment(name, {"f": functions.total}, sizes=[4], make=functions.make, protocol=ALONE)
        for name in ("one", "two")
    ]
    with EventWriter(file) as events, recorded_run(events, seed=3):
        results = [experiment.run(events=events) for experiment in made]
    record = read_run(file)
    assert record.experiments == tuple(results)
    assert record.complete
    kinds = [event["event"] for event in read_events(file).events]
    assert kinds.count("run_started") == kinds.count("run_finished") == 1


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"name": 5}, TypeError, "name must be a str"),
        ({"name": " "}, ValueError, "name must not be empty"),
        ({"implementations": {}}, ValueError, "at least one implementation"),
        ({"implementations": [len]}, TypeError, "implementations must be a dict"),
        ({"implementations": {"f": 3}}, TypeError, r"implementations\['f'\] must be callable"),
        ({"implementations": {3: len}}, TypeError, "a name in implementations must be a str"),
        ({"implementations": {"f (control)": len}}, ValueError, "must not end with"),
        ({"sizes": []}, ValueError, "at least one size"),
        ({"sizes": "123"}, TypeError, "sizes must be an iterable"),
        ({"sizes": 5}, TypeError, "sizes must be an iterable"),
        ({"sizes": [1.5]}, TypeError, r"sizes\[0\] must be an integer"),
        ({"sizes": [-1]}, ValueError, r"sizes\[0\] must be at least 0, not -1"),
        ({"sizes": [1, 3, 3]}, ValueError, r"sizes\[2\] = 3 follows 3"),
        ({"sizes": [1, 3, 2]}, ValueError, r"sizes\[2\] = 2 follows 3"),
        ({"sizes": [1, 2**63]}, ValueError, "sizes must be at most 9223372036854775807, not"),
        ({"make": None}, TypeError, "make must be callable"),
        ({"reference": 3}, TypeError, "reference must be callable"),
        ({"oracle": len}, TypeError, "oracle must be a ReferenceOracle"),
        (
            {"reference": len, "oracle": ReferenceOracle.equal("e", len)},
            ValueError,
            "give reference or oracle, not both",
        ),
        ({"shrinker": repr}, TypeError, "shrinker must be a Shrinker"),
        ({"protocol": "QUICK_CHECK"}, TypeError, "protocol must be a Protocol"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"seed": 0.5}, TypeError, "seed must be an integer"),
        ({"processes": 0}, ValueError, "processes must be at least 1"),
        ({"processes": True}, TypeError, "processes must be an integer"),
    ],
)
def test_bad_arguments_are_refused_at_the_door(
    changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {
        "name": "e",
        "implementations": {"f": len},
        "sizes": [1, 2],
        "make": local_make,
    }
    with pytest.raises(error, match=message):
        Experiment(**{**arguments, **changed})


def test_bad_arguments_of_run_and_compare_are_refused() -> None:
    experiment = Experiment("e", {"f": len}, sizes=[1], make=local_make, protocol=ALONE)
    with pytest.raises(TypeError, match="events must be a path"):
        experiment.run(events=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress must be a bool"):
        experiment.run(progress="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="g must be callable"):
        compare(len, 5, sizes=[1], make=local_make)  # type: ignore[arg-type]
