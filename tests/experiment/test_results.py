"""Verdicts are computed from raw blocks, against the noise that the A/A control shows."""

import copy
import itertools
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lunaflow.experiment import (
    ExperimentResult,
    Found,
    Invalid,
    Label,
    NoCrossover,
    Protocol,
    Trap,
    Valid,
)
from lunaflow.experiment._observations import Block, Calibration, Failure, Validation
from lunaflow.experiment.stats import Decision
from lunaflow.policy import Fallback, Global, Piecewise

PROTOCOL = Protocol("TEST", pairs=8, processes=2, resamples=200)
ORDER = ("f", "f (control)", "g", "g (control)")
CONTROLS = ("f (control)", "g (control)")
Seconds = Callable[[int, int], tuple[float, ...]]


def result_of(
    seconds: Seconds, *, sizes: tuple[int, ...] = (4,), processes: int = 2, **fields: Any
) -> ExperimentResult:
    """Return a result with 4 blocks a process, of batches of 10 calls.

    `seconds` gives those of f, its twin, g and g's twin; without the last, g's are its twin's.
    """
    blocks = []
    for size, p, b in itertools.product(sizes, range(processes), range(4)):
        f, control, g, *twin = seconds(size, 4 * p + b)
        batch = tuple(10 * one for one in (f, control, g, *(twin or [g])))
        blocks.append(Block(f"e/{size}/p{p}/b{b}", size, p, b, ORDER, (10,) * 4, batch))
    return ExperimentResult(
        "e", ("f", "g"), sizes, PROTOCOL, "equal", CONTROLS, 0, blocks=tuple(blocks), **fields
    )


def constant(f: float, control: float, g: float) -> Seconds:
    return lambda _size, _block: (f, control, g)


def test_times_are_seconds_per_call_in_the_order_measured() -> None:
    result = result_of(lambda _size, block: (1.0 + block, 2.0, 3.0))
    assert result.times("f", 4).tolist() == [1.0 + block for block in range(8)]
    assert result.times("f (control)", 4).tolist() == [2.0] * 8
    assert result.times("f", 4).dtype == np.float64


@pytest.mark.parametrize(
    ("g", "decision", "label"),
    [
        (0.9, Decision.SLOWER, Label.B),
        (1.1, Decision.FASTER, Label.A),
        (1.001, Decision.EQUIVALENT, Label.UNKNOWN),
    ],
)
def test_a_clear_difference_over_a_quiet_control_is_decided(
    g: float, decision: Decision, label: Label
) -> None:
    result = result_of(constant(1.0, 1.0, g))
    assert result.noise_floor == {4: 0.0}
    assert result.verdict("f", "g", 4) is decision
    assert result.labels("f", "g") == (label,)
    found = result.comparison("f", "g", 4)
    assert found is not None
    assert found.threshold_pct == 3.0
    assert found.interval_pct == pytest.approx((100 * (1 - g) / g,) * 2)
    assert found.relative_delta_pct == pytest.approx(100 * (1 - g) / g)


def test_m14_no_verdict_for_a_difference_smaller_than_the_controls_spread() -> None:
    # g differs by 10 %, but so do two runs of f from each other
    result = result_of(constant(1.0, 1.2, 0.9))
    assert result.noise_floor == {4: pytest.approx(20.0)}
    found = result.comparison("f", "g", 4)
    assert found is not None
    # 0.2 s, of g's median of 0.9 s
    assert found.threshold_pct == found.noise_floor_pct == pytest.approx(100 * 0.2 / 0.9)
    assert found.decision is Decision.UNKNOWN
    assert found.label is Label.UNKNOWN
    # beyond the floor there is one again
    assert result_of(constant(1.0, 1.2, 0.5)).verdict("f", "g", 4) is Decision.SLOWER


@pytest.mark.parametrize(("twin", "decision"), [(1.09, Decision.SLOWER), (1.11, Decision.UNKNOWN)])
def test_m14_the_difference_is_held_against_the_floor_and_not_its_interval(
    twin: float, decision: Decision
) -> None:
    result = result_of(lambda _size, block: (*(1.08 + 0.04 * (block % 2),) * 2, 1.0, twin))
    found = result.comparison("f", "g", 4)
    assert found is not None
    assert found.relative_delta_pct == pytest.approx(10)
    assert found.interval_pct is not None
    assert 3 < found.interval_pct[0] < 9
    assert found.interval_pct[1] > 11
    assert found.noise_floor_pct == pytest.approx(100 * (twin - 1))
    assert found.decision is decision


