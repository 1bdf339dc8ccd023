"""E3, E4, E5: every pair is judged, and who disagrees with all others is named."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import (
    Aborted,
    ExpectedDifference,
    InfrastructureFailure,
    Invalid,
    OperationResult,
    RelationalOracle,
    Skipped,
    Timeout,
    Trap,
    Trapped,
    Unsupported,
    Valid,
    Value,
)
from lunaflow.experiment._pairs import judge_pairs

EQUAL = RelationalOracle.equal("agree")


def results(values: list[Any]) -> dict[str, Any]:
    return {f"f{i}": Value(value) for i, value in enumerate(values)}


@given(st.lists(st.integers(0, 2), max_size=6))
def test_e4_all_unordered_pairs_are_seen_once_in_order(values: list[int]) -> None:
    seen: list[Any] = []

    def validate(*arguments: Any) -> Valid:
        seen.append(arguments)
        return Valid()

    given_results = results(values)
    found = judge_pairs(RelationalOracle("all", validate), "x", 7, given_results)
    wanted = [
        ("x", 7, a, given_results[a], b, given_results[b])
        for a, b in combinations(given_results, 2)
    ]
    assert seen == wanted
    assert len(found.pairs) == len(values) * (len(values) - 1) // 2


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_e4_the_odd_one_out_is_in_all_failing_pairs_alone(values: list[int]) -> None:
    found = judge_pairs(EQUAL, None, 0, results(values))
    single = [i for i, v in enumerate(values) if values.count(v) == 1]
    others_agree = len(set(values)) == 2
    odd = f"f{single[0]}" if len(values) >= 3 and others_agree and len(single) == 1 else None
    assert found.odd_one_out == odd
    for i, value in enumerate(values):
        status = found.status_of(f"f{i}")
        if len(values) == 1:
            assert isinstance(status, Skipped)
        elif odd is not None:
            assert isinstance(status, Invalid) == (f"f{i}" == odd)
        else:
            assert isinstance(status, Invalid) == (values.count(value) < len(values))


def test_e4_a_summary_names_the_odd_one_out() -> None:
    found = judge_pairs(EQUAL, None, 0, results([1, 5, 1]))
    assert str(found) == "2 of 3 pairs fail: f1 disagrees with all others, which agree"
    assert found.status_of("f1") == Invalid(
        "value mismatch: against f0, f2 (2 of 2 pairs fail): 5 is not 1"
    )
    assert found.status_of("f0") == Valid()
    assert str(judge_pairs(EQUAL, None, 0, results([1, 2]))) == "1 of 1 pairs fail: f0 and f1"
    assert str(judge_pairs(EQUAL, None, 0, results([1, 1]))) == "0 of 1 pairs fail"


def test_e4_of_two_that_disagree_both_are_suspected() -> None:
    found = judge_pairs(EQUAL, None, 0, results([1, 2]))
    assert found.odd_one_out is None
    for name, other in (("f0", "f1"), ("f1", "f0")):
        status = found.status_of(name)
        assert isinstance(status, Invalid)
        assert f"against {other} (1 of 1" in status.reason


def test_e4_a_relation_that_fails_apart_from_one_implementation_names_nobody() -> None:
    """Two failing pairs of three implementations that share nobody else: f0-f1, f2-f3."""

    def validate(data: Any, step: int, a: str, x: Any, b: str, y: Any) -> Any:
        return Invalid("no") if (a, b) in {("f0", "f1"), ("f2", "f3"), ("f0", "f2")} else Valid()

    found = judge_pairs(RelationalOracle("some", validate), None, 0, results([0] * 4))
    assert found.odd_one_out is None
    assert all(isinstance(found.status_of(f"f{i}"), Invalid) for i in range(4))


@pytest.mark.parametrize("none", [Unsupported("no"), Timeout(1, "slow"), Aborted(1, "")])
def test_e3_what_is_no_result_is_in_no_pair(none: Any) -> None:
    found = judge_pairs(EQUAL, None, 0, {**results([1, 1, 2]), "gone": OperationResult(none)})
    assert found.judged == ("f0", "f1", "f2")
    assert found.odd_one_out == "f2"
    assert isinstance(found.status_of("gone"), (Unsupported, InfrastructureFailure))
    alone = judge_pairs(EQUAL, None, 0, {"f": Value(1), "gone": none})
    assert alone.status_of("f") == Skipped("there is no other result to compare it with")


def test_e5_an_oracle_that_raises_is_a_failure_with_the_traceback_and_names_nobody() -> None:
    def validate(data: Any, step: int, a: str, x: Any, b: str, y: Any) -> Any:
        if "f2" in (a, b):
            return Invalid("no")
        raise ZeroDivisionError("a broken oracle")

    found = judge_pairs(RelationalOracle("broken", validate), None, 0, results([1, 1, 1]))
    assert found.odd_one_out is None
    status = found.pairs[0].status
    assert isinstance(status, InfrastructureFailure)
    assert status.reason.startswith(
        "validate_pair of the oracle 'broken' raised ZeroDivisionError: a broken oracle\nTraceback"
    )
    wrong_type = RelationalOracle("bool", lambda *_: True)  # type: ignore[arg-type]
    status = judge_pairs(wrong_type, None, 0, results([1, 1])).status_of("f0")
    assert isinstance(status, InfrastructureFailure)
    assert "must return a status" in status.reason


def test_an_outcome_mismatch_gets_both_outcomes_in_words() -> None:
    trap = Trapped(Trap("ValueError", "no"), frozenset())
    found = judge_pairs(EQUAL, None, 0, {"f": Value([1]), "g": trap})
    assert found.pairs[0].status == Invalid("outcome mismatch: f gave [1], g gave ValueError: no")


def test_the_rarer_statuses_of_pairs_are_kept() -> None:
    of_pair = {"ab": Skipped("s"), "ac": ExpectedDifference("e"), "bc": Valid()}

    def validate(data: Any, step: int, a: str, x: Any, b: str, y: Any) -> Any:
        return of_pair[a + b]

    oracle = RelationalOracle("three", validate)
    found = judge_pairs(oracle, None, 0, {name: Value(0) for name in "abc"})
    assert found.status_of("a") == ExpectedDifference("e")
    assert found.status_of("b") == Skipped("s")
    assert found.status_of("c") == ExpectedDifference("e")


def test_a_wrong_argument_is_refused_by_name() -> None:
    wrong: Any = [Value(1)]
    with pytest.raises(TypeError, match="results must be a dict of names and results"):
        judge_pairs(EQUAL, None, 0, wrong)
    with pytest.raises(ValueError, match="name must be one of f0, f1, not 'g'"):
        judge_pairs(EQUAL, None, 0, results([1, 2])).status_of("g")
