"""Paired statistics against exact fractions, decisions, and the refusals of M12."""

import math
import statistics
from dataclasses import astuple
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import Label, label_from_comparison
from lunaflow.experiment.stats import (
    Comparison,
    Decision,
    compare_paired,
    compare_paired_with_bootstrap,
    filter_outliers,
    holm,
    paired_deltas,
    summarize,
)

SMALL = st.integers(-1000, 1000)
FINITE = st.floats(-1e300, 1e300)
PAIRS = st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=20)


def exact_median(values: list[Fraction]) -> Fraction:
    return Fraction(statistics.median(values))


@given(PAIRS)
def test_a_comparison_agrees_with_exact_fractions(pairs: list[tuple[int, int]]) -> None:
    a, b = ([x for x, _ in pairs], [y for _, y in pairs])
    made = compare_paired(a, b, 7)
    difference = exact_median([Fraction(x - y) for x, y in pairs])
    b_median = exact_median([Fraction(y) for y in b])
    assert (made.pairs, made.interval, made.grouping) == (len(pairs), None, "none")
    assert Fraction(made.a_median) == exact_median([Fraction(x) for x in a])
    assert Fraction(made.b_median) == b_median
    assert Fraction(made.median_difference) == difference
    if b_median <= 0:
        assert made.decision is Decision.INVALID
        assert made.relative_delta_pct is None
        return
    ratio = 100 * difference / b_median
    assert made.relative_delta_pct == float(ratio)
    assert made.decision is wanted(ratio, ratio, 7, equivalence=False)


def wanted(low: Fraction, high: Fraction, t: int, *, equivalence: bool) -> Decision:
    if high <= -t:
        return Decision.FASTER
    if low >= t:
        return Decision.SLOWER
    inside = -t < low and high < t
    return Decision.EQUIVALENT if equivalence and inside else Decision.UNKNOWN


@given(PAIRS, st.integers(0, 2**32), st.sampled_from([40, 200]))
def test_a_bootstrap_decides_by_its_whole_interval(
    pairs: list[tuple[int, int]], seed: int, resamples: int
) -> None:
    a, b = zip(*pairs, strict=True)
    made = compare_paired_with_bootstrap(a, b, 7, seed=seed, resamples=resamples)
    again = compare_paired_with_bootstrap(a, b, 7, seed=seed, resamples=resamples)
    assert made == again
    assert made.interval is not None
    low, high = map(Fraction, made.interval)
    assert low <= made.median_difference <= high
    b_median = exact_median([Fraction(y) for y in b])
    if b_median <= 0:
        assert made.decision is Decision.INVALID
    else:
        bounds = (100 * low / b_median, 100 * high / b_median)
        assert made.decision is wanted(*bounds, 7, equivalence=True)
        assert made.p_value is not None
        decided = made.decision in (Decision.FASTER, Decision.SLOWER)
        assert decided == (made.p_value <= 0.05) or made.p_value == pytest.approx(0.05)


@given(st.lists(FINITE, min_size=2, max_size=10), st.integers(0, 9))
def test_m12_no_figure_is_ever_nan(samples: list[float], seed: int) -> None:
    other = samples[::-1]
    made = compare_paired_with_bootstrap(samples, other, seed=seed, resamples=50)
    assert made.interval is not None
    figures = [made.a_median, made.b_median, made.median_difference, *made.interval]
    assert all(map(math.isfinite, figures))
    assert made.relative_delta_pct is None or math.isfinite(made.relative_delta_pct)


@given(FINITE, FINITE, st.integers(2, 9), st.sampled_from([0.5, 0.95, 0.999]))
def test_m12_constant_samples_have_an_interval_without_width(
    x: float, y: float, n: int, confidence: float
) -> None:
    made = compare_paired_with_bootstrap(
        [x] * n, [y] * n, seed=0, resamples=2000, confidence=confidence
    )
    assert made.interval == (x - y, x - y)
    assert made.median_difference == x - y


def test_m12_the_cases_that_broke_other_tools() -> None:
    ten = compare_paired_with_bootstrap([1.25] * 10, [1.0] * 10, seed=3)
    assert ten.interval == (0.25, 0.25)
    four = compare_paired_with_bootstrap([1, 1, 1, 1], [2, 2, 2, 2], seed=3)
    assert (four.median_difference, four.interval) == (-1.0, (-1.0, -1.0))
    assert four.decision is Decision.FASTER
    for count in (0, 1):
        for compare in (compare_paired, lambda a, b: compare_paired_with_bootstrap(a, b, seed=0)):
            with pytest.raises(ValueError, match=f"at least 2 pairs, not {count}"):
                compare([1.0] * count, [2.0] * count)


