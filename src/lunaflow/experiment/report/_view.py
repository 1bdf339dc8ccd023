"""What the page shows, computed from the record of a run: texts and figures, no markup."""

from dataclasses import dataclass

import numpy as np

from lunaflow._texts import text_of
from lunaflow.experiment._crossover import Found
from lunaflow.experiment._observations import Failure, SizeComparison
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._texts import counted, seconds_text
from lunaflow.experiment.report._plots import (
    Crossing,
    Series,
    colour_number,
    swatch,
    time_figure,
)
from lunaflow.experiment.report._texts import percent_text, size_text, sizes_text, words
from lunaflow.experiment.report._verdicts import (
    crossover_text,
    many_comparisons,
    pairs_of,
    verdict_text,
)


@dataclass(frozen=True, slots=True)
class Banner:
    """Whether the record is whole; `kind` is ``"complete"``, ``"partial"`` or ``"damaged"``."""

    kind: str
    headline: str
    details: tuple[str, ...]


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
class Row:
    """One size: a cell an implementation, then three a pair."""

    size: str
    times: tuple[Cell, ...]
    comparisons: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class FailureView:
    """Failures of one implementation and kind."""

    who: str
    sizes: str
    kind: str
    reason: str
    details: str
    input_text: str
    shrunk: bool
    notes: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one pair comes to."""

    pair: str
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """One experiment."""

    anchor: str
    name: str
    finished: bool
    figure: str
    figure_label: str
    legend: tuple[LegendEntry, ...]
    caption: str
    verdicts: tuple[Verdict, ...]
    failures: tuple[FailureView, ...]
    notes: tuple[str, ...]
    implementations: tuple[str, ...]
    pairs: tuple[str, ...]
    rows: tuple[Row, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All of it."""

    banner: Banner
    environment: tuple[tuple[str, str], ...]
    many_comparisons: str
    weak_verdicts: tuple[str, ...]
    cards: tuple[Card, ...]


def page_of(record: RunRecord) -> Page:
    """Return what the page shows of a run."""
    environment = [
        (key.replace("_", " "), _fact(value)) for key, value in record.environment.items()
    ]
    if record.started:
        environment.append(("started", record.started))
    if record.library_version and "lunaflow" not in record.environment:
        environment.append(("lunaflow", record.library_version))
    many, weak = many_comparisons(record.experiments)
    return Page(
        banner=_banner(record),
        environment=tuple(environment),
        many_comparisons=many,
        weak_verdicts=weak,
        cards=tuple(_card(result, f"e{i}") for i, result in enumerate(record.experiments)),
    )


def _fact(value: object) -> str:
    return value if isinstance(value, str) else text_of(value)


def _banner(record: RunRecord) -> Banner:
    details = []
    if record.ending == "interrupted":
        details.append("The run was interrupted; what it had measured until then is shown.")
    elif record.ending == "cut off":
        details.append(
            "The record has no end event: the run was killed, or is still going. "
            "What was recorded until then is shown."
        )
    if unfinished := [result.name for result in record.experiments if not result.finished]:
        details.append(f"Not finished: {words(unfinished)}.")
    if record.damaged_lines:
        numbers = words([str(number) for number in record.damaged_lines])
        noun, verb = ("Line", "is") if len(record.damaged_lines) == 1 else ("Lines", "are")
        details.append(f"{noun} {numbers} of the record could not be read and {verb} left out.")
    if record.complete:
        done = f"The run and {_all_experiments(len(record.experiments))} came to their end."
        return Banner("complete", "Complete", (done,))
    if record.ending == "finished" and not unfinished:
        return Banner("damaged", "Damaged record", tuple(details))
    return Banner("partial", "Partial", tuple(details))


def _all_experiments(count: int) -> str:
    return "its experiment" if count == 1 else f"all its {counted(count, 'experiment')}"


def _card(result: ExperimentResult, anchor: str) -> Card:
    pairs = pairs_of(result)
    crossings = _crossings(result)
    series = _series(result)
    return Card(
        anchor=anchor,
        name=result.name,
        finished=result.finished,
        figure=time_figure(series, crossings, anchor) if series else "",
        figure_label=_figure_label(result, crossings),
        legend=tuple(_legend(result, one.number) for one in series),
        caption=_caption(result, bool(crossings)),
        verdicts=tuple(Verdict(f"{a} and {b}", crossover_text(result, a, b)) for a, b in pairs),
        failures=_failures(result),
        notes=(*_trap_notes(result), *_clock_notes(result)),
        implementations=result.implementations,
        pairs=tuple(f"{a} against {b}" for a, b in pairs),
        rows=tuple(_row(result, size) for size in result.sizes),
        facts=_facts(result),
    )


def _crossings(result: ExperimentResult) -> list[Crossing]:
    found = [result.crossover(a, b) for a, b in pairs_of(result)]
    boundaries = [one.boundary for one in found if isinstance(one, Found)]
    # two pairs may change at the same place, which is to be marked once
    return list(dict.fromkeys(Crossing(one.below, one.at_or_above) for one in boundaries))


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


