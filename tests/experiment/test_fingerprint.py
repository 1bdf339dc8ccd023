"""M8: the fingerprint tells inputs apart, and is the same for inputs made alike."""

import os
import subprocess
import sys
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import Fixture
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment.engine._inputs import generator_for, make_input
from lunaflow.experiment.engine._placement import duplicate

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@dataclass
class Holder:
    """Holds an array."""

    data: Any


class Plain:
    """Compares by identity."""

    def __init__(self, data: Any) -> None:
        self.data = data


@given(VALUES)
def test_m8_a_copy_has_the_same_fingerprint(value: Any) -> None:
    assert fingerprint(duplicate(value)) == fingerprint(value)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.arange(3), np.array([0, 1, 3])),
        (np.arange(3), np.arange(3.0)),
        (np.arange(4), np.arange(4).reshape(2, 2)),
        (np.array(["a"], dtype=object), np.array(["b"], dtype=object)),
        ([1, 2], (1, 2)),
        (["ab", "c"], ["a", "bc"]),
        ([[1], 2], [[1, 2]]),
        (0.0, -0.0),
        (1, True),
        (1, 1.0),
        ({"a": 1}, {"a": 2}),
        (Holder(np.arange(2)), Holder(np.arange(3))),
        (b"ab", b"ac"),
        ([10**5000], [10**5000 + 1]),
    ],
)
def test_m8_different_values_have_different_fingerprints(a: Any, b: Any) -> None:
    assert fingerprint(a) != fingerprint(b)


@given(st.dictionaries(st.text() | st.integers(), st.integers()), st.randoms())
def test_m8_dicts_and_sets_count_in_any_order(given_items: dict[Any, int], rng: Any) -> None:
    items = list(given_items.items())
    rng.shuffle(items)
    assert fingerprint(dict(items)) == fingerprint(given_items)
    assert fingerprint({k for k, _ in items}) == fingerprint(set(given_items))
    assert fingerprint(OrderedDict(items)) == fingerprint(OrderedDict(given_items))


@given(st.sets(st.text() | st.integers()), st.sets(st.text() | st.integers()))
def test_m8_different_sets_differ(a: set[Any], b: set[Any]) -> None:
    assert (fingerprint(a) == fingerprint(b)) == (a == b)
    assert (fingerprint(frozenset(a)) == fingerprint(frozenset(b))) == (a == b)


def test_m8_a_fingerprint_is_the_same_in_every_process() -> None:
    code = (
        "from lunaflow.experiment._fingerprint import fingerprint\n"
        "from collections import Counter\n"
        "print(fingerprint([{'a', 'b', 'c', 'd'}, {'x': frozenset('efgh')}, Counter('xyz')]))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(found) == 1


def test_m8_other_objects_count_with_what_they_are_pickled_by() -> None:
    assert fingerprint(object()) == fingerprint(object())
    assert fingerprint(Plain(1)) == fingerprint(Plain(1))
    assert fingerprint(Plain(1)) != fingerprint(Plain(2))
    assert fingerprint([range(3)]) != fingerprint([range(4)])
    assert fingerprint(len) != fingerprint(max)
    assert fingerprint(np.ma.masked_array([1, 2], [False, True])) != fingerprint(
        np.ma.masked_array([1, 2], [True, False])
    )


def test_m8_what_holds_itself_has_a_fingerprint() -> None:
    one: list[Any] = [1]
    one.append(one)
    other: list[Any] = [2]
    other.append(other)
    assert fingerprint(one) == fingerprint(duplicate(one)) != fingerprint(other)


@given(st.integers(0, 2**70), st.text(), st.integers(0, 2**40))
def test_m8_the_same_seed_name_and_size_make_the_same_input(
    seed: int, name: str, size: int
) -> None:
    make = Fixture.immutable(lambda _size, rng: rng.integers(0, 2**60, 4))
    first = make_input(make, seed, name, size)
    assert fingerprint(first) == fingerprint(make_input(make, seed, name, size))
    for other in (
        make_input(make, seed + 1, name, size),
        make_input(make, seed, name + "x", size),
        make_input(make, seed, name, size + 1),
        make_input(make, seed, name, size, 1),
        generator_for(seed, name, size, 1).integers(0, 2**60, 4),
    ):
        assert fingerprint(first) != fingerprint(other)