def test_m14_the_floor_is_what_the_control_differs_by_or_how_uncertain_that_is() -> None:
    around = result_of(lambda _size, block: (1.0, 0.9 + 0.2 * (block % 2), 1.0))
    control = around.comparison("f (control)", "f", 4)
    assert control is not None
    assert control.interval_pct is not None
    low, high = control.interval_pct
    assert control.relative_delta_pct == pytest.approx(0, abs=1e-9)
    assert around.noise_floor[4] == pytest.approx((high - low) / 2)
    assert around.noise_floor[4] > 3
    apart = result_of(lambda _size, block: (1.0, 1.19 + 0.02 * (block % 2), 1.0))
    assert apart.noise_floor[4] == pytest.approx(20)


def test_m14_inside_the_noise_nothing_is_called_equivalent() -> None:
    assert result_of(constant(1.0, 1.2, 1.0)).verdict("f", "g", 4) is Decision.UNKNOWN
    assert result_of(constant(1.0, 1.02, 1.0)).verdict("f", "g", 4) is Decision.EQUIVALENT


@given(st.floats(0.5, 2.0), st.floats(0.5, 2.0))
def test_m14_a_decision_never_lies_inside_the_floor(control: float, g: float) -> None:
    found = result_of(constant(1.0, control, g)).comparison("f", "g", 4)
    assert found is not None
    floor, delta = 100 * abs(control - 1.0) / g, abs(100 * (1.0 - g) / g)
    assert found.noise_floor_pct == pytest.approx(floor)
    if found.decision in (Decision.FASTER, Decision.SLOWER):
        assert delta >= floor * (1 - 1e-9)
    else:
        assert delta <= max(3.0, floor) * (1 + 1e-9)


