"""Outcomes are data: structural equality, hashes, pickles, and exceptions turned into traps."""

import enum
import pickle
from typing import Any

import numpy as np
import pytest

from lunaflow.arithmetic import ArithmeticError as LunaflowArithmeticError
from lunaflow.arithmetic import ArithmeticErrorKind
from lunaflow.experiment import (
    Aborted,
    ExpectedDifference,
    OperationResult,
    ParseFailure,
    RaisedFlags,
    Timeout,
    Trap,
    Trapped,
    Unsupported,
    Value,
)
from lunaflow.experiment._outcomes import outcome_of_exception

NAN = float("nan")
TRAP = Trap("OverflowError", "too big", "OVERFLOW", 3)
WITHOUT_ARRAYS = [
    Value(3),
    Value(NAN),
    Value((1, "x")),
    RaisedFlags(1.5, frozenset({"inexact"})),
    Unsupported("no scan"),
    ParseFailure("not JSON"),
    Trapped(TRAP, frozenset()),
    Aborted(-11, "core dumped"),
    Timeout(500, "no answer"),
    ExpectedDifference("rounds down"),
]


def with_array() -> list[Any]:
    array = np.array([1.0, NAN])
    return [Value(array), Value([{"x": array}]), RaisedFlags(array, frozenset({"invalid"}))]


@pytest.mark.parametrize("outcome", WITHOUT_ARRAYS, ids=repr)
def test_equal_outcomes_hash_alike_and_survive_pickling(outcome: Any) -> None:
    copy = pickle.loads(pickle.dumps(outcome))
    assert copy == outcome
    assert hash(copy) == hash(outcome)
    assert OperationResult(copy, stdout="x") == OperationResult(outcome, stdout="x")
    assert hash(OperationResult(copy)) == hash(OperationResult(outcome))


def test_different_outcomes_differ() -> None:
    for i, one in enumerate(WITHOUT_ARRAYS):
        for other in WITHOUT_ARRAYS[i + 1 :]:
            assert one != other


def test_arrays_compare_by_same_value_and_are_not_hashable() -> None:
    for one, copy in zip(with_array(), with_array(), strict=True):
        assert one == copy == pickle.loads(pickle.dumps(one))
        assert OperationResult(one) == OperationResult(copy)
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
    assert Value(np.array([1])) != Value(np.array([1.0]))
    assert Value(np.array([1])) != Value([1])


def test_operation_results_differ_in_each_field() -> None:
    context = np.arange(3)
    base = OperationResult(Value(1), context, "out", "err", 0)
    assert base == OperationResult(Value(1), context.copy(), "out", "err", 0)
    for other in (
        OperationResult(Value(2), context, "out", "err", 0),
        OperationResult(Value(1), context + 1, "out", "err", 0),
        OperationResult(Value(1), context, "", "err", 0),
        OperationResult(Value(1), context, "out", "", 0),
        OperationResult(Value(1), context, "out", "err", None),
        "something else",
    ):
        assert base != other


def test_flags_are_kept_as_a_set_of_names() -> None:
    many: Any = ["inexact", "overflow", "inexact"]
    assert RaisedFlags(1, many) == RaisedFlags(1, frozenset({"overflow", "inexact"}))
    assert Trapped(TRAP, many).flags == {"overflow", "inexact"}


def test_kind_and_index_of_an_exception_are_kept() -> None:
    error = LunaflowArithmeticError(ArithmeticErrorKind.OVERFLOW, "too big", index=(2, 1))
    trap = Trap("ArithmeticError", "too big", "OVERFLOW", (2, 1))
    assert outcome_of_exception(error) == Trapped(trap, frozenset())


def test_an_ordinary_exception_has_neither_kind_nor_index() -> None:
    expected = Trapped(Trap("ValueError", "bad"), frozenset())
    assert outcome_of_exception(ValueError("bad")) == expected


class Mode(enum.Enum):
    STRICT = 1


class Odd(Exception):
    """Its attributes are given, or raise."""

    def __init__(self, kind: Any, index: Any) -> None:
        super().__init__("odd")
        self.kind = kind
        self._index = index

    @property
    def index(self) -> Any:
        if self._index is None:
            raise RuntimeError("no index")
        return self._index

    def __str__(self) -> str:
        if self._index is None:
            raise RuntimeError("no text")
        return "odd"


@pytest.mark.parametrize(
    ("kind", "index", "expected"),
    [
        (Mode.STRICT, 4, Trap("Odd", "odd", "STRICT", 4)),
        ("LOST", np.int64(4), Trap("Odd", "odd", "LOST", 4)),
        (17, [1, np.int32(2)], Trap("Odd", "odd", None, (1, 2))),
        (None, "elsewhere", Trap("Odd", "odd")),
        (None, True, Trap("Odd", "odd")),
        (None, (1, "x"), Trap("Odd", "odd")),
        (None, None, Trap("Odd", "<no text: its __str__ raised RuntimeError>")),
    ],
)
def test_foreign_kinds_and_indices_never_hide_the_exception(
    kind: Any, index: Any, expected: Trap
) -> None:
    assert outcome_of_exception(Odd(kind, index)).trap == expected


@pytest.mark.parametrize(
    ("make", "fields", "named"),
    [
        (Unsupported, [3], "reason"),
        (ExpectedDifference, [None], "reason"),
        (ParseFailure, [b"x"], "reason"),
        (RaisedFlags, [1, "inexact"], "flags"),
        (RaisedFlags, [1, [1]], "flags"),
        (Trapped, ["trap", []], "trap"),
        (Trap, ["X", "x", Mode.STRICT], "kind"),
        (Trap, ["X", "x", None, 1.5], "index"),
        (Aborted, ["1", ""], "exit_code"),
        (Timeout, [1.5, ""], "milliseconds"),
        (OperationResult, [3], "outcome"),
        (OperationResult, [Value(3), None, "", "", "0"], "exit_code"),
        (outcome_of_exception, [ValueError], "exc"),
    ],
)
def test_a_wrong_type_is_a_type_error_that_names_the_field(
    make: Any, fields: list[Any], named: str
) -> None:
    with pytest.raises(TypeError, match=named):
        make(*fields)
