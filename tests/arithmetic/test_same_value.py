"""When two results are the same value, and where they first differ."""

import math
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow.arithmetic import same_value
from lunaflow.arithmetic._same_value import first_difference

DTYPES: Any = hnp.scalar_dtypes() | hnp.array_dtypes(hnp.floating_dtypes(), min_size=1, max_size=2)


@dataclass
class Point:
    """A dataclass with a field that its == leaves out."""

    x: Any
    y: Any = 0.0
    cache: Any = field(default=None, compare=False)


@given(hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4)))
def test_an_array_is_the_same_as_its_copy_and_differs_in_another_shape(array: Any) -> None:
    assert same_value(array, array.copy())
    assert not same_value(array, array[np.newaxis])
    assert not same_value(array, array.tolist())


@given(
    hnp.arrays(np.float64, st.integers(1, 6), elements=st.floats(width=64)),
    st.data(),
)
def test_one_changed_element_is_found_and_named(array: Any, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(array) - 1))
    other = array.copy()
    other[position] = 1.0 if math.isnan(array[position]) else math.nan
    assert not same_value(array, other)
    assert f"at x[{position}] (1 of {len(array)} elements differ)" in str(
        first_difference(array, other, "x")
    )


def test_dtypes_count() -> None:
    a = np.array([1, 2], np.int32)
    assert first_difference(a, a.astype(np.int64)) == "dtype int32 is not int64"
    assert not same_value(a, a.astype(">i4"))


SAME: list[tuple[Any, Any]] = [
    (math.nan, np.float64("nan")),
    (Decimal("NaN"), Decimal("NaN")),
    (Decimal("sNaN"), Decimal("sNaN")),
    (np.datetime64("NaT", "s"), np.datetime64("NaT", "s")),
    (np.array(["NaT"], "M8[s]"), np.array(["NaT"], "M8[s]")),
    (1, np.int8(1)),
    (0.5, np.float16(0.5)),
    (0.1, np.float64(0.1)),
    (1 + 2j, np.complex64(1 + 2j)),
    (1.5, np.longdouble(1.5)),
    (0.0, -0.0),
    (Fraction(1, 3), Fraction(1, 3)),
    ([1, (math.nan, {"a": np.arange(2)})], [1, (float("nan"), {"a": np.arange(2)})]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (np.array([None, math.nan, "x"]), np.array([None, math.nan, "x"])),
    (Point(np.arange(3), math.nan), Point(np.arange(3), math.nan, cache="other")),
    (np.array([(1, math.nan)], "i4,f8"), np.array([(1, math.nan)], "i4,f8")),
    (np.ma.array([1, 2], mask=[False, True]), np.ma.array([1, 9], mask=[False, True])),
    (
        np.ma.array(["1", "2"], "M8[Y]", mask=[False, True]),
        np.ma.array(["1", "9"], "M8[Y]", mask=[False, True]),
    ),
    (pd.Series([1.0, math.nan]), pd.Series([1.0, math.nan])),
    (pl.Series([1, None]), pl.Series([1, None])),
    ({1, 2}, {2, 1}),
]
DIFFERENT: list[tuple[Any, Any, str]] = [
    (1, 1.0, "1 is not 1.0"),
    (True, 1, "True is not 1"),
    (np.int32(1), np.int64(1), "is not"),
    (np.float32(0.1), 0.1, "is not"),
    (np.float16(math.inf), 1e5, "is not"),
    (np.int8(44), 300, "is not"),
    (Decimal("NaN"), math.nan, "is not"),
    (Decimal("sNaN"), Decimal(1), "is not"),
    ([1], (1,), "list is not tuple"),
    ([1, 2], [1], "length 2 is not 1"),
    ([1, [2, 3]], [1, [2, 4]], "3 is not 4 at [1][1]"),
    ({"a": [1]}, {"a": [2]}, "1 is not 2 at ['a'][0]"),
    ({"a": 1}, {"b": 1}, "keys ['a'] are not ['b']"),
    ({1}, {2}, "{1} is not {2}"),
    (np.zeros((2, 2)), np.zeros(4), "shape (2, 2) is not (4,)"),
    (np.eye(2), np.ones((2, 2)), "0.0 is not 1.0 at [0, 1] (2 of 4 elements differ)"),
    (np.zeros(1), 0.0, "only one of them is an array"),
    (Point(1), Point(2), "1 is not 2 at .x"),
    (Point(0, np.arange(2)), Point(0, np.arange(1, 3)), "0 is not 1 at .y[0]"),
    (np.array([(1, 2.0)], "i4,f8"), np.array([(1, 3.0)], "i4,f8"), "2.0 is not 3.0 at ['f1'][0]"),
    (
        np.ma.array([1, 2], mask=[False, True]),
        np.ma.array([1, 2], mask=[True, False]),
        "the masks differ",
    ),
    (
        np.ma.array([1, 2], mask=[False, True]),
        np.ma.array([3, 2], mask=[False, True]),
        "1 is not 3 at [0]",
    ),
    (pd.Series([1.0]), pd.Series([2.0]), "Series and Series differ"),
    ("a", b"a", "'a' is not b'a'"),
]


@pytest.mark.parametrize(("a", "b"), SAME, ids=repr)
def test_the_same(a: Any, b: Any) -> None:
    assert first_difference(a, b) is None
    assert same_value(a, b)
    assert same_value(b, a)


@pytest.mark.parametrize(("a", "b", "words"), DIFFERENT, ids=repr)
def test_different(a: Any, b: Any, words: str) -> None:
    assert words in str(first_difference(a, b))
    assert not same_value(a, b)
    assert not same_value(b, a)


@given(st.recursive(st.floats() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_every_value_is_the_same_as_itself_rebuilt(value: Any) -> None:
    rebuilt = eval(repr(value), {"nan": math.nan, "inf": math.inf})
    assert same_value(value, rebuilt)
    assert not same_value([value], [value, value])
