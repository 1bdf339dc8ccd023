"""Ok and Err: a result, or the exception that says why there is none, as values."""

import copy
import dataclasses
import math
import pickle
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow._texts import text_of
from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind, Err, Ok, Result

ERROR = ArithmeticError(ArithmeticErrorKind.OVERFLOW, "too large", index=3)
VALUES: Any = st.none() | st.integers() | st.floats() | st.text() | st.tuples(st.integers())


def halve(n: int) -> Ok[int] | Err[ArithmeticError]:
    return Err(ERROR) if n % 2 else Ok(n // 2)


@given(VALUES)
def test_ok_holds_a_value(value: Any) -> None:
    ok = Ok(value)
    assert ok.is_ok()
    assert not ok.is_err()
    assert ok.value is ok.unwrap() is ok.unwrap_or("other") is value
    assert ok.map(lambda v: [v]) == Ok([value])


def test_err_holds_an_exception() -> None:
    err = Err(ERROR)
    assert err.is_err()
    assert not err.is_ok()
    assert err.error is ERROR
    assert err.unwrap_or(7) == 7


def test_methods_refuse_to_run_on_other_types() -> None:
    err: Any = Err(ERROR)
    methods: list[Any] = [Ok.unwrap, Ok.is_ok, Ok.is_err]
    for method in methods:
        for other in (err, 3, "three", object()):
            with pytest.raises(TypeError, match="doesn't apply to"):
                method(other)
    with pytest.raises(TypeError, match="doesn't apply to"):
        list(map(Ok.unwrap, [Ok(1), err]))
    for of_err in (Err.is_ok, Err.is_err):
        with pytest.raises(TypeError, match="doesn't apply to"):
            of_err(Ok(1))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="doesn't apply to"):
        Ok.map(3, str)  # type: ignore[arg-type]


def _never(_: Any) -> Any:
    raise AssertionError("called")


def test_an_err_passes_through_map_and_and_then() -> None:
    err = Err(ERROR)
    assert err.map(_never) is err
    assert err.and_then(_never) is err


@given(st.integers())
def test_and_then_chains_and_stops_at_the_first_err(n: int) -> None:
    chained = Ok(n).and_then(halve).and_then(halve)
    assert chained == (Ok(n // 4) if n % 4 == 0 else Err(ERROR))


def test_and_then_needs_a_result() -> None:
    wrong: Callable[[Any], Any] = str
    with pytest.raises(TypeError, match=r"and_then must be Ok or Err, not str \('3'\)"):
        Ok(3).and_then(wrong)


@pytest.mark.parametrize("bad", ["text", None, ValueError, Ok(1)])
def test_the_payload_of_an_err_is_an_exception_object(bad: Any) -> None:
    with pytest.raises(TypeError, match="error must be an exception object"):
        Err(bad)


@pytest.mark.parametrize("result", [Ok(True), Ok(0), Err(ERROR)])
def test_a_result_has_no_truth(result: Any) -> None:
    for ask in (bool, lambda r: not r, lambda r: r and 1, lambda r: 1 if r else 2):
        with pytest.raises(TypeError, match=r"is_ok\(\), .is_err\(\), or match"):
            ask(result)


def test_results_match_by_case() -> None:
    def say(result: Ok[int] | Err[ArithmeticError]) -> str:
        match result:
            case Ok(value):
                return f"ok {value}"
            case Err(error):
                return f"err {error.index}"

    assert [say(Ok(3)), say(Err(ERROR))] == ["ok 3", "err 3"]


def test_result_names_the_union() -> None:
    union: Any = Result
    assert union[int, ArithmeticError] == Ok[int] | Err[ArithmeticError]


def test_unwrap_raises_that_very_object_without_an_earlier_traceback() -> None:
    def fail_deep_inside() -> None:
        raise ERROR

    with pytest.raises(OverflowError):
        fail_deep_inside()
    for _ in range(2):
        with pytest.raises(ArithmeticError) as caught:
            Err(ERROR).unwrap()
        assert caught.value is ERROR
        frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert frames == [
            test_unwrap_raises_that_very_object_without_an_earlier_traceback.__name__,
            "unwrap",
        ]


@given(VALUES, VALUES)
def test_equality_is_structural(a: Any, b: Any) -> None:
    both_nan = isinstance(a, float) and isinstance(b, float) and a != a and b != b
    assert (Ok(a) == Ok(b)) == (a == b or both_nan)
    assert Ok(a) == Ok(copy.deepcopy(a))
    assert hash(Ok(a)) == hash(Ok(copy.deepcopy(a)))
    assert Ok(a) != a
    assert Ok(a) != Err(ERROR)


def test_errs_are_equal_when_their_errors_are() -> None:
    twin = pickle.loads(pickle.dumps(ERROR))
    assert Err(ERROR) == Err(twin)
    assert hash(Err(ERROR)) == hash(Err(twin))
    assert Err(ERROR) != Err(ArithmeticError(ArithmeticErrorKind.OVERFLOW, "too large"))
    assert Err(ValueError("a")) != Err(ValueError("a"))
    assert Err(ERROR) != ERROR


NANS = [math.nan, np.float64("nan"), Decimal("NaN"), Decimal("sNaN"), complex(math.nan, 1)]


@pytest.mark.parametrize("nan", NANS, ids=repr)
def test_nan_equals_nan_and_hashes_alike(nan: Any) -> None:
    assert Ok(nan) == Ok(copy.deepcopy(nan)) == Ok(math.nan)
    assert hash(Ok(nan)) == hash(Ok(math.nan))
    assert Ok(nan) != Ok(1)


@dataclass(frozen=True)
class Measured:
    """A result of the kind people return."""

    name: str
    samples: Any


ARRAYS: list[Callable[[], Any]] = [
    lambda: np.array([1.0, math.nan]),
    lambda: [np.arange(3), "x"],
    lambda: (1, {"a": np.arange(3)}),
    lambda: Measured("m", np.array([math.nan])),
]


@pytest.mark.parametrize("make", ARRAYS)
def test_values_that_hold_arrays_compare_by_value_and_are_not_hashable(make: Any) -> None:
    assert Ok(make()) == Ok(make())
    assert Ok(make()) != Ok(None)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Ok(make()))


def test_arrays_that_differ_anywhere_make_results_differ() -> None:
    a = np.arange(4, dtype=np.int32)
    for b in (a[:3], a.astype(np.int64), a.reshape(2, 2), np.array([0, 1, 2, 4], np.int32), 3):
        assert Ok(a) != Ok(b)
        assert Ok(Measured("m", a)) != Ok(Measured("m", b))


@pytest.mark.parametrize("result", [Ok(1), Ok([1.5, "x"]), Err(ERROR)])
def test_results_survive_pickle_and_copy(result: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(result, protocol)) == result
    assert copy.copy(result) == copy.deepcopy(result) == result


@pytest.mark.parametrize(("result", "field"), [(Ok(1), "value"), (Err(ERROR), "error")])
def test_results_are_frozen_and_slotted(result: Any, field: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, field, 2)
    assert not hasattr(result, "__dict__")


def test_a_subscripted_class_makes_the_same_objects() -> None:
    assert Ok[int](3) == Ok(3)
    error = ValueError("no")
    assert Err[ValueError](error) == Err(error)


def test_a_result_of_any_size_has_a_short_text() -> None:
    assert text_of(Ok(10**5000)) == "Ok(value=an integer of 16610 bits)"
    assert text_of(Ok([1] * 1000)) == f"Ok(value=[{'1, ' * 22}1..."
    assert text_of(Err(ValueError("no"))) == "Err(error=ValueError('no'))"