def test_m4_zero_durations_are_never_infinitely_faster() -> None:
    some, zeros = [0.0018, 0.0017, 0.0019], [0.0, 0.0, 0.0]
    for compare in (compare_paired, lambda a, b: compare_paired_with_bootstrap(a, b, seed=0)):
        gone = compare(zeros, some)
        assert (gone.relative_delta_pct, gone.decision) == (-100.0, Decision.FASTER)
        for a in (some, zeros):
            undefined = compare(a, zeros)
            assert (undefined.relative_delta_pct, undefined.p_value) == (None, None)
            assert undefined.decision is Decision.INVALID
            assert label_from_comparison(undefined) is Label.UNKNOWN
        below = compare(some, [-x for x in some])
        assert (below.relative_delta_pct, below.decision) == (None, Decision.INVALID)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("position", [0, 3])
def test_m12_a_sample_that_is_not_finite_is_refused_by_name_and_position(
    bad: float, position: int
) -> None:
    good = [1.0, 2.0, 3.0, 4.0]
    broken = [bad if i == position else x for i, x in enumerate(good)]
    for call, name in (
        (lambda: compare_paired(broken, good), "a"),
        (lambda: compare_paired_with_bootstrap(good, broken, seed=0), "b"),
        (lambda: paired_deltas(good, broken), "b"),
        (lambda: summarize(broken), "samples"),
        (lambda: filter_outliers(broken), "samples"),
        (lambda: holm(broken), "p_values"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}\[{position}\] must be finite, not {bad}"):
            call()


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"practical_delta_pct": 0}, ValueError, "practical_delta_pct must be above 0, not 0"),
        ({"practical_delta_pct": math.nan}, ValueError, "practical_delta_pct must be above 0"),
        ({"practical_delta_pct": "3"}, TypeError, "practical_delta_pct must be a real number"),
        ({"resamples": 39}, ValueError, "resamples must be at least 40, not 39"),
        ({"resamples": 19, "confidence": 0.9}, ValueError, "resamples must be at least 20"),
        ({"resamples": 1.5}, TypeError, "resamples must be an integer"),
        ({"confidence": 1}, ValueError, "confidence must be between 0 and 1, not 1"),
        ({"confidence": math.nan}, ValueError, "confidence must be between 0 and 1"),
        ({"seed": -1}, ValueError, "seed must be at least 0, not -1"),
        ({"seed": None}, TypeError, "seed must be an integer"),
        ({"groups": [1, 2]}, ValueError, "one label a pair: 2 for 3 pairs"),
        ({"resamples": 10**7}, ValueError, "resamples must be at most 1000000, not 10000000"),
        ({"resamples": -(10**5000)}, ValueError, "resamples must be at least 40, not an integer"),
        ({"confidence": 10**400}, ValueError, "confidence must be in the range of a float, not"),
        ({"confidence": Fraction(10**5000)}, ValueError, "confidence must be in the range of a"),
        ({"practical_delta_pct": 10**400}, ValueError, "practical_delta_pct must be in the range"),
        (
            {"practical_delta_pct": Fraction(-1, 10**5000)},
            ValueError,
            "practical_delta_pct must be above 0, not ",
        ),
        ({"groups": [1, 1, 1]}, ValueError, "at least 2 groups"),
        ({"groups": 5}, TypeError, r"groups must be a sequence of hashable labels, not int \(5\)"),
        ({"groups": np.array(5)}, TypeError, "groups must be a sequence of hashable labels"),
        ({"groups": [1, [2], 3]}, TypeError, r"groups\[1\] must be hashable, not list"),
        ({"b": [1.0, 2.0]}, ValueError, "one length, not 3 and 2"),
        ({"a": ["1", "2", "3"]}, TypeError, "a must be a one-dimensional sequence of real"),
        ({"a": [True, False, True]}, TypeError, "a must be a one-dimensional sequence of real"),
        ({"a": [[1.0, 2.0, 3.0]]}, ValueError, "a must be one-dimensional"),
        ({"a": np.ma.array([1.0, 2.0, 3.0])}, TypeError, "without a mask"),
        ({"a": [1e308, 1, 1], "b": [-1e308, 1, 1]}, ValueError, r"a\[0\] - b\[0\] overflows"),
    ],
)
def test_bad_arguments_are_refused_by_name(
    changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0], "seed": 0}
    with pytest.raises(error, match=message):
        compare_paired_with_bootstrap(**(arguments | changed))


def test_the_callers_samples_are_not_changed() -> None:
    a, b = np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0])
    compare_paired_with_bootstrap(a, b, seed=0)
    deltas = paired_deltas(a, b)
    deltas[:] = -1
    summarize(a)
    filter_outliers(a)
    assert a.tolist() == [3.0, 1.0, 2.0]
    assert b.tolist() == [1.0, 1.0, 1.0]


