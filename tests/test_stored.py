"""What stored formats share."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow._stored import check_format, read_integer, read_record, write_integer

INTEGERS = st.integers() | st.integers(2**53 - 3, 2**53 + 3) | st.integers(-(2**53) - 3, 3 - 2**53)


@given(INTEGERS)
def test_integers_survive_readers_that_know_only_floats(n: int) -> None:
    text = json.dumps(write_integer(n))
    assert read_integer("n", json.loads(text)) == n
    assert read_integer("n", json.loads(text, parse_int=lambda digits: int(float(digits)))) == n


@pytest.mark.parametrize(
    "bad", [True, 1.0, None, "", "+1", "01", "1 ", "-0", "0x1", "1_0", "\uff11", [1]]
)
def test_what_is_no_integer_is_refused_by_name(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"^here must be an integer or its decimal digits"):
        read_integer("here", bad)


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
