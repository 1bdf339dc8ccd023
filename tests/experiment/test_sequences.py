"""E5: stateful sequences. The oracle hands its contexts on, and the runner's length counts."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import (
    InfrastructureFailure,
    Invalid,
    OperationResult,
    ReferenceOracle,
    Valid,
    Value,
)
from lunaflow.experiment._oracles import judge
from lunaflow.experiment._sequences import expected_sequence, first_failing_step


def running_sum(data: list[int], step: int, context: int) -> OperationResult:
    total = context + data[step]
    return OperationResult(Value(total), next_context=total)


BASE = ReferenceOracle.equal("running sum", sum)
SUMS = replace(BASE, compute_expected=running_sum, initial_context=0, sequence_length=99)


def judged(data: Any, expected: Any, actual: Any) -> list[Any]:
    steps = enumerate(zip(expected, actual, strict=True))
    return [judge(SUMS, data, step, e, a) for step, (e, a) in steps]


@given(st.lists(st.integers(), min_size=1))
def test_e5_each_step_starts_from_the_context_of_the_one_before(data: list[int]) -> None:
    expected = expected_sequence(SUMS, data, len(data))
    values = [e.outcome for e in expected if isinstance(e, OperationResult)]
    assert values == [Value(sum(data[: i + 1])) for i in range(len(data))]
    assert judged(data, expected, values) == [Valid()] * len(data)


def test_e5_a_wrong_step_is_found_by_its_number() -> None:
    expected = expected_sequence(SUMS, [1, 2, 3], 3)
    statuses = judged([1, 2, 3], expected, [Value(1), Value(4), Value(6)])
    assert statuses == [Valid(), Invalid("value mismatch: 4 is not 3"), Valid()]
    assert first_failing_step(statuses) == 1
    assert first_failing_step(statuses[:1]) is None


def test_e5_after_a_step_without_an_answer_no_later_one_is_asked() -> None:
    asked: list[int] = []

    def compute(data: Any, step: int, context: Any) -> OperationResult:
        asked.append(step)
        return running_sum(data, step, context)

    oracle = replace(SUMS, compute_expected=compute)
    expected = expected_sequence(oracle, [1], 4)
    assert asked == [0, 1]
    assert expected[0] == OperationResult(Value(1), 1)
    assert isinstance(expected[1], InfrastructureFailure)
    assert "IndexError" in expected[1].reason
    assert expected[2:] == (InfrastructureFailure("the oracle already failed at step 1"),) * 2


def test_inputs_and_contexts_are_copied_before_each_step() -> None:
    def greedy(data: list[int], step: int, context: list[int]) -> OperationResult:
        context.append(data.pop())
        return OperationResult(Value(list(context)), context)

    start, data = list[int](), [1, 2]
    oracle = replace(SUMS, compute_expected=greedy, initial_context=start)
    expected = expected_sequence(oracle, data, 2, copied=lambda value: list(value))
    assert expected[1] == OperationResult(Value([2, 2]), [2, 2])
    assert (start, data) == ([], [1, 2])


def test_the_number_of_steps_is_the_callers() -> None:
    assert len(expected_sequence(SUMS, [1, 2, 3], 2)) == 2
    with pytest.raises(ValueError, match="length must be at least 1, not 0"):
        expected_sequence(SUMS, [1], 0)
