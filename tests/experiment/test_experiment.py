"""The whole way: validate, measure in fresh interpreters, conclude; and what may go wrong on it."""

import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
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
)
from lunaflow.experiment.stats import Decision
from lunaflow.policy import Fallback, Global

SHORT = Protocol("SHORT", pairs=4, processes=2, batch_seconds=1e-5, resamples=50)
ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50)


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
    assert result.verdict("wrong", "numpy", 20) is Decision.INVALID
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
    blocks = {e["id"]: e for e in events if e["event"] == "block" and e["phase"] == "confirmatory"}
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
        assert failure.status.reason == (
            "the reference f raised OverflowError: too much at 3; to expect exceptions where it "
            'raises them, give oracle=ReferenceOracle.same_outcome("traps", reference)'
        )
    # the one is the reference, and the other one could not be judged
    assert "\nFAILED f at size 3: InfrastructureFailure: the reference f raised " in str(result)
    assert "\nNOT JUDGED g at size 3: the reference f raised " in str(result)


def test_a_reference_apart_that_raises_is_told_before_its_traceback(
    functions: types.ModuleType,
) -> None:
    result = compare(
        functions.total,
        functions.total_by_python,
        sizes=[3],
        make=functions.make,
        reference=functions.overflowing,
        protocol=ALONE,
        progress=False,
    )
    for failure in result.failures:
        head, _, details = getattr(failure.status, "reason", "").partition("\n")
        assert head.startswith("the reference overflowing raised OverflowError: too much at 3; to ")
        assert details.startswith("Traceback")
    for name in ("total", "total_by_python"):
        line = f"NOT JUDGED {name} at size 3: the reference overflowing raised OverflowError: "
        assert line in str(result)
    assert "Traceback" not in str(result)


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
    # the one that was being timed is named and dropped; no later process times it at that size
    (failure,) = result.failures
    assert (failure.implementation, failure.size, failure.process) == ("exiting_at_eight", 8, 0)
    assert isinstance(failure.status, InfrastructureFailure)
    assert "exit code 7" in failure.status.reason
    assert result.times("exiting_at_eight", 8).size == 0
    assert result.times("exiting_at_eight", 12).size == result.times("total", 4).size > 0
    assert list(dict.fromkeys((b.process, b.size) for b in result.blocks)) == [
        (p, s) for p in range(3) for s in (4, 8, 12)
    ]
    assert result.finished


def test_m7_after_a_crash_the_others_are_measured_on_and_no_block_comes_twice(
    functions: types.ModuleType,
) -> None:
    result = Experiment(
        "late",
        {"f": functions.total, "late": functions.exiting_late_at_eight, "g": functions.slow},
        sizes=[4, 8],
        make=functions.make,
        protocol=replace(ALONE, pairs=36, batch_seconds=1e-4),
    ).run()
    assert [(f.implementation, f.size) for f in result.failures] == [("late", 8)]
    assert result.times("late", 4).size == 36
    blocks = [b for b in result.blocks if b.size == 8 and b.phase == "confirmatory"]
    assert [block.id for block in blocks] == [f"late/8/p0/b{i}" for i in range(len(blocks))]
    # squares that were whole when it ended count for the others, and all is measured anew
    with_late = [block for block in blocks if "late" in block.order]
    assert len(with_late) == 12
    assert len(blocks) - len(with_late) == 36
    assert result.times("f", 8).size == result.times("g", 8).size == len(blocks)


def test_m7_a_process_that_ends_while_nothing_is_timed_costs_the_size_twice_and_names_nobody(
    functions: types.ModuleType,
) -> None:
    result = compare(
        functions.total,
        functions.slow,
        sizes=[4, 8, 12],
        make=functions.make_exiting_at_eight,
        protocol=SHORT,
        processes=3,
    )
    # a size that ended two processes is not measured again
    found = [(f.implementation, f.size, f.process) for f in result.failures]
    assert found == [(None, 8, 0), (None, 8, 1)]
    assert result.times("total", 8).size == 0
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
        protocol=replace(ALONE, silence_seconds=5.0),
    )
    (failure,) = result.failures
    assert (failure.implementation, failure.size) == ("hanging", 4)
    assert isinstance(failure.status, InfrastructureFailure)
    assert "sent nothing for 5." in failure.status.reason
    assert result.times("total", 4).size > 0
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
