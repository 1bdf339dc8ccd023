"""``lunaflow replay``: a recorded failure, shown or run again."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from lunaflow._texts import text_of
from lunaflow.cli._refusal import refuse
from lunaflow.experiment import EventFileError, read_events
from lunaflow.experiment._event_values import status_from_event
from lunaflow.experiment._texts import path_text
from lunaflow.experiment.engine._replay import CannotReplay, Replayed, replay_failure
from lunaflow.experiment.engine._validation import INPUT_SHOWN
from lunaflow.experiment.events import Event


@click.command()
@click.argument("failures", type=click.Path(path_type=Path))
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only this failure.")
@click.option("--dry-run", is_flag=True, help="Only show what was recorded; nothing is run.")
@click.option("--yes", is_flag=True, help="Run it: this runs code that the file holds.")
def replay(failures: Path, ids: tuple[str, ...], dry_run: bool, yes: bool) -> int:
    """Show the failures of an events file, or run them again on their smallest inputs.

    Exit status 0 if nothing fails any more, 1 if something does, 2 if a failure cannot be replayed.
    """
    if dry_run and yes:
        refuse("--dry-run only shows and --yes runs: give one of them")
    chosen = _chosen(failures, ids)
    for event in chosen:
        _show(event, failures)
    if not yes:
        click.echo("nothing was run; --yes runs it")
        return 0
    return max(_run(event) for event in chosen)


def _chosen(path: Path, ids: tuple[str, ...]) -> list[Event]:
    try:
        events = read_events(path).events
    except EventFileError as error:
        refuse(error.strerror or str(error))
    found = [event for event in events if event["event"] == "failure"]
    if not found:
        refuse(f"{path} holds no failure")
    known = {str(event.get("id", "")): event for event in found}
    if unknown := [one for one in ids if one not in known]:
        refuse(f"{path} has no failure {unknown[0]!r}; it has {', '.join(known)}")
    return [known[one] for one in ids] if ids else found


def _show(event: Event, path: Path) -> None:
    click.echo(f"failure {event.get('id', '?')} of {event['experiment']}")
    for name, value in _facts(event, path):
        click.echo(f"  {name}: {value}")


def _facts(event: Event, path: Path) -> Iterator[tuple[str, str]]:
    who = event["implementation"] or "no single implementation"
    yield "implementation", f"{who} at size {event['size']}"
    status = status_from_event(event["status"])
    yield "status", f"{type(status).__name__}: {getattr(status, 'reason', '')}"
    if event["flaky"]:
        yield "flaky", "it did not repeat"
    if event["input"] is not None:
        yield "input", event["input"]
    if event["path"]:
        yield "path", path_text(event["path"])
    value = None if event.get("minimal") is None else text_of(event["minimal"], INPUT_SHOWN)
    # it is the input as it was stored, which a shrinker's own text may not show
    if value is not None and value != event["input"]:
        yield "value", value
    if event["fingerprint"] is not None:
        yield "fingerprint of the original input", event["fingerprint"]
    yield "command", _command(event, path)


def _command(event: Event, path: Path) -> str:
    if event.get("recipe") is None:
        return f"none: {event.get('unreplayable') or 'the event holds nothing that replays it'}"
    return f"lunaflow replay {shlex.quote(str(path))} --id {event['id']} --yes"


def _run(event: Event) -> int:
    try:
        found = replay_failure(event)
    except CannotReplay as error:
        click.echo(f"failure {event.get('id', '?')} cannot be replayed: {error}", err=True)
        return 2
    click.echo(f"failure {event['id']}: {_verdict(found)}")
    return 1 if found.fails else 0


def _verdict(found: Replayed) -> str:
    reason: Any = getattr(found.status, "reason", "")
    now = f"{type(found.status).__name__}{': ' if reason else ''}{reason}"
    if not found.fails:
        return f"it does not fail any more ({now})"
    return f"it fails again: {now}" if found.same else f"it fails in another way: {now}"
