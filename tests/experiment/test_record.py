"""Results are built from events alone, however much of them there is."""

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow._stored import dumps, loads
from lunaflow.experiment import (
    EventFileError,
    EventWriter,
    ExpectedDifference,
    InfrastructureFailure,
    Invalid,
    Protocol,
    RaisedFlags,
    RunRecord,
    Skipped,
    Trap,
    Trapped,
    Unsupported,
    Valid,
    Value,
    read_run,
    recorded_run,
)
from lunaflow.experiment._environment import environment
from lunaflow.experiment._event_values import (
    outcome_to_event,
    protocol_to_event,
    status_from_event,
    status_to_event,
)
from lunaflow.experiment._recorder import Recorder
from lunaflow.experiment._statuses import Status
from lunaflow.experiment.events import EventLog

PROTOCOL = Protocol("TEST", pairs=2, processes=1)


def start(recorder: Any, name: str, **more: Any) -> None:
    recorder.write(
        "experiment_started",
        experiment=name,
        implementations=["f", "g"],
        sizes=[4],
        protocol={**protocol_to_event(PROTOCOL), **more},
        oracle="equal",
        controls=["f (control)", "g (control)"],
        seed=0,
    )


def block(recorder: Any, name: str, index: int) -> None:
    recorder.write(
        "block",
        id=f"{name}/4/p0/b{index}",
        experiment=name,
        size=4,
        process=0,
        block=index,
        order=["f", "g"],
        iterations=[1, 2],
        seconds=[1.0, 2.0],
        gc_enabled=True,
    )


def events_of_a_run() -> list[dict[str, Any]]:
    recorder = Recorder()
    with recorded_run(recorder, seed=7):
        for name in ("one", "two"):
            start(recorder, name)
            for index in range(3):
                block(recorder, name, index)
            recorder.write("experiment_finished", experiment=name)
    return recorder.events


@given(st.integers(0, 12))
def test_m9_any_beginning_of_a_run_gives_the_part_that_was_measured(count: int) -> None:
    events = events_of_a_run()
    assert len(events) == 12
    record = read_run(events[:count])
    assert len(record.experiments) == (count > 1) + (count > 6)
    assert sum(len(e.blocks) for e in record.experiments) == sum(
        event["event"] == "block" for event in events[:count]
    )
    assert [e.finished for e in record.experiments] == [
        count >= n for n in (6, 11)[: len(record.experiments)]
    ]
    assert record.complete == (count == 12)
    assert record.ending == ("finished" if count == 12 else "cut off")


