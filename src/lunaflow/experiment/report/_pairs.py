"""Two implementations against each other: differences, verdicts, crossover and policy."""

from dataclasses import dataclass

from lunaflow.experiment._crossover import Found
from lunaflow.experiment._observations import SizeComparison
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._texts import floor_text
from lunaflow.experiment._verdict_words import verdict_text
from lunaflow.experiment.report._evidence import evidence_texts, policy_of, reason_text
from lunaflow.experiment.report._forest import Boundary, Row, forest_figure
from lunaflow.experiment.report._parts import (
    WEAK,
    WEAK_NOTE,
    Cell,
    Figure,
    Table,
    legend_of,
)
from lunaflow.experiment.report._svg import Words
from lunaflow.experiment.report._texts import percent_text, size_text
from lunaflow.experiment.report._verdicts import crossover_text
from lunaflow.experiment.stats import Decision

_HEADS = (
    Cell("n"),
    Cell("verdict", "verdict"),
    Cell("difference"),
    Cell("interval"),
    Cell("noise floor"),
    Cell("because", "why"),
)
_NOT_KNOWN = Cell("not known", "muted")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two implementations: who is faster where, in words, as a figure and as a table."""

    anchor: str
    title: str
    crossover: str
    evidence: tuple[str, ...]
    policy: str
    figure: Figure | None
    table: Table


def pair_of(
    result: ExperimentResult, a: str, b: str, anchor: str, weak: frozenset[str] = frozenset()
) -> Pair:
    """Return a pair as the page shows it.

    `weak` are the ids of the comparisons that Holm's correction takes back.
    """
    title = f"{a} against {b}"
    compared = any(result.comparison(a, b, size) is not None for size in result.sizes)
    return Pair(
        anchor=anchor,
        title=title,
        crossover=crossover_text(result, a, b),
        evidence=evidence_texts(result, a, b) if compared else (),
        policy=policy_of(result, a, b) if compared else "",
        figure=_figure(result, a, b, anchor) if compared else None,
        table=Table(
            anchor=f"{anchor}-table",
            caption=f"{title}: paired differences",
            heads=_HEADS,
            rows=tuple(
                (size_text(size), _cells(result, a, b, size, weak)) for size in result.sizes
            ),
            note=_note(result, a, b, weak),
        ),
    )


def _note(result: ExperimentResult, a: str, b: str, weak: frozenset[str]) -> str:
    found = [result.comparison(a, b, size) for size in result.sizes]
    text = (
        f"Difference: median of the paired differences, in percent of {b}'s median; "
        f"negative: {a} is faster. Because: where all of the interval lies."
    )
    return text + WEAK_NOTE if any(one and one.id in weak for one in found) else text


def _figure(result: ExperimentResult, a: str, b: str, anchor: str) -> Figure:
    numbers = [result.implementations.index(name) for name in (a, b)]
    rows = [_row(result, a, b, size, numbers) for size in result.sizes]
    boundary = _boundary(result, a, b)
    practical = result.protocol.practical_delta_pct
    told = Words(
        anchor,
        f"{a} against {b}: paired differences by length",
        f"{crossover_text(result, a, b)} The table holds the figures.",
    )
    return Figure(
        svg=forest_figure(rows, practical, told, boundary=boundary, axis="length n"),
        legend=legend_of(result, numbers, lines=False),
        caption=_caption(result, a, b, practical, boundary),
    )


def _caption(
    result: ExperimentResult, a: str, b: str, practical: float, boundary: Boundary | None
) -> str:
    text = (
        f"Median difference with its {100 * result.protocol.confidence:g} % interval; left of zero "
        f"{a} is faster, right of it {b}. Grey: the noise floor, or \N{PLUS-MINUS SIGN}"
        f"{practical:g} % (dotted) where that is more; a filled marker, the faster one's, lies "
        "outside it, with all of its interval beyond the dots; a hollow circle is undecided or "
        "equivalent."
    )
    if boundary is None:
        return text
    between = "between the dashed lines" if boundary.below - boundary.above > 1 else "at the dashes"
    return f"{text} The faster one changes {between}."


def _row(result: ExperimentResult, a: str, b: str, size: int, numbers: list[int]) -> Row:
    one = result.comparison(a, b, size)
    label = size_text(size)
    if one is None:
        failed = {f.implementation for f in result.failures if f.size == size}
        return Row(label, word="failed" if failed & {a, b} else "not compared")
    series = {Decision.FASTER: numbers[0], Decision.SLOWER: numbers[1]}.get(one.decision)
    if one.relative_delta_pct is None:
        return Row(label, word="no ratio")
    threshold = None if one.noise_floor_pct is None else one.threshold_pct
    return Row(label, one.relative_delta_pct, one.interval_pct, threshold, series)


def _boundary(result: ExperimentResult, a: str, b: str) -> Boundary | None:
    found = result.crossover(a, b)
    if not isinstance(found, Found):
        return None
    below, above = found.boundary.below, found.boundary.at_or_above
    return Boundary(result.sizes.index(below), result.sizes.index(above))


def _cells(
    result: ExperimentResult, a: str, b: str, size: int, weak: frozenset[str]
) -> tuple[Cell, ...]:
    one = result.comparison(a, b, size)
    why = reason_text(result, a, b, size)
    if one is None:
        return (Cell("", "verdict"), Cell(""), Cell(""), Cell(""), Cell(why, "why"))
    verdict = f"{verdict_text(one)}{WEAK if one.id in weak else ''}"
    relative, floor = one.relative_delta_pct, one.noise_floor_pct
    return (
        Cell(verdict, f"verdict {one.decision.value}"),
        Cell("" if relative is None else percent_text(relative)),
        Cell(_interval_text(one)),
        _NOT_KNOWN if floor is None else Cell(floor_text(floor)),
        Cell(why, "why"),
    )


def _interval_text(one: SizeComparison) -> str:
    interval = one.interval_pct
    return "" if interval is None else " to ".join(map(percent_text, interval))
