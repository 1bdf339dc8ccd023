"""M13: stored data is strict ASCII JSON, and comes back as it was."""

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow._stored import check_format, dumps, loads, read_record
from lunaflow.arithmetic import same_value

INTEGERS = st.integers() | st.integers(2**53 - 3, 2**53 + 3) | st.integers(-(2**53) - 3, 3 - 2**53)
TEXTS = st.text(st.characters(exclude_categories=()))
DTYPES = (
    hnp.scalar_dtypes()
    | hnp.datetime64_dtypes()
    | hnp.unicode_string_dtypes(max_len=3)
    | hnp.byte_string_dtypes(max_len=3)
    | st.just(np.dtype([("a", "<i2"), ("b", "<f8", (2,)), ("c", [("d", "u1")])]))
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**200), 2**200)
    | st.floats()
    | st.fractions()
    | TEXTS
    | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS | st.integers() | st.just("$"), inner),
    max_leaves=12,
)


def refuse(name: str) -> Any:
    raise AssertionError(f"{name} is not strict JSON")


def strictly(text: str) -> None:
    """Check that a text is one line of strict ASCII JSON."""
    assert text.isascii()
    assert "\n" not in text
    json.loads(text, parse_constant=refuse)


@given(VALUES)
def test_m13_values_come_back_as_they_were(value: Any) -> None:
    text = dumps(value)
    strictly(text)
    assert same_value(loads(text), value)


@settings(max_examples=60)
@given(DTYPES.flatmap(lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, min_side=0))))
def test_m13_arrays_come_back_with_dtype_and_shape(array: Any) -> None:
    text = dumps({"array": array})
    strictly(text)
    found = loads(text)["array"]
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert found.tobytes() == array.tobytes()


@given(st.floats(allow_nan=False))
def test_m13_floats_keep_every_bit(value: float) -> None:
    found = loads(dumps(value))
    assert found == value
    assert math.copysign(1, found) == math.copysign(1, value)


@pytest.mark.parametrize(
    "text", ["\ud83d\ude00", "\ud800", "\udfff\ud800 b", "a\ud83d\ude00b", "\U0001f600"]
)
def test_m13_lone_surrogates_survive(text: str) -> None:
    assert loads(dumps({text: [text]})) == {text: [text]}


@pytest.mark.parametrize(
    ("given_value", "stored"),
    [((1, 2), [1, 2]), (np.int64(2**60), 2**60), (np.float32(0.5), 0.5), (np.bool_(True), True)],
)
def test_tuples_become_lists_and_numpy_scalars_become_python_numbers(
    given_value: Any, stored: Any
) -> None:
    found = loads(dumps(given_value))
    assert found == stored
    assert type(found) is type(stored)


@pytest.mark.parametrize("value", [object(), {1, 2}, 1j, np.array([None]), [range(3)]])
def test_what_cannot_be_stored_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        dumps(value)


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[Infinity]",
        "{",
        '{"$": "no such tag"}',
        '{"$": "int"}',
        '{"$": "int", "text": 5}',
        '{"$": "int", "text": "1_0"}',
        '{"$": "int", "text": "0x01"}',
        '{"$": "int", "text": "0x1", "more": 0}',
        '{"$": "int", "text": "0x\uff11"}',
        '{"$": "fraction", "items": [1, 0]}',
        '{"$": "fraction", "items": [1.0, 2]}',
        '{"$": "fraction", "items": [1]}',
        '{"a": 1, "a": 2}',
        "1e999",
        '{"$": "float", "text": "1.5"}',
        '{"$": "bytes", "base64": "?"}',
        '{"$": "array", "dtype": "O", "shape": [1], "base64": "AAAAAAAAAAA="}',
        '{"$": "array", "dtype": "<f8", "shape": [2], "base64": "AAAAAAAAAAA="}',
        '{"$":"array","dtype":"(2,i4","shape":[0],"base64":""}',
        '{"$":"array","dtype":"<f8","shape":["x"],"base64":""}',
        '{"$": "mapping", "items": [[[], 1]]}',
        '{"$": ["list"]}',
        "[" * 100_000,
        "1" * 5000,
    ],
)
def test_damaged_texts_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        loads(text)


@given(INTEGERS)
def test_integers_survive_readers_that_know_only_floats(n: int) -> None:
    assert loads(dumps(n)) == n
    as_floats = json.loads(dumps(n), parse_int=lambda digits: int(float(digits)))
    assert loads(json.dumps(as_floats)) == n


def test_integers_of_any_length_survive() -> None:
    for n in (10**5000, -(10**5000)):
        assert loads(dumps({"n": n, "x": Fraction(n, 3)})) == {"n": n, "x": Fraction(n, 3)}


def test_a_damaged_value_is_named_by_its_place() -> None:
    with pytest.raises(ValueError, match=r"^a: 1: a damaged tagged value: \{'\$': 'no such'\}"):
        loads('{"a": [1, {"$": "no such"}]}')


def test_a_record_has_exactly_its_fields() -> None:
    assert read_record("here", {"a": 1, "b": 2}, ("a", "b")) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="here must be an object with a, b, not 3"):
        read_record("here", 3, ("a", "b"))
    with pytest.raises(ValueError, match="here lacks the field 'b'"):
        read_record("here", {"a": 1}, ("a", "b"))
    with pytest.raises(ValueError, match="here has the unknown field 'c'; known: a, b"):
        read_record("here", {"a": 1, "b": 2, "c": 3}, ("a", "b"))


def test_the_format_comes_before_the_version() -> None:
    check_format({"format": "f", "version": 1}, "f", 1)
    with pytest.raises(ValueError, match="format must be 'f', not 'g'"):
        check_format({"format": "g", "version": 2}, "f", 1)
    for bad in (2, True, "1", None, 1.0):
        with pytest.raises(ValueError, match="version must be 1, not"):
            check_format({"format": "f", "version": bad}, "f", 1)