def test_groups_are_resampled_whole() -> None:
    a, groups = [1.0] * 5 + [11.0] * 5, ["p"] * 5 + ["q"] * 5
    made = compare_paired_with_bootstrap(
        a, [1.0] * 10, seed=0, groups=groups, grouping="processes", confidence=0.9
    )
    # two whole groups give 0 (p, p), 10 (q, q) or 5 (one of each), a quarter or half of the time:
    # a deviation of sqrt(12.5), a standard error of 5, and t is 6.31 for one degree of freedom
    assert made.median_difference == 5.0
    assert made.interval == pytest.approx((5 - 31.57, 5 + 31.57), rel=0.03)
    assert (made.grouping, made.confidence) == ("processes", 0.9)
    alone = compare_paired_with_bootstrap(a, [1.0] * 10, seed=0, groups=groups)
    assert alone.grouping == "groups"
    assert compare_paired_with_bootstrap(a, a, seed=0).grouping == "pairs"


@pytest.mark.parametrize("between", [0.0, 0.5, 2.0])
def test_m14_intervals_over_five_processes_miss_the_truth_no_more_often_than_they_say(
    between: float,
) -> None:
    # 5 processes x 6 blocks, in percent; the truth is no difference, and then one of just 3 %
    rng = np.random.default_rng(0)
    missed = false = 0
    for seed in range(400):
        noise = between * rng.standard_normal(5)[:, None] + 0.5 * rng.standard_normal((5, 6))
        a, groups = 100 + noise.ravel(), np.repeat(range(5), 6).tolist()
        options: Any = {"seed": seed, "resamples": 200, "groups": groups}
        low, high = compare_paired_with_bootstrap(a, [100.0] * 30, **options).interval or (0, 0)
        missed += not low <= 0 <= high
        made = compare_paired_with_bootstrap(a + 3, [100.0] * 30, 3.0, **options)
        false += made.decision in (Decision.FASTER, Decision.SLOWER)
    # 5 % of 400 are 20, and 30 are 2.3 standard deviations more
    assert missed <= 30
    # at the threshold itself one end alone can be crossed
    assert false <= 18


def test_m12_the_p_value_is_the_level_whose_interval_just_reaches_the_threshold() -> None:
    a, b = np.arange(102.0, 114.0), [100.0] * 12
    p = compare_paired_with_bootstrap(a, b, 3.0, seed=0).p_value
    assert p is not None
    assert 0.01 < p < 1
    at_p = compare_paired_with_bootstrap(a, b, 3.0, seed=0, confidence=1 - p)
    assert at_p.interval is not None
    assert at_p.interval[0] == pytest.approx(3.0)
    assert compare_paired_with_bootstrap(a, b, 50.0, seed=0).p_value == 1.0
    assert compare_paired_with_bootstrap([2.0] * 3, [1.0] * 3, seed=0).p_value == 0.0
    assert compare_paired_with_bootstrap(a, [0.0] * 12, seed=0).p_value is None
    assert compare_paired(a, b).p_value is None


HUGE = 1.7e308


def test_m12_statistics_near_the_limits_of_float_are_right_or_refused() -> None:
    far = [-HUGE, HUGE, HUGE, -HUGE]
    with pytest.raises(ValueError, match="so far apart that no float holds their deviation"):
        summarize(far)
    near = summarize([HUGE, HUGE, HUGE * 0.5, HUGE])
    assert near.q1 == pytest.approx(HUGE * 0.875)
    assert (near.q3, near.mad) == (HUGE, 0.0)
    view = filter_outliers(far)
    assert (view.removed, view.lower, view.upper) == ((), -math.inf, math.inf)
    assert filter_outliers(far, k=0).kept == (0, 1, 2, 3)
    with pytest.raises(ValueError, match=r"a\[0\] - b\[0\] overflows"):
        paired_deltas(far, [*far[::-1][1:], HUGE])
    with pytest.raises(ValueError, match="no float holds their interval"):
        compare_paired_with_bootstrap([HUGE, -HUGE, HUGE], [1.0, 1.0, 1.0], seed=0)
    half = compare_paired([HUGE / 2] * 2, [HUGE] * 2)
    assert half.relative_delta_pct == -50.0
    assert compare_paired([1.0, 1.0], [5e-324] * 2).decision is Decision.INVALID


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=8))
def test_m12_any_finite_samples_give_figures_or_a_value_error(samples: list[float]) -> None:
    calls: list[Any] = [
        lambda: astuple(summarize(samples)),
        lambda: filter_outliers(samples).kept,
        lambda: paired_deltas(samples, samples[::-1]).tolist(),
        lambda: (
            compare_paired_with_bootstrap(samples, samples[::-1], seed=0, resamples=40).interval
        ),
    ]
    for call in calls:
        figures: Any = ()
        refusal = ""
        try:
            figures = call()
        except ValueError as error:
            refusal = str(error)
        assert all(math.isfinite(figure) for figure in figures)
        assert refusal == "" or "no float holds" in refusal or "overflows" in refusal


