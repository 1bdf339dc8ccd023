"""The figure of time per element against length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment.report._svg import (
    BAND,
    DASHES,
    INK,
    Words,
    colour_of,
    dash_number,
    drawing,
    dress,
    marker_of,
)

# of the size that it has on a phone, so that its text stays readable there
_WIDTH, _HEIGHT = 370, 290


@dataclass(frozen=True, slots=True)
class Series:
    """One line: seconds per element at sizes above 0, with the quartiles around."""

    number: int
    sizes: tuple[int, ...]
    median: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two sizes between which the faster one changes."""

    below: int
    at_or_above: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The sizes above 0 at which one implementation failed; it has no time there."""

    number: int
    sizes: tuple[int, ...]


def time_figure(
    series: Sequence[Series],
    crossing: Crossing | None,
    words: Words,
    failed: Sequence[Failed] = (),
) -> str:
    """Return the SVG element of time per element against length, on logarithmic axes.

    Parameters
    ----------
    series : sequence of Series
        The lines; at least one holds a point.
    crossing : Crossing or None
        Gets a vertical line at its upper size and a band between its two.
    words : Words
        Title, description, and what begins every id in the element.
    failed : sequence of Failed
        Get crosses at the foot of the figure.
    """
    with drawing(words, _WIDTH, _HEIGHT) as made:
        axes = made.figure.add_subplot()
        if crossing is not None:
            _mark(axes, crossing)
        for one in series:
            _draw(axes, one)
        for height, wrong in enumerate(failed):
            _cross(axes, wrong, 0.035 + 0.06 * height)
        _dress(axes, series, [size for wrong in failed for size in wrong.sizes])
    return made.svg


def _draw(axes: Any, one: Series) -> None:
    colour = colour_of(one.number)
    axes.fill_between(one.sizes, one.lower, one.upper, color=colour, alpha=0.18, linewidth=0)
    axes.plot(
        one.sizes,
        one.median,
        color=colour,
        marker=marker_of(one.number),
        linestyle=DASHES[dash_number(one.number)],
        linewidth=1.4,
        markersize=4.5,
    )


def _cross(axes: Any, wrong: Failed, height: float) -> None:
    axes.plot(
        wrong.sizes,
        [height] * len(wrong.sizes),
        transform=axes.get_xaxis_transform(),
        color=colour_of(wrong.number),
        linestyle="none",
        marker="x",
        markersize=7,
        markeredgewidth=2.2,
        clip_on=False,
    )


def _mark(axes: Any, crossing: Crossing) -> None:
    # a size of 0 has no place on a logarithmic axis; the band then begins at the margin
    axes.axvspan(max(crossing.below, 1e-3), crossing.at_or_above, color=BAND, alpha=0.22, lw=0)
    axes.axvline(crossing.at_or_above, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))


def _dress(axes: Any, series: Sequence[Series], more_sizes: Sequence[int]) -> None:
    from matplotlib.ticker import EngFormatter, LogLocator, NullLocator

    sizes = [size for one in series for size in one.sizes] + list(more_sizes)
    times = [time for one in series for time in (*one.lower, *one.upper)]
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(_limits(sizes))
    axes.set_ylim(_limits(times))
    for axis, values, unit in ((axes.xaxis, sizes, ""), (axes.yaxis, times, "s")):
        low, high = _limits(values)
        axis.set_major_locator(LogLocator(subs=(1.0,) if high / low > 50 else (1.0, 2.0, 5.0)))
        axis.set_major_formatter(EngFormatter(unit=unit, sep="\N{NO-BREAK SPACE}"))
        axis.set_minor_locator(NullLocator())
    axes.set_title("time per element", loc="left", color=INK, fontsize=9.0)
    axes.set_xlabel("length n", color=INK)
    dress(axes)


def _limits(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    # wide enough that a tick of 1, 2 or 5 falls inside
    pad = max(1.25, (6 * low / high) ** 0.5)
    return low / pad, high * pad
