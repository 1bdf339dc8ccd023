"""E11: candidates by type, of several kinds, and of products; all can be pickled."""

import collections
import enum
import pickle
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.experiment.candidates.orders import check, everywhere

from lunaflow.experiment import Shrinker, candidates, shrink

SCALARS = st.booleans() | st.integers(-99, 99) | st.floats() | st.text(max_size=3)
NESTED = st.recursive(
    SCALARS | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers(0, 5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=60)
@given(NESTED)
def test_e11_values_of_every_type_get_simpler(value: Any) -> None:
    check(candidates.by_type, value, most=60)


def test_values_of_other_types_have_no_candidates() -> None:
    for value in (None, object(), {1, 2}, range(3), Ellipsis):
        assert list(candidates.by_type(value)) == []
    assert next(iter(candidates.by_type(np.ones(2)))).size == 0


class Point(NamedTuple):
    """A tuple with names."""

    x: int
    y: float


def test_named_tuples_keep_their_fields() -> None:
    found = list(candidates.by_type(Point(1, 0.5)))
    assert found == [Point(0, 0.5), Point(1, 0.0), Point(1, 1.0), Point(1, 5.0)]
    assert all(type(one) is Point for one in found)


@given(st.tuples(st.integers(), st.floats(), st.text(max_size=3)))
def test_e11_products_get_simpler_at_one_position(values: tuple[Any, ...]) -> None:
    parts = candidates.product(candidates.integers, candidates.floats, candidates.strings)
    for one in islice(parts(values), 50):
        assert len(one) == 3
        assert everywhere(one, values)


def test_e11_products_take_turns() -> None:
    pair = candidates.product(candidates.integers, candidates.integers)
    assert list(pair((2, 4))) == [(0, 4), (2, 0), (1, 4), (2, 2), (2, 3)]
    assert list(pair([1, 1])) == [[0, 1], [1, 0]]
    shrunk = shrink((90, 40), Shrinker(pair), lambda p: p[0] * p[1] >= 12)
    assert shrunk.result[0] * shrunk.result[1] in range(12, 24)
    assert shrunk.locally_minimal
    for wrong in ((1,), (1, 2, 3), 5):
        with pytest.raises(candidates.WrongKind, match="a tuple or list of length 2"):
            pair(wrong)


@given(st.integers() | st.text(max_size=3))
def test_e11_one_of_gives_the_candidates_of_the_kind(value: Any) -> None:
    either = candidates.one_of(candidates.integers, candidates.strings)
    wanted = candidates.integers if isinstance(value, int) else candidates.strings
    assert list(either(value)) == list(wanted(value))
    with pytest.raises(
        candidates.WrongKind, match=r"an integer, not float .*; .* a str, not float"
    ):
        either(1.0)
    nested = candidates.one_of(candidates.floats, either)
    assert list(nested(value)) == list(wanted(value))


def test_one_of_takes_turns_between_ways_of_the_same_kind() -> None:
    either = candidates.one_of(lambda n: [n - 1, n - 2], lambda n: [n // 2], candidates.strings)
    assert list(either(10)) == [9, 5, 8]


def raise_type_error(value: Any) -> list[Any]:
    raise TypeError("a bug of the caller's")


def test_an_error_of_the_callers_function_is_not_taken_for_a_refusal() -> None:
    with pytest.raises(TypeError, match="a bug of the caller's"):
        candidates.one_of(candidates.integers, raise_type_error)("x")


def test_wrong_arguments_are_refused_by_name() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match=r"functions\[1\] must be callable"):
        candidates.one_of(candidates.integers, wrong)
    with pytest.raises(TypeError, match=r"functions\[0\] must be callable"):
        candidates.product(wrong)
    with pytest.raises(ValueError, match="at least one candidate function"):
        candidates.one_of()


def test_candidate_functions_can_be_pickled() -> None:
    made = candidates.product(
        candidates.one_of(candidates.integers, candidates.strings),
        partial(candidates.sequences, elements=candidates.floats),
    )
    again = pickle.loads(pickle.dumps(Shrinker(made))).candidates
    assert list(again((2, [1.5]))) == list(made((2, [1.5])))


class Celsius(float):
    """A float with a constructor of its own."""

    def __new__(cls, degrees: float, station: str) -> "Celsius":
        return super().__new__(cls, degrees)


class Grade(enum.IntEnum):
    """An enumeration of numbers."""

    GOOD = 1
    BAD = 6


class Name(str):
    """A text that shows itself otherwise."""

    def __str__(self) -> str:
        return "?"


class Span(Point):
    """A named tuple with a constructor of its own."""

    def __new__(cls, both: tuple[int, float], *, unit: str) -> "Span":
        return super().__new__(cls, *both)


class Sealed(dict[str, int]):
    """A dict that is never changed."""

    def __setitem__(self, key: str, value: int) -> None:
        raise TypeError("sealed")


class Counted(collections.Counter[str]):
    """A dict that copies itself by a constructor, which is another one here."""

    def __init__(self, *, of: str) -> None:
        super().__init__(of)


@pytest.mark.parametrize(
    "value",
    [
        Celsius(7.5, "here"),
        Grade.BAD,
        Name("abc"),
        Sealed(a=7),
        Counted(of="abba"),
        np.timedelta64(5, "s"),
    ],
)
def test_what_would_become_of_another_type_has_no_candidates(value: Any) -> None:
    assert list(candidates.by_type(value)) == []
    found = list(candidates.by_type([value, 1]))
    assert all(type(item) in {type(value), int} for one in found for item in one)
    assert [] in found


def test_named_tuples_keep_their_type_whatever_makes_them() -> None:
    found = list(candidates.by_type(Span((1, 0.5), unit="m")))
    assert [tuple(one) for one in found] == [(0, 0.5), (1, 0.0), (1, 1.0), (1, 5.0)]
    assert {type(one) for one in found} == {Span}


def test_dicts_of_subclasses_keep_their_type() -> None:
    for value in (collections.Counter("abba"), collections.OrderedDict(a=2)):
        assert {type(one) for one in candidates.by_type(value)} == {type(value)}


def test_candidates_asked_for_by_name_are_plain_of_a_subclass() -> None:
    for function, value, plain in (
        (candidates.floats, Celsius(7.5, "here"), 7.5),
        (candidates.integers, Grade.BAD, 6),
        (candidates.strings, Name("abc"), "abc"),
    ):
        found = list(function(value))
        assert found == list(function(plain))
        assert {type(one) for one in found} == {type(plain)}