@pytest.mark.parametrize(("processes", "grouping"), [(4, "blocks"), (5, "processes")])
def test_m14_from_five_processes_on_whole_processes_are_resampled(
    processes: int, grouping: str
) -> None:
    # all of the variation lies between the processes
    def seconds(_size: int, block: int) -> tuple[float, ...]:
        return 1.0, 1.0, 1.0 + 0.1 * (block // 4)

    found = result_of(seconds, processes=processes).comparison("f", "g", 4)
    assert found is not None
    assert found.grouping == found.comparison.grouping == grouping


def test_m6_exploratory_samples_never_reach_a_comparison() -> None:
    calibrations = tuple(
        Calibration(name, 4, 0, 8, 99.0, below_resolution=False) for name in ("f", "g")
    )
    with_them = result_of(constant(1.0, 1.0, 0.5), calibrations=calibrations)
    without = result_of(constant(1.0, 1.0, 0.5))
    assert with_them.comparison("f", "g", 4) == without.comparison("f", "g", 4)
    assert with_them.times("f", 4).tolist() == without.times("f", 4).tolist()


def test_m1_figures_of_a_failed_implementation_are_dropped() -> None:
    failure = Failure("g", 4, Invalid("changed its input"), process=1)
    result = result_of(constant(1.0, 1.0, 0.1), sizes=(4, 8), failures=(failure,))
    assert result.times("g", 4).size == 0
    assert result.comparison("f", "g", 4) is None
    assert result.verdict("f", "g", 4) is result.verdict("g", "f", 4) is Decision.INVALID
    assert result.labels("f", "g") == (Label.UNKNOWN, Label.B)
    # the raw observations are kept (M5)
    assert sum("g" in block.order for block in result.blocks) == 16
    assert "FAILED g at size 4: Invalid: changed its input" in str(result)


def test_m1_where_an_implementation_failed_its_twin_fails_with_it() -> None:
    result = result_of(constant(1.0, 1.0, 0.1), failures=(Failure("f", 4, Invalid("wrong")),))
    assert result.times("f (control)", 4).size == 0
    assert result.noise_floor == {4: 0.0}
    assert result.noise_floor_of("f", "g", 4) is None


def test_m14_the_floor_of_a_pair_is_the_larger_of_its_two_in_seconds() -> None:
    # f repeats within 0.01 s, g only within 0.18 s
    result = result_of(lambda _size, _block: (1.0, 1.01, 0.9, 0.9 * 1.2))
    assert result.noise_floor == {4: pytest.approx(20.0)}
    assert result.noise_floor_of("f", "g", 4) == pytest.approx(20.0)
    assert result.noise_floor_of("g", "f", 4) == pytest.approx(18.0)
    assert result.noise_floor_of("f (control)", "f", 4) == pytest.approx(1.0)
    for pair in (("f", "g"), ("g", "f")):
        found = result.comparison(*pair, 4)
        assert found is not None
        assert found.threshold_pct == found.noise_floor_pct == result.noise_floor_of(*pair, 4)
        assert found.decision is Decision.UNKNOWN


def test_m14_a_noisy_fast_one_can_be_faster_than_a_slow_one() -> None:
    # in percent g repeats within 90 % only, which f cannot be faster than by, but that is 0.009 s
    result = result_of(lambda _size, _block: (1.0, 1.01, 0.01, 0.019))
    assert result.verdict("g", "f", 4) is Decision.FASTER
    assert result.verdict("f", "g", 4) is Decision.SLOWER
    # and g is not slower than f's noise lets it seem
    result = result_of(lambda _size, _block: (1.0, 2.0, 0.01, 0.01))
    assert result.verdict("g", "f", 4) is result.verdict("f", "g", 4) is Decision.UNKNOWN


def test_m14_rounding_to_percent_decides_for_neither_way_round() -> None:
    # the floor is the float after the difference; in percent of g both are one number
    result = result_of(constant(1.13, 3.6900000000000004, 3.69))
    found = result.comparison("f", "g", 4)
    assert found is not None
    assert found.interval_pct == (-found.threshold_pct,) * 2
    assert result.verdict("f", "g", 4) is result.verdict("g", "f", 4) is Decision.UNKNOWN


# times that often agree, and often differ by the least that floats can
TIMES = st.sampled_from([1.0, 0.8, 1.2, 0.8 + 2**-53, 1.2 - 2**-52, 0.01, 0.02, 100.0]) | st.floats(
    0.001, 1000.0
)


@given(st.data(), st.sampled_from([1, 8]), st.sampled_from([1, 5]))
@settings(max_examples=60, deadline=None)
def test_m14_the_two_ways_round_never_contradict(data: Any, count: int, processes: int) -> None:
    rows = data.draw(st.lists(st.tuples(*[TIMES] * 4), min_size=count, max_size=count))
    result = result_of(lambda _size, block: rows[block % count], processes=processes)
    one, other = result.comparison("f", "g", 4), result.comparison("g", "f", 4)
    assert one is not None
    assert other is not None
    assert one.interval is not None
    assert other.interval == (-one.interval[1], -one.interval[0])
    decided = {Decision.FASTER: Decision.SLOWER, Decision.SLOWER: Decision.FASTER}
    for this, that in ((one, other), (other, one)):
        if this.decision not in decided or that.decision is decided[this.decision]:
            continue
        # only what is too little to matter may be undecided, never the other way round
        assert that.decision in (Decision.UNKNOWN, Decision.EQUIVALENT)
        assert that.interval_pct is not None
        assert min(map(abs, that.interval_pct)) < result.protocol.practical_delta_pct


@pytest.mark.parametrize(
    "order", [("f", "f (control)", "g"), ("f", "g", "g (control)"), ("f", "g")]
)
def test_m14_a_side_without_a_control_gets_no_verdict(order: tuple[str, ...]) -> None:
    speed = {"f": 1.0, "g": 0.1}
    seconds = tuple(speed[name.removesuffix(" (control)")] for name in order)
    blocks = tuple(Block(f"b{b}", 4, 0, b, order, (1,) * len(order), seconds) for b in range(4))
    result = ExperimentResult("e", ("f", "g"), (4,), PROTOCOL, "equal", CONTROLS, 0, blocks=blocks)
    found = result.comparison("g", "f", 4)
    assert found is not None
    assert (found.decision, found.label) == (Decision.UNKNOWN, Label.UNKNOWN)
    assert found.noise_floor_pct is result.noise_floor_of("f", "g", 4) is None
    assert set(result.noise_floor) == ({4} if len(order) == 3 else set())


def test_crossover_and_policy_with_the_comparisons_as_evidence() -> None:
    def seconds(size: int, _block: int) -> tuple[float, float, float]:
        return 1.0, 1.0, {1: 2.0, 2: 2.0, 4: 1.0, 8: 0.5, 16: 0.5}[size]

    result = result_of(seconds, sizes=(1, 2, 4, 8, 16))
    found = result.crossover("f", "g")
    assert isinstance(found, Found)
    assert (found.boundary.below, found.boundary.at_or_above) == (2, 8)
    assert found.undecided == (4,)
    ids = [result.comparison("f", "g", size) for size in result.sizes]
    assert found.evidence.observation_ids == tuple((one.id,) for one in ids if one is not None)
    policy = result.policy("f", "g", fallback="f")
    assert isinstance(policy, Piecewise)
    assert [(r.lower, r.upper, r.choice) for r in policy.regions] == [(1, 2, "f"), (8, 16, "g")]
    assert len(list(result.comparisons())) == 5


def test_without_a_change_the_policy_is_global_and_without_figures_the_fallback() -> None:
    result = result_of(constant(1.0, 1.0, 0.5))
    assert isinstance(result.crossover("f", "g"), NoCrossover)
    assert result.policy("f", "g", fallback="f") == Global("g")
    nothing = replace(result, blocks=())
    assert isinstance(nothing.policy("f", "g", fallback="f"), Fallback)
    assert nothing.crossover("f", "g").evidence.observation_ids == ((),)


def test_a_policy_falls_back_on_an_implementation_of_the_experiment() -> None:
    result = result_of(constant(1.0, 1.0, 0.5))
    failed = replace(result, failures=(Failure("g", 4, Invalid("wrong")),))
    for one in (result, failed):
        with pytest.raises(ValueError, match="fallback must be one of f, g, not 'numpy'"):
            one.policy("f", "g", fallback="numpy")
        with pytest.raises(ValueError, match=r"fallback must be one of f, g, not 'f \(control\)'"):
            one.policy("f", "g", fallback="f (control)")
        with pytest.raises(TypeError, match="fallback must be a str"):
            one.policy("f", "g", fallback=None)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="implementation must be one of f, g"):
            one.policy("g", "h", fallback="f")


