"""Values written as source are the same values again when that is run."""

import decimal
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow.arithmetic import same_value
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._source import NoSource, Source

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**5000), 10**5000)
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary()
    | st.fractions()
    | st.decimals()
)
HASHABLE = st.integers() | st.text() | st.tuples(st.booleans(), st.binary())
VALUES = st.recursive(
    SCALARS | st.sets(HASHABLE) | st.frozensets(HASHABLE) | st.binary().map(bytearray),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(HASHABLE, inner),
    max_leaves=6,
)
RECORDS = np.dtype([("a", "<i2"), ("b", ">f8", (2,)), ("c", [("d", "u1")])])
DTYPES = (
    hnp.scalar_dtypes()
    | hnp.datetime64_dtypes()
    | hnp.timedelta64_dtypes()
    | hnp.unicode_string_dtypes(max_len=3)
    | hnp.byte_string_dtypes(max_len=3)
    | st.just(RECORDS)
).filter(lambda dtype: dtype.char not in "gG")


def made_again(value: Any) -> Any:
    source = Source()
    expression = source.value(value)
    names: dict[str, Any] = {}
    exec("\n".join(source.lines()), names)
    return eval(expression, names)


@settings(max_examples=60)
@given(VALUES)
def test_plain_values_come_back(value: Any) -> None:
    again = made_again(value)
    assert type(again) is type(value)
    assert same_value(again, value)
    assert fingerprint(again) == fingerprint(value)


@settings(max_examples=60)
@given(
    DTYPES.flatmap(lambda d: hnp.arrays(d, hnp.array_shapes(min_dims=0, min_side=0, max_side=3)))
)
def test_arrays_come_back_with_dtype_and_shape(array: Any) -> None:
    again = made_again(array)
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert same_value(again, array)
    if array.dtype.kind in "fc":
        assert np.array_equal(np.signbit(again.real), np.signbit(array.real), equal_nan=True)


@given(DTYPES.flatmap(lambda d: hnp.arrays(d, ())))
def test_scalars_of_numpy_keep_their_type(array: Any) -> None:
    scalar = array[()]
    again = made_again(scalar)
    assert type(again) is type(scalar)
    assert same_value(np.asarray(again).astype(array.dtype), array)


def test_the_memory_order_comes_back() -> None:
    again = made_again(np.asfortranarray(np.arange(6).reshape(2, 3)))
    assert again.flags.f_contiguous
    assert not again.flags.c_contiguous


@dataclass
class Job:
    """A dataclass at the top level."""

    name: str
    data: Any


class Pair(NamedTuple):
    """A tuple at the top level."""

    a: Any
    b: Any


@pytest.mark.parametrize(
    "value",
    [
        Job("x", [1.5, float("nan")]),
        Pair(1, (2,)),
        Ellipsis,
        range(1, 9, 2),
        slice(1, None),
        [Fraction(1, 3), decimal.Decimal("sNaN")],
    ],
)
def test_rarer_values_come_back(value: Any) -> None:
    assert repr(made_again(value)) == repr(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "a object cannot be written as source"),
        ([deque([1])], "a deque cannot be written"),
        (np.array([None]), "an array of dtype object cannot be written"),
        (np.longdouble(1) / 3, "a longdouble cannot be written"),
        (np.array([1], dtype="longdouble"), "an array of dtype .* cannot be written"),
        (np.ma.array([1]), "a MaskedArray cannot be written"),
    ],
)
def test_what_cannot_be_written_is_refused(value: Any, message: str) -> None:
    with pytest.raises(NoSource, match=message):
        Source().value(value)


def local() -> Callable[[], None]:
    def inner() -> None:
        return None

    return inner


def test_functions_are_named_by_their_module() -> None:
    source = Source()
    assert source.name_of("f", np.sort) == "np.sort"
    assert source.name_of("f", np.add) == "np.add"
    assert source.name_of("f", np.linalg.norm) == "numpy.linalg.norm"
    assert source.name_of("f", sum) == "sum"
    assert source.name_of("f", Job.__repr__).endswith(".Job.__repr__")
    assert "import numpy.linalg" in source.lines()
    for nameless in (local(), lambda: None, 3):
        with pytest.raises(NoSource, match="f has no import name that a test could use"):
            source.name_of("f", nameless)