def test_a_file_and_its_log_and_its_events_give_the_same(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    with EventWriter(file) as writer, recorded_run(writer):
        start(writer, "one")
        block(writer, "one", 0)
    with file.open("ab") as torn:
        torn.write(b'{"lunaflow":1,"event":"bl')
    record = read_run(file)
    assert record.damaged_lines == (5,)
    assert (record.complete, record.ending) == (False, "finished")
    assert not record.experiments[0].finished
    assert record.environment == environment()
    assert dict(record.experiments[0].environment) == environment()
    assert record.started.endswith("+00:00")
    with file.open("ab") as again:
        again.write(b"\n")
    with EventWriter(file) as writer, recorded_run(writer):
        start(writer, "one")
        writer.write("experiment_finished", experiment="one")
    record = read_run(file)
    # the second run's experiment of the same name is another one
    assert [len(e.blocks) for e in record.experiments] == [1, 0]
    assert [e.finished for e in record.experiments] == [False, True]
    assert not record.complete


def test_a_damaged_line_makes_the_record_incomplete() -> None:
    log = EventLog(tuple(events_of_a_run()), damaged_lines=(4,))
    record = read_run(log)
    assert record.ending == "finished"
    assert not record.complete
    assert record.damaged_lines == (4,)


def test_an_exception_in_a_run_is_recorded_and_passed_on(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"

    def fails(error: BaseException) -> None:
        with EventWriter(file) as writer, recorded_run(writer):
            raise error

    for error in (KeyboardInterrupt(), OSError("no")):
        with pytest.raises(type(error)):
            fails(error)
        assert read_run(file).ending == "interrupted"
    assert '"reason":"KeyboardInterrupt"' in file.read_text()
    assert '"reason":"OSError: no"' in file.read_text()


def test_a_record_knows_the_command_of_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    for argv, command in (
        (["/somewhere/bin/tool", "measure", "two words"], "tool measure 'two words'"),
        (["-c", "x"], ""),
        ([""], ""),
        ([], ""),
        (["tool", "x" * 5000], None),
    ):
        monkeypatch.setattr("sys.argv", argv)
        with recorded_run(recorder):
            pass
        found = read_run(recorder.events).command
        assert found == command if command is not None else len(found) == 2000


def test_m9_a_record_knows_that_its_file_ends_in_the_middle_of_a_line(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    with EventWriter(file) as writer, recorded_run(writer):
        pass
    assert not read_run(file).torn_tail
    with file.open("ab") as torn:
        torn.write(b'{"lunaflow":1,"event":"bl')
    record = read_run(file)
    assert (record.torn_tail, record.damaged_lines) == (True, (3,))


def test_a_file_that_cannot_be_written_is_not_written_to_again() -> None:
    recorder = Recorder()

    def fails() -> None:
        with recorded_run(recorder):
            raise EventFileError("disk full")

    with pytest.raises(EventFileError, match="disk full"):
        fails()
    assert [event["event"] for event in recorder.events] == ["run_started"]


def test_later_versions_may_add_fields() -> None:
    recorder = Recorder()
    start(recorder, "one", of_a_later_version=5)
    assert read_run(recorder.events).experiments[0].protocol == PROTOCOL


def test_what_is_no_source_is_refused() -> None:
    with pytest.raises(TypeError, match="source must be a path"):
        read_run(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "status",
    [
        Valid(),
        Invalid("a"),
        Skipped("b"),
        ExpectedDifference("c"),
        Unsupported("d"),
        InfrastructureFailure("e\ud800"),
    ],
)
def test_statuses_survive(status: Status) -> None:
    assert status_from_event(loads(dumps(status_to_event(status)))) == status


def test_an_unknown_status_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown status 'Fine'"):
        status_from_event({"kind": "Fine", "reason": ""})


def test_m13_outcomes_are_summaries_and_traps_survive() -> None:
    assert len(dumps(outcome_to_event(Value(list(range(10_000)))))) < 400
    assert outcome_to_event(RaisedFlags(1, frozenset({"inexact"})))["kind"] == "RaisedFlags"
    trap = Trap("ArithmeticError", "too much", kind="OVERFLOW", index=(1, 2))
    recorder = Recorder()
    start(recorder, "one")
    recorder.write(
        "validation",
        experiment="one",
        implementation="f",
        size=4,
        oracle="equal",
        status=status_to_event(Valid()),
        outcome=outcome_to_event(Trapped(trap, frozenset())),
    )
    (validation,) = read_run(recorder.events).experiments[0].validations
    assert validation.trap == trap


def test_a_record_is_a_value_whatever_its_environment_holds() -> None:
    facts: Any = {"cpus": [0, 1], "nested": {"x": float("nan")}, "table": np.arange(3)}
    one = RunRecord(facts, (), True, "finished")
    facts["cpus"].append(2)
    twins = [pickle.loads(pickle.dumps(one)), copy.deepcopy(one), replace(one)]
    assert twins == [one] * 3
    assert {hash(twin) for twin in twins} == {hash(one)}
    assert one.environment["cpus"] == (0, 1)
    assert one != replace(one, environment={**facts, "cpus": [0, 1], "table": np.arange(4)})
    assert one != "record"
    locked: Any = one.environment
    with pytest.raises(TypeError):
        locked["nested"]["x"] = 1
