"""Vectorised medians of resamples agree with medians of the samples written out."""

import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import _resampling
from lunaflow.experiment._resampling import group_numbers, resampled_medians, standard_error


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 3)), min_size=2, max_size=15),
    st.integers(0, 100),
)
def test_medians_are_those_of_the_drawn_groups(pairs: list[tuple[int, int]], seed: int) -> None:
    deltas = np.array([float(d) for d, _ in pairs])
    names = list(dict.fromkeys(g for _, g in pairs))
    group = np.array([names.index(g) for _, g in pairs])
    medians = resampled_medians(deltas, group, 20, np.random.default_rng(seed))
    drawn = np.random.default_rng(seed).integers(0, len(names), size=(20, len(names)))
    for median, row in zip(medians, drawn, strict=True):
        sample = [d for g in row for d in deltas[group == g]]
        assert median == statistics.median(sample)


def test_the_medians_do_not_depend_on_how_many_are_made_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def medians() -> Any:
        rng = np.random.default_rng(7)
        return resampled_medians(np.arange(10.0), np.arange(10), 25, rng).tolist()

    whole = medians()
    monkeypatch.setattr(_resampling, "_CELLS_AT_ONCE", 30)
    assert medians() == whole
    monkeypatch.setattr(_resampling, "_CELLS_AT_ONCE", 1)
    assert medians() == whole


def test_groups_are_numbered_in_order_of_appearance() -> None:
    assert group_numbers(["q", "p", "q", None], 4).tolist() == [0, 1, 0, 2]
    assert group_numbers(None, 3).tolist() == [0, 1, 2]


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30), st.integers(-1000, 1000))
def test_a_standard_error_is_a_deviation_at_every_scale(medians: list[int], power: int) -> None:
    exact = np.array(medians, dtype=np.float64)
    found = standard_error(np.ldexp(exact, power), 5)
    wanted = statistics.pstdev(medians) * 1.25**0.5
    assert found == pytest.approx(math.ldexp(wanted, power))
    assert (found == 0) == (len(set(medians)) == 1)


def test_a_standard_error_beyond_every_float_is_infinite() -> None:
    assert standard_error(np.array([1.7e308, -1.7e308]), 2) == math.inf
