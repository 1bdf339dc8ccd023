"""``lunaflow tune``: validate, measure, find the crossovers, write events, report and tuning."""

from collections.abc import Callable
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from lunaflow.cli._inputs import inputs_from
from lunaflow.cli._kernels import KERNELS
from lunaflow.cli._refusal import cannot_write
from lunaflow.cli._report import describe
from lunaflow.cli._tuner import Tuner, lengths, tuning_of
from lunaflow.cli._tuning_table import print_table
from lunaflow.experiment import EventFileError, EventWriter, read_run
from lunaflow.experiment.report import write
from lunaflow.policy import save

EVENTS, REPORT, TUNING = "events.jsonl", "report.html", "tuning.json"


def _kernel_names(_context: click.Context, _option: click.Parameter, text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if unknown := [name for name in names if name not in KERNELS]:
        raise click.BadParameter(f"{', '.join(unknown)}; known are {', '.join(KERNELS)}")
    if not names:
        raise click.BadParameter(f"names no kernel; known are {', '.join(KERNELS)}")
    return names


@click.command()
@click.option("--quick", is_flag=True, help="Lengths to 2^20, fewer pairs: within two minutes.")
@click.option(
    "--kernels",
    default=",".join(KERNELS),
    show_default=True,
    callback=_kernel_names,
    metavar="NAMES",
)
@click.option(
    "--data",
    multiple=True,
    metavar="FILE.npz:NAME",
    help="An int32 or int64 array to measure on, tiled or cut to the lengths; one of each type.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("tuned"),
    show_default=True,
    help="Folder for events.jsonl, report.html and tuning.json.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def tune(quick: bool, kernels: tuple[str, ...], data: tuple[str, ...], out: Path, seed: int) -> int:
    """Find from which length on the parallel kernels win on this machine.

    Every kernel is validated first: serial and parallel against an exact answer. Then they are
    timed, with NumPy's own operation beside them, and the crossover goes into tuning.json, which
    the library follows where LUNAFLOW_TUNING or use_tuning names it.
    """
    inputs = inputs_from(data)
    events = _prepare(out)
    for element_type, given in inputs.items():
        click.echo(f"{element_type}: {given}")
    tuner = Tuner(kernels, inputs, lengths(quick), quick=quick, seed=seed)
    try:
        _measure(tuner, events)
    except KeyboardInterrupt:
        _leave_partial(out, "interrupted")
        return 130
    except EventFileError as error:
        _leave_partial(out, str(error))
        return 2
    return _conclude(out, tuner)


def _prepare(out: Path) -> Path:
    events = out / EVENTS
    try:
        out.mkdir(parents=True, exist_ok=True)
        if events.exists():
            # an earlier run is kept beside the new one, never mixed with it
            events.replace(out / f"previous-{EVENTS}")
        with EventWriter(events):
            pass
    except OSError as error:
        cannot_write(out, error)
    return events


def _measure(tuner: Tuner, events: Path) -> None:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
    )
    with EventWriter(events) as writer, Progress(*columns, transient=True) as bar:
        row = bar.add_task("starting", total=None)

        def report(done: int, total: int, text: str) -> None:
            bar.update(row, completed=done, total=total, description=text)

        tuner.run(writer, report)


def _conclude(out: Path, tuner: Tuner) -> int:
    record = read_run(out / EVENTS)
    print_table(record)
    click.echo(f"{out / EVENTS}: {describe(record)}")
    report, tuning = out / REPORT, out / TUNING
    written = [
        _written(report, "the report", lambda: write(record, report)),
        _written(
            tuning,
            f"in force with LUNAFLOW_TUNING={tuning.resolve()}",
            lambda: save(tuning_of(record, tuner.fallback_reason), tuning),
        ),
    ]
    if not all(written):
        return 2
    wrong = {f.implementation for e in record.experiments for f in e.failures} - {"numpy"}
    return 1 if wrong else 0


def _written(path: Path, what: str, write_it: Callable[[], None]) -> bool:
    # one file that cannot be written is no reason to lose the other
    try:
        write_it()
    except OSError as error:
        click.echo(f"Error: cannot write {path}: {error.strerror or error}", err=True)
        return False
    click.echo(f"{path}: {what}")
    return True


def _leave_partial(out: Path, why: str) -> None:
    click.echo(f"\n{why}", err=True)
    try:
        record = read_run(out / EVENTS)
        click.echo(f"{out / EVENTS}: {describe(record)}", err=True)
        write(record, out / REPORT)
    except OSError as error:
        click.echo(f"{out / REPORT}: not written: {error.strerror or error}", err=True)
    else:
        click.echo(f"{out / REPORT}: a report of what was measured", err=True)
    if (out / TUNING).exists():
        click.echo(f"{out / TUNING}: as it was before, from an earlier run", err=True)
    else:
        click.echo(f"{out / TUNING}: not written, since the run did not end", err=True)
