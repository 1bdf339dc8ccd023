"""M1, M7: a call that ends or blocks its process is the outcome of that one call."""

import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.experiment.kit import called, parts_with

from lunaflow.experiment import Aborted, ParseFailure, Protocol, Timeout, Value
from lunaflow.experiment._statuses import classify
from lunaflow.experiment.engine._calls import CallsApart, CallsHere
from lunaflow.experiment.engine._parcel import pack_parts

PROTOCOL = Protocol("TEST", pairs=2, processes=1, validation_seconds=1.0)
FOUR, EIGHT = np.arange(4), np.arange(8)


@contextmanager
def apart(functions: types.ModuleType, *names: str) -> Iterator[CallsApart]:
    parts = parts_with({name: getattr(functions, name) for name in names}, functions.make)
    with CallsApart(parts, pack_parts(parts), PROTOCOL) as calls:
        yield calls


def test_e5_calls_apart_are_calls_in_one_other_process(functions: types.ModuleType) -> None:
    with apart(functions, "total", "process_of", "overflowing") as calls:
        assert calls("total", EIGHT) == called(28)
        process = calls("process_of", FOUR)
        assert process == calls("process_of", EIGHT)
        assert process != CallsHere(
            parts_with({"process_of": functions.process_of}, functions.make)
        )("process_of", FOUR)
        here = CallsHere(parts_with({"overflowing": functions.overflowing}, functions.make))
        assert calls("overflowing", FOUR) == here("overflowing", FOUR)


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("exiting", 7, "last words \ufffd"),
        ("segfaulting", -11, ""),
        ("leaving", 1, "enough"),
    ],
)
def test_m1_a_call_that_ends_its_process_is_aborted_and_the_next_goes_on(
    functions: types.ModuleType, name: str, code: int, said: str
) -> None:
    with apart(functions, name, "total") as calls:
        assert calls(name, FOUR) == calls("total", FOUR) == called(6)
        outcome = calls(name, EIGHT).outcome
        assert isinstance(outcome, Aborted)
        assert outcome.exit_code == code
        assert said in outcome.stderr
        assert calls("total", EIGHT) == called(28)
        assert calls(name, FOUR) == called(6)


def test_m1_a_call_without_end_is_a_timeout_and_the_next_goes_on(
    functions: types.ModuleType,
) -> None:
    with apart(functions, "looping", "total") as calls:
        outcome = calls("looping", EIGHT).outcome
        assert outcome == Timeout(1000, "the call did not return")
        assert calls("total", EIGHT) == called(28)


def test_m7_a_flood_is_cut_off_with_the_reason(
    functions: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lunaflow.experiment.processes._supervised.OUTPUT_LIMIT", 2**22)
    with apart(functions, "flooding", "talkative") as calls:
        outcome = calls("flooding", EIGHT).outcome
        assert isinstance(outcome, Aborted)
        assert outcome.exit_code is None
        status = classify(outcome)
        assert "aborted: it printed more than 4194304 bytes and was ended" in str(status)
        # each call has a limit of its own
        assert [calls("talkative", FOUR) for _ in range(4)] == [called(6)] * 4


def test_m7_garbage_and_a_closed_pipe_are_outcomes(functions: types.ModuleType) -> None:
    with apart(functions, "writing_garbage", "closing_everything", "total") as calls:
        assert isinstance(calls("writing_garbage", FOUR).outcome, ParseFailure)
        outcome = calls("closing_everything", EIGHT).outcome
        assert isinstance(outcome, Aborted)
        assert "closed the pipe of its results" in outcome.stderr
        assert calls("total", FOUR) == called(6)


def test_m7_an_implementation_that_reads_finds_nothing(functions: types.ModuleType) -> None:
    with apart(functions, "reading", "total") as calls:
        assert calls("reading", FOUR) == called(6)
        assert calls("total", FOUR) == called(6)


def test_m8_a_changed_input_is_found_there(functions: types.ModuleType) -> None:
    argument = np.array([3, 1, 2])
    with apart(functions, "sorting_in_place") as calls:
        assert calls("sorting_in_place", argument) == called(6, changed_input=True)
    assert argument.tolist() == [3, 1, 2]


def test_large_arrays_go_there_and_back(functions: types.ModuleType) -> None:
    array = np.arange(2**21)
    with apart(functions, "doubled") as calls:
        outcome = calls("doubled", array).outcome
    assert isinstance(outcome, Value)
    assert np.array_equal(outcome.value, 2 * array)


def test_what_cannot_be_pickled_is_called_here(functions: types.ModuleType) -> None:
    with apart(functions, "unpicklable", "size_of") as calls:
        outcome = calls("unpicklable", FOUR).outcome
        assert isinstance(outcome, Value)
        assert np.array_equal(outcome.value(), FOUR)
        assert calls("size_of", [iter([]), lambda: 0]) == called(2)


class Local:
    """Travels by value: its module is imported by no name that a fresh interpreter knows."""

    def __init__(self, number: int) -> None:
        self.number = number


Local.__module__ = "__main__"


def test_classes_that_travel_by_value_come_back_as_the_same_class(
    functions: types.ModuleType,
) -> None:
    with apart(functions, "same") as calls:
        outcome = calls("same", [Local(5)]).outcome
    assert isinstance(outcome, Value)
    assert type(outcome.value[0]) is Local
    assert outcome.value[0].number == 5


def test_an_interpreter_that_never_gets_ready_is_the_outcome_of_all_calls(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = parts_with({"total": functions.total}, functions.make)
    packed = pack_parts(parts)
    monkeypatch.setattr("sys.path", [p for p in __import__("sys").path if "helpers" not in p])
    with CallsApart(parts, packed, PROTOCOL) as calls:
        first, second = calls("total", FOUR), calls("total", EIGHT)
    assert first is not None
    assert first == second
    assert isinstance(first.outcome, Aborted)
    assert "ModuleNotFoundError" in first.outcome.stderr


def test_no_descriptor_stays_open(functions: types.ModuleType) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    with apart(functions, "exiting") as calls:
        calls("exiting", EIGHT)
        calls("exiting", FOUR)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
