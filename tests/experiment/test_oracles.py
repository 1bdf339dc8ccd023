"""Oracles judge whole outcomes (E1, E2), and one that raises never ends a run (E5)."""

import operator
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import (
    Aborted,
    ExpectedDifference,
    InfrastructureFailure,
    Invalid,
    OperationResult,
    RaisedFlags,
    ReferenceOracle,
    Skipped,
    Timeout,
    Trap,
    Trapped,
    Unsupported,
    Valid,
    Value,
)
from lunaflow.experiment._oracles import expected_result, judge
from lunaflow.experiment._outcomes import Outcome, outcome_of_exception
from lunaflow.experiment._statuses import Status


def identity(x: Any) -> Any:
    return x


def trapped(kind: str | None = "OVERFLOW", index: int | None = 2, message: str = "") -> Trapped:
    return Trapped(Trap("ArithmeticError", message, kind, index), frozenset())


VALUES = st.one_of(st.integers(), st.floats(), st.text(), st.lists(st.integers(), max_size=3))
OUTCOMES: st.SearchStrategy[Any] = st.one_of(
    VALUES.map(Value),
    VALUES.map(lambda v: RaisedFlags(v, frozenset({"inexact"}))),
    st.builds(trapped, st.sampled_from(["OVERFLOW", None]), st.integers(0, 2), st.text()),
    st.builds(ExpectedDifference, st.text()),
)

EQUAL = ReferenceOracle.equal("equal", identity)
SAME = ReferenceOracle.same_outcome("same", identity)


@given(OUTCOMES, OUTCOMES)
def test_e2_equal_is_valid_only_for_two_equal_values(expected: Any, actual: Any) -> None:
    status = EQUAL.validate(None, 0, expected, actual)
    if isinstance(actual, ExpectedDifference):
        assert status == actual
    elif isinstance(actual, Value) and isinstance(expected, Value):
        assert (status == Valid()) == (
            actual == expected and type(actual.value) is type(expected.value)
        )
        if isinstance(status, Invalid):
            assert status.reason.startswith("value mismatch: ")
    else:
        assert status == Invalid("outcome mismatch")


@given(OUTCOMES, OUTCOMES)
def test_e2_same_outcome_adds_agreeing_traps_to_equal(expected: Any, actual: Any) -> None:
    agree = (
        isinstance(expected, Trapped)
        and isinstance(actual, Trapped)
        and expected.trap.kind == actual.trap.kind
        and expected.trap.index == actual.trap.index
    )
    wanted = Valid() if agree else EQUAL.validate(None, 0, expected, actual)
    assert SAME.validate(None, 0, expected, actual) == wanted


def test_e2_the_message_of_a_trap_never_counts_but_its_class_does() -> None:
    other_class = Trapped(Trap("ValueError", "", "OVERFLOW", 2), frozenset())
    assert SAME.validate(None, 0, trapped(message="a"), trapped(message="b")) == Valid()
    assert SAME.validate(None, 0, trapped(), other_class) == Invalid("outcome mismatch")


def test_e2_the_reason_names_the_first_difference() -> None:
    expected, actual = Value(np.array([1, 2, 3])), Value(np.array([1, 5, 6]))
    assert EQUAL.validate(None, 0, expected, actual) == Invalid(
        "value mismatch: 5 is not 2 at [1] (2 of 3 elements differ)"
    )


def test_e2_the_comparator_decides() -> None:
    lenient = ReferenceOracle.equal("abs", identity, comparator=lambda a, e: abs(a) == abs(e))
    assert lenient.validate(None, 0, Value(3), Value(-3)) == Valid()
    strict = ReferenceOracle.equal("is", identity, operator.is_)
    verdict = strict.validate(None, 0, Value([1]), Value([1]))
    assert verdict == Invalid("value mismatch: rejected by the comparator")
    ordered = ReferenceOracle.equal("order", identity, operator.le)
    assert ordered.validate(None, 0, Value(5), Value(4)) == Valid()


def test_close_accepts_within_the_tolerance_and_names_the_worst_index() -> None:
    close = ReferenceOracle.close("close", identity, rel=0.1)
    assert close.validate(None, 0, Value([1.0, 2.0]), Value([1.05, 2.1])) == Valid()
    verdict = close.validate(None, 0, Value([1.0, 2.0]), Value([1.2, 3.0]))
    assert isinstance(verdict, Invalid)
    assert verdict.reason.startswith("value mismatch: 3.0 is not within rel=0.1, abs=0.0 of 2.0")
    assert verdict.reason.endswith("at [1]")
    assert close.validate(None, 0, Value(1.0), trapped()) == Invalid("outcome mismatch")


def divide(x: int) -> float:
    return 1 / x


def test_same_outcome_takes_an_exception_of_the_reference_as_expected() -> None:
    oracle = ReferenceOracle.same_outcome("same", divide)
    expected = expected_result(oracle, 0, 0, "context")
    trap = outcome_of_exception(ZeroDivisionError("division by zero"))
    assert expected == OperationResult(trap, "context")
    other_text = outcome_of_exception(ZeroDivisionError("cannot divide"))
    assert judge(oracle, 0, 0, expected, other_text) == Valid()


@pytest.mark.parametrize(
    ("given_back", "expected"),
    [
        (7, OperationResult(Value(7), "context")),
        (
            RaisedFlags(7, frozenset({"x"})),
            OperationResult(RaisedFlags(7, frozenset({"x"})), "context"),
        ),
        (OperationResult(Value(7), "next"), OperationResult(Value(7), "next")),
    ],
)
def test_a_reference_may_return_a_value_an_outcome_or_a_result(
    given_back: Any, expected: OperationResult
) -> None:
    oracle = ReferenceOracle.equal("equal", lambda _: given_back)
    assert expected_result(oracle, None, 0, "context") == expected