@given(PAIRS, st.integers(0, 5))
def test_groups_of_one_pair_are_the_plain_bootstrap(
    pairs: list[tuple[int, int]], seed: int
) -> None:
    a, b = zip(*pairs, strict=True)
    plain = compare_paired_with_bootstrap(a, b, seed=seed, resamples=50)
    alone = compare_paired_with_bootstrap(
        a, b, seed=seed, resamples=50, groups=range(len(a)), grouping="pairs"
    )
    assert plain == alone


def test_a_comparison_is_plain_data() -> None:
    made = compare_paired([1.0, 2.0], [2.0, 4.0])
    assert made == Comparison(1.5, 3.0, -1.5, -50.0, None, Decision.FASTER, 2, 3.0)
    assert hash(made) == hash(compare_paired([1.0, 2.0], [2.0, 4.0]))


@given(st.lists(FINITE, min_size=1, max_size=20))
def test_summaries_agree_with_exact_fractions(samples: list[float]) -> None:
    made = summarize(samples)
    exact = [Fraction(x) for x in samples]
    assert (made.count, made.min, made.max) == (len(samples), min(samples), max(samples))
    assert made.mean == float(sum(exact) / len(exact))
    assert made.min <= made.mean <= made.max
    median = float(exact_median(exact))
    assert made.median == pytest.approx(median, rel=1e-15, abs=5e-324)
    assert made.min <= made.q1 <= made.q3 <= made.max
    assert (made.stdev is None) == (len(samples) == 1)


@given(st.lists(SMALL, min_size=2, max_size=20))
def test_spreads_agree_with_exact_fractions(samples: list[int]) -> None:
    made = summarize(samples)
    exact = [Fraction(x) for x in samples]
    median = exact_median(exact)
    assert Fraction(made.mad) == exact_median([abs(x - median) for x in exact])
    assert made.stdev is not None
    mean = sum(exact) / len(exact)
    variance = sum((x - mean) ** 2 for x in exact) / (len(exact) - 1)
    assert made.stdev == pytest.approx(math.sqrt(variance))


@given(st.lists(SMALL, min_size=1, max_size=30), st.sampled_from([0.0, 0.5, 1.5, 3.0]))
def test_m5_outliers_are_a_view_by_positions(samples: list[int], k: float) -> None:
    view = filter_outliers(samples, k=k)
    assert sorted((*view.kept, *view.removed)) == list(range(len(samples)))
    assert all(view.lower <= samples[i] <= view.upper for i in view.kept)
    assert all(not view.lower <= samples[i] <= view.upper for i in view.removed)
    assert view.mask().tolist() == [i in view.kept for i in range(len(samples))]
    ordered = sorted(samples)
    lower, upper = (np.quantile(ordered, q) for q in (0.25, 0.75))
    assert view.lower == pytest.approx(lower - k * (upper - lower))


def test_m5_an_outlier_is_found_and_named() -> None:
    view = filter_outliers([10.0, 11.0, 100.0, 10.5, 9.5])
    assert view.removed == (2,)
    for k, error in ((-1, ValueError), (math.inf, ValueError), ("1", TypeError)):
        wrong: Any = k
        with pytest.raises(error, match="k must be"):
            filter_outliers([1.0], k=wrong)


def test_no_samples_are_refused() -> None:
    for call in (summarize, filter_outliers):
        with pytest.raises(ValueError, match="samples must hold at least 1 samples, not 0"):
            call([])
    with pytest.raises(ValueError, match="at least 1 pairs, not 0"):
        paired_deltas([], [])


@given(st.lists(st.floats(0, 1), max_size=6))
def test_m12_holm_rejects_what_the_step_down_procedure_rejects(p: list[float]) -> None:
    adjusted = holm(p)
    order = sorted(range(len(p)), key=lambda i: p[i])
    running = Fraction(0)
    for rank, i in enumerate(order):
        running = max(running, min(Fraction(1), Fraction(p[i]) * (len(p) - rank)))
        assert adjusted[i] == pytest.approx(float(running), rel=1e-15)
    assert all(x <= y for x, y in zip(p, adjusted, strict=True))


def test_holm_refuses_what_is_no_probability() -> None:
    with pytest.raises(ValueError, match=r"p_values\[1\] must be between 0 and 1, not 1.5"):
        holm([0.5, 1.5])
    assert holm([]) == []
