"""Numbers in words keep their value to the digits shown."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lunaflow.experiment._texts import counted, floor_text, seconds_text, words

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


@given(st.floats(1e-13, 1e4))
@example(9.999e-7)
@example(0.9999)
def test_seconds_keep_three_digits(seconds: float) -> None:
    number, unit = seconds_text(seconds).split(" ")
    shown = float(number.replace(",", ""))
    assert shown * UNITS[unit] == pytest.approx(seconds, rel=5.1e-3)
    assert shown < 1000 or unit == "s"
    assert shown >= 1 or unit == "ns"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (9.999e-7, "1.00 µs"),
        (1.5e-9, "1.50 ns"),
        (2.34e-10, "0.234 ns"),
        (123.4e-9, "123 ns"),
        (0.0125, "12.5 ms"),
        (2500.0, "2,500 s"),
        (0.0, "0.00 ns"),
    ],
)
def test_seconds_in_words(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


def test_counts_in_words() -> None:
    assert counted(1, "line") == "1 line"
    assert counted(2, "line") == "2 lines"
    assert counted(2, "process", "processes") == "2 processes"


@given(st.floats(0.0, 1e12))
@example(0.9949)
@example(9.949)
def test_noise_floors_are_plain_numbers_of_two_digits(percent: float) -> None:
    text = floor_text(percent)
    number = text.removesuffix(" %").replace(",", "")
    assert number.replace(".", "").isdigit()
    assert float(number) == pytest.approx(percent, rel=0.051, abs=0.0051)


def test_items_in_words() -> None:
    assert [words(list("abc")[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
