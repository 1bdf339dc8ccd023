"""One implementation on one input, judged without an experiment."""

from typing import Any

import pytest

from lunaflow.experiment import (
    InfrastructureFailure,
    Invalid,
    OperationResult,
    ReferenceOracle,
    Unsupported,
    Valid,
    Value,
    check,
)

EXACT = ReferenceOracle.equal("exact", sorted)


def changes(x: list[int]) -> list[int]:
    x.sort()
    return x


def fails(x: list[int]) -> list[int]:
    raise ValueError("no")


@pytest.mark.parametrize(
    ("implementation", "status"),
    [
        (sorted, Valid()),
        (list, Invalid("value mismatch: 3 is not 1 at [0]")),
        (changes, Invalid("changed its input")),
        (fails, Invalid("outcome mismatch: expected [1, 3], got ValueError: no")),
        (lambda x: Value([1, 3]), Valid()),
        (lambda x: OperationResult(Value([1, 3])), Valid()),
        (lambda x: Unsupported("no"), Unsupported("no")),
    ],
)
def test_the_status_is_the_oracles(implementation: Any, status: Any) -> None:
    given = [3, 1]
    assert check(implementation, given, EXACT) == status
    assert given == [3, 1]


def test_changing_the_input_may_be_allowed() -> None:
    given = [3, 1]
    assert check(changes, given, EXACT, may_change_input=True) == Valid()
    assert given == [3, 1]


def test_e5_a_reference_that_raises_is_a_failure_of_the_oracle() -> None:
    status = check(sorted, [1], ReferenceOracle.equal("broken", fails))
    assert isinstance(status, InfrastructureFailure)
    same = ReferenceOracle.same_outcome("traps", fails)
    assert check(fails, [1], same) == Valid()


def test_wrong_arguments_are_refused_by_name() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="implementation must be callable"):
        check(wrong, [1], EXACT)
    with pytest.raises(TypeError, match="oracle must be a ReferenceOracle"):
        check(sorted, [1], wrong)
