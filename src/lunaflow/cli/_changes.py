"""The table of what changed between two runs."""

import click
from rich.markup import escape
from rich.table import Table

from lunaflow._texts import text_of
from lunaflow.cli._console import console
from lunaflow.experiment import Change, RunChanges
from lunaflow.experiment._texts import floor_text, seconds_text
from lunaflow.experiment.stats import Decision

_WORDS = {
    Decision.FASTER: "faster",
    Decision.SLOWER: "slower",
    Decision.EQUIVALENT: "equivalent",
    Decision.UNKNOWN: "undecided",
    Decision.INVALID: "no ratio",
}
_UNKNOWN = "-"


def print_changes(found: RunChanges) -> None:
    """Print a row for each figure that changed, how many did not, and what else differs."""
    if found.changed:
        table = Table()
        for heading in ("experiment", "implementation"):
            table.add_column(heading)
        for heading in ("size", "before", "after", "difference", "interval", "noise floor"):
            table.add_column(heading, justify="right")
        table.add_column("now")
        for row in found.changed:
            table.add_row(*map(escape, _cells(row)))
        console().print(table)
    click.echo(f"{len(found.changed)} of {len(found.rows)} figures changed")
    undecided = sum(row.decision is Decision.UNKNOWN for row in found.rows if not row.changed)
    if undecided:
        click.echo(f"{undecided} of the others are undecided: the noise is larger than a change")
    for name, before, after in found.environment:
        click.echo(f"{name} differs: {text_of(before)} before, {text_of(after)} after")


def _cells(row: Change) -> list[str]:
    names = [row.experiment, row.implementation, str(row.size)]
    compared = row.comparison
    floor = _UNKNOWN if row.noise_floor_pct is None else floor_text(row.noise_floor_pct)
    if compared is None:
        before, after = row.before or "not there", row.after or "not there"
        return [*names, before, after, _UNKNOWN, _UNKNOWN, floor, after]
    times = [seconds_text(compared.b_median), seconds_text(compared.a_median)]
    delta, interval = compared.relative_delta_pct, row.interval_pct
    percent = _UNKNOWN if delta is None else f"{delta:+.1f} %"
    ends = _UNKNOWN if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f} %"
    return [*names, *times, percent, ends, floor, _WORDS[row.decision]]
