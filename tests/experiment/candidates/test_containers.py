"""E11: candidates of sequences, mappings and texts are simpler, never the input, cuts first."""

from collections import Counter, OrderedDict, defaultdict
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.experiment.candidates.orders import check

from lunaflow.experiment import Shrinker, candidates, shrink
from lunaflow.experiment.candidates._cuts import blocks

LISTS = st.lists(st.integers(-9, 9) | st.floats() | st.text(max_size=2), max_size=7)


@given(st.integers(0, 70))
def test_blocks_go_from_the_whole_to_single_elements(length: int) -> None:
    found = list(blocks(length))
    sizes = [one.stop - one.start for one in found]
    assert len({(one.start, one.stop) for one in found}) == len(found)
    assert all(0 <= one.start < one.stop <= length for one in found)
    assert {(i, i + 1) for i in range(length)} <= {(one.start, one.stop) for one in found}
    # the shorter one at the end apart, sizes never grow
    whole = [s for s, one in zip(sizes, found, strict=True) if one.stop < length or one.start == 0]
    assert whole == sorted(whole, reverse=True)
    assert length < 2 or sizes[1] == (length + 1) // 2


@given(LISTS | LISTS.map(tuple) | st.binary(max_size=7) | st.binary(max_size=7).map(bytearray))
def test_e11_sequences_get_simpler(items: Any) -> None:
    found = check(candidates.sequences, items)
    lengths = [len(one) for one in found]
    assert lengths[: len(items)].count(len(items)) == 0
    cut = [n for n in lengths if n < len(items)]
    assert lengths[: len(cut)] == cut
    if items:
        assert len(found[0]) == 0


@given(LISTS)
def test_e11_a_wanted_element_is_all_that_is_left(items: list[Any]) -> None:
    shrunk = shrink([*items, 77, *items], Shrinker(candidates.sequences), lambda xs: 77 in xs)
    assert shrunk.result == [77]


def test_e11_elements_get_simpler_by_blocks_and_then_alone() -> None:
    pairs = partial(candidates.sequences, elements=candidates.integers)
    assert list(pairs([4, 2]))[3:] == [[0, 0], [0, 2], [2, 2], [3, 2], [4, 0], [4, 1]]
    assert list(pairs([0, 0]))[3:] == []
    shrunk = shrink([9] * 8, Shrinker(pairs), lambda xs: len(xs) >= 3)
    assert shrunk.result == [0, 0, 0]


def test_elements_of_another_kind_are_refused_when_they_are_reached() -> None:
    strict = partial(candidates.sequences, elements=candidates.integers)
    found = iter(strict(["x"]))
    assert next(found) == []
    with pytest.raises(candidates.WrongKind, match="an integer, not str"):
        next(found)


@given(st.dictionaries(st.integers() | st.text(max_size=2), st.integers(-9, 9), max_size=6))
def test_e11_mappings_get_simpler(items: dict[Any, int]) -> None:
    found = check(candidates.mappings, items)
    assert all(one.keys() <= items.keys() for one in found)
    wanted = set(list(items)[:1])
    shrunk = shrink(items, Shrinker(candidates.mappings), lambda d: wanted <= set(d))
    assert shrunk.result == dict.fromkeys(wanted, 0)


@pytest.mark.parametrize(
    "items", [Counter("abca"), OrderedDict(b=2, a=1), defaultdict(int, {"a": 3})]
)
def test_mappings_keep_their_class_and_the_input_its_items(items: Any) -> None:
    before = dict(items)
    check(candidates.mappings, items)
    assert dict(items) == before


@given(st.text(max_size=6))
@example("\ud800x")
@example("é~\x00")
@example("\U0010ffff\ue000")
def test_e11_texts_get_simpler(text: str) -> None:
    found = check(candidates.strings, text)
    surrogates = [c for c in text if 0xD800 <= ord(c) < 0xE000]
    for one in found:
        assert {c for c in one if 0xD800 <= ord(c) < 0xE000} <= set(surrogates)


def test_e11_texts_end_at_plain_characters() -> None:
    shrunk = shrink("héllo wörld", Shrinker(candidates.strings), lambda s: len(s) >= 2)
    assert shrunk.result == "aa"
    shrunk = shrink("x=€5", Shrinker(candidates.strings), lambda s: not s.isascii())
    assert shrunk.result == "\x80"


@pytest.mark.parametrize(
    ("function", "wrong", "accepted"),
    [
        (candidates.sequences, "ab", "a list, tuple, bytes or bytearray, not str"),
        (candidates.sequences, {1}, "a list, tuple, bytes or bytearray, not set"),
        (candidates.mappings, [1], "a dict, not list"),
        (candidates.strings, b"a", "a str, not bytes"),
    ],
)
def test_another_kind_is_refused_at_once(function: Any, wrong: Any, accepted: str) -> None:
    with pytest.raises(candidates.WrongKind, match=f"input must be {accepted}"):
        function(wrong)
    with pytest.raises(TypeError, match="the candidates of an element must be callable"):
        candidates.sequences([1], elements=3)  # type: ignore[arg-type]
