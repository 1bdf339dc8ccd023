"""``lunaflow tune``: validate, measure, find the crossovers, write events, report and tuning."""

import itertools
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from lunaflow.cli._inputs import inputs_from
from lunaflow.cli._kernels import KERNELS
from lunaflow.cli._refusal import cannot_write, refuse
from lunaflow.cli._report import describe
from lunaflow.cli._tuner import Tuner, lengths, tuning_of
from lunaflow.cli._tuning_table import print_table
from lunaflow.experiment import (
    CannotResume,
    EventFileError,
    EventWriter,
    RunRecord,
    read_events,
    read_run,
)
from lunaflow.experiment.engine._progress import reporting
from lunaflow.experiment.events import Event
from lunaflow.experiment.report import write
from lunaflow.policy import PolicySet, save

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
@click.option("--resume", is_flag=True, help="Go on with the run that the folder holds.")
def tune(
    quick: bool,
    kernels: tuple[str, ...],
    data: tuple[str, ...],
    out: Path,
    seed: int,
    resume: bool,
) -> int:
    """Find from which length on the parallel kernels win on this machine.

    Every kernel is validated first: serial and parallel against an exact answer. Then they are
    timed, with NumPy's own operation beside them, and the crossover goes into tuning.json, which
    the library follows where LUNAFLOW_TUNING or use_tuning names it.
    """
    inputs = inputs_from(data)
    for element_type, given in inputs.items():
        click.echo(f"{element_type}: {given}")
    tuner = Tuner(kernels, inputs, lengths(quick), quick=quick, seed=seed)
    with _resumed(out, tuner) if resume else _prepare(out) as writer:
        try:
            _measure(tuner, writer, resume)
        except KeyboardInterrupt:
            _leave_partial(out, writer, "interrupted")
            return 130
        except EventFileError as error:
            _leave_partial(out, writer, error.strerror or str(error))
            return 2
    return _conclude(out, read_run(writer.events), tuner.fallback_reason)


class _Writer(EventWriter):
    """Keeps what it writes: the end of a run is concluded from its own events, come what may."""

    def __init__(self, path: Path, earlier: Iterable[Event] = ()) -> None:
        super().__init__(path)
        self.events: list[Event] = [*earlier]

    def write(self, kind: str, /, **fields: Any) -> Event:
        event = super().write(kind, **fields)
        self.events.append(event)
        return event


def _prepare(out: Path) -> _Writer:
    events = out / EVENTS
    try:
        out.mkdir(parents=True, exist_ok=True)
        if events.exists():
            # refuses a file that another run is writing, or that is none of ours
            with EventWriter(events):
                _set_aside(events)
        return _Writer(events)
    except EventFileError as error:
        refuse(error.strerror or str(error))
    except OSError as error:
        cannot_write(out, error)


def _resumed(out: Path, tuner: Tuner) -> _Writer:
    events = out / EVENTS
    if not events.exists():
        refuse(f"there is no run to go on with: {events} is not there")
    try:
        writer = _Writer(events, read_events(events).events)
    except EventFileError as error:
        refuse(error.strerror or str(error))
    try:
        tuner.require_resumable(writer)
    except CannotResume as error:
        writer.close()
        refuse(str(error))
    return writer


def _set_aside(path: Path) -> None:
    # an earlier run's file is kept beside the new one, under the next free number
    numbers = itertools.count(1)
    free = (path.with_stem(f"{path.stem}-{number}") for number in numbers)
    path.rename(next(other for other in free if not other.exists()))


def _measure(tuner: Tuner, writer: EventWriter, resume: bool) -> None:
    with reporting(True) as bar:
        begun = ""

        def report(done: int, total: int, text: str) -> None:
            nonlocal begun
            bar(done, total, text)
            if not sys.stderr.isatty() and (name := text.partition(":")[0]) != begun:
                # no bar moves in a log: a line an experiment shows that all is well
                begun = name
                click.echo(f"{100 * done // total:3}% {name}", err=True)

        tuner.run(writer, report, resume=resume)


def _conclude(out: Path, record: RunRecord, fallback_reason: str | None) -> int:
    print_table(record)
    click.echo(f"{out / EVENTS}: {_kept(out / EVENTS, record)}")
    report, tuning = out / REPORT, out / TUNING
    written = [
        _written(report, "the report", lambda: write(record, report)),
        _written(
            tuning,
            f"in force with LUNAFLOW_TUNING={tuning.resolve()}",
            lambda: _save(tuning_of(record, fallback_reason), tuning),
        ),
    ]
    if not all(written):
        return 2
    wrong = {f.implementation for e in record.experiments for f in e.failures} - {"numpy"}
    return 1 if wrong else 0


def _kept(events: Path, record: RunRecord) -> str:
    return describe(record) if events.exists() else "was removed while it was written"


def _save(tuning: PolicySet, path: Path) -> None:
    if path.is_file():
        _set_aside(path)
    save(tuning, path)


def _written(path: Path, what: str, write_it: Callable[[], None]) -> bool:
    # one file that cannot be written is no reason to lose the other
    try:
        write_it()
    except (OSError, ValueError) as error:
        click.echo(f"Error: cannot write {path}: {_reason(error)}", err=True)
        return False
    click.echo(f"{path}: {what}")
    return True


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _leave_partial(out: Path, writer: _Writer, why: str) -> None:
    click.echo(f"\n{why}", err=True)
    record = read_run(writer.events)
    click.echo(f"{out / EVENTS}: {_kept(out / EVENTS, record)}", err=True)
    click.echo("the same command with --resume goes on from there", err=True)
    try:
        write(record, out / REPORT)
    except (OSError, ValueError) as error:
        click.echo(f"{out / REPORT}: not written: {_reason(error)}", err=True)
    else:
        click.echo(f"{out / REPORT}: a report of what was measured", err=True)
    if (out / TUNING).exists():
        click.echo(f"{out / TUNING}: as it was before, from an earlier run", err=True)
    else:
        click.echo(f"{out / TUNING}: not written, since the run did not end", err=True)
