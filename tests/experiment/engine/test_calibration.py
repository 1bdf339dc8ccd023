"""M4: the iteration count fills the target time, and a zero reading never divides."""

from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment.engine._calibration import calibrate


@given(per_call=st.floats(1e-9, 1.0), target=st.floats(1e-6, 1e-2))
def test_m4_the_count_is_the_first_power_of_two_that_fills_the_target(
    per_call: float, target: float
) -> None:
    found = calibrate(lambda count: count * per_call, target)
    assert found.seconds == found.iterations * per_call
    assert found.iterations.bit_count() == 1
    assert not found.below_resolution
    assert found.seconds >= target
    assert found.iterations == 1 or found.iterations // 2 * per_call < target


def test_m4_a_coarse_clock_is_waited_for() -> None:
    # the clock ticks every millisecond: small batches read as exactly zero
    found = calibrate(lambda count: count * 10 // 1_000_000 / 1000, 0.002)
    assert found.iterations == 2**18
    assert found.seconds == 0.002


def test_m4_a_batch_that_stays_at_zero_is_below_the_resolution() -> None:
    tried: list[int] = []

    def seconds_of(count: int) -> float:
        tried.append(count)
        return 0.0

    found = calibrate(seconds_of, 0.002, max_iterations=64)
    assert tried == [1, 1, 2, 4, 8, 16, 32, 64]
    assert (found.iterations, found.seconds, found.below_resolution) == (64, 0.0, True)


def test_the_largest_count_is_kept_when_it_takes_some_time_at_least() -> None:
    found = calibrate(lambda count: count * 1e-9, 0.002, max_iterations=64)
    assert (found.iterations, found.below_resolution) == (64, False)


def test_m4_a_cold_first_call_or_a_stall_does_not_decide_the_count() -> None:
    calls: list[int] = []

    def seconds_of(count: int) -> float:
        calls.append(count)
        stalled = len(calls) in {1, 2, 5}
        return count * 1e-6 + (0.02 if stalled else 0.0)

    assert calibrate(seconds_of, 0.002).iterations == 2048