def _figure_label(result: ExperimentResult, crossings: list[Crossing]) -> str:
    names = words(result.implementations)
    text = f"Time per element against length for {names}, both axes logarithmic."
    for one in crossings:
        between = f"{size_text(one.below)} and {size_text(one.at_or_above)}"
        text += f" The faster one changes between {between}."
    return f"{text} The table holds the figures."


def _caption(result: ExperimentResult, crossing: bool) -> str:
    text = "Medians; the tint around a line is its quartiles."
    if crossing:
        pair = "the other one" if len(result.implementations) == 2 else "another one of a pair"
        text += (
            f" Dashed: the first size from which {pair} is faster; "
            "grey: the band in which nothing is decided."
        )
    return f"{text} {_noise_text(result)}"


def _noise_text(result: ExperimentResult) -> str:
    floors = sorted(result.noise_floor.values())
    if not floors:
        return "No A/A control was measured, so the noise floor is not known."
    low, high = f"{floors[0]:.1f}", f"{floors[-1]:.1f}"
    spread = f"{low} %" if low == high else f"{low} to {high} %, depending on the size"
    return (
        f"Noise floor (A/A controls, each against itself): {spread}. "
        "No verdict rests on a difference smaller than its two show."
    )


def _row(result: ExperimentResult, size: int) -> Row:
    times = tuple(_time_cell(result, name, size) for name in result.implementations)
    found = [result.comparison(a, b, size) for a, b in pairs_of(result)]
    return Row(size_text(size), times, tuple(cell for one in found for cell in _comparison(one)))


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
            return Cell(_trap_verb(trap.kind), "muted")
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


def _failures(result: ExperimentResult) -> tuple[FailureView, ...]:
    groups: dict[tuple[str, str, str], list[Failure]] = {}
    for failure in result.failures:
        who = failure.implementation or "the measurement"
        reason_class = _reason(failure).partition(":")[0]
        groups.setdefault((who, type(failure.status).__name__, reason_class), []).append(failure)
    return tuple(_failure_view(who, kind, found) for (who, kind, _), found in groups.items())


def _failure_view(who: str, kind: str, found: list[Failure]) -> FailureView:
    first = found[0]
    sizes = sorted({failure.size for failure in found if failure.size is not None})
    headline, _, details = _reason(first).partition("\n")
    notes = []
    if any(failure.flaky for failure in found):
        notes.append("flaky: it did not repeat")
    if first.path:
        notes.append(f"shrunk in {counted(len(first.path), 'step')}")
    return FailureView(
        who=who,
        sizes=f"at {'size' if len(sizes) == 1 else 'sizes'} {sizes_text(sizes)}" if sizes else "",
        kind=kind,
        reason=headline,
        details=details,
        input_text=first.input_text or "",
        shrunk=bool(first.path),
        notes=", ".join(notes),
    )


def _reason(failure: Failure) -> str:
    return getattr(failure.status, "reason", "")


def _trap_notes(result: ExperimentResult) -> list[str]:
    sizes: dict[tuple[str, str], set[int]] = {}
    for trap in result.traps:
        sizes.setdefault((trap.implementation, trap.kind), set()).add(trap.size)
    return [
        f"{name} {_trap_verb(kind)} {_from_or_at(sorted(at), result.sizes)}, "
        "as the reference does; it is not timed there."
        for (name, kind), at in sizes.items()
    ]


def _from_or_at(at: list[int], sizes: tuple[int, ...]) -> str:
    if len(at) > 1 and at == [size for size in sizes if size >= at[0]]:
        return f"from n = {size_text(at[0])}"
    return f"at n = {sizes_text(at)}"


def _trap_verb(kind: str) -> str:
    return "overflows" if kind in ("OVERFLOW", "OverflowError") else f"raises {kind}"


def _clock_notes(result: ExperimentResult) -> list[str]:
    sizes: dict[str, set[int]] = {}
    for one in result.calibrations:
        if one.below_resolution:
            sizes.setdefault(one.implementation, set()).add(one.size)
    return [
        f"{name} at n = {sizes_text(sorted(at))} is below the timer's resolution."
        for name, at in sizes.items()
    ]


def _facts(result: ExperimentResult) -> tuple[tuple[str, str], ...]:
    protocol = result.protocol
    grouping = words(sorted({one.grouping for one in result.comparisons()})) or "none"
    processes = counted(protocol.processes, "process", "processes")
    return (
        ("pairs", f"{protocol.name}: {protocol.pairs} over {processes}"),
        ("oracle", result.oracle),
        ("intervals", f"{100 * protocol.confidence:g} %, bootstrapped over {grouping}"),
        ("smallest difference of interest", f"{protocol.practical_delta_pct:g} %"),
        ("seed", text_of(result.seed)),
    )
