"""R10, R4: the everyday forms read arrays of every dtype, shape and layout, as NumPy does."""

import itertools
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.kit import Array
from tests.runtime.memory import DTYPES, arrays, integers, limits

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.runtime import InvalidInput, double

WORKERS = st.one_of(st.none(), st.integers(1, 8))
RESULTS = st.sampled_from([np.int32, np.int64, object])


def fits(value: int, dtype: Any) -> bool:
    return dtype is object or limits(dtype)[0] <= value <= limits(dtype)[1]


@settings(max_examples=400)
@given(arrays(), RESULTS, WORKERS)
def test_r10_reductions_are_of_all_elements(x: Array, dtype: Any, workers: int | None) -> None:
    numbers = integers(x)
    before = x.tobytes()
    if not numbers:
        assert lunaflow.sum(x, dtype=dtype, workers=workers) == 0
        for extreme in (lunaflow.min, lunaflow.max):
            with pytest.raises(ValueError, match="empty"):
                extreme(x, dtype=dtype, workers=workers)
        return
    for form, exact in ((lunaflow.sum, sum), (lunaflow.min, min), (lunaflow.max, max)):
        value = exact(numbers)
        if fits(value, dtype):
            found = form(x, dtype=dtype, workers=workers)
            assert found == value
            assert type(found) is int
        else:
            with pytest.raises(ArithmeticError) as caught:
                form(x, dtype=dtype, workers=workers)
            assert caught.value.exact == value
    assert x.tobytes() == before


@settings(max_examples=400)
@given(arrays(), RESULTS, WORKERS)
def test_r10_scans_go_in_c_order_as_cumsum_does(x: Array, dtype: Any, workers: int | None) -> None:
    prefixes = list(itertools.accumulate(integers(x)))
    bad = [i for i, value in enumerate(prefixes) if not fits(value, dtype)]
    if bad:
        with pytest.raises(ArithmeticError) as caught:
            lunaflow.scan(x, dtype=dtype, workers=workers)
        assert caught.value.index == bad[0]
        assert f"the exact prefix {prefixes[bad[0]]} " in str(caught.value)
        return
    found = lunaflow.scan(x, dtype=dtype, workers=workers)
    assert found.shape == np.cumsum(x).shape
    assert found.dtype == np.dtype(dtype)
    assert found.tolist() == prefixes
    assert all(type(value) is int for value in found.tolist())


@settings(max_examples=400)
@given(arrays(), WORKERS)
def test_r10_double_keeps_the_shape_and_widens_what_is_not_int32(
    x: Array, workers: int | None
) -> None:
    dtype = np.dtype(np.int32 if x.dtype.newbyteorder("=") == np.int32 else np.int64)
    doubled = [2 * value for value in integers(x)]
    bad = [i for i, value in enumerate(doubled) if not fits(value, dtype)]
    if bad:
        with pytest.raises(ArithmeticError) as caught:
            double(x, workers=workers)
        assert caught.value.index == bad[0]
        assert f"the exact element {doubled[bad[0]]} " in str(caught.value)
        return
    found = double(x, workers=workers)
    assert (found.shape, found.dtype) == (x.shape, dtype)
    assert integers(found) == doubled


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_r10_dtype_none_is_int64_for_every_dtype(dtype: np.dtype[Any]) -> None:
    x = np.full((3, 100), limits(dtype)[1]).astype(dtype)
    high = limits(dtype)[1]
    if dtype.itemsize < 8:
        assert lunaflow.sum(x) == 300 * high
        assert lunaflow.scan(x)[-1] == 300 * high
    else:
        with pytest.raises(ArithmeticError):
            lunaflow.sum(x)
    assert lunaflow.sum(x, dtype=object) == 300 * high
    assert lunaflow.scan(x, dtype=object)[-1] == 300 * high


