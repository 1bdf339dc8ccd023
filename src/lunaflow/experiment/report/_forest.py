"""The figure of differences with their intervals: one row each, beside the threshold and zero."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment.report._svg import (
    BAND,
    INK,
    PAPER,
    Words,
    colour_of,
    drawing,
    dress,
    marker_of,
)

_WIDTH, _ROW, _MARGIN = 370, 22, 62
# up to so many percent the axis is linear, if it must reach further
_LINEAR, _ALL_LINEAR = 10.0, 120.0
_NARROWEST = 5.0


@dataclass(frozen=True, slots=True)
class Row:
    """One difference, in percent.

    Parameters
    ----------
    label : str
        At the axis; digits and words of ours alone.
    middle, interval : float, tuple of float
        The difference; None where there is none, and `word` stands in its place.
    threshold : float or None
        What a difference must be beyond, up or down; None if it is not known.
    series : int or None
        Whose marker it gets; None for a hollow circle: nobody's.
    word : str
        What is written where there is no difference.
    """

    label: str
    middle: float | None = None
    interval: tuple[float, float] | None = None
    threshold: float | None = None
    series: int | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Boundary:
    """Positions of the two rows between which the faster one changes."""

    above: int
    below: int


def forest_figure(
    rows: Sequence[Row],
    practical: float,
    words: Words,
    *,
    boundary: Boundary | None = None,
    groups: Sequence[int] = (),
    axis: str = "",
) -> str:
    """Return the SVG element of differences and their intervals, one row each, from the top.

    Parameters
    ----------
    rows : sequence of Row
        At least one.
    practical : float
        The smallest difference of interest, in percent; gets dotted lines.
    words : Words
        Title, description, and what begins every id in the element.
    boundary : Boundary, optional
        Gets dashed lines and a tint between them.
    groups : sequence of int
        Positions of rows before which a line is drawn.
    axis : str
        What the rows are.
    """
    with drawing(words, _WIDTH, _MARGIN + _ROW * len(rows)) as made:
        axes = made.figure.add_subplot()
        _set_scale(axes, rows, practical)
        _draw_thresholds(axes, rows)
        for series in dict.fromkeys(row.series for row in rows):
            _draw(axes, series, {i: row for i, row in enumerate(rows) if row.series == series})
        axes.axvline(0, color=INK, linewidth=1.0, zorder=2)
        for end in (-practical, practical):
            axes.axvline(end, color=INK, linewidth=0.8, linestyle=(0, (1, 2)), zorder=2)
        if boundary is not None:
            _mark(axes, boundary)
        for position in groups:
            axes.axhline(position - 0.5, color=INK, linewidth=0.6)
        _dress(axes, rows, axis)
    return made.svg


def _draw_thresholds(axes: Any, rows: Sequence[Row]) -> None:
    low, high = axes.get_xlim()
    boxes = []
    for position, row in enumerate(rows):
        if row.threshold is not None:
            left, right = max(-row.threshold, low), min(row.threshold, high)
            top, foot = position - 0.42, position + 0.42
            boxes.append([(left, top), (right, top), (right, foot), (left, foot), (left, top)])
    _outline(axes, boxes, facecolor=BAND, alpha=0.2, linewidth=0, zorder=1)


def _draw(axes: Any, series: int | None, rows: Mapping[int, Row]) -> None:
    """Draw the intervals of one colour as one outline, and its markers."""
    colour = INK if series is None else colour_of(series)
    ends = {i: row.interval for i, row in rows.items() if row.interval is not None}
    bars = [[(low, float(i)), (high, float(i))] for i, (low, high) in ends.items()]
    caps = [[(x, i - 0.18), (x, i + 0.18)] for i, both in ends.items() for x in both]
    _outline(axes, bars + caps, facecolor="none", edgecolor=colour, linewidth=1.8, zorder=3)
    there = [(row.middle, i) for i, row in rows.items() if row.middle is not None]
    axes.plot(
        [middle for middle, _ in there],
        [i for _, i in there],
        color=colour,
        linestyle="none",
        marker="o" if series is None else marker_of(series),
        markerfacecolor=PAPER if series is None else colour,
        markersize=6,
        zorder=4,
    )
    behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
    for i, row in rows.items():
        if row.middle is None:
            axes.text(0, i, row.word, color=INK, ha="center", va="center", bbox=behind)


def _outline(axes: Any, parts: Sequence[Sequence[tuple[float, float]]], **look: Any) -> None:
    """Draw many lines as one, which takes a fraction of the page."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if parts:
        vertices = [point for part in parts for point in part]
        codes = [Path.LINETO if i else Path.MOVETO for part in parts for i in range(len(part))]
        axes.add_patch(PathPatch(Path(vertices, codes), **look))


def _mark(axes: Any, boundary: Boundary) -> None:
    upper, lower = boundary.above + 0.5, boundary.below - 0.5
    axes.axhline(upper, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))
    if lower > upper:
        axes.axhspan(upper, lower, color=BAND, alpha=0.14, lw=0, zorder=0)
        axes.axhline(lower, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))


def _set_scale(axes: Any, rows: Sequence[Row], practical: float) -> None:
    """Make room for all that is drawn; where that is much, far differences are moved together."""
    found = [row.middle for row in rows if row.middle is not None]
    found += [end for row in rows if row.interval is not None for end in row.interval]
    found += [sign * row.threshold for row in rows if row.threshold for sign in (-1, 1)]
    reach = max(1.6 * practical, _NARROWEST)
    low, high = min([-reach, *found]), max([reach, *found])
    if high - low > 2 * _ALL_LINEAR:
        axes.set_xscale("symlog", linthresh=_LINEAR, linscale=0.7)
        axes.set_xlim(min(low * 1.4, -20.0), max(high * 1.4, 20.0))
    else:
        pad = 0.04 * (high - low)
        axes.set_xlim(low - pad, high + pad)


def _dress(axes: Any, rows: Sequence[Row], axis: str) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    if axes.get_xscale() == "symlog":
        axes.xaxis.set_major_locator(FixedLocator(_decades(*axes.get_xlim())))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(_percent))
    axes.set_xlabel("difference in percent", color=INK)
    axes.set_title(axis, loc="left", color=INK, fontsize=9.0)
    dress(axes, grid="x")
    axes.tick_params(axis="y", length=0)


def _decades(low: float, high: float) -> list[float]:
    ups = [10.0**k for k in range(1, 300) if 10.0**k <= high]
    downs = [-(10.0**k) for k in range(1, 300) if -(10.0**k) >= low]
    # more than four a side run into each other
    return [*downs[:: -(-len(downs) // 4) or 1], 0.0, *ups[:: -(-len(ups) // 4) or 1]]


def _percent(value: float, _position: int) -> str:
    text = f"{value:+,.10g}" if abs(value) < 1e5 else f"{value:+.0e}"
    return "0" if value == 0 else text.replace("-", "\N{MINUS SIGN}")
