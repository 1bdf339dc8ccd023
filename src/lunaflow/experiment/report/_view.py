"""What the page shows, computed from the record of a run: texts and figures, no markup."""

from dataclasses import dataclass

from lunaflow._texts import text_of
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._texts import counted, words
from lunaflow.experiment.report._heading import Banner, banner_of, environment_of, started_text
from lunaflow.experiment.report._order import (
    OrderTable,
    order_caption,
    order_of,
    order_tables,
    order_text,
)
from lunaflow.experiment.report._order_plot import bundle_of, order_figure
from lunaflow.experiment.report._pairs import Pair, pair_of
from lunaflow.experiment.report._parts import Cell, Figure, Table, legend_of
from lunaflow.experiment.report._remarks import (
    FailureView,
    failures_in_short,
    failures_of,
    notes_of,
    traps_in_short,
)
from lunaflow.experiment.report._svg import Words
from lunaflow.experiment.report._times import times_figure, times_table
from lunaflow.experiment.report._verdicts import many_comparisons, pairs_of, taken_back

_PAIRS_IN_SHORT = 6


@dataclass(frozen=True, slots=True)
class OrderView:
    """The samples in the order of timing: in words, as a figure and as tables."""

    text: str
    figure: Figure
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One experiment."""

    anchor: str
    name: str
    finished: bool
    failures: tuple[FailureView, ...]
    failures_in_short: tuple[str, ...]
    traps_in_short: tuple[str, ...]
    notes: tuple[str, ...]
    implementations: tuple[str, ...]
    times: Table
    figure: Figure | None
    pairs: tuple[Pair, ...]
    order: OrderView | None
    facts: tuple[tuple[str, str], ...]

    @property
    def verdicts(self) -> tuple[tuple[str, str], ...]:
        """A sentence a pair, with the pair's title if there are several; the first few."""
        several = len(self.pairs) > 1
        return tuple(
            (pair.title if several else "", pair.crossover) for pair in self.pairs[:_PAIRS_IN_SHORT]
        )

    @property
    def more_pairs(self) -> int:
        """How many pairs `verdicts` leaves to the card."""
        return max(0, len(self.pairs) - _PAIRS_IN_SHORT)


@dataclass(frozen=True, slots=True)
class Page:
    """All of one run."""

    banner: Banner
    started: str
    environment: tuple[tuple[str, str], ...]
    many_comparisons: str
    weak_verdicts: tuple[str, ...]
    cards: tuple[Card, ...]


def page_of(record: RunRecord) -> Page:
    """Return what the page shows of a run."""
    many, weak = many_comparisons(record.experiments)
    each = zip(record.experiments, taken_back(record.experiments), strict=True)
    return Page(
        banner=banner_of(record),
        started=started_text(record),
        environment=environment_of(record),
        many_comparisons=many,
        weak_verdicts=weak,
        cards=tuple(_card(result, f"e{i}", taken) for i, (result, taken) in enumerate(each)),
    )


def _card(result: ExperimentResult, anchor: str, weak: frozenset[str]) -> Card:
    return Card(
        anchor=anchor,
        name=result.name,
        finished=result.finished,
        failures=failures_of(result),
        failures_in_short=failures_in_short(result),
        traps_in_short=traps_in_short(result),
        notes=notes_of(result),
        implementations=result.implementations,
        times=times_table(result, anchor),
        figure=times_figure(result, anchor),
        pairs=tuple(
            pair_of(result, a, b, f"{anchor}-p{i}", weak)
            for i, (a, b) in enumerate(pairs_of(result))
        ),
        order=_order_view(result, f"{anchor}-o"),
        facts=_facts(result),
    )


def _order_view(result: ExperimentResult, anchor: str) -> OrderView | None:
    order = order_of(result)
    if not order.samples:
        return None
    numbers = [number for number, _ in order.samples]
    text = order_text(result, order)
    told = Words(anchor, "Samples in the order in which they were timed", text)
    names = tuple(result.implementations[number] for number in numbers)
    return OrderView(
        text=text,
        figure=Figure(
            svg=order_figure(order, told),
            legend=legend_of(result, numbers, lines=False),
            caption=order_caption(bundle_of(order)),
            wide=True,
        ),
        tables=tuple(
            _order_table(one, names, f"{anchor}-t{i}")
            for i, one in enumerate(order_tables(result, order))
        ),
    )


def _order_table(one: OrderTable, names: tuple[str, ...], anchor: str) -> Table:
    rows = tuple((head, tuple(map(Cell, texts))) for head, texts in one.rows)
    heads = (Cell(one.head), *(Cell(name, "name") for name in names))
    return Table(anchor, one.title, heads, rows)


def _inputs_text(result: ExperimentResult) -> str:
    counts = sorted({one.inputs for one in result.validations})
    if not counts:
        return "nothing"
    least = "" if len(counts) == 1 else f"{counts[0]} to "
    return f"{least}{counted(counts[-1], 'input')} a size"


def _collector_text(result: ExperimentResult) -> str:
    states = {block.gc_enabled for block in result.blocks}
    if not states:
        return "not known"
    state = "on" if states == {True} else "off" if states == {False} else "on in some blocks"
    return f"{state}; off during each batch in any case"


def _facts(result: ExperimentResult) -> tuple[tuple[str, str], ...]:
    protocol = result.protocol
    grouping = words(sorted({one.grouping for one in result.comparisons()})) or "none"
    processes = counted(protocol.processes, "process", "processes")
    named = zip(result.implementations, result.versions, strict=False)
    versions = words([f"{name} {version}" for name, version in named if version])
    return (
        ("pairs", f"{protocol.name}: {protocol.pairs} over {processes}"),
        ("blocks timed", f"{len(result.blocks):,}"),
        ("oracle", result.oracle),
        ("validated on", _inputs_text(result)),
        ("intervals", f"{100 * protocol.confidence:g} %, bootstrapped over {grouping}"),
        ("smallest difference of interest", f"{protocol.practical_delta_pct:g} %"),
        ("garbage collector", _collector_text(result)),
        ("seed", text_of(result.seed)),
        *([("versions", versions)] if versions else []),
    )
