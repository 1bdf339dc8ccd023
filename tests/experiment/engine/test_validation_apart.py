"""M1, M7, E5: no implementation can end or block the run while it is validated."""

import types
from dataclasses import replace
from pathlib import Path

import pytest

from lunaflow.experiment import (
    Experiment,
    InfrastructureFailure,
    Invalid,
    Protocol,
    ReferenceOracle,
    Shrinker,
    compare,
    read_run,
)
from lunaflow.experiment.engine._inputs import UnusableInput

ALONE = Protocol(
    "ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50, validation_seconds=1.0
)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("exiting", "aborted with exit code 7: last words \ufffd"),
        ("segfaulting", "aborted with exit code -11 (SIGSEGV)"),
        ("leaving", "aborted with exit code 1: enough"),
        ("looping", "timeout after 1000 ms: the call did not return"),
    ],
)
def test_m1_who_ends_or_blocks_its_process_is_not_timed_at_that_size(
    functions: types.ModuleType, tmp_path: Path, name: str, reason: str
) -> None:
    file = tmp_path / "run.jsonl"
    result = compare(
        functions.total,
        getattr(functions, name),
        sizes=[4, 8, 12],
        make=functions.make,
        protocol=ALONE,
        events=file,
    )
    (failure,) = result.failures
    assert (failure.implementation, failure.size, failure.process) == (name, 8, None)
    assert failure.status == InfrastructureFailure(reason)
    assert not failure.flaky
    assert result.times(name, 8).size == 0
    assert result.times("total", 8).size > 0
    assert result.times(name, 4).size > 0
    assert result.times(name, 12).size > 0
    assert read_run(file).experiments == (result,)
    result.report(tmp_path / "report.html")
    assert reason.partition(":")[0] in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_m1_a_reference_that_ends_its_process_condemns_nobody_else(
    functions: types.ModuleType,
) -> None:
    # the first implementation is the reference by default
    result = Experiment(
        "e",
        {"bad": functions.segfaulting, "good": functions.total},
        sizes=[4, 8],
        make=functions.make,
        protocol=ALONE,
    ).run()
    found = {(f.implementation, f.size): f.status for f in result.failures}
    died = "aborted with exit code -11 (SIGSEGV)"
    assert found == {
        ("bad", 8): InfrastructureFailure(died),
        ("good", 8): InfrastructureFailure(f"the reference bad: {died}"),
    }
    assert result.times("bad", 4).size > 0


def test_e17_a_death_is_made_small_in_fresh_interpreters(functions: types.ModuleType) -> None:
    result = Experiment(
        "e",
        {"f": functions.total, "g": functions.aborting_from_ten_on},
        sizes=[20],
        make=functions.make,
        shrinker=Shrinker(lambda x: [x[: len(x) // 2], x[1:]], text=lambda x: f"{len(x)} long"),
        protocol=ALONE,
    ).run()
    (failure,) = result.failures
    assert failure.input_text == "10 long"
    assert failure.path == ("10 long",)
    assert failure.status == InfrastructureFailure("aborted with exit code -6 (SIGABRT)")


def test_the_time_of_a_call_that_was_given_up_makes_nothing_else_wait_longer(
    functions: types.ModuleType,
) -> None:
    result = Experiment(
        "e",
        {"f": functions.total, "g": functions.looping, "h": functions.hanging},
        sizes=[8],
        make=functions.make,
        protocol=replace(ALONE, silence_seconds=5.0),
    ).run()
    reasons = [str(failure.status) for failure in result.failures]
    assert "did not return" in reasons[0]
    assert "sent nothing for 5." in reasons[1]


def test_e5_values_without_a_text_abort_no_run(functions: types.ModuleType) -> None:
    result = Experiment(
        "e",
        {"right": functions.untold, "wrong": functions.untold_and_wrong},
        sizes=[4],
        make=functions.make_untold,
        shrinker=Shrinker(lambda _: [], text=repr),
        protocol=ALONE,
    ).run()
    (failure,) = result.failures
    assert isinstance(failure.status, Invalid)
    assert failure.input_text == "<Untold whose repr raises ZeroDivisionError>"
    assert result.validations[0].outcome_text == "<Untold whose repr raises ZeroDivisionError>"


def test_what_the_oracle_sees_is_judged_in_the_runner(functions: types.ModuleType) -> None:
    seen: list[int] = []

    def reference(x: object) -> int:
        seen.append(1)
        return int(functions.total(x))

    result = Experiment(
        "e",
        {"f": functions.total},
        sizes=[4, 8],
        make=functions.make,
        oracle=ReferenceOracle.equal("here", reference),
        protocol=ALONE,
    ).run()
    # on each input of each size
    assert seen == [1] * 2 * ALONE.inputs
    assert result.failures == ()


def test_m8_an_input_that_cannot_be_copied_is_refused_before_anything_runs(
    functions: types.ModuleType,
) -> None:
    with pytest.raises(UnusableInput, match=r"for size 4, a list, cannot be copied"):
        compare(len, functions.size_of, sizes=[4], make=functions.make_lock, protocol=ALONE)


def test_m8_an_input_that_cannot_be_copied_at_a_later_size_is_that_sizes_failure(
    functions: types.ModuleType,
) -> None:
    result = compare(
        len, functions.size_of, sizes=[4, 8], make=functions.make_lock_at_eight, protocol=ALONE
    )
    (failure,) = result.failures
    assert (failure.implementation, failure.size) == (None, 8)
    assert isinstance(failure.status, InfrastructureFailure)
    assert "cannot be copied and compared" in failure.status.reason
    assert {block.size for block in result.blocks} == {4}
