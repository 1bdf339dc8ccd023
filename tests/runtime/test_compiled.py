"""R2, R3: the compiled kernels with several parts, whatever this machine's number of CPUs."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.runtime.kit import LAYOUTS, Array, exact, integer_arrays, limits

import lunaflow
from lunaflow.runtime._map import double_chunks
from lunaflow.runtime._reduce import HIGH, LOW, TOTAL, first_outside, part_starts, reduce_chunks
from lunaflow.runtime._scan import scan_chunks

LAYOUT = st.sampled_from(LAYOUTS)
EVERYTHING = TOTAL | LOW | HIGH
# the number of a scan's kernel, and what it starts from
OPERATIONS = {"SUM": (0, 0), "MIN": (1, 2**63 - 1), "MAX": (2, -(2**63))}


def split(data: st.DataObject, length: int) -> tuple[int, int]:
    """Draw how many chunks, and how many parts of them."""
    chunks = data.draw(st.integers(1, length))
    return chunks, data.draw(st.integers(1, min(chunks, 8)))


@given(st.integers(1, 2**62), st.integers(1, 300), st.integers(1, 64))
def test_r3_chunks_differ_by_one_the_longer_first_and_parts_are_whole_chunks(
    length: int, chunks: int, parts: int
) -> None:
    chunks = min(chunks, length)
    parts = min(parts, chunks)
    starts = part_starts(length, chunks, chunks)
    lengths = [after - before for before, after in pairwise(starts)]
    assert (starts[0], starts[-1], len(lengths)) == (0, length, chunks)
    assert lengths == sorted(lengths, reverse=True)
    assert max(lengths) - min(lengths) <= 1
    of_parts = part_starts(length, chunks, parts)
    assert len(of_parts) == parts + 1
    assert set(of_parts) <= set(starts)
    assert of_parts == sorted(of_parts)


@settings(max_examples=200)
@given(integer_arrays(), LAYOUT, st.data())
def test_r2_sums_and_extremes_of_any_number_of_parts(
    values: Array, layout: Any, data: st.DataObject
) -> None:
    numbers = values.tolist()
    found = reduce_chunks(layout(values), *split(data, len(values)), EVERYTHING)
    assert found == (sum(numbers), min(numbers), max(numbers), len(numbers))


@settings(max_examples=200)
@given(integer_arrays(), LAYOUT, st.sampled_from(sorted(OPERATIONS)), st.booleans(), st.data())
def test_r2_scans_of_any_number_of_parts(
    values: Array, layout: Any, operation: str, write: bool, data: st.DataObject
) -> None:
    out = np.full_like(values, 7)
    low, high = limits(values.dtype)
    x = layout(values)
    chunks, parts = split(data, len(values))
    failed = scan_chunks(x, out, *OPERATIONS[operation], low, high, chunks, parts, write)
    expected = exact("SCAN", operation, values.tolist(), values.dtype)
    assert failed == (-1 if expected[0] == "ok" else expected[1])
    if not write:
        assert set(out.tolist()) == {7}
    elif failed < 0:
        assert out.tolist() == expected[1]


@settings(max_examples=200)
@given(integer_arrays(), LAYOUT, st.data())
def test_r2_doubling_of_any_number_of_parts(
    values: Array, layout: Any, data: st.DataObject
) -> None:
    out = np.empty_like(values)
    failed = double_chunks(layout(values), out, *split(data, len(values)))
    expected = exact("MAP", None, values.tolist(), values.dtype)
    assert failed == (-1 if expected[0] == "ok" else expected[1])
    if failed < 0:
        assert out.tolist() == expected[1]


@given(integer_arrays(), LAYOUT, st.integers(-5, 5), st.integers(3, 2**62))
@example(np.array([1, -5], np.int32), LAYOUTS[0], -(2**62), 2**63)
@example(np.array([1, -5], np.int32), LAYOUTS[0], 2**40, 3)
def test_first_outside_is_the_first(values: Array, layout: Any, low: int, more: int) -> None:
    numbers = values.tolist()
    outside = [i for i, x in enumerate(numbers) if not low <= x <= low + more]
    assert first_outside(layout(values), low, low + more) == (outside[0] if outside else -1)


@pytest.mark.parametrize("parts", [1, 2, 5, 8])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_r2_long_arrays_of_extremes_carry_into_the_high_word(dtype: Any, parts: int) -> None:
    low, high = limits(dtype)
    for value in (low, high):
        x = np.full(100_000, value, dtype)
        assert reduce_chunks(x, 1000, parts, EVERYTHING) == (100_000 * value, value, value, 100_000)
        assert lunaflow.sum(x, dtype=object) == 100_000 * value
