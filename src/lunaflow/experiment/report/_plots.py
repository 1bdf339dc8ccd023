"""Figures as SVG to put into a page: no fixed colours, no foreign texts, ids of their own."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment.report._extra import naming_the_extra

# Okabe and Ito's colours; the page replaces them by its variables, so that dark mode may differ.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_MARKERS = "osD^vP"
_DASHES = ("-", "--", ":")
_INK, _GRID, _BAND = "#102030", "#405060", "#607080"

_PAGE_COLOURS = {
    _INK: "currentColor",
    _GRID: "var(--grid)",
    _BAND: "currentColor",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(COLOURS)},
}

# of the size that it has on a phone, so that its text stays readable there; in inches of 96 pixels
_WIDTH, _HEIGHT = 370 / 96, 290 / 96

_SWATCHES = (
    "M10 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M10.5 2.5h7v7h-7z",
    "M14 1.2L18.8 6L14 10.8L9.2 6z",
    "M14 1.5L18.5 10h-9z",
    "M14 10.5L18.5 2h-9z",
    "M12.5 2h3v2.5H18v3h-2.5V10h-3V7.5H10v-3h2.5z",
)


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


def colour_number(series: int) -> int:
    """Return which of the page's colours a line has."""
    return series % len(COLOURS)


def swatch(series: int) -> tuple[str, str]:
    """Return the path of a line's marker, in a box of 28 by 12, and the dashes of its line."""
    dashes = ("none", "5 3", "1.5 2.5")
    return _SWATCHES[series % len(_SWATCHES)], dashes[_dash(series)]


def time_figure(series: Sequence[Series], crossing: Crossing | None, prefix: str) -> str:
    """Return the SVG element of time per element against length, on logarithmic axes.

    Parameters
    ----------
    series : sequence of Series
        The lines; at least one holds a point.
    crossing : Crossing or None
        Gets a vertical line at its upper size and a band between its two.
    prefix : str
        Begins every id in the element.
    """
    with naming_the_extra("matplotlib"):
        import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": prefix, "svg.fonttype": "none", "font.size": 9.0}):
        figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
        axes = figure.add_subplot()
        if crossing is not None:
            _mark(axes, crossing)
        for one in series:
            _draw(axes, one)
        _dress(axes, series)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return _inline(buffer.getvalue(), prefix)


def _draw(axes: Any, one: Series) -> None:
    colour = COLOURS[colour_number(one.number)]
    axes.fill_between(one.sizes, one.lower, one.upper, color=colour, alpha=0.18, linewidth=0)
    axes.plot(
        one.sizes,
        one.median,
        color=colour,
        marker=_MARKERS[one.number % len(_MARKERS)],
        linestyle=_DASHES[_dash(one.number)],
        linewidth=1.4,
        markersize=4.5,
    )


def _mark(axes: Any, crossing: Crossing) -> None:
    # a size of 0 has no place on a logarithmic axis; the band then begins at the margin
    axes.axvspan(max(crossing.below, 1e-3), crossing.at_or_above, color=_BAND, alpha=0.22, lw=0)
    axes.axvline(crossing.at_or_above, color=_INK, linewidth=1.0, linestyle=(0, (4, 2)))


def _dress(axes: Any, series: Sequence[Series]) -> None:
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    sizes = [size for one in series for size in one.sizes]
    times = [time for one in series for time in (*one.lower, *one.upper)]
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(_limits(sizes))
    axes.set_ylim(_limits(times))
    for axis, values, unit in ((axes.xaxis, sizes, ""), (axes.yaxis, times, "s")):
        low, high = _limits(values)
        axis.set_major_locator(LogLocator(subs=(1.0,) if high / low > 50 else (1.0, 2.0, 5.0)))
        axis.set_major_formatter(EngFormatter(unit=unit, sep="\N{NO-BREAK SPACE}"))
        axis.set_minor_formatter(NullFormatter())
    axes.set_title("time per element", loc="left", color=_INK, fontsize=9.0)
    axes.set_xlabel("length n", color=_INK)
    axes.grid(visible=True, which="major", color=_GRID, linewidth=0.5)
    axes.tick_params(which="both", color=_INK, labelcolor=_INK)
    for name, spine in axes.spines.items():
        spine.set_color(_INK)
        spine.set_visible(name in ("left", "bottom"))


def _limits(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    # wide enough that a tick of 1, 2 or 5 falls inside
    pad = max(1.25, (6 * low / high) ** 0.5)
    return low / pad, high * pad


def _dash(series: int) -> int:
    return series // len(COLOURS) % len(_DASHES)


def _inline(svg: str, prefix: str) -> str:
    """Return the bare SVG element, coloured by the page, every id beginning with the prefix."""
    opening, rest = svg[svg.index("<svg") :].strip().split(">", 1)
    box = re.search(r'viewBox="[^"]*"', opening)
    if box is None:
        raise ValueError(f"the figure has no viewBox: {opening}")
    rest = re.sub(r"<metadata>.*?</metadata>\s*", "", rest, flags=re.DOTALL)
    # its one rule is for every element of the page; the page's own style sheet holds it instead
    rest = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", rest, flags=re.DOTALL)
    rest = rest.replace('xlink:href="#', f'href="#{prefix}-').replace("url(#", f"url(#{prefix}-")
    rest = re.sub(r'\bid="', f'id="{prefix}-', rest)
    for colour, variable in _PAGE_COLOURS.items():
        rest = rest.replace(colour, variable)
    return f"<svg {box[0]}>{rest}"
