"""What pages are put together from: tables, figures and their legends, as texts without markup."""

from collections.abc import Iterable
from dataclasses import dataclass

from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment.report._svg import colour_number, swatch

WEAK = " \N{DAGGER}"
WEAK_NOTE = " \N{DAGGER}: does not stand after Holm's correction for all comparisons."


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; `kind` names its style, empty for plain."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption; the first of its heads is that of the rows' own heads."""

    anchor: str
    caption: str
    heads: tuple[Cell, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a figure; `note` is what must be known of it, such as that it failed."""

    name: str
    colour: int
    path: str
    dashes: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its legend; `wide` asks for more room."""

    svg: str
    legend: tuple[LegendEntry, ...]
    caption: str
    wide: bool = False


def legend_of(
    result: ExperimentResult, numbers: Iterable[int], *, lines: bool = True
) -> tuple[LegendEntry, ...]:
    """Return the legend of some implementations, by number; without `lines` of markers alone."""
    failed = {failure.implementation for failure in result.failures}
    entries = []
    for number in numbers:
        name, (path, dashes) = result.implementations[number], swatch(number)
        note = "failed" if name in failed else ""
        shown = dashes if lines else "0 99"
        entries.append(LegendEntry(name, colour_number(number), path, shown, note))
    return tuple(entries)
