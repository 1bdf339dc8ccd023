"""M3: inside the clock runs the payload alone, with the garbage collector off."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from lunaflow.experiment.processes.standalone._batch import ClockError, time_batch, time_calls


class Output:
    """Something that tells when it is freed."""


@pytest.fixture
def collector() -> Iterator[None]:
    was_enabled = gc.isenabled()
    yield
    if was_enabled:
        gc.enable()
    else:
        gc.disable()


def test_m3_the_seconds_are_those_between_the_two_readings() -> None:
    readings = iter([1_000, 3_500_001_000])
    calls: list[str] = []
    assert time_batch(calls.append, "input", 3, lambda: next(readings)) == 3.5
    assert calls == ["input"] * 3


def test_m3_the_last_output_lives_until_the_clock_is_read() -> None:
    alive: list[bool] = []
    made: list[weakref.ref[Output]] = []

    def payload(_input: object) -> Output:
        output = Output()
        made.append(weakref.ref(output))
        return output

    def clock() -> int:
        alive.append(bool(made) and made[-1]() is not None)
        return 0

    time_batch(payload, None, 2, clock)
    assert alive == [False, True]
    assert made[-1]() is None


@pytest.mark.parametrize("enabled", [True, False])
def test_m3_the_garbage_collector_is_off_inside_and_as_before_after(
    enabled: bool, collector: None
) -> None:
    if enabled:
        gc.enable()
    else:
        gc.disable()
    inside: list[bool] = []
    time_batch(lambda _: inside.append(gc.isenabled()), None, 1)
    assert inside == [False]
    assert gc.isenabled() is enabled


def test_the_garbage_collector_comes_back_when_the_payload_raises(collector: None) -> None:
    gc.enable()

    def payload(_input: object) -> None:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        time_batch(payload, None, 1)
    assert gc.isenabled()


def test_a_negative_duration_is_refused() -> None:
    readings = iter([10, 3])
    with pytest.raises(ClockError, match="backwards by 7 ns"):
        time_batch(len, "", 1, lambda: next(readings))


def test_m3_arguments_of_their_own_are_made_outside_the_clock() -> None:
    now = [0]
    made: list[int] = []
    alive: list[int] = []

    def fresh() -> int:
        now[0] += 10**6
        made.append(len(made))
        return made[-1]

    def payload(argument: int) -> int:
        now[0] += 7
        alive.append(len(made) - argument)
        return argument

    seconds = time_calls(payload, fresh, 10, lambda: now[0], group=4)
    assert seconds == pytest.approx(70e-9)
    assert made == list(range(10))
    # no more than a group of them is there at once
    assert max(alive) == 4


def test_m4_a_clock_that_goes_back_in_a_group_is_an_error() -> None:
    times = iter([5, 6, 9, 8])
    with pytest.raises(ClockError, match="went backwards by 1 ns"):
        time_calls(abs, lambda: 1, 2, lambda: next(times), group=1)
