"""Values in words: short, on one line, and never an exception."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow._texts import one_line, text_of


class Bad:
    """Has no text."""

    def __repr__(self) -> str:
        raise ZeroDivisionError("no text")


class Text(str):
    """Is not to be written out."""

    __slots__ = ()


@dataclass(frozen=True)
class Record:
    """Holds anything."""

    data: Any
    hidden: Any = field(default=0, repr=False)


class Pair(NamedTuple):
    """Holds two."""

    a: Any
    b: Any


class Counted:
    """Counts how often it is asked for its text."""

    asked = 0

    def __repr__(self) -> str:
        Counted.asked += 1
        return "counted"


def cycle() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


LONG: dict[str, Any] = {
    "str": "x" * 10**6,
    "text": Text("x" * 10**6),
    "bytes": bytes(10**6),
    "list": list(range(10**6)),
    "int": 10**5000,
    "int in a list": [10**5000],
    "dict": {i: i for i in range(999)},
    "range": range(10**99),
    "array": np.arange(10**6),
    "objects": np.array([10**5000] * 1000, dtype=object),
    "record": Record([Bad()] * 10**6),
    "pair": Pair(b"x" * 10**6, "y" * 10**6),
    "cycle": cycle(),
}


@pytest.mark.parametrize("limit", [20, 80, 200])
@pytest.mark.parametrize("long", LONG.values(), ids=LONG.keys())
def test_what_is_long_is_shortened(long: Any, limit: int) -> None:
    text = text_of(long, limit)
    assert 0 < len(text) <= limit
    assert "\n" not in text


WRAPPERS: list[Callable[[Any], Any]] = [
    lambda x: x,
    lambda x: [x] * 10**6,
    lambda x: (x,),
    lambda x: {1: x},
    lambda x: {x},
    lambda x: Record([x] * 10**6),
    lambda x: Pair(1, [x] * 10**6),
    lambda x: np.array([x] * 1000, dtype=object),
]


@pytest.mark.parametrize("wrapped", WRAPPERS)
def test_a_repr_that_raises_gives_a_text_that_says_so(wrapped: Callable[[Any], Any]) -> None:
    assert "<Bad whose repr raises ZeroDivisionError>" in text_of(wrapped(Bad()), 200)


@pytest.mark.parametrize("wrapped", WRAPPERS)
def test_what_is_not_shown_is_not_asked_for_its_text(wrapped: Callable[[Any], Any]) -> None:
    Counted.asked = 0
    assert "counted" in text_of(wrapped(Counted()), 200)
    assert Counted.asked <= 70


def test_an_integer_too_long_to_print_is_told_by_its_bits() -> None:
    assert text_of(1 << 4000) == "an integer of 4001 bits"


@pytest.mark.parametrize(
    "value", [None, 5, "text", b"ab", [1, (2,)], {"a": 1}, {1}, Pair(1, "x"), Record([1]), 1.5]
)
def test_short_values_are_written_as_repr_writes_them(value: Any) -> None:
    assert text_of(value) == repr(value)


def test_a_class_that_is_called_list_is_no_list() -> None:
    kind = type("list", (), {"__repr__": lambda _: "a list of my own"})
    assert text_of(kind()) == "a list of my own"


@given(st.text(), st.integers(10, 300))
def test_one_line_is_one_line_and_cut(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert line == " ".join(line.split())
    if len(text) <= limit:
        assert line == " ".join(text.split())


def test_a_long_text_of_white_space_is_cut() -> None:
    text = "".join(random.Random(0).choices(" x", k=10**6))
    assert one_line(text, 50).endswith("...")
    assert one_line(" " * 10**6, 50) == "..."
