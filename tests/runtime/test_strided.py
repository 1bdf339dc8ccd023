"""R4, R10: the compiled kernels read elements of every dtype, shape and layout in C order."""

import bisect
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.kit import Array
from tests.runtime.memory import DTYPES, arrays, integers, laid_out, limits

from lunaflow.runtime._bits import Bits
from lunaflow.runtime._map import double_chunks
from lunaflow.runtime._reduce import HIGH, LOW, TOTAL, first_outside, reduce_chunks
from lunaflow.runtime._scan import scan_chunks
from lunaflow.runtime._strided import joined_axes

EVERYTHING = TOTAL | LOW | HIGH
INT64 = limits(np.int64)


def split(data: st.DataObject, size: int) -> tuple[int, int]:
    chunks = data.draw(st.integers(1, size))
    return chunks, data.draw(st.integers(1, min(chunks, 8)))


@settings(max_examples=300)
@given(arrays(least=1), st.data())
def test_r10_reductions_of_every_dtype_and_layout(x: Array, data: st.DataObject) -> None:
    numbers = integers(x)
    found = reduce_chunks(x, *split(data, x.size), EVERYTHING)
    assert found == (sum(numbers), min(numbers), max(numbers), len(numbers))
    length = data.draw(st.integers(0, x.size))
    assert reduce_chunks(x, 1, 1, TOTAL, length=length)[0] == sum(numbers[:length])


@settings(max_examples=200)
@given(arrays(least=1), st.data())
def test_r10_extremes_alone_of_every_dtype_and_layout(x: Array, data: st.DataObject) -> None:
    numbers = integers(x)
    assert reduce_chunks(x, *split(data, x.size), LOW)[1] == min(numbers)
    assert reduce_chunks(x, *split(data, x.size), HIGH)[2] == max(numbers)
    assert reduce_chunks(x, *split(data, x.size), LOW | HIGH)[1:3] == (min(numbers), max(numbers))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("low", [0, 1, 12287, 12288, 39_999])