def make(
    compute: Any = lambda *_: Value(1), validate: Any = lambda *_: Valid(), text: Any = str
) -> ReferenceOracle:
    return ReferenceOracle("mine", None, 1, compute, validate, text)


def test_e1_an_oracle_is_a_record_that_sees_whole_outcomes() -> None:
    seen: list[Any] = []

    def compute(data: Any, step: int, context: Any) -> Outcome:
        return Value((data, step, context))

    def validate(*arguments: Any) -> Status:
        seen.append(arguments)
        return Skipped("not today")

    oracle = make(compute, validate)
    expected = expected_result(oracle, "data", 3, "context")
    assert expected == OperationResult(Value(("data", 3, "context")))
    actual = OperationResult(trapped(), "next")
    assert judge(oracle, "data", 3, expected, actual) == Skipped("not today")
    assert seen == [("data", 3, Value(("data", 3, "context")), trapped())]


@pytest.mark.parametrize("actual", [Unsupported("no"), Timeout(1, "slow"), Aborted(1, "")])
def test_e3_the_oracle_never_sees_what_is_no_result(actual: Any) -> None:
    def validate(*_: Any) -> Status:
        raise AssertionError("must not be called")

    status = judge(make(validate=validate), None, 0, Value(1), actual)
    assert isinstance(status, (Unsupported, InfrastructureFailure))
    assert "must not be called" not in status.reason


def fail(*_: Any) -> Any:
    raise ArithmeticError("a broken oracle")


def test_e5_an_oracle_that_raises_is_a_failure_with_the_traceback() -> None:
    expected = expected_result(make(compute=fail), None, 0, None)
    computed = judge(make(), None, 0, expected, Value(1))
    mismatch = make(validate=lambda *_: Invalid("outcome mismatch"), text=fail)
    for status, function in (
        (computed, "compute_expected"),
        (judge(make(validate=fail), None, 0, Value(1), Value(1)), "validate"),
        (judge(mismatch, None, 0, Value(1), Value(1)), "validate"),
        (judge(EQUAL, None, 0, Value(Touchy()), Value(Touchy())), "validate"),
    ):
        assert isinstance(status, InfrastructureFailure)
        assert status.reason.startswith(f"{function} of the oracle ")
        assert "Traceback" in status.reason
        assert "a broken oracle" in status.reason


class Touchy:
    def __eq__(self, other: object) -> bool:
        return bool(fail())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return str(fail())


def test_e5_an_oracle_that_returns_something_else_is_a_failure() -> None:
    expected = expected_result(make(compute=lambda *_: 3), None, 0, None)
    assert isinstance(expected, InfrastructureFailure)
    assert "must return an OperationResult or outcome, not int (3)" in expected.reason
    status = judge(make(validate=lambda *_: True), None, 0, Value(1), Value(1))
    assert isinstance(status, InfrastructureFailure)
    assert "must return a status" in status.reason


def test_judge_puts_both_outcomes_into_an_outcome_mismatch() -> None:
    status = judge(EQUAL, None, 0, Value([1, 2]), trapped(message="too big"))
    assert status == Invalid(
        "outcome mismatch: expected [1, 2], got ArithmeticError OVERFLOW at index 2: too big"
    )
    flags = RaisedFlags("x" * 500, frozenset({"b", "a"}))
    status = judge(EQUAL, None, 0, Value(1), flags)
    assert isinstance(status, Invalid)
    assert status.reason.endswith("... with flags a, b")


def test_ready_made_oracles_compare_and_survive_pickling() -> None:
    for oracle in (
        ReferenceOracle.equal("one", divide),
        ReferenceOracle.close("two", divide, rel=0.5, abs=1),
        ReferenceOracle.same_outcome("three", divide),
    ):
        assert pickle.loads(pickle.dumps(oracle)) == oracle
        assert oracle.expected_text(Value(3)) == "3"
        assert (oracle.initial_context, oracle.sequence_length) == (None, 1)


@pytest.mark.parametrize(
    ("build", "given", "error", "named"),
    [
        (ReferenceOracle.equal, [3, identity], TypeError, "id"),
        (ReferenceOracle.equal, ["x", 3], TypeError, "reference"),
        (ReferenceOracle.equal, ["x", identity, 3], TypeError, "comparator"),
        (ReferenceOracle, ["x", None, 0, identity, identity, str], ValueError, "at least 1"),
        (ReferenceOracle, ["x", None, 1, None, identity, str], TypeError, "compute_expected"),
        (ReferenceOracle, ["x", None, 1, identity, 1, str], TypeError, "validate"),
        (ReferenceOracle, ["x", None, 1, identity, identity, ""], TypeError, "expected_text"),
    ],
)
def test_a_bad_argument_is_refused_by_name(
    build: Any, given: list[Any], error: type[Exception], named: str
) -> None:
    with pytest.raises(error, match=named):
        build(*given)


def test_a_bad_tolerance_is_refused_by_name() -> None:
    text: Any = "1"
    with pytest.raises(TypeError, match="rel must be a real number"):
        ReferenceOracle.close("x", identity, rel=text)
    with pytest.raises(ValueError, match="rel must be finite and at least 0, not -1"):
        ReferenceOracle.close("x", identity, rel=-1)
    with pytest.raises(ValueError, match="abs must be finite and at least 0, not nan"):
        ReferenceOracle.close("x", identity, abs=float("nan"))
