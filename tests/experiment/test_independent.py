"""M12, M14: samples without pairs are compared by their medians, with a cautious interval."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment.stats import Decision, compare_independent_with_bootstrap

SAMPLES = st.lists(st.floats(0.5, 2.0), min_size=2, max_size=12)


@given(SAMPLES, SAMPLES, st.integers(0, 9))
def test_m12_the_figures_are_those_of_the_medians_and_never_nan(
    a: list[float], b: list[float], seed: int
) -> None:
    made = compare_independent_with_bootstrap(a, b, 5, seed=seed, resamples=60)
    assert made == compare_independent_with_bootstrap(a, b, 5, seed=seed, resamples=60)
    assert made.median_difference == made.a_median - made.b_median
    assert made.a_median == pytest.approx(float(np.median(a)))
    assert made.interval is not None
    assert all(map(math.isfinite, made.interval))
    assert made.interval[0] <= made.median_difference <= made.interval[1]
    assert (made.pairs, made.grouping) == (min(len(a), len(b)), "samples")


def test_m12_constant_samples_have_an_interval_without_width() -> None:
    made = compare_independent_with_bootstrap([1.0] * 3, [2.0] * 9, seed=0)
    assert (made.interval, made.decision) == ((-1.0, -1.0), Decision.FASTER)


def test_m14_an_interval_misses_the_truth_no_more_often_than_it_says() -> None:
    rng, missed = np.random.default_rng(1), 0
    for seed in range(400):
        a, b = (100 + rng.standard_normal(size) for size in (8, 20))
        options: Any = {"seed": seed, "resamples": 200}
        low, high = compare_independent_with_bootstrap(a, b, **options).interval or (0, 0)
        missed += not low <= 0 <= high
    # 5 % of 400 are 20, and 30 are 2.3 standard deviations more
    assert missed <= 30


def test_groups_are_resampled_whole() -> None:
    a, groups = [1.0] * 5 + [11.0] * 5, ["p"] * 5 + ["q"] * 5
    options: Any = {"seed": 0, "groups_a": groups, "confidence": 0.9}
    made = compare_independent_with_bootstrap(a, [1.0] * 10, **options)
    # as for pairs: a standard error of 5, and t is 6.31 for one degree of freedom
    assert made.interval == pytest.approx((5 - 31.57, 5 + 31.57), rel=0.03)
    assert made.grouping == "groups"
    named = compare_independent_with_bootstrap(a, a, grouping="processes", **options)
    assert named.grouping == "processes"


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"a": [1.0]}, ValueError, "a must hold at least 2 samples, not 1"),
        ({"b": [1.0, math.nan]}, ValueError, r"b\[1\] must be finite, not nan"),
        ({"practical_delta_pct": 0}, ValueError, "practical_delta_pct must be above 0"),
        ({"confidence": 1.0}, ValueError, "confidence must be between 0 and 1, not 1.0"),
        ({"resamples": 3}, ValueError, "resamples must be at least 40, not 3"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"groups_b": [1]}, ValueError, "one label a pair: 1 for 2 pairs"),
        ({"a": [1.7e308] * 2, "b": [-1.7e308] * 2}, ValueError, "no float holds their difference"),
    ],
)
def test_m12_bad_arguments_are_refused_by_name(
    changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {"a": [1.0, 2.0], "b": [1.0, 2.0], "seed": 0}
    with pytest.raises(error, match=message):
        compare_independent_with_bootstrap(**(arguments | changed))
