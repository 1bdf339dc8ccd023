"""The right answers that ``tune`` validates against: two independent ways must agree."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.conftest import FLIGHTS
from tests.runtime.kit import Array, integer_arrays

from lunaflow.arithmetic import ArithmeticError
from lunaflow.cli._inputs import RandomNumbers, Repeated
from lunaflow.cli._kernels import KERNELS, Native, RightAnswer, oracle_for, wide_answer
from lunaflow.experiment import ExpectedDifference, Invalid, Trap, Trapped, Value


def seen(compute: Any, x: Array) -> Any:
    try:
        result = compute(x)
    except ArithmeticError as error:
        return "overflow", error.index, error.exact
    return (result.dtype, result.tolist()) if isinstance(result, np.ndarray) else result


@settings(max_examples=300)
@given(integer_arrays(), st.sampled_from(sorted(KERNELS)))
def test_the_wide_computation_agrees_with_the_reference(x: Array, name: str) -> None:
    assert seen(lambda a: wide_answer(KERNELS[name], a), x) == seen(RightAnswer(name), x)


@settings(max_examples=200)
@given(integer_arrays(), st.sampled_from(sorted(KERNELS)), st.integers(1, 4))
def test_the_native_kernels_agree_with_the_right_answer(x: Array, name: str, workers: int) -> None:
    assert seen(Native(name, workers), x) == seen(RightAnswer(name), x)


@pytest.mark.parametrize("name", sorted(KERNELS))
@pytest.mark.parametrize("element_type", ["I32", "I64"])
def test_numpy_agrees_where_nothing_overflows(name: str, element_type: str) -> None:
    x = RandomNumbers(element_type)(20_000, np.random.default_rng(1))
    answer = RightAnswer(name)(x)
    assert np.array_equal(KERNELS[name].numpy(x), answer)


def test_repeated_data_is_tiled_or_cut() -> None:
    inputs = Repeated(f"{FLIGHTS}:dep_delay")
    rng = np.random.default_rng(0)
    short, long = inputs(10, rng), inputs(400_000, rng)
    assert np.array_equal(long[:10], short)
    assert np.array_equal(long[328_521:], long[: 400_000 - 328_521])


def test_numpys_wider_sum_is_an_expected_difference_and_a_wrapped_one_is_wrong() -> None:
    x = np.array([2**31 - 1, 5], np.int32)
    overflow = Trapped(Trap("ArithmeticError", "", kind="OVERFLOW"), frozenset())
    oracle = oracle_for("sum")

    def status(value: Any) -> Any:
        return type(oracle.validate(x, 0, overflow, Value(value)))

    assert status(np.sum(x)) is ExpectedDifference
    assert status(np.int64(1)) is Invalid
    # one of ours that gave a number here would be wrong, whatever the number
    assert status(2**31 + 4) is Invalid
    wrapped = Value(np.cumsum(x, dtype=x.dtype))
    assert isinstance(oracle_for("scan").validate(x, 0, overflow, wrapped), Invalid)
