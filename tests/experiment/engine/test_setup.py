"""What stands for the functions that a fixture does not have, and how large an input is."""

from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import Fixture, SetupPolicy
from lunaflow.experiment.engine._setup import Setup, bytes_of


def generate(size: int, rng: Any) -> Any:
    return [size]


def test_without_functions_inputs_are_copied_by_their_own_rules() -> None:
    setup = Setup(Fixture.immutable(generate))
    master = {"x": np.arange(3)}
    for rng in (None, np.random.default_rng(0)):
        copy = setup.copy(master, rng)
        assert not np.shares_memory(copy["x"], master["x"])
        assert setup.is_same(copy, master)
        assert setup.given(copy) is copy
    copy["x"][0] = 5
    assert not setup.is_same(copy, master)
    assert (setup.shared, setup.each_call, setup.resets) == (True, False, False)
    assert setup.reset(copy) is copy


def test_the_functions_of_a_fixture_are_used() -> None:
    cleared: list[Any] = []
    fixture = Fixture(generate, sorted, tuple, cleared.append, fingerprint=lambda x: str(sum(x)))
    setup = Setup(fixture)
    assert setup.copy([2, 1], np.random.default_rng(0)) == [1, 2]
    assert setup.given([1, 2]) == (1, 2)
    assert setup.reset((1, 2)) == (1, 2)
    assert cleared == [(1, 2)]
    assert setup.is_same([1, 3], [2, 2])
    assert setup.fingerprint([1, 3]) == "4"
    assert (setup.shared, setup.each_call, setup.resets) == (False, True, True)
    assert not Setup(Fixture(generate, setup_policy=SetupPolicy.EACH_BLOCK)).each_call


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        (np.zeros(1000), 8000, 8000),
        ([np.zeros(1000)] * 10, 80_000, 81_000),
        ({"x": np.zeros(1000), "y": "a" * 500}, 8500, 9500),
        (list(range(10**6)), 30 * 10**6, 50 * 10**6),
        ([], 1, 100),
        (b"x" * 1000, 1000, 1100),
    ],
)
def test_an_input_takes_about_so_many_bytes(value: Any, least: int, most: int) -> None:
    assert least <= bytes_of(value) <= most
