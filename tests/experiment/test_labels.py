"""Labels: three intervals of the real line (E12), and no label across the threshold (E16)."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import Label, comparator_label, label_from_comparison
from lunaflow.experiment.stats import (
    Comparison,
    Decision,
    compare_paired,
    compare_paired_with_bootstrap,
)

THRESHOLDS = st.floats(0, exclude_min=True, allow_infinity=False)


def test_labels_are_their_texts() -> None:
    assert [str(label) for label in Label] == ["A", "B", "Unknown"]
    assert all(label == str(label) for label in Label)


@given(st.floats(allow_nan=False) | st.fractions(), THRESHOLDS)
def test_e12_the_labels_partition_the_real_line(r: Any, t: float) -> None:
    label = comparator_label(r, t)
    assert (label is Label.A) == (r <= -t)
    assert (label is Label.B) == (r >= t)
    assert (label is Label.UNKNOWN) == (-t < r < t)


@given(THRESHOLDS)
def test_e12_the_ends_belong_to_the_known_labels(t: float) -> None:
    assert comparator_label(-t, t) is Label.A
    assert comparator_label(t, t) is Label.B
    assert comparator_label(math.nextafter(t, 0.0), t) is Label.UNKNOWN
    assert comparator_label(math.nan, t) is Label.UNKNOWN


@pytest.mark.parametrize("t", [0.0, -3.0, math.nan, -math.inf])
def test_e12_the_threshold_must_be_above_zero(t: float) -> None:
    with pytest.raises(ValueError, match="practical_delta_pct must be above 0"):
        comparator_label(1.0, t)


@pytest.mark.parametrize("wrong", ["3", None, True, 1j])
def test_other_types_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="relative_delta_pct"):
        comparator_label(wrong, 3.0)
    with pytest.raises(TypeError, match="practical_delta_pct"):
        comparator_label(3.0, wrong)
    with pytest.raises(TypeError, match="comparison"):
        label_from_comparison(wrong)


def comparison(ratio_pct: float, low: float, high: float) -> Comparison:
    """Return a comparison of constant samples, b at 100, with the given interval in percent."""
    made = compare_paired([100 + ratio_pct] * 3, [100.0] * 3, 10.0)
    decided = Decision.UNKNOWN
    if high <= -10:
        decided = Decision.FASTER
    elif low >= 10:
        decided = Decision.SLOWER
    return replace(made, interval=(low, high), decision=decided)


@given(st.integers(-300, 300), st.integers(0, 300), st.integers(0, 300))
def test_e16_an_interval_across_the_threshold_is_unknown(
    tenths: int, below: int, above: int
) -> None:
    r, low, high = (Fraction(x, 10) for x in (tenths, tenths - below, tenths + above))
    label = label_from_comparison(comparison(float(r), float(low), float(high)))
    if label is Label.A:
        assert high <= -10
    elif label is Label.B:
        assert low >= 10
    else:
        assert high > -10
        assert low < 10


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=2, max_size=12),
    st.sampled_from([1.0, 5.0, 30.0]),
)
def test_e16_a_label_is_that_of_the_decision_and_of_the_point(
    pairs: list[tuple[int, int]], t: float
) -> None:
    a, b = zip(*pairs, strict=True)
    plain = compare_paired(a, b, t)
    assert plain.relative_delta_pct is not None
    assert label_from_comparison(plain) is comparator_label(plain.relative_delta_pct, t)
    with_interval = compare_paired_with_bootstrap(a, b, t, seed=1, resamples=100)
    label = label_from_comparison(with_interval)
    assert label in (Label.UNKNOWN, comparator_label(plain.relative_delta_pct, t))
    assert (with_interval.decision in (Decision.FASTER, Decision.SLOWER)) or label is Label.UNKNOWN


def test_e16_a_comparison_without_a_ratio_is_unknown() -> None:
    assert label_from_comparison(compare_paired([1.0, 2.0], [0.0, 0.0])) is Label.UNKNOWN
