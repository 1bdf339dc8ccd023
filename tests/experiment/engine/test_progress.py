"""Progress is told to a callable, shown on a terminal, and silent elsewhere."""

import io
import sys

import pytest

from lunaflow._stored import dumps
from lunaflow.experiment._environment import environment
from lunaflow.experiment.engine._progress import StepCounter, reporting


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_callable_gets_every_step_and_never_more_than_the_total() -> None:
    steps: list[tuple[int, int, str]] = []
    with reporting(lambda *step: steps.append(step)) as report:
        counter = StepCounter(report, 2)
        for text in "abc":
            counter.advance(text)
        counter.finish("end")
    assert steps == [(1, 2, "a"), (2, 2, "b"), (2, 2, "c"), (2, 2, "end")]


def test_a_bar_is_shown_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, progress, shown in (
        (Terminal(), True, True),
        (Terminal(), False, False),
        (io.StringIO(), True, False),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        with reporting(progress) as report:
            report(1, 2, "measuring [bold]x")
        assert bool(stream.getvalue()) is shown


def test_what_an_earlier_run_has_done_counts_and_is_not_told_again() -> None:
    steps: list[tuple[int, int, str]] = []
    with reporting(lambda *step: steps.append(step)) as report:
        counter = StepCounter(report, 10)
        counter.skip(7)
        counter.advance("a")
        counter.skip(7)
        counter.advance("b")
    assert steps == [(8, 10, "a"), (10, 10, "b")]


def test_the_time_left_rests_on_what_this_run_has_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.progress import Progress

    bars: list[Progress] = []
    real = Progress.add_task

    def add_task(self: Progress, *given: object, **named: object) -> object:
        bars.append(self)
        return real(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Progress, "add_task", add_task)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with reporting(True) as report:
        report(900, 1000, "size 8")
        report(901, 1000, "size 8")
        (task,) = bars[0].tasks
        # the first 899 steps are no sample of how fast it goes
        assert sum(sample.completed for sample in task._progress) == 2
        assert task.completed == 901


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(TypeError, match="progress must be a bool or a callable"), reporting(3):  # type: ignore[arg-type]
        pass


def test_the_environment_is_plain_data() -> None:
    found = environment()
    assert set(found) == {
        "python", "implementation", "numpy", "lunaflow", "platform", "machine", "cpu", "cpus"
    }  # fmt: skip
    assert found["cpus"] >= 1
    assert all(isinstance(v, str) and v for k, v in found.items() if k != "cpus")
    assert dumps(found)
