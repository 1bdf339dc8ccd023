"""E1 to E5 for oracles of all kinds: one call judges the results of all implementations."""

from typing import Any

import pytest

from lunaflow.experiment import (
    ExpectedDifference,
    InfrastructureFailure,
    Invalid,
    OperationResult,
    ReferenceAndRelational,
    ReferenceOracle,
    RelationalOracle,
    Skipped,
    Timeout,
    Valid,
    Value,
)
from lunaflow.experiment._judging import judge_all, reference_of


def identity(x: Any) -> Any:
    return x


EXACT = ReferenceOracle.equal("exact", identity)
AGREE = RelationalOracle.equal("agree")
BOTH = ReferenceAndRelational(EXACT, AGREE)


def values(**given: Any) -> dict[str, Any]:
    return {name: Value(value) for name, value in given.items()}


def test_a_reference_judges_each_alone() -> None:
    found = judge_all(EXACT, 1, 0, Value(1), values(a=1, b=2))
    assert found.statuses == {"a": Valid(), "b": Invalid("value mismatch: 2 is not 1")}
    assert (found.pairs, found.odd_one_out) == (None, None)


def test_e4_a_relation_judges_in_pairs() -> None:
    found = judge_all(AGREE, 1, 0, None, values(a=7, b=7, c=2))
    assert found.odd_one_out == "c"
    assert [type(s) for s in found.statuses.values()] == [Valid, Valid, Invalid]


def test_what_the_reference_calls_wrong_says_nothing_against_the_other() -> None:
    found = judge_all(BOTH, 1, 0, OperationResult(Value(1)), values(a=1, b=2))
    assert found.statuses == {"a": Valid(), "b": Invalid("value mismatch: 2 is not 1")}
    assert found.pairs is not None
    assert found.pairs.pairs[0].failing


def test_a_relation_finds_what_the_reference_accepts() -> None:
    close = ReferenceOracle.close("close", identity, abs=0.5)
    both = ReferenceAndRelational(close, RelationalOracle.equal("same bits"))
    found = judge_all(both, 1.0, 0, Value(1.0), values(a=1.0, b=1.0, c=1.25))
    assert found.odd_one_out == "c"
    assert [type(s) for s in found.statuses.values()] == [Valid, Valid, Invalid]


def test_one_implementation_alone_is_right_by_its_reference() -> None:
    assert judge_all(BOTH, 1, 0, Value(1), values(a=1)).statuses == {"a": Valid()}
    (status,) = judge_all(AGREE, 1, 0, None, values(a=1)).statuses.values()
    assert isinstance(status, Skipped)


def test_e3_what_is_no_result_keeps_its_class() -> None:
    given: Any = {**values(a=1, b=1), "c": Timeout(5, "slow"), "d": ExpectedDifference("known")}
    for oracle, expected in ((EXACT, Value(1)), (AGREE, None), (BOTH, Value(1))):
        found = judge_all(oracle, 1, 0, expected, given).statuses
        assert isinstance(found["c"], InfrastructureFailure)
        assert found["d"] == ExpectedDifference("known")


def test_e5_an_oracle_without_an_answer_is_a_failure_of_all() -> None:
    broken = InfrastructureFailure("the oracle raised")
    found = judge_all(BOTH, 1, 0, broken, values(a=1, b=1)).statuses
    assert found == {"a": broken, "b": broken}


def test_the_part_with_expected_results_is_told() -> None:
    assert [reference_of(oracle) for oracle in (EXACT, AGREE, BOTH)] == [EXACT, None, EXACT]
    wrong: Any = identity
    with pytest.raises(TypeError, match="oracle must be a ReferenceOracle, RelationalOracle or"):
        reference_of(wrong)
    with pytest.raises(ValueError, match="'exact and agree' has a reference: give what it expec"):
        judge_all(BOTH, 1, 0, None, values(a=1))
