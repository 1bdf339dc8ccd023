"""Plain arrays at once: exact, and None where the general way has to go."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtime.kit import LAYOUTS, Array, contiguous, integer_arrays, limits, read_only
from tests.runtime.memory import DTYPES
from tests.runtime.memory import limits as limits_of

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.runtime import double
from lunaflow.runtime._plain import doubled, highest, lowest, may_receive, running_sums, total

LONGEST = 4096
FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda x: total(x, LONGEST),
    lambda x: lowest(x, LONGEST),
    lambda x: highest(x, LONGEST),
    lambda x: running_sums(x, None, LONGEST),
    lambda x: doubled(x, None, LONGEST),
]
REDUCTIONS = FUNCTIONS[:3]
ANY_LENGTH = 10**6


def fits(values: list[int], dtype: Any) -> bool:
    low, high = limits(dtype)
    return all(low <= value <= high for value in values)


@given(integer_arrays())
def test_r1_results_are_exact_or_left_to_the_general_way(x: Array) -> None:
    values = x.tolist()
    sums = list(itertools.accumulate(values))
    twice = [2 * value for value in values]
    assert total(x, LONGEST) == sums[-1]
    assert (lowest(x, LONGEST), highest(x, LONGEST)) == (min(values), max(values))
    found = running_sums(x, None, LONGEST)
    assert (found is None) == (not fits(sums, np.int64))
    assert found is None or found.tolist() == sums
    found_twice = doubled(x, None, LONGEST)
    assert (found_twice is None) == (not fits(twice, x.dtype))
    assert found_twice is None or found_twice.tolist() == twice


@pytest.mark.parametrize("length", [1, 1535, 1536, 1537, 3072, 3073, LONGEST])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_r2_blocks_of_a_short_array_join(length: int, dtype: Any) -> None:
    x = np.random.default_rng(length).integers(-(2**30), 2**30, length).astype(dtype)
    assert total(x, LONGEST) == sum(x.tolist())
    sums = running_sums(x, None, LONGEST)
    assert sums is not None
    assert sums.tolist() == list(itertools.accumulate(x.tolist()))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_not_plain_or_not_short_goes_the_general_way(
    function: Callable[[Any], Any],
) -> None:
    x = np.arange(6, dtype=np.int32)
    others: list[Any] = [layout(x) for layout in LAYOUTS if layout not in (contiguous, read_only)]
    others += [x[:0], x.reshape(2, 3).T, x.astype(np.uint64), x.astype(float), x.astype("m8[s]")]
    others += [np.zeros(LONGEST + 1, np.int64), x.view(np.ma.MaskedArray), x.tolist(), None]
    if function not in REDUCTIONS:
        others += [x.astype(np.int16), x.astype(np.uint32), x.astype(bool)]
    for other in others:
        assert function(other) is None


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.isnative], ids=str)
@pytest.mark.parametrize("length", [1, 63, 64, 65, LONGEST])
def test_r10_extremes_of_every_native_dtype_are_found_at_once(
    dtype: np.dtype[Any], length: int
) -> None:
    least, most = limits_of(dtype)
    x = np.full(length, max(1, (least + most) // 2), dtype)
    x[length // 2] = least
    assert lowest(x, LONGEST) == least
    x[length // 2] = most
    assert highest(x, LONGEST) == most
    assert [lunaflow.min(x), lunaflow.max(x)] == [int(x.min()), int(x.max())]


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.isnative], ids=str)
@pytest.mark.parametrize("length", [1, 63, 64, 255, 256, 257, 65_535, 65_536, 65_537, 200_000])
def test_r1_sums_of_every_native_dtype_hold_its_largest_elements(
    dtype: np.dtype[Any], length: int
) -> None:
    least, most = limits_of(dtype)
    for element in (least, most):
        assert total(np.full(length, element, dtype), ANY_LENGTH) == length * element
    x = np.resize(np.array([least, most, most, 0, 1], dtype), length)
    expected = sum(x.tolist())
    assert total(x, ANY_LENGTH) == expected
    assert lunaflow.sum(x, dtype=object, workers=2) == expected


def test_r10_a_truth_value_is_any_byte_but_0() -> None:
    for length in (5, 4_100, 70_000):
        x = np.zeros(length, np.uint8)
        x[-2:] = [2, 255]
        truths = x.view(bool)
        assert [f(truths) for f in (lunaflow.sum, lunaflow.min, lunaflow.max)] == [2, 0, 1]
        assert [f(truths[-2:]) for f in (lunaflow.min, lunaflow.max)] == [1, 1]
        assert lunaflow.max(truths[:-2]) == 0


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5),
    st.integers(1, 70_000),
)
def test_r1_sums_of_any_int64_are_exact(elements: list[int], length: int) -> None:
    x = np.resize(np.array(elements), length)
    whole, rest = divmod(length, len(elements))
    assert total(x, ANY_LENGTH) == whole * sum(elements) + sum(elements[:rest])


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    "position", [0, 1, 32_767, 32_768, 65_535, 65_536, 98_303, 98_304, 100_000]
)
def test_r1_one_element_too_large_to_double_is_found_anywhere(dtype: Any, position: int) -> None:
    limit = np.iinfo(dtype).max
    x = np.full(100_001, limit // 2, dtype)
    twice = doubled(x, None, ANY_LENGTH)
    assert twice is not None
    assert twice.tolist() == [2 * (limit // 2)] * len(x)
    for wrong in (limit // 2 + 1, -limit - 1):
        x[position] = wrong
        assert doubled(x, None, ANY_LENGTH) is None
        for workers in (1, 2):
            with pytest.raises(ArithmeticError) as raised:
                double(x, workers=workers)
            assert raised.value.index == position


def test_r10_more_dimensions_are_as_plain_as_one() -> None:
    for x in (np.arange(6).reshape(2, 3), np.arange(6, dtype=np.int32).reshape(1, 6, 1)):
        assert [form(x) for form in FUNCTIONS[:3]] == [15, 0, 5]
        sums = running_sums(x, None, LONGEST)
        assert sums is not None
        assert sums.tolist() == [0, 1, 3, 6, 10, 15]
        assert doubled(x, None, LONGEST) is None
    point = np.array(7)
    assert [form(point) for form in FUNCTIONS[:3]] == [7, 7, 7]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_r5_outputs_apart_from_the_input_are_written(dtype: Any) -> None:
    x = np.arange(1, 6, dtype=dtype)
    sums, twice = np.zeros(5, np.int64), np.zeros(5, dtype)
    assert running_sums(x, sums, LONGEST) is sums
    assert sums.tolist() == [1, 3, 6, 10, 15]
    assert doubled(x, twice, LONGEST) is twice
    assert twice.tolist() == [2, 4, 6, 8, 10]
    assert lunaflow.scan(x, out=sums) is sums
    assert double(x, out=twice) is twice


def other_outputs(memory: Array) -> list[Any]:
    """Return what may not receive six numbers at once from the first half of `memory`, of int64."""
    fixed = np.zeros(6, np.int64)
    fixed.flags.writeable = False
    others: list[Any] = [memory[:6], memory[3:9], memory[5:11], fixed, np.zeros(5, np.int64)]
    others += [[0] * 6, np.zeros(6, np.int32), np.zeros(12, np.int64)[::2]]
    return [*others, np.zeros((2, 3), np.int64)]


def test_r5_what_may_not_receive_is_told() -> None:
    memory = np.arange(12)
    x, out = memory[:6], memory[6:]
    wide, narrow = np.dtype(np.int64).num, np.dtype(np.int32).num
    assert may_receive(x, out, wide)
    assert may_receive(x, np.zeros(6, np.int32), narrow)
    for other in [*other_outputs(memory), None]:
        assert not may_receive(x, other, wide)
    assert not may_receive(x, out, narrow)
    for data in (x[::-1], x.astype(np.int16), x.tolist(), x[:0]):
        assert not may_receive(data, out, wide)


def test_r5_other_outputs_go_the_general_way() -> None:
    memory = np.arange(12, dtype=np.int64)
    x = memory[:6]
    for out in other_outputs(memory):
        assert running_sums(x, out, LONGEST) is None
        assert doubled(x, out, LONGEST) is None
    assert memory.tolist() == list(range(12))
    assert running_sums(x, memory[6:], LONGEST) is not None


@given(st.integers(1, 8), st.booleans())
def test_an_overflow_tells_all_that_the_general_way_tells(length: int, negative: bool) -> None:
    extreme = np.iinfo(np.int64).min if negative else np.iinfo(np.int64).max
    x = np.array([0] * (length - 1) + [extreme] * 2, np.int64)
    with pytest.raises(OverflowError) as caught:
        lunaflow.sum(x)
    assert caught.value.exact == 2 * int(extreme)  # type: ignore[attr-defined]
    with pytest.raises(OverflowError) as caught:
        lunaflow.scan(x)
    assert caught.value.index == length  # type: ignore[attr-defined]
