"""M13: the published JSON Schema describes every event, and what it refuses is refused."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.conftest import schema_errors
from tests.experiment.test_event_checks import WRONG, write_all

from lunaflow._stored import dumps
from lunaflow.experiment import Experiment, Protocol, Shrinker, candidates
from lunaflow.experiment._event_checks import FIELD_CHECKS, OPTIONAL_CHECKS, wrong_field
from lunaflow.experiment._recorder import Recorder
from lunaflow.experiment.events import json_schema, read_events

SCHEMA = json_schema()


def plain_events() -> list[dict[str, Any]]:
    """Return an event of each kind as strict JSON has it."""
    recorder = Recorder()
    write_all(recorder)
    return [json.loads(dumps(event)) for event in recorder.events]


def test_m13_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_m13_the_schema_knows_the_kinds_and_fields_that_the_reader_knows() -> None:
    known = [one["if"]["properties"]["event"]["const"] for one in SCHEMA["allOf"]]
    assert known == list(FIELD_CHECKS)
    for kind, checks in FIELD_CHECKS.items():
        described = SCHEMA["$defs"][kind]
        assert described["required"] == list(checks)
        optional = OPTIONAL_CHECKS.get(kind, {})
        assert list(described["properties"]) == [*checks, *optional]


def test_m13_every_kind_of_event_is_described() -> None:
    written = plain_events()
    assert {event["event"] for event in written} >= set(FIELD_CHECKS) - {"interrupted"}
    assert [schema_errors(event) for event in written] == [[]] * len(written)


def test_later_kinds_and_fields_are_allowed() -> None:
    assert schema_errors({"lunaflow": 1, "event": "of a later version", "x": 1}) == []
    assert schema_errors(plain_events()[0] | {"more": [1]}) == []
    others: list[Any] = [{"lunaflow": 2, "event": "x"}, {"event": "x"}, {"lunaflow": 1}, [], "x"]
    for wrong in others:
        assert schema_errors(wrong) != []


# what no schema can say: that sizes ascend, that the lists of a block are of one length, that a
# mapping that is tagged has texts as its keys
BEYOND = {
    ("experiment_started", "sizes"),
    ("block", "order"),
    ("block", "iterations"),
    ("block", "seconds"),
    ("run_started", "environment"),
}


def refusals(event: dict[str, Any], name: str, found: Any) -> tuple[bool, bool]:
    """Say whether the schema, and whether the reader, refuses an event with another field."""
    changed = event | {name: found}
    return bool(schema_errors(json.loads(dumps(changed)))), wrong_field(changed) is not None


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_m13_what_the_reader_refuses_the_schema_refuses(wrong: Any) -> None:
    for event, found in itertools.product(plain_events(), [wrong, [wrong], {"kind": wrong}]):
        kind = event["event"]
        for name in (*FIELD_CHECKS[kind], *OPTIONAL_CHECKS.get(kind, ())):
            by_schema, by_reader = refusals(event, name, found)
            if isinstance(wrong, float) and wrong == 1e308:
                # a whole number to a schema, however it is written
                continue
            if (event["event"], name) in BEYOND:
                assert by_reader or not by_schema
            else:
                assert by_schema == by_reader, (event["event"], name)


NUMBERS = (
    st.integers(-(2**70), 2**70)
    | st.integers(2**53 - 2, 2**53 + 2)
    | st.integers(2**63 - 2, 2**63 + 2)
    | st.floats().filter(lambda x: not x.is_integer())
)


@settings(max_examples=60)
@given(NUMBERS)
def test_m13_numbers_have_the_same_ends_in_the_schema_and_the_reader(number: Any) -> None:
    for event in plain_events():
        for name in ("size", "seed", "process", "threshold_pct", "relative_delta_pct"):
            if name in event:
                by_schema, by_reader = refusals(event, name, number)
                assert by_schema == by_reader, (event["event"], name)


def twice(x: Any) -> Any:
    return x + x


def twice_but(x: Any) -> Any:
    return np.where(x > 90, 0, x + x)


def broken(x: Any) -> Any:
    raise OverflowError("too much \ud83d\ude00")


def test_m13_a_real_run_with_failures_is_of_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    Experiment(
        "doubling",
        {"twice": twice, "also": twice, "wrong": twice_but, "broken": broken},
        sizes=[1, 200],
        make=lambda size, rng: rng.integers(0, 100, size),
        shrinker=Shrinker(candidates.by_type, max_steps=10),
        protocol=Protocol("TINY", pairs=2, processes=1, batch_seconds=1e-5, resamples=40),
    ).run(events=path, progress=False)
    lines = path.read_text().splitlines()
    kinds = {json.loads(line)["event"] for line in lines}
    assert kinds >= {"validation", "validated", "failure", "calibration", "block", "comparison"}
    assert [schema_errors(json.loads(line)) for line in lines] == [[]] * len(lines)
    assert len(read_events(path).events) == len(lines)
