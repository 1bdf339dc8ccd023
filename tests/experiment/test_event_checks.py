"""M9: whatever a file of events holds, reading it gives a record, or one error that names it."""

import copy
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lunaflow._stored import dumps
from lunaflow.experiment import (
    EventFileError,
    Invalid,
    Protocol,
    RunRecord,
    Trapped,
    Valid,
    read_run,
)
from lunaflow.experiment._event_checks import FIELD_CHECKS, wrong_field
from lunaflow.experiment._event_values import outcome_to_event, protocol_to_event, status_to_event
from lunaflow.experiment._outcomes import Trap
from lunaflow.experiment._recorder import Recorder, recorded_run
from lunaflow.experiment.report import render

NAMES = ["f", "g", "f (control)", "g (control)"]
PROTOCOL = Protocol("TEST", pairs=10, processes=5, resamples=40)
OF_F: dict[str, Any] = {"experiment": "e", "implementation": "f", "size": 4}
WRONG: list[Any] = [
    None, True, -1, 0, 1, 1.5, 1e308, float("nan"), 10**400, 10**5000, "", "x", b"x", [], [1],
    ["f", "f"], [[]], {}, {"kind": []}, {1: 2}, np.array([1, 2]),
]  # fmt: skip


def write_all(recorder: Recorder) -> None:
    trap = Trap("ArithmeticError", "too much", "OVERFLOW", (1, 2))
    with recorded_run(recorder):
        recorder.write(
            "experiment_started",
            experiment="e",
            implementations=["f", "g"],
            sizes=[4, 8],
            protocol=protocol_to_event(PROTOCOL),
            oracle="equal",
            controls=NAMES[2:],
            seed=0,
        )
        recorder.write(
            "validation",
            **OF_F,
            oracle="equal",
            status=status_to_event(Valid()),
            outcome=outcome_to_event(Trapped(trap, frozenset())),
        )
        recorder.write(
            "validated",
            experiment="e",
            size=4,
            validations=1,
            failures=0,
            inputs=[[0, "ab"]],
            timed=["f"],
            seconds=0.5,
        )
        recorder.write(
            "relation",
            experiment="e",
            size=4,
            input=0,
            step=1,
            oracle="equal",
            pairs=1,
            failing=[["f", "g", "value mismatch"]],
            odd_one_out=None,
        )
        recorder.write("left_behind", experiment="e", implementation="f", names=["sleep"])
        recorder.write("experiment_resumed", experiment="e", mended=[3])
        recorder.write("cell_finished", experiment="e", size=8, process=0, blocks=0, failures=1)
        recorder.write(
            "failure",
            **{**OF_F, "size": 8},
            process=0,
            status=status_to_event(Invalid("value mismatch: 1 is not 2")),
            input="[1]",
            path=["[1, 2]"],
            flaky=False,
            fingerprint="ab",
        )
        recorder.write(
            "calibration", **OF_F, process=0, iterations=8, seconds=0.0, below_resolution=True
        )
        for process, block in itertools.product(range(5), range(2)):
            recorder.write(
                "block",
                id=f"{process}/{block}",
                experiment="e",
                size=4,
                process=process,
                block=block,
                order=NAMES,
                iterations=[1, 2, 1, 2],
                seconds=[1.0, 4.0, 1.0, 4.0],
                gc_enabled=True,
            )
        recorder.write(
            "comparison",
            id="c",
            experiment="e",
            size=4,
            a="f",
            b="g",
            relative_delta_pct=-50.0,
            interval=(-1.0, -1.0),
            decision="faster",
            label="A",
            noise_floor_pct=0.0,
            threshold_pct=3.0,
            grouping="processes",
            evidence=["0/0"],
        )
        recorder.write(
            "crossover",
            experiment="e",
            a="f",
            b="g",
            kind="NoCrossover",
            below=None,
            at_or_above=None,
            band=[],
            labels=[[4, "A"], [8, "Unknown"]],
            reason="x",
        )
        recorder.write("experiment_finished", experiment="e")


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    """Return events of every kind that a finished run writes, and an interrupted one after it."""
    recorder = Recorder()
    write_all(recorder)
    recorder.write("interrupted", ended="now", reason="no")
    return recorder.events


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything in a value, the value itself apart."""
    items: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def changed(event: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    new = copy.deepcopy(event)
    inner: Any = new
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return new


def everything_of(path: Path) -> str:
    """Return all that a command would show of a file; only an EventFileError may end that."""
    refusal = str(path)
    try:
        record = read_run(path)
    except EventFileError as error:
        record, refusal = RunRecord({}, (), False, "cut off"), str(error)
    assert str(path) in refusal
    return "".join(
        f"{one}{one.noise_floor}{one.crossover(*one.implementations[:2])}"
        for one in record.experiments
        if len(one.implementations) > 1
    )


def write_lines(path: Path, events: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{dumps(event)}\n" for event in events))


def test_every_kind_is_in_the_sample(events: list[dict[str, Any]]) -> None:
    assert {event["event"] for event in events} == set(FIELD_CHECKS)
    assert [wrong_field(event) for event in events] == [None] * len(events)


@pytest.mark.parametrize("kind", FIELD_CHECKS)
def test_m9_any_field_of_any_kind_may_hold_anything(
    kind: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    position = next(i for i, event in enumerate(events) if event["event"] == kind)
    for path in places(events[position]):
        for value in WRONG:
            lines = [*events]
            lines[position] = changed(events[position], path, value)
            write_lines(file, lines)
            everything_of(file)


@pytest.mark.parametrize("kind", FIELD_CHECKS)
def test_m9_a_line_with_a_field_of_a_wrong_type_is_damaged(
    kind: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    position = next(i for i, event in enumerate(events) if event["event"] == kind)
    for path in places(events[position]):
        if path[:1] in {("lunaflow",), ("event",)} or path[:2] == ("environment", path[-1]):
            continue
        lines = [{"lunaflow": 1, "event": "run_finished", "ended": "before"}, *events]
        lines[position + 1] = changed(events[position], path, np.array([1]))
        write_lines(file, lines)
        record = read_run(file)
        assert record.damaged_lines == (position + 2,)
        assert not record.complete


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_m9_any_flipped_bytes_leave_a_record_or_an_error_that_names_the_file(
    data: st.DataObject, events: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("flipped") / "run.jsonl"
    write_lines(file, events)
    raw = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] = data.draw(st.integers(0, 255) | st.sampled_from(b'0123456789"-,[]{}en'))
    file.write_bytes(raw)
    everything_of(file)


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_m9_a_report_is_made_whatever_a_field_holds(
    data: st.DataObject, events: list[dict[str, Any]]
) -> None:
    position = data.draw(st.integers(0, len(events) - 1))
    path = data.draw(st.sampled_from(list(places(events[position]))))
    lines = [*events]
    lines[position] = changed(events[position], path, data.draw(st.sampled_from(WRONG)))
    lines = [event for event in lines if isinstance(event.get("event"), str)]
    kept = [event for event in lines if event["event"] in FIELD_CHECKS]
    kept = [e for e in kept if set(FIELD_CHECKS[e["event"]]) <= set(e) and not wrong_field(e)]
    assert "<html" in render(read_run([{**event, "lunaflow": 1} for event in kept]))


@pytest.mark.parametrize("name", ["pairs", "processes", "resamples"])
def test_m9_a_protocol_with_a_number_too_long_to_write_is_a_damaged_line(
    name: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    write_lines(file, [changed(one, ("protocol", name), 10**5000) if "protocol" in one else one
                       for one in events])  # fmt: skip
    record = read_run(file)
    assert record.damaged_lines == (2,)
    assert not record.complete
    assert "<html" in render(record)


def test_m9_a_damaged_dtype_is_a_damaged_line(events: list[dict[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    write_lines(file, events)
    array = '{"$":"array","dtype":"(2,i4","shape":[0],"base64":""}'
    line = f'{{"lunaflow":1,"event":"run_finished","ended":"now","more":{array}}}'
    file.write_text(f"{file.read_text()}{line}\n")
    assert read_run(file).damaged_lines == (len(events) + 1,)


def test_m9_a_block_has_one_figure_a_treatment(events: list[dict[str, Any]]) -> None:
    block = next(event for event in events if event["event"] == "block")
    assert wrong_field({**block, "seconds": [1.0, 1.0, 1.0]}) == "seconds"
    assert wrong_field({**block, "seconds": [1.0, 1.0, 1.0, -1.0]}) == "seconds"
    assert wrong_field({**block, "iterations": [1, 1, 1, 0]}) == "iterations"
    with pytest.raises(ValueError, match=r"^seconds of a block event must not be \[1.0\]"):
        Recorder().write("block", **_fields({**block, "seconds": [1.0]}))
    with pytest.raises(ValueError, match=r"^events\[0\] is no event of this schema"):
        read_run([{**block, "seconds": [1.0]}])


def _fields(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("event", "lunaflow")}