def test_m4_zero_duration_never_gives_infinitely_many_times_faster() -> None:
    for seconds in (constant(0.0, 0.0, 1.8e-3), constant(1.8e-3, 1.8e-3, 0.0), constant(0, 0, 0)):
        result = result_of(seconds)
        for pair in (("f", "g"), ("g", "f")):
            found = result.comparison(*pair, 4)
            assert found is not None
            if found.comparison.b_median == 0:
                assert found.decision is Decision.INVALID
                assert found.relative_delta_pct is None
                assert found.interval_pct is None
        text = str(result)
        assert "inf" not in text
        assert "nan" not in text
    below = Calibration("g", 4, 0, 2**24, 0.0, below_resolution=True)
    text = str(result_of(constant(1.0, 1.0, 1.0), calibrations=(below,)))
    assert "not timed: g at size 4 is below the timer's resolution" in text


def test_valid_traps_are_those_the_oracle_accepted() -> None:
    trap = Trap("ArithmeticError", "too much", kind="OVERFLOW", index=3)
    validations = (
        Validation("f", 4, "equal", Valid(), "text", trap),
        Validation("g", 4, "equal", Invalid("outcome mismatch"), "text", trap),
        Validation("g", 8, "equal", Valid(), "text", Trap("ValueError", "no")),
    )
    result = replace(result_of(constant(1.0, 1.0, 1.0)), validations=validations)
    assert [(t.implementation, t.size, t.kind) for t in result.traps] == [
        ("f", 4, "OVERFLOW"),
        ("g", 8, "ValueError"),
    ]


def test_names_and_sizes_of_other_experiments_are_refused() -> None:
    result = result_of(constant(1.0, 1.0, 1.0))
    with pytest.raises(ValueError, match=r"size must be one of \(4,\), not 5"):
        result.times("f", 5)
    with pytest.raises(ValueError, match=r"implementation must be one of f, g, f \(control\), g"):
        result.comparison("f", "h", 4)
    with pytest.raises(TypeError, match="size must be an integer"):
        result.verdict("f", "g", 4.0)  # type: ignore[arg-type]


