"""The time per element: as a figure and as a table."""

import numpy as np

from lunaflow.experiment._crossover import Found
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._texts import floor_text, seconds_text, words
from lunaflow.experiment.report._parts import Cell, Figure, Table, legend_of
from lunaflow.experiment.report._plots import Crossing, Failed, Series, time_figure
from lunaflow.experiment.report._remarks import trap_verb
from lunaflow.experiment.report._svg import Words
from lunaflow.experiment.report._texts import size_text


def times_figure(result: ExperimentResult, anchor: str) -> Figure | None:
    """Return the figure of an experiment, None if nothing was timed."""
    series, crossing = _series(result), _main_crossing(result)
    if not series:
        return None
    failed = _failed(result)
    told = Words(anchor, "Time per element against length", _description(result, crossing))
    shown = dict.fromkeys([*(one.number for one in series), *(one.number for one in failed)])
    return Figure(
        svg=time_figure(series, crossing, told, failed),
        legend=legend_of(result, shown),
        caption=_caption(result, crossing, failed),
    )


def times_table(result: ExperimentResult, anchor: str) -> Table:
    """Return the table of an experiment: a row a size, a column an implementation."""
    names = (Cell(name, "name") for name in result.implementations)
    return Table(
        anchor=f"{anchor}-times",
        caption="Time per element",
        heads=(Cell("n"), *names),
        rows=tuple((size_text(size), _row(result, size)) for size in result.sizes),
    )


def _row(result: ExperimentResult, size: int) -> tuple[Cell, ...]:
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


def _failed(result: ExperimentResult) -> list[Failed]:
    found = []
    for number, name in enumerate(result.implementations):
        wrong = [f.size for f in result.failures if f.implementation == name]
        # a size of 0 has no place on a logarithmic axis
        if sizes := tuple(sorted({size for size in wrong if size is not None and size > 0})):
            found.append(Failed(number, sizes))
    return found


def _description(result: ExperimentResult, crossing: Crossing | None) -> str:
    text = f"For {words(result.implementations)}, both axes logarithmic."
    if crossing is not None:
        a, b = result.implementations[:2]
        between = f"{size_text(crossing.below)} and {size_text(crossing.at_or_above)}"
        text += f" The faster one of {a} and {b} changes between {between}."
    return f"{text} The table holds the figures."


def _caption(result: ExperimentResult, crossing: Crossing | None, failed: list[Failed]) -> str:
    text = "Medians; the tint around a line is its quartiles."
    if failed:
        names = words([result.implementations[one.number] for one in failed])
        text += f" Crosses at the foot: {names} failed there and has no time."
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
        f"Noise floor (A/A controls, each against itself, in its own percent): {spread}. "
        "No verdict rests on a difference smaller than that, in seconds, of either of its two."
    )
