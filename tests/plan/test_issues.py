"""Issues speak for themselves: one line, with the numbers and what would be accepted."""

import dataclasses
import pickle
from typing import Any, get_args

import pytest

from lunaflow import plan as lp
from lunaflow.plan import (
    BackendTarget,
    Custom,
    ExecutionMode,
    Opaque,
    OrderingGuarantee,
    PlanKind,
    ValidationIssue,
    ValueType,
)

ISSUES: list[tuple[Any, list[str]]] = [
    (lp.EmptyInput(), ["input_length", "at least 1"]),
    (lp.UnsupportedValueType(ValueType.F64), ["F64"]),
    (lp.UnsupportedValueType(Opaque("a\nb")), [r"Opaque('a\nb')"]),
    (lp.ChunkSizeMustBePositive(-4), ["chunk_size", "-4", "at least 1"]),
    (lp.ChunkSizeDoesNotFitInput(9, 8), ["chunk_size", "9", "from 1 to the input_length, 8"]),
    (lp.WorkerCountMustBePositive(0), ["worker_count", "0", "at least 1"]),
    (lp.WorkerCountExceedsInput(7, 6), ["worker_count", "7", "from 1 to the input_length, 6"]),
    (lp.UnsupportedBackend(BackendTarget.JAVASCRIPT), ["JAVASCRIPT"]),
    (lp.UnsupportedMode(ExecutionMode.ASYNCHRONOUS), ["ASYNCHRONOUS"]),
    (lp.MissingReductionKernel(), ["reduction kernel"]),
    (lp.UnsupportedReductionKernel(Custom("SUM")), ["Custom('SUM')"]),
    (
        lp.UnsupportedOrdering(PlanKind.SCAN, OrderingGuarantee.RELAXED_ORDER),
        ["SCAN", "RELAXED_ORDER", "PRESERVE_INPUT_ORDER"],
    ),
    (lp.ScanRequiresStableOrdering(), ["SCAN", "PRESERVE_INPUT_ORDER"]),
]


@pytest.mark.parametrize(("issue", "words"), ISSUES, ids=lambda x: type(x).__name__)
def test_p2_an_issue_says_what_is_wrong_and_what_would_do(issue: Any, words: list[str]) -> None:
    assert "\n" not in str(issue)
    assert [word for word in words if word not in str(issue)] == []
    assert str(issue) != repr(issue)


@pytest.mark.parametrize("issue", [issue for issue, _ in ISSUES], ids=repr)
def test_p2_an_issue_is_a_small_frozen_value(issue: Any) -> None:
    assert pickle.loads(pickle.dumps(issue)) == issue
    assert hash(dataclasses.replace(issue)) == hash(issue)
    assert not hasattr(issue, "__dict__")
    for field in dataclasses.fields(issue):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(issue, field.name, 1)


def test_every_type_of_issue_is_covered_here() -> None:
    assert {type(issue) for issue, _ in ISSUES} == set(get_args(ValidationIssue))
    assert {name for name in lp.__all__ if getattr(lp, name) in get_args(ValidationIssue)} == {
        type(issue).__name__ for issue, _ in ISSUES
    }


def test_p2_an_issue_speaks_for_integers_of_any_length() -> None:
    huge = 10**5000
    for issue in (
        lp.ChunkSizeMustBePositive(-huge),
        lp.ChunkSizeDoesNotFitInput(2 * huge, huge),
        lp.WorkerCountMustBePositive(-huge),
        lp.WorkerCountExceedsInput(2 * huge, huge),
    ):
        assert "bits" in str(issue)
        assert len(str(issue)) < 200


def test_p7_no_message_says_what_one_version_of_the_runtime_takes() -> None:
    for issue, _ in ISSUES:
        assert "v1" not in str(issue)
