"""``lunaflow report``: the report of an events file; of several, what changed between them."""

from pathlib import Path

import click

from lunaflow.cli._changes import print_changes
from lunaflow.cli._refusal import refuse, refuse_overwriting, writing
from lunaflow.experiment import EventFileError, RunRecord, compare_runs, read_run
from lunaflow.experiment.report import write


@click.command()
@click.argument("events", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The HTML file to write.",
)
def report(events: tuple[Path, ...], output: Path) -> None:
    """Make the HTML report of an events file, and say whether it is whole.

    Of several files the first is what was before: for each other one the figures that changed are
    printed, with intervals, and stand at the top of the report. The experiments in full are those
    of the last.
    """
    records = [_read(path) for path in events]
    for path in events:
        refuse_overwriting(output, path)
    for path, record in zip(events[1:], records[1:], strict=True):
        click.echo(f"{events[0]} against {path}:")
        print_changes(compare_runs(records[0], record))
    with writing(output):
        write(_named(events, records) if len(records) > 1 else records[0], output)
    click.echo(f"{output}: {describe(records[-1])}")


def _named(paths: tuple[Path, ...], records: list[RunRecord]) -> dict[str, RunRecord]:
    """Return the records by the names of their files, as long as it takes to tell them apart."""
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        names = [str(path) for path in paths]
    if len(set(names)) < len(names):
        names = [f"{i}: {name}" for i, name in enumerate(names, start=1)]
    return dict(zip(names, records, strict=True))


def _read(path: Path) -> RunRecord:
    try:
        return read_run(path)
    except EventFileError as error:
        refuse(error.strerror or str(error))


def describe(record: RunRecord) -> str:
    """Say in words what a record holds, and why it is not whole if it is not."""
    finished = sum(experiment.finished for experiment in record.experiments)
    blocks = sum(len(experiment.blocks) for experiment in record.experiments)
    begun = len(record.experiments)
    held = f"{finished} of {begun} experiments begun are finished, {blocks} blocks"
    if record.damaged_lines:
        numbers = ", ".join(map(str, record.damaged_lines))
        held += f", unreadable lines: {numbers}"
    if record.complete:
        return f"a complete run ({held})"
    return f"a partial run, {record.ending} ({held})"