def test_results_are_values() -> None:
    result = result_of(constant(1.0, 1.0, 2.0))
    other = result_of(constant(1.0, 1.0, 2.0))
    assert str(result).startswith("e: median time of a call")
    assert result == other
    assert hash(result) == hash(other)
    assert pickle.loads(pickle.dumps(result)) == result
    assert copy.deepcopy(result) == result
    assert result != result_of(constant(1.0, 1.0, 3.0))


def test_the_same_blocks_give_the_same_interval() -> None:
    rng = np.random.default_rng(1)
    noise = rng.uniform(0.9, 1.1, (8, 3))

    def seconds(_size: int, block: int) -> tuple[float, float, float]:
        f, control, g = noise[block].tolist()
        return f, control, g

    assert result_of(seconds).comparison("f", "g", 4) == result_of(seconds).comparison("f", "g", 4)


def test_m11_what_failed_anywhere_is_not_deployed_for_its_speed_elsewhere() -> None:
    wrong = Failure("g", 8, Invalid("value mismatch: 1 is not 2"))
    seconds = constant(2.0, 2.0, 1.0)
    assert isinstance(result_of(seconds, sizes=(4, 16)).policy("f", "g", fallback="f"), Global)
    policy = result_of(seconds, sizes=(4, 8, 16), failures=(wrong,)).policy("f", "g", fallback="f")
    assert policy == Fallback("f", "g failed at size 8: value mismatch: 1 is not 2")


def test_m11_what_failed_is_no_fallback() -> None:
    wrong = Failure("g", 8, Invalid("value mismatch: 1 is not 2"))
    result = result_of(constant(2.0, 2.0, 1.0), sizes=(4, 8), failures=(wrong,))
    message = "one that failed nowhere: f; g failed at size 8: value mismatch: 1 is not 2"
    for pair in (("f", "g"), ("f", "f")):
        with pytest.raises(ValueError, match=message):
            result.policy(*pair, fallback="g")
    both = replace(result, failures=(wrong, Failure("f", None, Invalid("died"))))
    with pytest.raises(ValueError, match="failed nowhere: there is none; f failed: died"):
        both.policy("f", "g", fallback="f")


def test_where_one_failed_a_verdict_is_invalid_and_elsewhere_it_is_as_it_is() -> None:
    failure = Failure("g", 8, Invalid("wrong"))
    result = result_of(constant(1.0, 1.0, 0.5), sizes=(4, 8), failures=(failure,))
    assert result.verdict("f", "g", 8) is result.verdict("g (control)", "f", 8) is Decision.INVALID
    assert result.comparison("f", "g", 8) is None
    assert result.verdict("f", "f (control)", 8) is Decision.EQUIVALENT
    assert result.verdict("f", "g", 4) is Decision.SLOWER
    # nothing was timed, but nothing failed either
    assert replace(result, blocks=(), failures=()).verdict("f", "g", 4) is Decision.UNKNOWN


def test_m12_the_table_says_that_there_are_several_comparisons() -> None:
    lines = str(result_of(constant(1.0, 1.0, 0.5), sizes=(4, 8))).splitlines()
    assert lines[-1] == (
        "2 comparisons: of the 2 verdicts that one is faster, all stand after Holm's correction "
        "for all of them (5 % in total)."
    )
    assert "Holm" not in str(result_of(constant(1.0, 1.0, 0.5)))


def test_m12_verdicts_of_the_same_code_are_rare_with_and_without_correction() -> None:
    # 5 processes x 6 blocks of twins: 2 % between the processes, 0.5 % between the blocks
    rng = np.random.default_rng(0)
    false = 0
    for _ in range(60):
        effect = 1 + 0.02 * rng.standard_normal((5, 4))
        blocks = tuple(
            Block(f"{p}/{b}", 4, p, b, ORDER, (1,) * 4, tuple(times.tolist()))
            for p in range(5)
            for b in range(6)
            for times in [effect[p] * (1 + 0.005 * rng.standard_normal(4))]
        )
        protocol = replace(PROTOCOL, practical_delta_pct=0.01)
        result = ExperimentResult(
            "e", ("f", "g"), (4,), protocol, "equal", CONTROLS, 0, blocks=blocks
        )
        false += result.verdict("f", "g", 4) in (Decision.FASTER, Decision.SLOWER)
    assert false <= 3
