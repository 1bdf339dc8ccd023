"""Running a plan: sequences, relations, phases, several inputs a size, and an injected clock."""

import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
    BenchSpec,
    Coverage,
    Experiment,
    Fixture,
    Implementation,
    InfrastructureFailure,
    Invalid,
    OperationResult,
    Protocol,
    ReferenceOracle,
    RelationalOracle,
    RunContext,
    RunSummary,
    SetupPolicy,
    Value,
    WorkerSpec,
    compare,
    read_events,
    read_run,
    run,
)

ALONE = Protocol(
    "ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50, exploratory_blocks=1
)
NUMBERS = Fixture.immutable(lambda size, rng: rng.integers(0, 100, size))


class StayingHere:
    """A function that cannot be sent to another interpreter: a run with it needs no other one."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *given: Any) -> Any:
        return self._function(*given)

    def __reduce__(self) -> Any:
        raise TypeError("it stays here")


def run_of(
    *implementations: Implementation,
    oracle: Any = None,
    fixture: Fixture = NUMBERS,
    protocol: Protocol = ALONE,
    scales: tuple[int, ...] = (4, 8),
    **more: Any,
) -> RunSummary:
    here = StayingHere(fixture.materialize)
    if all(one.spec is None for one in implementations):
        fixture = replace(fixture, materialize=here)
    spec = BenchSpec("case", fixture, implementations, oracle, scales, **more)
    return run(spec.compile().unwrap(), RunContext(protocol=protocol))


def stateless(name: str, function: Callable[[Any], Any], version: str = "") -> Implementation:
    return Implementation.stateless(name, version, function)


def running_total(given: Any, step: int, context: int) -> OperationResult:
    total = context + int(given[step])
    return OperationResult(Value(total), total)


def forgetful(given: Any, step: int, context: int) -> OperationResult:
    total = context + int(given[step])
    return OperationResult(Value(total), 0 if step == 1 else total)


def expected_total(given: Any, step: int, context: int) -> OperationResult:
    return running_total(given, step, context)


TOTALS = ReferenceOracle(
    "totals",
    0,
    1,
    expected_total,
    ReferenceOracle.equal("equal", len).validate,
    str,
)


def test_a_sequence_hands_contexts_on_and_the_step_that_fails_is_named() -> None:
    summary = run_of(
        Implementation.in_process("right", "", running_total, initial_context=0),
        Implementation.in_process("forgets", "", forgetful, initial_context=0),
        oracle=TOTALS,
        scales=(4,),
        sequence_length=4,
    )
    (failure,) = summary.result.failures
    assert failure.implementation == "forgets"
    assert isinstance(failure.status, Invalid)
    assert failure.status.reason.startswith("value mismatch: at step 2: ")
    assert summary.result.times("right", 4).size == 2
    assert summary.result.times("forgets", 4).size == 0


def test_a_worker_may_carry_the_context_too() -> None:
    spec = WorkerSpec(call=running_total, stateful=True, initial_context=0)
    summary = run_of(
        Implementation.worker("apart", "", spec),
        oracle=TOTALS,
        scales=(4,),
        sequence_length=4,
    )
    assert summary.is_right
    assert summary.result.times("apart", 4).size == 2


def test_e4_one_of_three_that_disagrees_with_all_others_is_named() -> None:
    summary = run_of(
        stateless("a", np.sum),
        stateless("odd", lambda x: np.sum(x) + (len(x) == 8)),
        stateless("b", lambda x: x.sum()),
        oracle=RelationalOracle.equal("alike"),
    )
    assert summary.odd_ones_out == ((8, "odd"),)
    assert {(f.implementation, f.size) for f in summary.result.failures} == {("odd", 8)}
    assert "odd disagrees with all others at size 8" in str(summary)
    relation = summary.result.relations[0]
    assert (relation.size, relation.pairs, relation.odd_one_out) == (8, 3, "odd")
    assert [pair[:2] for pair in relation.failing] == [("a", "odd"), ("odd", "b")]
    # who agrees is timed, and who does not is not
    assert summary.result.times("a", 8).size == summary.result.times("b", 8).size > 0
    assert summary.result.times("odd", 8).size == 0
    assert summary.result.times("odd", 4).size > 0


def test_e4_of_two_that_disagree_nobody_is_timed() -> None:
    summary = run_of(
        stateless("a", np.sum),
        stateless("b", lambda x: np.sum(x) + 1),
        oracle=RelationalOracle.equal("alike"),
        scales=(4,),
    )
    assert summary.odd_ones_out == ()
    assert {f.implementation for f in summary.result.failures} == {"a", "b"}
    assert summary.result.blocks == ()


def test_m6_decisions_use_the_confirmatory_blocks_alone() -> None:
    result = run_of(stateless("f", np.sum), protocol=replace(ALONE, exploratory_blocks=3)).result
    phases = [(b.phase, b.id) for b in result.blocks if b.size == 4]
    assert phases == [
        *(("exploratory", f"case/4/p0/x{i}") for i in range(3)),
        *(("confirmatory", f"case/4/p0/b{i}") for i in range(2)),
    ]
    assert result.times("f", 4).size == 2
    # whatever the exploratory blocks say, verdicts and figures stay the same
    slower = [
        replace(b, seconds=tuple(1e3 * s for s in b.seconds)) if b.phase == "exploratory" else b
        for b in result.blocks
    ]
    assert np.array_equal(replace(result, blocks=tuple(slower)).times("f", 4), result.times("f", 4))


def test_every_implementation_is_validated_on_all_inputs_that_differ() -> None:
    def make(size: int, rng: np.random.Generator) -> Any:
        return rng.integers(0, 2, size)

    # wrong on some inputs of a size and right on others: one input would often miss it
    summary = run_of(
        stateless("f", lambda x: int(x[0])),
        stateless("g", lambda x: 0),
        fixture=Fixture.immutable(make),
        protocol=replace(ALONE, inputs=12),
        scales=(1, 3),
    )
    assert {f.implementation for f in summary.result.failures} == {"g"}
    coverage = {one.implementation: one for one in summary.coverage}
    # of one bit there are two inputs, whatever is drawn
    assert coverage["f"].sizes == coverage["f"].right_sizes == 2
    assert coverage["f"].inputs == coverage["f"].calls == 2 + 8 - missing(summary)
    assert coverage["g"].right_sizes == 0
    assert "f: right at 2 of 2 sizes, validated on" in str(summary)


def missing(summary: RunSummary) -> int:
    """Return how many of the eight inputs of size 3 were not drawn."""
    (found,) = [v for v in summary.result.validations if (v.implementation, v.size) == ("f", 3)]
    return 8 - found.inputs


def test_processes_take_turns_at_the_inputs(functions: types.ModuleType) -> None:
    result = compare(
        functions.total,
        functions.slow,
        sizes=[4],
        make=functions.make,
        protocol=replace(ALONE, processes=4, inputs=3, pairs=8),
    )
    assert [
        sorted({block.input for block in result.blocks if block.process == p}) for p in range(4)
    ] == [[0], [1], [2], [0]]


def test_inputs_that_are_alike_count_once() -> None:
    summary = run_of(stateless("f", np.sum), fixture=Fixture.immutable(lambda n, rng: np.ones(n)))
    assert summary.coverage == (Coverage("f", 2, 2, 2, 2),)
    assert {block.input for block in summary.result.blocks} == {0}


def test_m8_inputs_may_be_changed_where_each_call_has_its_own() -> None:
    def sorting(x: Any) -> Any:
        x.sort()
        return x.copy()

    summary = run_of(
        stateless("sorted", np.sort),
        stateless("in place", sorting),
        fixture=Fixture(lambda size, rng: rng.permutation(size)),
    )
    assert summary.is_right
    assert summary.result.times("in place", 8).size > 0


def test_m8_a_clone_that_shares_is_found_before_the_block_and_names_nobody() -> None:
    def sorting(x: Any) -> int:
        x.sort()
        return int(x[0])

    summary = run_of(
        stateless("in place", sorting),
        fixture=Fixture(
            lambda size, rng: rng.permutation(size),
            clone=lambda x: x,
            setup_policy=SetupPolicy.EACH_BLOCK,
        ),
        scales=(8,),
    )
    reasons = {f.implementation: f.status for f in summary.result.failures}
    assert set(reasons) == {None}
    assert isinstance(reasons[None], InfrastructureFailure)
    assert summary.result.times("in place", 8).size == 0


def test_time_is_that_of_the_clock_given(functions: types.ModuleType) -> None:
    spec = BenchSpec(
        "case",
        Fixture.immutable(functions.make),
        [stateless("fast", functions.ticking_once), stateless("slow", functions.ticking_thrice)],
        None,
        [4],
    )
    protocol = Protocol("P", pairs=20, processes=5, batch_seconds=1e-3, resamples=50)
    context = RunContext(protocol=protocol, clock=functions.ticks)
    result = run(spec.compile().unwrap(), context).result
    # in every fresh interpreter: no figure is more or less than what the clock says
    assert set(result.times("fast", 4)) == {1e-4}
    assert result.times("slow", 4) == pytest.approx(3e-4)
    found = result.comparison("slow", "fast", 4)
    assert found is not None
    assert found.relative_delta_pct == pytest.approx(200)
    assert found.decision.value == "slower"
    assert found.noise_floor_pct == pytest.approx(0, abs=1e-6)


def test_a_run_without_timing_validates_and_comes_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    wrong = stateless("wrong", lambda x: int(x.sum()) + (len(x) > 4))
    spec = BenchSpec("case", NUMBERS, [stateless("right", np.sum), wrong], None, [4, 8])
    result = run(
        spec.compile().unwrap(), RunContext(sink=file, protocol=ALONE, timing=False)
    ).result
    assert [(f.implementation, f.size) for f in result.failures] == [("wrong", 8)]
    assert result.finished
    assert (result.blocks, result.calibrations) == ((), ())
    assert read_run(file).experiments == (result,)


def test_versions_and_coverage_stand_in_the_events(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    spec = BenchSpec("case", NUMBERS, [stateless("f", np.sum, "1.2")], None, [4])
    context = RunContext(7, {"cpu": "any"}, file, ALONE)
    summary = run(spec.compile().unwrap(), context)
    record = read_run(file)
    assert record.experiments == (summary.result,)
    assert record.environment == {"cpu": "any"}
    assert summary.result.versions == ("1.2",)
    assert summary.result.seed == 7
    kinds = [event["event"] for event in read_events(file).events]
    for kind in ("validation", "validated", "cell_finished"):
        assert kinds.count(kind) == 1


def test_workers_and_functions_of_this_interpreter_are_compared_in_one_run(
    functions: types.ModuleType,
) -> None:
    result = Experiment(
        "mixed",
        {
            "here": functions.total,
            "apart": WorkerSpec(call="measured_functions:total_by_python"),
            "dying": WorkerSpec(call="measured_functions:exiting_at_eight"),
            "wrong": WorkerSpec(call="measured_functions:wrong_from_ten_on"),
        },
        sizes=[4, 8, 12],
        make=functions.make,
        protocol=ALONE,
    ).run()
    failures = {(f.implementation, f.size): f.status for f in result.failures}
    assert set(failures) == {("dying", 8), ("wrong", 12)}
    died = failures["dying", 8]
    assert isinstance(died, InfrastructureFailure)
    assert died.reason.startswith("aborted with exit code 7")
    for size in (4, 8, 12):
        assert result.times("here", size).size == result.times("apart", size).size > 0
    assert result.times("dying", 12).size > 0
    assert result.comparison("here", "apart", 8) is not None


def test_a_reference_may_be_a_worker(functions: types.ModuleType) -> None:
    result = Experiment(
        "reference",
        {
            "reference": WorkerSpec(call="measured_functions:total"),
            "wrong": functions.wrong_from_ten_on,
        },
        sizes=[4, 12],
        make=functions.make,
        protocol=ALONE,
    ).run()
    assert [(f.implementation, f.size) for f in result.failures] == [("wrong", 12)]


def test_what_a_worker_leaves_behind_is_told(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUNAFLOW_TEST_PID_FILE", str(tmp_path / "pid"))
    result = Experiment(
        "left",
        {"worker": WorkerSpec(call="measured_functions:beside_a_daemon")},
        sizes=[4],
        make=functions.make,
        protocol=ALONE,
    ).run()
    assert result.failures == ()
    assert [(one.implementation, one.names) for one in result.left_behind] == [
        ("worker", ("sleep",))
    ]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"environment": 3}, TypeError, "environment must be a mapping"),
        ({"sink": 3}, TypeError, "sink must be a path or EventWriter"),
        ({"protocol": "fast"}, TypeError, "protocol must be a Protocol"),
        ({"progress": "yes"}, TypeError, "progress must be a bool"),
        ({"resume": 1}, TypeError, "resume must be a bool"),
        ({"resume": True}, ValueError, "to resume, give the events file"),
        ({"clock": 3}, TypeError, "clock must be callable"),
        ({"timing": None}, TypeError, "timing must be a bool"),
    ],
)
def test_a_wrong_context_is_refused(
    given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        RunContext(**given)


def test_what_is_no_plan_is_refused() -> None:
    with pytest.raises(TypeError, match="plan must be what BenchSpec.compile returns"):
        run("plan", RunContext())  # type: ignore[arg-type]
    spec = BenchSpec("case", NUMBERS, [stateless("f", len)], None, [4])
    with pytest.raises(TypeError, match="context must be a RunContext"):
        run(spec.compile().unwrap(), 3)  # type: ignore[arg-type]
