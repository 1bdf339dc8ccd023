"""E1, E4: relational oracles are values, and equality between implementations needs no order."""

import pickle
from typing import Any

import pytest

from lunaflow.experiment import (
    ExpectedDifference,
    Invalid,
    ReferenceAndRelational,
    ReferenceOracle,
    RelationalOracle,
    Trap,
    Trapped,
    Valid,
    Value,
)


def accept(*_: Any) -> Valid:
    return Valid()


def identity(x: Any) -> Any:
    return x


REFERENCE = ReferenceOracle.equal("exact", identity)
PAIRS = RelationalOracle.equal("agree")
TRAP = Trapped(Trap("ValueError", "no"), frozenset())


def test_e1_relational_oracles_are_values_with_ids() -> None:
    oracle = RelationalOracle("mine", accept)
    both = ReferenceAndRelational(REFERENCE, oracle)
    assert both.id == "exact and mine"
    for one in (oracle, both, PAIRS):
        assert pickle.loads(pickle.dumps(one)) == one
        assert hash(pickle.loads(pickle.dumps(one))) == hash(one)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (Value(3), Value(3), Valid()),
        (Value(float("nan")), Value(float("nan")), Valid()),
        (Value(3), Value(4), Invalid("value mismatch: 4 is not 3")),
        (Value(3), TRAP, Invalid("outcome mismatch")),
        (TRAP, TRAP, Invalid("outcome mismatch")),
        (Value(3), ExpectedDifference("x"), ExpectedDifference("x")),
        (ExpectedDifference("x"), Value(3), ExpectedDifference("x")),
    ],
)
def test_e4_equal_wants_two_equal_values(first: Any, second: Any, status: Any) -> None:
    assert PAIRS.validate_pair(None, 0, "a", first, "b", second) == status


def test_e4_the_comparator_decides() -> None:
    lenient = RelationalOracle.equal("sign aside", lambda a, b: abs(a) == abs(b))
    assert lenient.validate_pair(None, 0, "a", Value(3), "b", Value(-3)) == Valid()


@pytest.mark.parametrize(
    ("build", "arguments", "message"),
    [
        (RelationalOracle, (3, accept), "id must be a str"),
        (RelationalOracle, ("x", None), "validate_pair must be callable"),
        (RelationalOracle.equal, ("x", 3), "comparator must be callable"),
        (ReferenceAndRelational, (PAIRS, PAIRS), "reference must be a ReferenceOracle"),
        (ReferenceAndRelational, (REFERENCE, REFERENCE), "relational must be a RelationalOracle"),
    ],
)
def test_a_bad_argument_is_refused_by_name(build: Any, arguments: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        build(*arguments)
