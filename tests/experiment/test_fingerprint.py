"""M8: the fingerprint tells inputs apart, and never calls equal inputs different."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._inputs import generator_for, make_input
from lunaflow.experiment._placement import duplicate

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@dataclass
class Holder:
    """Holds an array."""

    data: Any


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
        ({"a": 1}, {"a": 2}),
        (Holder(np.arange(2)), Holder(np.arange(3))),
        (b"ab", b"ac"),
        ([10**5000], [10**5000 + 1]),
    ],
)
def test_m8_different_values_have_different_fingerprints(a: Any, b: Any) -> None:
    assert fingerprint(a) != fingerprint(b)


def test_unknown_objects_count_with_their_type() -> None:
    assert fingerprint(object()) == fingerprint(object())
    assert fingerprint([range(3)]) != fingerprint([object()])


@given(st.integers(0, 2**70), st.text(), st.integers(0, 2**40))
def test_m8_the_same_seed_name_and_size_make_the_same_input(
    seed: int, name: str, size: int
) -> None:
    def make(_size: int, rng: np.random.Generator) -> Any:
        return rng.integers(0, 2**60, 4)

    first = make_input(make, seed, name, size)
    assert fingerprint(first) == fingerprint(make_input(make, seed, name, size))
    for other in (
        make_input(make, seed + 1, name, size),
        make_input(make, seed, name + "x", size),
        make_input(make, seed, name, size + 1),
        generator_for(seed, name, size, 1).integers(0, 2**60, 4),
    ):
        assert fingerprint(first) != fingerprint(other)
