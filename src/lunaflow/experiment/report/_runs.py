"""Two runs side by side: what changed from the one to the other, as texts and figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from lunaflow._texts import text_of
from lunaflow.experiment._changes import Change, compare_runs
from lunaflow.experiment._correction import corrected_text, positions_taken_back
from lunaflow.experiment._results import RunRecord
from lunaflow.experiment._texts import counted, floor_text, seconds_text
from lunaflow.experiment.report._forest import Row, forest_figure
from lunaflow.experiment.report._heading import Banner, banner_of, started_text
from lunaflow.experiment.report._parts import WEAK, WEAK_NOTE, Cell, Figure, LegendEntry, Table
from lunaflow.experiment.report._svg import Words, colour_number, swatch
from lunaflow.experiment.report._texts import percent_text, size_text
from lunaflow.experiment.stats import Decision

_WORDS = {
    Decision.FASTER: "faster",
    Decision.SLOWER: "slower",
    Decision.EQUIVALENT: "equivalent",
    Decision.UNKNOWN: "undecided",
    Decision.INVALID: "no ratio",
}
_ABSENT = "not there"


@dataclass(frozen=True, slots=True)
class ChangedExperiment:
    """What changed of one experiment; `lines` tells the changes in words."""

    name: str
    figure: Figure | None
    table: Table
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """One of the runs: its name, whether its record is whole, and when it started."""

    name: str
    banner: Banner
    started: str


@dataclass(frozen=True, slots=True)
class ChangesView:
    """What changed from one run to another.

    `environment` are the facts that differ: name, before, after.
    """

    anchor: str
    before: RunView
    after: RunView
    summary: tuple[str, ...]
    environment: Table | None
    experiments: tuple[ChangedExperiment, ...]


def changes_of(
    before: RunRecord, after: RunRecord, names: tuple[str, str], anchor: str
) -> ChangesView:
    """Return what the page shows of two runs; `names` are those of the runs."""
    found = compare_runs(before, after)
    compared = [row for row in found.rows if row.comparison is not None]
    weak = {compared[i] for i in positions_taken_back(compared)}
    by_name: dict[str, list[Change]] = {}
    for row in found.rows:
        by_name.setdefault(row.experiment, []).append(row)
    practical = {one.name: one.protocol.practical_delta_pct for one in after.experiments}
    return ChangesView(
        anchor=anchor,
        before=RunView(names[0], banner_of(before), started_text(before)),
        after=RunView(names[1], banner_of(after), started_text(after)),
        summary=_summary(found.rows, compared),
        environment=_environment(found.environment, names, anchor),
        experiments=tuple(
            _experiment(rows, names, f"{anchor}-{i}", practical.get(name, 3.0), weak)
            for i, (name, rows) in enumerate(by_name.items())
        ),
    )


def _summary(rows: Sequence[Change], compared: Sequence[Change]) -> tuple[str, ...]:
    counts = {
        word: sum(row.decision is decision for row in compared) for decision, word in _WORDS.items()
    }
    told = [f"{count} {word}" for word, count in counts.items() if count]
    texts = [f"{counted(len(compared), 'figure')} compared: {', '.join(told) or 'none'}."]
    if moved := [row for row in rows if row.before != row.after]:
        failing = sum(row.after == "failed" for row in moved)
        text = f"{counted(len(moved), 'figure')} became something else"
        texts.append(f"{text}; {failing} of them failed after." if failing else f"{text}.")
    return (*texts, *filter(None, [corrected_text(compared)]))


def _environment(
    facts: Sequence[tuple[str, object, object]], names: tuple[str, str], anchor: str
) -> Table | None:
    if not facts:
        return None
    return Table(
        anchor=f"{anchor}-facts",
        caption="What differs in the environment",
        heads=(Cell("fact"), Cell(names[0], "name"), Cell(names[1], "name")),
        rows=tuple(
            (name.replace("_", " "), (Cell(_fact(before), "why"), Cell(_fact(after), "why")))
            for name, before, after in facts
        ),
        note="A figure that changed may have changed for this reason.",
    )


def _fact(value: object) -> str:
    if value is None:
        return "not recorded"
    return value if isinstance(value, str) else text_of(value)


def _experiment(
    rows: Sequence[Change],
    names: tuple[str, str],
    anchor: str,
    practical: float,
    weak: set[Change],
) -> ChangedExperiment:
    name = rows[0].experiment
    heads = (
        Cell("implementation and n"),
        *(Cell(run, "name") for run in names),
        Cell("now", "verdict"),
        Cell("difference"),
        Cell("interval"),
        Cell("noise floor"),
    )
    return ChangedExperiment(
        name=name,
        figure=_figure(rows, names, anchor, practical),
        table=Table(
            anchor=f"{anchor}-table",
            caption=f"{name}: time of a call in {names[0]} and {names[1]}",
            heads=heads,
            rows=tuple((_label(row), _cells(row, row in weak)) for row in rows),
            note=(
                f"Difference of the medians, in percent of the one in {names[0]}; "
                f"negative: faster in {names[1]}.{WEAK_NOTE if weak.intersection(rows) else ''}"
            ),
        ),
        lines=tuple(_line(row) for row in rows if row.changed),
    )


def _figure(
    rows: Sequence[Change], names: tuple[str, str], anchor: str, practical: float
) -> Figure | None:
    if all(row.comparison is None for row in rows):
        return None
    numbers = {who: i for i, who in enumerate(dict.fromkeys(row.implementation for row in rows))}
    firsts = [
        i for i, row in enumerate(rows) if i and row.implementation != rows[i - 1].implementation
    ]
    told = Words(
        anchor,
        f"{rows[0].experiment}: differences of {names[1]} against {names[0]}",
        " ".join(_line(row) for row in rows if row.changed)
        or "No figure is known to have changed.",
    )
    drawn = [_drawn(row, numbers[row.implementation]) for row in rows]
    legend = []
    for who, number in numbers.items():
        path, _ = swatch(number)
        legend.append(LegendEntry(who, colour_number(number), path, "0 99"))
    return Figure(
        svg=forest_figure(drawn, practical, told, groups=firsts, axis="length n"),
        legend=tuple(legend),
        caption=(
            f"Left of zero: faster in {names[1]}. Grey: the larger noise floor of the two runs, or "
            f"\N{PLUS-MINUS SIGN}{practical:g} % (dotted) where that is more; a filled marker lies "
            "outside it, with all of its interval beyond the dots; a hollow circle is undecided or "
            "equivalent."
        ),
    )


def _drawn(row: Change, number: int) -> Row:
    label, one = size_text(row.size), row.comparison
    if one is None or one.relative_delta_pct is None:
        now = row.after or _ABSENT
        word = now if row.before == row.after else f"{row.before or _ABSENT}, now {now}"
        return Row(label, word=word if one is None else "no ratio")
    floor = row.noise_floor_pct
    known = None if floor is None else max(floor, one.practical_delta_pct)
    series = number if row.changed else None
    return Row(label, one.relative_delta_pct, row.interval_pct, known, series)


def _cells(row: Change, weak: bool) -> tuple[Cell, ...]:
    one = row.comparison
    floor = "not known" if row.noise_floor_pct is None else floor_text(row.noise_floor_pct)
    if one is None:
        before, after = row.before or _ABSENT, row.after or _ABSENT
        kind = "bad" if after == "failed" else "muted"
        verdict = Cell(after if row.changed else "", f"verdict {kind}")
        was = Cell(before, "bad" if before == "failed" else "muted")
        return (was, Cell(after, kind), verdict, Cell(""), Cell(""), Cell(floor, "muted"))
    delta, interval = one.relative_delta_pct, row.interval_pct
    word = f"{_WORDS[row.decision]}{WEAK if weak else ''}"
    return (
        Cell(seconds_text(one.b_median)),
        Cell(seconds_text(one.a_median)),
        Cell(word, f"verdict {row.decision.value}"),
        Cell("" if delta is None else percent_text(delta)),
        Cell("" if interval is None else " to ".join(map(percent_text, interval))),
        Cell(floor),
    )


def _label(row: Change) -> str:
    return f"{row.implementation}, {size_text(row.size)}"


def _line(row: Change) -> str:
    where = f"{row.implementation} at n = {size_text(row.size)}"
    if row.comparison is None or row.before != row.after:
        return f"{where}: {row.before or _ABSENT} before, {row.after or _ABSENT} now."
    delta, interval = row.comparison.relative_delta_pct, row.interval_pct
    if delta is None or interval is None:
        return f"{where} is {_WORDS[row.decision]}."
    ends = " to ".join(map(percent_text, interval))
    return f"{where} is {_WORDS[row.decision]}: {percent_text(delta)} ({ends})."
