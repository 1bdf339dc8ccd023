"""Execution policies on their own: issues 5, 3, 7, 8 of the table, in this order."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.arithmetic import Err, Ok
from lunaflow.plan import (
    BackendTarget,
    ChunkSizeMustBePositive,
    EmptyInput,
    ExecutionMode,
    ExecutionPolicy,
    PolicyError,
    UnsupportedBackend,
    UnsupportedMode,
    WorkerCountMustBePositive,
    make_execution_policy,
    validate_policy,
)

POLICIES = st.builds(
    ExecutionPolicy,
    backend=st.sampled_from(BackendTarget),
    mode=st.sampled_from(ExecutionMode),
    worker_count=st.integers(-2, 3),
    chunk_size=st.integers(-2, 3),
)


@given(POLICIES)
def test_p2_the_issues_of_a_policy_in_order(policy: ExecutionPolicy) -> None:
    rows = [
        (policy.worker_count <= 0, WorkerCountMustBePositive(policy.worker_count)),
        (policy.chunk_size <= 0, ChunkSizeMustBePositive(policy.chunk_size)),
        (policy.backend is BackendTarget.JAVASCRIPT, UnsupportedBackend(policy.backend)),
        (policy.mode is ExecutionMode.ASYNCHRONOUS, UnsupportedMode(policy.mode)),
    ]
    assert validate_policy(policy) == [issue for reported, issue in rows if reported]


@given(POLICIES)
def test_making_a_policy_gives_it_or_its_first_problem(policy: ExecutionPolicy) -> None:
    made = make_execution_policy(
        backend=policy.backend,
        mode=policy.mode,
        worker_count=policy.worker_count,
        chunk_size=policy.chunk_size,
        ordering=policy.ordering,
    )
    issues = validate_policy(policy)
    assert made == (Err(PolicyError(issues[0])) if issues else Ok(policy))


def test_the_defaults_are_those_of_the_data_type() -> None:
    assert make_execution_policy() == Ok(ExecutionPolicy())


@pytest.mark.parametrize("bad", [True, 1.5, None, "2"])
def test_p8_making_a_policy_raises_for_another_type(bad: Any) -> None:
    with pytest.raises(TypeError, match="worker_count"):
        make_execution_policy(worker_count=bad)


def test_a_policy_error_is_a_value_that_can_be_raised() -> None:
    error, twin = (PolicyError(ChunkSizeMustBePositive(-3)) for _ in range(2))
    assert error == twin == pickle.loads(pickle.dumps(error))
    assert hash(error) == hash(twin)
    assert error != PolicyError(ChunkSizeMustBePositive(-4))
    assert error != ValueError(ChunkSizeMustBePositive(-3))
    assert error.issue == ChunkSizeMustBePositive(-3)
    with pytest.raises(ValueError, match=r"^chunk_size is -3; it must be at least 1$"):
        raise error
    with pytest.raises(AttributeError):
        error.issue = ChunkSizeMustBePositive(-4)  # type: ignore[misc]


@pytest.mark.parametrize("bad", [EmptyInput(), "chunk_size", None])
def test_a_policy_error_carries_an_issue_of_a_policy(bad: Any) -> None:
    with pytest.raises(TypeError, match="issue"):
        PolicyError(bad)


def test_what_is_no_policy_raises_a_type_error() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="policy must be an ExecutionPolicy"):
        validate_policy(wrong)
