"""From events to results: the one way, for finished runs and for files cut off in the middle."""

import os
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of
from lunaflow.experiment._closed import closed_events
from lunaflow.experiment._event_values import (
    protocol_from_event,
    status_from_event,
    trap_from_event,
)
from lunaflow.experiment._observations import (
    CONFIRMATORY,
    Block,
    Calibration,
    Failure,
    LeftBehind,
    Relation,
    Validation,
)
from lunaflow.experiment._results import Ending, ExperimentResult, RunRecord
from lunaflow.experiment.events import EVENT_FIELDS, Event, EventLog, is_event, read_events


def read_run(source: str | os.PathLike[str] | EventLog | Iterable[Event]) -> RunRecord:
    """Return what a run's events tell, whole or cut off.

    Parameters
    ----------
    source : str, path-like, EventLog or iterable of events
        A file of events, or what was read from one. A file that several runs were appended to gives
        the experiments of all of them; `environment` and `ending` are those of the last.

    Raises
    ------
    EventFileError
        If the file is missing, empty, or no file of events.
    ValueError
        If one of the events given is none; the message gives its position.
    """
    log = _as_log(source)
    experiments = build_experiments(log.events)
    ending = _ending(log.events)
    started = _last(log.events, "run_started")
    all_there = all(experiment.finished for experiment in experiments)
    return RunRecord(
        environment=started.get("environment", {}),
        experiments=experiments,
        complete=ending == "finished" and all_there and not _missed(log),
        ending=ending,
        damaged_lines=log.damaged_lines,
        library_version=str(started.get("library_version", "")),
        started=str(started.get("started", "")),
        command=started.get("command", ""),
        torn_tail=log.torn_tail,
    )


def build_experiments(events: Iterable[Event]) -> tuple[ExperimentResult, ...]:
    """Return the experiments of some events, in the order in which they started."""
    given = list(events)
    facts = tuple(_last(given, "run_started").get("environment", {}).items())
    return tuple(_experiment(of_one, facts) for of_one in events_by_experiment(given))


def events_by_experiment(events: Iterable[Event]) -> list[list[Event]]:
    """Return the events of each experiment that count, in the order in which they started."""
    gathered: list[list[Event]] = []
    latest: dict[str, list[Event]] = {}
    for event in events:
        if event["event"] == "experiment_started":
            latest[event["experiment"]] = [event]
            gathered.append(latest[event["experiment"]])
        elif event["event"] in EVENT_FIELDS and event.get("experiment") in latest:
            of_one = latest[event["experiment"]]
            if event["event"] == "experiment_resumed":
                of_one[:] = closed_events(of_one)
            of_one.append(event)
    return gathered


def _as_log(source: object) -> EventLog:
    if isinstance(source, (str, os.PathLike)):
        return read_events(source)
    if not isinstance(source, (EventLog, Iterable)):
        raise reject_type("source", source, "a path, an EventLog or an iterable of events")
    log = source if isinstance(source, EventLog) else EventLog(tuple(source))
    for position, event in enumerate(log.events):
        if not is_event(event):
            raise ValueError(f"events[{position}] is no event of this schema: {text_of(event)}")
    return log


def _ending(events: Iterable[Event]) -> Ending:
    ending: Ending = "cut off"
    for event in events:
        match event["event"]:
            case "run_finished":
                ending = "finished"
            case "interrupted":
                ending = "interrupted"
            case _:
                ending = "cut off"
    return ending


def _missed(log: EventLog) -> set[int]:
    """Return the numbers of the damaged lines of which something may be missed."""
    resumed = [event for event in log.events if event["event"] == "experiment_resumed"]
    return set(log.damaged_lines).difference(*(event["mended"] for event in resumed))


def _last(events: Iterable[Event], kind: str) -> Event:
    found = [event for event in events if event["event"] == kind]
    return found[-1] if found else {}


def _experiment(events: list[Event], facts: tuple[tuple[str, Any], ...]) -> ExperimentResult:
    first = events[0]
    by_kind: dict[str, list[Event]] = {}
    for event in events[1:]:
        by_kind.setdefault(event["event"], []).append(event)
    return ExperimentResult(
        name=first["experiment"],
        implementations=tuple(first["implementations"]),
        sizes=tuple(first["sizes"]),
        protocol=protocol_from_event(first["protocol"]),
        oracle=first["oracle"],
        controls=tuple(first["controls"]),
        seed=first["seed"],
        blocks=tuple(map(_block, by_kind.get("block", ()))),
        calibrations=tuple(map(_calibration, by_kind.get("calibration", ()))),
        validations=tuple(map(_validation, by_kind.get("validation", ()))),
        failures=tuple(map(_failure, by_kind.get("failure", ()))),
        finished="experiment_finished" in by_kind,
        relations=tuple(map(_relation, by_kind.get("relation", ()))),
        left_behind=tuple(
            LeftBehind(event["implementation"], tuple(event["names"]))
            for event in by_kind.get("left_behind", ())
        ),
        versions=tuple(first.get("versions", ())),
        environment=facts,
    )


def _block(event: Event) -> Block:
    return Block(
        id=event["id"],
        size=event["size"],
        process=event["process"],
        index=event["block"],
        order=tuple(event["order"]),
        iterations=tuple(event["iterations"]),
        seconds=tuple(event["seconds"]),
        gc_enabled=event["gc_enabled"],
        phase=event.get("phase", CONFIRMATORY),
        input=event.get("input", 0),
    )


def _calibration(event: Event) -> Calibration:
    return Calibration(**{field.name: event[field.name] for field in fields(Calibration)})


def _validation(event: Event) -> Validation:
    return Validation(
        implementation=event["implementation"],
        size=event["size"],
        oracle=event["oracle"],
        status=status_from_event(event["status"]),
        outcome_text=event["outcome"]["text"],
        trap=trap_from_event(event["outcome"]),
        inputs=event.get("inputs", 1),
        steps=event.get("steps", 1),
    )


def _relation(event: Event) -> Relation:
    return Relation(
        size=event["size"],
        input=event["input"],
        step=event["step"],
        pairs=event["pairs"],
        failing=tuple((a, b, reason) for a, b, reason in event["failing"]),
        odd_one_out=event["odd_one_out"],
    )


def _failure(event: Event) -> Failure:
    return Failure(
        implementation=event["implementation"],
        size=event["size"],
        status=status_from_event(event["status"]),
        input_text=event["input"],
        path=tuple(event["path"]),
        flaky=event["flaky"],
        fingerprint=event["fingerprint"],
        process=event["process"],
        id=event.get("id", ""),
        command=event.get("command"),
        recipe=event.get("recipe"),
        unreplayable=event.get("unreplayable"),
    )