def test_r10_no_dimension_is_one_element() -> None:
    for x in (np.int64(3), np.array(3, np.uint8), np.array(3, ">i2"), np.array(3).data):
        assert (lunaflow.sum(x), lunaflow.min(x), lunaflow.max(x)) == (3, 3, 3)
        assert lunaflow.scan(x).tolist() == np.cumsum(x).tolist() == [3]
        assert double(x).shape == ()
        assert double(x) == 6
    assert lunaflow.sum(np.True_) == 1


def test_r10_no_element_keeps_the_shape() -> None:
    x = np.empty((3, 0, 2), np.int16)
    assert lunaflow.sum(x) == 0
    assert lunaflow.scan(x).shape == (0,)
    assert (double(x).shape, double(x).dtype) == ((3, 0, 2), np.dtype(np.int64))
    assert double(np.empty((0, 2), ">i4")).dtype == np.dtype(np.int32)


def test_r10_doubled_arrays_lie_in_memory_as_numpys_do() -> None:
    x = np.arange(24).reshape(2, 3, 4)
    for y in (x.T, x.transpose(1, 0, 2), x[:, ::-1], np.asfortranarray(x), x[:, :, ::2]):
        assert double(y).strides == (y + y).strides
        assert np.array_equal(double(y), y + y)


def test_r4_a_repeated_axis_is_read_once() -> None:
    row = np.arange(-3, 5, dtype=np.int16)
    x = np.broadcast_to(row, (2**20, 2**20, 2**18, 8))
    assert lunaflow.sum(x, dtype=object) == 4 * 2**58
    assert (lunaflow.min(x), lunaflow.max(x)) == (-3, 4)
    with pytest.raises(ArithmeticError) as caught:
        lunaflow.sum(np.broadcast_to(np.int8(127), (2**30, 2**29)))
    assert caught.value.exact == 127 * 2**59


class Interface:
    """Something with the array interface, and nothing else."""

    def __init__(self, array: Array, **more: Any) -> None:
        self.array = array
        self.__array_interface__ = {**array.__array_interface__, **more}


def test_r4_whatever_has_an_array_interface() -> None:
    x = np.arange(12, dtype=np.uint16).reshape(3, 4)[:, ::2]
    assert lunaflow.sum(Interface(x)) == int(x.sum())
    assert lunaflow.scan(Interface(x)).tolist() == np.cumsum(x).tolist()
    with pytest.raises(InvalidInput, match="mask"):
        lunaflow.sum(Interface(x, mask=Interface(x > 3)))


def test_r4_buffers_of_any_shape_and_format() -> None:
    packed = struct.pack("<6h", 1, -2, 3, -4, 5, -6)
    assert lunaflow.sum(bytearray(b"abc")) == sum(b"abc")
    assert lunaflow.sum(memoryview(packed).cast("h")) == -3
    square = memoryview(packed).cast("h", (2, 3))
    assert lunaflow.scan(square).tolist() == [1, -1, 2, -2, 3, -3]
    assert double(square).tolist() == [[2, -4, 6], [-8, 10, -12]]
    assert lunaflow.sum(np.array([True, False, True]).data) == 2


def test_r4_subclasses_of_arrays_are_arrays() -> None:
    class Own(np.ndarray[Any, Any]):
        def mask(self) -> None:
            """Nothing that an array is masked by."""

    x = np.arange(6, dtype=np.int8).reshape(2, 3).view(Own)
    assert lunaflow.sum(x) == 15
    assert type(double(x)) is np.ndarray
    assert type(lunaflow.scan(np.arange(3).view(np.recarray))) is np.ndarray


def test_r7_more_elements_than_32_bits_count() -> None:
    # pages that are only read take no memory
    x = np.zeros(2**31 + 7, np.int8)
    x[[0, 2**31, -1]] = [-5, 3, 100]
    assert lunaflow.sum(x, workers=2) == 98
    assert (lunaflow.max(x[::-1]), lunaflow.min(x[::7])) == (100, -5)
    assert lunaflow.sum(x[7:].reshape(2**15, 2**16).T) == 103
