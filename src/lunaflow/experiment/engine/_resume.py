"""Going on with an interrupted run: what its events hold, and whether they are of this run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lunaflow._arguments import as_path
from lunaflow._stored import dumps, loads
from lunaflow._texts import text_of
from lunaflow._version import __version__
from lunaflow.experiment._closed import closed_events
from lunaflow.experiment._event_values import protocol_to_event
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._record import events_by_experiment
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.events import Event, EventLog, EventWriter, read_events

if TYPE_CHECKING:
    from lunaflow.experiment.engine._run import RunContext


class CannotResume(ValueError):
    """A file of events that is of another run.

    Parameters
    ----------
    path : path
        The file.
    differences : tuple of str
        What differs, by name; at least one.
    """

    def __init__(self, path: Path, differences: tuple[str, ...]) -> None:
        self.path = path
        self.differences = differences
        super().__init__(f"{path} is of another run: {'; '.join(differences)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return CannotResume, (self.path, self.differences)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an interrupted run has left.

    Parameters
    ----------
    events : tuple of events
        All that the file holds.
    closed : tuple of events
        Those of this case that are gone on from; empty if it has not begun.
    mended : tuple of int
        Numbers of the damaged lines.
    is_finished : bool
        Whether the case has come to its end.
    """

    events: tuple[Event, ...] = ()
    closed: tuple[Event, ...] = ()
    mended: tuple[int, ...] = ()
    is_finished: bool = False


def earlier_run(plan: ValidatedBenchPlan, context: "RunContext", protocol: Protocol) -> Earlier:
    """Return what the sink holds of a case.

    Raises
    ------
    CannotResume
        If it is of another case, seed, version or machine.
    EventFileError
        If the file cannot be read, or holds something else than events.
    """
    sink: Any = context.sink
    path = sink.path if isinstance(sink, EventWriter) else as_path("sink", sink)
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return Earlier()
    log = read_events(path)
    found = [of_one for of_one in events_by_experiment(log.events) if _is_of(of_one, plan)]
    if not found:
        if not isinstance(sink, EventWriter):
            _refuse_others(path, log, plan)
        return Earlier(events=log.events, mended=log.damaged_lines)
    own = found[-1]
    differences = (*_differences(_run_of(log, own[0]), own[0], plan, context, protocol),)
    if differences:
        raise CannotResume(path, differences)
    closed = tuple(closed_events(own))
    if (changed := _changed_input(closed, plan, context)) is not None:
        raise CannotResume(path, (changed,))
    finished = any(event["event"] == "experiment_finished" for event in own)
    return Earlier(log.events, closed, log.damaged_lines, finished)


def _is_of(events: list[Event], plan: ValidatedBenchPlan) -> bool:
    return bool(events[0]["experiment"] == plan.case_id)


def _refuse_others(path: Path, log: EventLog, plan: ValidatedBenchPlan) -> None:
    """Raise CannotResume if a file holds other experiments."""
    names = [of_one[0]["experiment"] for of_one in events_by_experiment(log.events)]
    if names:
        known = " and ".join(map(text_of, dict.fromkeys(names)))
        raise CannotResume(path, (f"experiment: there {known}, here {text_of(plan.case_id)}",))


def _run_of(log: EventLog, beginning: Event) -> Event:
    """Return the beginning of the run in which an experiment began."""
    started: Event = {}
    for event in log.events:
        if event["event"] == "run_started":
            started = event
        if event is beginning:
            break
    return started


def _differences(
    run: Event,
    beginning: Event,
    plan: ValidatedBenchPlan,
    context: "RunContext",
    protocol: Protocol,
) -> Iterator[str]:
    here = {
        "implementations": list(plan.ids),
        "versions": [one.version for one in plan.implementations],
        "sizes": list(plan.scales),
        "steps": plan.sequence_length,
        "oracle": plan.oracle_id,
        "seed": context.seed,
    }
    yield from _unlike(beginning, here)
    yield from _unlike(beginning["protocol"], protocol_to_event(protocol), "protocol ")
    yield from _unlike(run, {"library_version": __version__})
    # as a reader sees them
    facts: Mapping[str, Any] = loads(dumps(dict(context.environment)))
    yield from _unlike(run.get("environment", {}), facts, "environment ")


def _unlike(there: Mapping[str, Any], here: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in here.items():
        if name in there and there[name] != value:
            yield f"{prefix}{name}: there {text_of(there[name])}, here {text_of(value)}"


def _changed_input(
    closed: tuple[Event, ...], plan: ValidatedBenchPlan, context: "RunContext"
) -> str | None:
    """Say if the fixture gives another input now; the first one that was validated is made."""
    for event in closed:
        if event["event"] == "validated" and event["inputs"]:
            number, mark = event["inputs"][0]
            size = event["size"]
            value = make_input(plan.fixture, context.seed, plan.case_id, size, number)
            if plan.fixture.fingerprint(value) != mark:
                return f"input of size {size}: make gives another one now"
            return None
    return None
