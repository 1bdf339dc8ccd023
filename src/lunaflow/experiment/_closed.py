"""What of an interrupted experiment is closed, and so needs not be done again."""

from collections import Counter
from collections.abc import Iterable, Sequence

from lunaflow.experiment.events import Event

Cell = tuple[int, int]
"""A size and a measuring process."""


def closed_events(events: Sequence[Event]) -> list[Event]:
    """Return the events of one experiment that a continuation goes on from.

    These are its beginning, the validations of sizes that were validated to the end, and the
    blocks, calibrations and failures of sizes that a process has measured to the end. What is
    missing of them in a damaged file leaves them open. Conclusions are drawn anew.
    """
    sizes, cells = closed_sizes(events), closed_cells(events)
    return [event for event in events if _is_closed(event, sizes, cells)]


def closed_sizes(events: Iterable[Event]) -> set[int]:
    """Return the sizes of which the validation has come to its end."""
    events = list(events)
    validations = Counter(event["size"] for event in _of(events, "validation"))
    failures = Counter(e["size"] for e in _of(events, "failure") if e["process"] is None)
    return {
        size
        for event in _of(events, "validated")
        if validations[size := event["size"]] == event["validations"]
        and failures[size] == event["failures"]
    }


def closed_cells(events: Iterable[Event]) -> set[Cell]:
    """Return the sizes, with the process, of which the measuring has come to its end."""
    events = list(events)
    blocks = Counter(map(_cell, _of(events, "block")))
    failures = Counter(map(_cell, _of(events, "failure")))
    return {
        cell
        for event in _of(events, "cell_finished")
        if blocks[cell := _cell(event)] == event["blocks"] and failures[cell] == event["failures"]
    }


def _cell(event: Event) -> Cell:
    return event["size"], event["process"]


def _of(events: Iterable[Event], kind: str) -> list[Event]:
    return [event for event in events if event["event"] == kind]


def _is_closed(event: Event, sizes: set[int], cells: set[Cell]) -> bool:
    match event["event"]:
        case "experiment_started" | "experiment_resumed":
            return True
        case "validation" | "validated" | "relation":
            return event["size"] in sizes
        case "block" | "calibration" | "cell_finished":
            return (event["size"], event["process"]) in cells
        case "failure" if event["process"] is None:
            return event["size"] in sizes
        case "failure":
            return (event["size"], event["process"]) in cells
    return False
