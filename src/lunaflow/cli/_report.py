"""``lunaflow report``: the report of an events file, whole, partial or torn."""

from pathlib import Path

import click

from lunaflow.cli._refusal import refuse, refuse_overwriting, writing
from lunaflow.experiment import EventFileError, RunRecord, read_run
from lunaflow.experiment.report import write


@click.command()
@click.argument("events", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The HTML file to write.",
)
def report(events: Path, output: Path) -> None:
    """Make the HTML report of an events file, and say whether it is whole."""
    try:
        record = read_run(events)
    except EventFileError as error:
        refuse(error.strerror or str(error))
    refuse_overwriting(output, events)
    with writing(output):
        write(record, output)
    click.echo(f"{output}: {describe(record)}")


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
