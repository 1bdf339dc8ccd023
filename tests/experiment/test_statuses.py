"""Which outcomes no oracle is to see (E3)."""

import pickle
from typing import Any

import pytest

from lunaflow.experiment import (
    Aborted,
    ExpectedDifference,
    InfrastructureFailure,
    Invalid,
    ParseFailure,
    RaisedFlags,
    Skipped,
    Timeout,
    Trap,
    Trapped,
    Unsupported,
    Valid,
    Value,
)
from lunaflow.experiment._statuses import Status, classify

STATUSES: list[Any] = [
    Valid(),
    Invalid("wrong"),
    Skipped("slow"),
    ExpectedDifference("rounds down"),
    Unsupported("no scan"),
    InfrastructureFailure("no answer"),
]


@pytest.mark.parametrize(
    ("outcome", "parts"),
    [
        (ParseFailure("not JSON"), ["parse failure", "not JSON"]),
        (Aborted(-11, "first\nlast line\n"), ["aborted", "-11", "last line"]),
        (Aborted(None, ""), ["aborted"]),
        (Timeout(1500, "killed"), ["timeout", "1500 ms", "killed"]),
    ],
)
def test_e3_lost_outcomes_are_failures_of_the_infrastructure(
    outcome: Any, parts: list[str]
) -> None:
    status = classify(outcome)
    assert isinstance(status, InfrastructureFailure)
    assert all(part in status.reason for part in parts)


def test_e3_unsupported_is_outcome_and_status_alike() -> None:
    assert classify(Unsupported("no scan")) == Unsupported("no scan")
    assert all(isinstance(status, Status) for status in STATUSES)


@pytest.mark.parametrize(
    "outcome",
    [
        Value(1),
        RaisedFlags(1, frozenset({"inexact"})),
        Trapped(Trap("ValueError", "bad"), frozenset()),
        ExpectedDifference("rounds down"),
    ],
)
def test_e3_real_results_are_left_to_the_oracle(outcome: Any) -> None:
    assert classify(outcome) is None


def test_classify_refuses_what_is_no_outcome() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="outcome must be"):
        classify(wrong)


def test_statuses_are_plain_data() -> None:
    copies = pickle.loads(pickle.dumps(STATUSES))
    assert copies == STATUSES
    assert len({*copies, *STATUSES}) == len(STATUSES)
    wrong: Any = None
    for kind in (Invalid, Skipped, InfrastructureFailure):
        with pytest.raises(TypeError, match="reason"):
            kind(wrong)
