"""M13: stored data is strict ASCII JSON, and comes back as it was."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow.arithmetic import same_value
from lunaflow.experiment._tagged_json import dumps, loads

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
        '{"$": "float", "text": "1.5"}',
        '{"$": "bytes", "base64": "?"}',
        '{"$": "array", "dtype": "O", "shape": [1], "base64": "AAAAAAAAAAA="}',
        '{"$": "array", "dtype": "<f8", "shape": [2], "base64": "AAAAAAAAAAA="}',
        '{"$": "mapping", "items": [[[], 1]]}',
        '{"$": ["list"]}',
        "[" * 100_000,
        "1" * 5000,
    ],
)
def test_damaged_texts_are_value_errors(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        loads(text)
