"""What goes to a command and comes back is what it was, or an error says what it cannot be."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.arithmetic import same_value
from lunaflow.experiment.processes._codecs import decoder, encoder

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False,
    allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)  # fmt: skip


@given(PLAIN)
def test_json_gives_back_what_it_was_given(value: Any) -> None:
    assert same_value(decoder("json")(encoder("json")(value)), value)


def test_json_writes_arrays_as_lists_and_refuses_what_it_lacks() -> None:
    assert (
        encoder("json")({"x": np.arange(3), "y": np.float64(0.5)}) == b'{"x": [0, 1, 2], "y": 0.5}'
    )
    with pytest.raises(ValueError, match="JSON"):
        encoder("json")(float("nan"))
    with pytest.raises(TypeError, match="set is nothing that JSON holds"):
        encoder("json")({1})
    with pytest.raises(ValueError, match="NaN is not strict JSON"):
        decoder("json")(b"NaN")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.binary())
def test_text_and_bytes_are_kept(text: str, data: bytes) -> None:
    assert decoder("text")(encoder("text")(text)) == text
    assert decoder("bytes")(encoder("bytes")(data)) == data


def test_arrays_keep_dtype_and_shape() -> None:
    array = np.arange(6, dtype=">i2").reshape(2, 3)
    assert same_value(decoder("npy")(encoder("npy")(array)), array)


@pytest.mark.parametrize(
    ("codec", "value"), [("text", 3), ("text", b"x"), ("bytes", "x"), ("bytes", 3)]
)
def test_what_a_codec_cannot_write_is_a_type_error(codec: Any, value: Any) -> None:
    with pytest.raises(TypeError, match=f"encode='{codec}' takes"):
        encoder(codec)(value)


def test_a_function_is_its_own_codec() -> None:
    assert encoder(str.encode)("x") == b"x"
    assert decoder(bytes.decode)(b"x") == "x"
