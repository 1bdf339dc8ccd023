"""Validation: every outcome is judged on its own copy, and failures are made small with care."""

import time
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
    BenchSpec,
    ExpectedDifference,
    Fixture,
    Implementation,
    InfrastructureFailure,
    Invalid,
    OperationResult,
    RaisedFlags,
    ReferenceOracle,
    Shrinker,
    Skipped,
    Trapped,
    Unsupported,
    Valid,
    Value,
)
from lunaflow.experiment._statuses import Status
from lunaflow.experiment.engine._calls import CallsHere
from lunaflow.experiment.engine._parcel import parts_of
from lunaflow.experiment.engine._validation import Judged, examine, explain

EQUAL = ReferenceOracle.same_outcome("equal", lambda x: int(np.sum(x)))
HALVES = Shrinker(lambda x: [x[: len(x) // 2], x[1:]], text=lambda x: f"{len(x)} elements")
NUMBERS = Shrinker(lambda n: [n // 2, n - 1] if n > 0 else [])


def judged(implementation: Any, argument: Any, oracle: ReferenceOracle = EQUAL) -> Judged:
    one = Implementation.stateless("f", "", implementation)
    spec = BenchSpec("e", Fixture.immutable(lambda size, _rng: size), [one], oracle, [4])
    plan = spec.compile().unwrap()
    calls = CallsHere(parts_of(plan, time.perf_counter_ns))
    return examine(plan, calls, argument, ["f"]).judged["f"]


def test_a_right_value_is_valid_and_timed() -> None:
    found = judged(lambda x: int(x.sum()), np.arange(4))
    assert found == Judged(Value(6), Valid(), timed=True)
    assert found.failure_kind is None


def test_an_exception_is_a_trap_and_not_timed() -> None:
    def raises(x: Any) -> Any:
        raise OverflowError(f"{len(x)} are too many")

    found = judged(raises, np.arange(4))
    assert isinstance(found.outcome, Trapped)
    assert isinstance(found.status, Invalid)
    assert found.failure_kind == ("Invalid", "outcome mismatch", "OverflowError", "")
    same = judged(raises, np.arange(4), ReferenceOracle.same_outcome("same", raises))
    assert same.status == Valid()
    assert not same.timed


@pytest.mark.parametrize(
    ("returned", "timed"),
    [
        (OperationResult(Value(6)), True),
        (Value(6), True),
        (Unsupported("not here"), False),
    ],
)
def test_outcomes_that_an_implementation_returns_are_taken_as_they_are(
    returned: Any, timed: bool
) -> None:
    found = judged(lambda _: returned, np.arange(4))
    assert found.timed is timed
    assert found.failure_kind is None


@pytest.mark.parametrize(
    ("status", "timed"),
    [(Valid(), True), (ExpectedDifference("known"), True), (Skipped("not now"), False),
     (Unsupported("not here"), False), (InfrastructureFailure("no reference"), False)],
)  # fmt: skip
def test_a_value_is_timed_if_the_oracle_takes_it_as_right(status: Status, timed: bool) -> None:
    oracle = ReferenceOracle("said", None, 1, lambda *_: Value(6), lambda *_: status, lambda _: "6")
    found = judged(lambda _: 6, 5, oracle)
    assert found == Judged(Value(6), status, timed=timed)


def test_raised_flags_are_for_the_oracle_to_judge() -> None:
    oracle = ReferenceOracle(
        "flags", None, 1, lambda *_: Value(1), lambda *given: Valid(), lambda _: "anything"
    )
    assert judged(lambda _: RaisedFlags(1, frozenset({"inexact"})), 5, oracle).timed


def test_each_gets_its_own_copy_and_who_changes_it_is_invalid() -> None:
    original = np.array([3, 1, 2])

    def changing(x: Any) -> int:
        x.sort()
        return int(x.sum())

    found = judged(changing, original)
    assert found.status == Invalid("changed its input")
    assert isinstance(found.outcome, Value)
    assert not found.timed
    assert original.tolist() == [3, 1, 2]


def test_a_reference_that_changes_its_input_harms_nobody() -> None:
    def reference(x: Any) -> int:
        total = int(x.sum())
        x[:] = 0
        return total

    original = np.array([3, 1, 2])
    oracle = ReferenceOracle.equal("equal", reference)
    assert judged(lambda x: int(x.sum()), original, oracle).status == Valid()
    assert original.tolist() == [3, 1, 2]


def explained(implementation: Any, argument: Any, shrinker: Shrinker | None) -> Any:
    found = judged(implementation, argument)
    explained = explain(
        "f", 4, found, argument, lambda x: judged(implementation, x), shrinker, "print"
    )
    assert all(one.failure.fingerprint == "print" for one in explained)
    return [one.failure for one in explained]


def test_without_a_shrinker_the_input_is_shown_as_it_is() -> None:
    (failure,) = explained(lambda _: -1, [3, 1], None)
    assert failure.input_text == "[3, 1]"
    assert (failure.path, failure.flaky) == ((), False)
    assert failure.status.reason.startswith("value mismatch")


def test_the_failing_input_is_made_small() -> None:
    (failure,) = explained(lambda x: int(np.sum(x)) + (len(x) >= 3), list(range(20)), HALVES)
    assert failure.input_text == "3 elements"
    assert failure.path == ("10 elements", "5 elements", "4 elements", "3 elements")
    assert not failure.flaky


def test_e17_shrinking_keeps_to_the_same_failure_and_lists_others_apart() -> None:
    def bug(n: int) -> int:
        if n == 50:
            raise ZeroDivisionError("another bug")
        return n + (n >= 20)

    failure, other = explained(bug, 100, NUMBERS)
    assert failure.status.reason.startswith("value mismatch")
    # not by way of 50, where it fails in another way
    assert failure.path[:2] == ("99", "49")
    assert failure.input_text == "20"
    assert other.input_text == "50"
    assert "ZeroDivisionError" in other.status.reason


@pytest.mark.parametrize("fails_on", [{1}, {1, 3, 5, 7, 9, 11}, {1, 2}, {1, 2, 3}])
def test_e17_flaky_failure_is_found_before_shrinking_and_keeps_its_input(
    fails_on: set[int],
) -> None:
    calls = [0]

    def flaky(n: int) -> int:
        calls[0] += 1
        return n + (calls[0] in fails_on)

    (failure,) = explained(flaky, 1000, NUMBERS)
    assert failure.flaky
    assert failure.input_text == "1000"
    assert failure.path == ()
    if 2 not in fails_on:
        assert calls[0] == 2


def test_e17_a_shrinker_that_raises_is_a_failure_of_its_own() -> None:
    def candidates(n: int) -> list[int]:
        raise OSError("no candidates")

    failure, other = explained(lambda n: n + 1, 10, Shrinker(candidates))
    assert failure.input_text == other.input_text == "10"
    assert isinstance(failure.status, Invalid)
    assert other.status == InfrastructureFailure("the shrinker raised: OSError: no candidates")


def test_e17_an_oracle_that_raises_on_a_candidate_is_a_failure_with_it_and_no_step() -> None:
    def reference(n: int) -> int:
        if n == 50:
            raise ZeroDivisionError("no reference")
        return n

    oracle = ReferenceOracle.equal("equal", reference)

    def wrong(n: int) -> int:
        return n + (n >= 20)

    found = judged(wrong, 100, oracle)
    failure, other = (
        one.failure
        for one in explain("f", 4, found, 100, lambda x: judged(wrong, x, oracle), NUMBERS, "print")
    )
    assert "50" not in failure.path
    assert failure.input_text == "20"
    assert other.input_text == "50"
    assert isinstance(other.status, InfrastructureFailure)
    assert "ZeroDivisionError: no reference" in other.status.reason


def test_long_inputs_are_cut() -> None:
    (failure,) = explained(lambda _: -1, list(range(10_000)), None)
    assert len(failure.input_text) == 500
    assert failure.input_text.endswith("...")