def test_r10_an_extreme_is_found_in_any_block(dtype: np.dtype[Any], low: int) -> None:
    least, most = limits(dtype)
    for shift in (0, 1):
        memory = np.zeros(40_000 * dtype.itemsize + 1, np.uint8)
        x = memory[shift:][: 40_000 * dtype.itemsize].view(dtype)
        x[:] = max(1, (least + most + 1) // 2)
        x[low], x[39_999 - low] = least, most
        assert reduce_chunks(x, 7, 3, LOW | HIGH)[1:] == (least, most, 40_000)
        assert reduce_chunks(x, 1, 1, LOW)[1] == least
        assert reduce_chunks(x, 1, 1, HIGH)[2] == most
        assert first_extreme(x, least) == low


def first_extreme(x: Array, least: int) -> int:
    """Return the length from which on the smallest element is in."""
    lengths = range(1, x.size + 1)
    return bisect.bisect_left(
        lengths, True, key=lambda n: reduce_chunks(x, 1, 1, LOW, length=n)[1] == least
    )


@settings(max_examples=300)
@given(arrays(least=1), st.integers(0, 1), st.data())
def test_r10_only_elements_of_the_wanted_flag_count(
    x: Array, kept: int, data: st.DataObject
) -> None:
    size = x.size
    drawn = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    axes = data.draw(st.permutations(range(x.ndim)))
    flags = laid_out(np.array(drawn, bool).reshape(x.shape), axes, [1] * x.ndim)
    numbers = [v for v, flag in zip(integers(x), drawn, strict=True) if flag == kept]
    total, low, high, count = reduce_chunks(x, *split(data, size), EVERYTHING, flags, kept)
    assert (total, count) == (sum(numbers), len(numbers))
    if numbers:
        assert (low, high) == (min(numbers), max(numbers))


@settings(max_examples=300)
@given(arrays(least=1), st.sampled_from([np.int32, np.int64]), st.integers(-3, 3), st.data())
def test_r10_scans_of_every_dtype_and_layout(
    x: Array, dtype: Any, start: int, data: st.DataObject
) -> None:
    low, high = limits(dtype)
    out = np.zeros(2 * x.size, dtype)[:: data.draw(st.sampled_from([2, -2]))]
    failed = scan_chunks(x, out, 0, start, low, high, *split(data, x.size), True)
    prefixes = list(itertools.accumulate(integers(x), initial=start))[1:]
    bad = [i for i, p in enumerate(prefixes) if not low <= p <= high]
    assert failed == (bad[0] if bad else -1)
    if not bad:
        assert out.tolist() == prefixes


@settings(max_examples=300)
@given(arrays(least=1), st.data())
def test_r10_doubling_of_every_dtype_and_layout(x: Array, data: st.DataObject) -> None:
    dtype = x.dtype.newbyteorder("=") if x.dtype.name == "int32" else np.dtype(np.int64)
    axes = data.draw(st.permutations(range(x.ndim)))
    steps = [data.draw(st.sampled_from([1, -2])) for _ in range(x.ndim)]
    out = laid_out(np.zeros(x.shape, dtype), axes, steps)
    failed = double_chunks(x, out, *split(data, x.size))
    low, high = limits(dtype)
    doubled = [2 * v for v in integers(x)]
    bad = [i for i, v in enumerate(doubled) if not low <= v <= high]
    assert failed == (bad[0] if bad else -1)
    assert first_outside(x, -(2**30), 2**30 - 1) == next(
        (i for i, v in enumerate(integers(x)) if not -(2**30) <= v < 2**30), -1
    )
    if not bad:
        assert integers(out) == doubled


@given(st.lists(st.booleans(), min_size=1, max_size=70), st.integers(0, 20), st.data())
def test_r10_bits_from_any_position_on(truths: list[bool], first: int, data: st.DataObject) -> None:
    packed = np.packbits([True] * first + truths, bitorder="little")
    bits = Bits(packed, first, len(truths))
    assert [bits[i] for i in range(len(truths))] == truths
    chunks, parts = split(data, len(truths))
    found = reduce_chunks(bits, chunks, parts, EVERYTHING)
    assert found == (sum(truths), min(truths), max(truths), len(truths))
    out = np.empty(len(truths), np.int64)
    assert scan_chunks(bits, out, 0, 0, *INT64, chunks, parts, True) == -1
    assert out.tolist() == list(itertools.accumulate(map(int, truths)))
    assert double_chunks(bits, out, chunks, parts) == -1
    assert out.tolist() == [2 * t for t in truths]
    numbers = np.arange(len(truths), dtype=np.int16)
    total, _, _, count = reduce_chunks(numbers, chunks, parts, TOTAL, bits, 1)
    assert (total, count) == (int(numbers[truths].sum()), sum(truths))


@pytest.mark.parametrize("first", range(9))
@pytest.mark.parametrize("n", [1, 6, 7, 8, 9, 16, 100, 5000])
def test_r10_whole_bytes_of_bits_and_what_is_around_them(first: int, n: int) -> None:
    truths = np.random.default_rng(n).random(first + n) < 0.5
    bits = Bits(np.packbits(truths, bitorder="little"), first, n)
    numbers = truths[first:].astype(int)
    out = np.empty(n, np.int64)
    for parts in (1, min(n, 3)):
        assert double_chunks(bits, out, parts, parts) == -1
        assert out.tolist() == (2 * numbers).tolist()
        assert scan_chunks(bits, out, 0, 0, *INT64, parts, parts, True) == -1
        assert out.tolist() == np.cumsum(numbers).tolist()
        assert reduce_chunks(bits, parts, parts, TOTAL)[0] == numbers.sum()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("n", [1535, 1536, 1537, 5000])
def test_r10_more_elements_than_a_block_holds(dtype: Any, n: int) -> None:
    low, high = limits(dtype)
    values = np.random.default_rng(n).integers(low, high, n, np.int64, endpoint=True).astype(dtype)
    numbers = integers(values)
    flags = np.random.default_rng(n + 1).random(n) < 0.5
    kept = [v for v, flag in zip(numbers, flags, strict=True) if flag]
    for x in (values, laid_out(values, [0], [-3], 1), values.reshape(-1, 1)):
        for parts in (1, 8):
            found = reduce_chunks(x, 8, parts, EVERYTHING)
            assert found == (sum(numbers), min(numbers), max(numbers), n)
            found = reduce_chunks(x, 8, parts, EVERYTHING, flags.reshape(x.shape), 1)
            assert found == (sum(kept), min(kept), max(kept), len(kept))


def test_r10_a_byte_that_is_neither_0_nor_1_is_true() -> None:
    x = np.array([0, 1, 2, 255], np.uint8).view(bool)
    assert reduce_chunks(x, 1, 1, EVERYTHING) == (3, 0, 1, 4)
    assert reduce_chunks(x[::-1], 1, 1, EVERYTHING) == (3, 0, 1, 4)


@pytest.mark.parametrize("dtype", ["u8", "f8", "m8[s]", "O", "S1"])
def test_kernels_refuse_what_no_block_holds(dtype: str) -> None:
    with pytest.raises(TypeError, match="no block holds"):
        reduce_chunks(np.zeros(3, dtype), 1, 1, TOTAL)


def test_r4_sixty_axes_are_walked() -> None:
    x = np.arange(2**6, dtype=np.int16).reshape((2,) * 6)
    wide = x[(slice(None, None, -1),) * 6 + (None,) * 50]
    out = np.empty(2**6, np.int64)
    assert scan_chunks(wide, out, 0, 0, *INT64, 3, 2, True) == -1
    assert out.tolist() == np.cumsum(np.arange(2**6)[::-1]).tolist()
    assert scan_chunks(wide.T, out, 0, 0, *INT64, 3, 2, True) == -1
    assert out.tolist() == np.cumsum(wide.T).tolist()


def test_axes_that_go_on_from_each_other_are_one() -> None:
    x = np.zeros((1, 3, 1, 4), np.int64)
    assert joined_axes(x) == ((12, 8),)
    assert joined_axes(x[:, ::-1, :, ::-1]) == ((12, -8),)
    assert joined_axes(x[..., :2]) == ((3, 32), (2, 8))
    assert joined_axes(x.T) == ((4, 8), (3, 32))
    assert joined_axes(np.array(5, np.int16)) == ((1, 2),)
    assert joined_axes(np.broadcast_to(x[0, :, 0], (2, 3, 4))) == ((2, 0), (12, 8))
    assert joined_axes(np.broadcast_to(np.int8(1), (2, 3, 4))) == ((24, 0),)
