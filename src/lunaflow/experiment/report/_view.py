"""What the page shows, computed from the record of a run: texts and figures, no markup."""

from dataclasses import dataclass

import numpy as np

from lunaflow._texts import text_of
from lunaflow.experiment._crossover import Found
from lunaflow.experiment._observations import SizeComparison
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._texts import counted, floor_text, seconds_text, words
from lunaflow.experiment._verdict_words import verdict_text
from lunaflow.experiment.report._heading import Banner, banner_of, environment_of, started_text
from lunaflow.experiment.report._plots import (
    Crossing,
    Series,
    colour_number,
    swatch,
    time_figure,
)
from lunaflow.experiment.report._remarks import (
    FailureView,
    failures_in_short,
    failures_of,
    notes_of,
    trap_verb,
    traps_in_short,
)
from lunaflow.experiment.report._texts import percent_text, size_text
from lunaflow.experiment.report._verdicts import crossover_text, many_comparisons, pairs_of


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of the figure."""

    name: str
    colour: int
    path: str
    dashes: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the table; `kind` names its style, empty for plain."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two implementations: who is faster where, in words, and three cells a size."""

    title: str
    crossover: str
    meaning: str
    cells: tuple[tuple[Cell, Cell, Cell], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One experiment; `times` and the cells of its pairs are in the order of `sizes`."""

    anchor: str
    name: str
    finished: bool
    figure: str
    figure_label: str
    legend: tuple[LegendEntry, ...]
    caption: str
    failures: tuple[FailureView, ...]
    failures_in_short: tuple[str, ...]
    traps_in_short: tuple[str, ...]
    notes: tuple[str, ...]
    implementations: tuple[str, ...]
    sizes: tuple[str, ...]
    times: tuple[tuple[Cell, ...], ...]
    main_pair: Pair | None
    other_pairs: tuple[Pair, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All of it."""

    banner: Banner
    started: str
    environment: tuple[tuple[str, str], ...]
    many_comparisons: str
    weak_verdicts: tuple[str, ...]
    cards: tuple[Card, ...]


def page_of(record: RunRecord) -> Page:
    """Return what the page shows of a run."""
    many, weak = many_comparisons(record.experiments)
    return Page(
        banner=banner_of(record),
        started=started_text(record),
        environment=environment_of(record),
        many_comparisons=many,
        weak_verdicts=weak,
        cards=tuple(_card(result, f"e{i}") for i, result in enumerate(record.experiments)),
    )


def _card(result: ExperimentResult, anchor: str) -> Card:
    pairs = [_pair(result, a, b) for a, b in pairs_of(result)]
    crossing, series = _main_crossing(result), _series(result)
    return Card(
        anchor=anchor,
        name=result.name,
        finished=result.finished,
        figure=time_figure(series, crossing, anchor) if series else "",
        figure_label=_figure_label(result, crossing),
        legend=tuple(_legend(result, one.number) for one in series),
        caption=_caption(result, crossing),
        failures=failures_of(result),
        failures_in_short=failures_in_short(result),
        traps_in_short=traps_in_short(result),
        notes=notes_of(result),
        implementations=result.implementations,
        sizes=tuple(size_text(size) for size in result.sizes),
        times=tuple(_times(result, size) for size in result.sizes),
        main_pair=pairs[0] if pairs else None,
        other_pairs=tuple(pairs[1:]),
        facts=_facts(result),
    )


def _pair(result: ExperimentResult, a: str, b: str) -> Pair:
    return Pair(
        title=f"{a} against {b}",
        crossover=crossover_text(result, a, b),
        meaning=(
            f"Difference: median of the paired differences, in percent of {b}'s median; "
            f"negative: {a} is faster."
        ),
        cells=tuple(_comparison(result.comparison(a, b, size)) for size in result.sizes),
    )


def _main_crossing(result: ExperimentResult) -> Crossing | None:
    """Return where the faster one of the first two changes; other pairs would only confuse."""
    if len(result.implementations) < 2:
        return None
    found = result.crossover(*result.implementations[:2])
    if not isinstance(found, Found):
        return None
    return Crossing(found.boundary.below, found.boundary.at_or_above)


def _series(result: ExperimentResult) -> list[Series]:
    found = []
    for number, name in enumerate(result.implementations):
        points = [(size, result.times(name, size) / size) for size in result.sizes if size > 0]
        # a logarithmic axis has no place for a batch that took no time
        points = [(size, times[times > 0]) for size, times in points]
        points = [(size, times) for size, times in points if times.size]
        if points:
            lower, median, upper = (
                tuple(float(np.quantile(times, q)) for _, times in points)
                for q in (0.25, 0.5, 0.75)
            )
            sizes = tuple(size for size, _ in points)
            found.append(Series(number, sizes, median, lower, upper))
    return found


def _legend(result: ExperimentResult, number: int) -> LegendEntry:
    path, dashes = swatch(number)
    return LegendEntry(result.implementations[number], colour_number(number), path, dashes)


def _figure_label(result: ExperimentResult, crossing: Crossing | None) -> str:
    names = words(result.implementations)
    text = f"Time per element against length for {names}, both axes logarithmic."
    if crossing is not None:
        a, b = result.implementations[:2]
        between = f"{size_text(crossing.below)} and {size_text(crossing.at_or_above)}"
        text += f" The faster one of {a} and {b} changes between {between}."
    return f"{text} The table holds the figures."


def _caption(result: ExperimentResult, crossing: Crossing | None) -> str:
    text = "Medians; the tint around a line is its quartiles."
    if crossing is not None:
        lower, upper = size_text(crossing.below), size_text(crossing.at_or_above)
        a, b = result.implementations[:2]
        text += (
            f" Grey: between {lower} and {upper} the faster one of {a} and {b} changes; "
            f"dashed: {upper}."
        )
    return f"{text} {_noise_text(result)}"


def _noise_text(result: ExperimentResult) -> str:
    floors = sorted(result.noise_floor.values())
    if not floors:
        return "No A/A control was measured, so the noise floor is not known."
    low, high = floor_text(floors[0]), floor_text(floors[-1])
    spread = low if low == high else f"{low} to {high}, depending on the size"
    return (
        f"Noise floor (A/A controls, each against itself): {spread}. "
        "No verdict rests on a difference smaller than its two show."
    )


def _times(result: ExperimentResult, size: int) -> tuple[Cell, ...]:
    return tuple(_time_cell(result, name, size) for name in result.implementations)


def _time_cell(result: ExperimentResult, name: str, size: int) -> Cell:
    times = result.times(name, size)
    if times.size:
        median = float(np.median(times))
        if size == 0:
            return Cell(f"{seconds_text(median)} a call")
        return Cell(seconds_text(median / size))
    if any((f.implementation, f.size) == (name, size) for f in result.failures):
        return Cell("failed", "bad")
    for trap in result.traps:
        if (trap.implementation, trap.size) == (name, size):
            return Cell(trap_verb(trap.kind), "muted")
    return Cell("not timed", "muted")


def _comparison(one: SizeComparison | None) -> tuple[Cell, Cell, Cell]:
    if one is None:
        return Cell("", "verdict"), Cell(""), Cell("")
    relative, interval = one.relative_delta_pct, one.interval_pct
    difference = "" if relative is None else percent_text(relative)
    low_high = "" if interval is None else " to ".join(map(percent_text, interval))
    return (
        Cell(verdict_text(one), f"verdict {one.decision.value}"),
        Cell(difference),
        Cell(low_high),
    )


def _inputs_text(result: ExperimentResult) -> str:
    counts = sorted({one.inputs for one in result.validations})
    if not counts:
        return "nothing"
    least = "" if len(counts) == 1 else f"{counts[0]} to "
    return f"{least}{counted(counts[-1], 'input')} a size"


def _facts(result: ExperimentResult) -> tuple[tuple[str, str], ...]:
    protocol = result.protocol
    grouping = words(sorted({one.grouping for one in result.comparisons()})) or "none"
    processes = counted(protocol.processes, "process", "processes")
    return (
        ("pairs", f"{protocol.name}: {protocol.pairs} over {processes}"),
        ("oracle", result.oracle),
        ("validated on", _inputs_text(result)),
        ("intervals", f"{100 * protocol.confidence:g} %, bootstrapped over {grouping}"),
        ("smallest difference of interest", f"{protocol.practical_delta_pct:g} %"),
        ("seed", text_of(result.seed)),
    )
