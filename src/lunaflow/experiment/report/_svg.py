"""Figures as SVG to put into a page: no fixed colours, no foreign texts, ids of their own."""

import contextlib
import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment.report._extra import naming_the_extra
from lunaflow.experiment.report._texts import showable

# Okabe and Ito's colours; the page replaces them by its variables, so that dark mode may differ.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = "osD^vP"
DASHES = ("-", "--", ":")
INK, GRID, BAND, PAPER = "#102030", "#405060", "#607080", "#708090"

_PAGE_COLOURS = {
    INK: "currentColor",
    GRID: "var(--grid)",
    BAND: "currentColor",
    PAPER: "var(--card)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(COLOURS)},
}

_SWATCHES = (
    "M10 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M10.5 2.5h7v7h-7z",
    "M14 1.2L18.8 6L14 10.8L9.2 6z",
    "M14 1.5L18.5 10h-9z",
    "M14 10.5L18.5 2h-9z",
    "M12.5 2h3v2.5H18v3h-2.5V10h-3V7.5H10v-3h2.5z",
)


@dataclass(frozen=True, slots=True)
class Words:
    """What is told of a figure to those who do not see it; `prefix` begins every id in it."""

    prefix: str
    title: str
    description: str


class Drawing:
    """A figure in the making; `svg` is the element when the drawing is done."""

    def __init__(self, figure: Any) -> None:
        self.figure = figure
        self.svg = ""


def colour_number(series: int) -> int:
    """Return which of the page's colours a line has."""
    return series % len(COLOURS)


def colour_of(series: int) -> str:
    """Return the colour of a line, to draw with."""
    return COLOURS[colour_number(series)]


def marker_of(series: int) -> str:
    """Return the marker of a line, to draw with."""
    return MARKERS[series % len(MARKERS)]


def dash_number(series: int) -> int:
    """Return which dashes a line has."""
    return series // len(COLOURS) % len(DASHES)


def swatch(series: int) -> tuple[str, str]:
    """Return the path of a line's marker, in a box of 28 by 12, and the dashes of its line."""
    dashes = ("none", "5 3", "1.5 2.5")
    return _SWATCHES[series % len(_SWATCHES)], dashes[dash_number(series)]


@contextlib.contextmanager
def drawing(words: Words, width: float, height: float) -> Iterator[Drawing]:
    """Give a figure of a size in pixels to draw on; it is rendered when the block ends."""
    with naming_the_extra("matplotlib"):
        import matplotlib as mpl
    from matplotlib.figure import Figure

    settings: Any = {
        "svg.hashsalt": words.prefix,
        "svg.fonttype": "none",
        "font.size": 9.0,
        "path.simplify": False,  # two equal points are a dot
    }
    with mpl.rc_context(settings):
        done = Drawing(Figure(figsize=(width / 96, height / 96), layout="constrained"))
        yield done
        buffer = io.StringIO()
        done.figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    done.svg = _inline(buffer.getvalue(), words)


def dress(axes: Any, *, grid: str = "both") -> None:
    """Give axes the page's ink, and lines at the left and at the bottom alone."""
    axes.grid(visible=True, which="major", axis=grid, color=GRID, linewidth=0.5)
    axes.tick_params(which="both", color=INK, labelcolor=INK)
    for name, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(name in ("left", "bottom"))


def _inline(svg: str, words: Words) -> str:
    """Return the bare SVG element, coloured by the page, every id beginning with the prefix."""
    opening, rest = svg[svg.index("<svg") :].strip().split(">", 1)
    box = re.search(r'viewBox="[^"]*"', opening)
    if box is None:
        raise ValueError(f"the figure has no viewBox: {opening}")
    prefix = words.prefix
    rest = re.sub(r"<metadata>.*?</metadata>\s*", "", rest, flags=re.DOTALL)
    # its one rule is for every element of the page; the page's own style sheet holds it instead
    rest = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", rest, flags=re.DOTALL)
    rest = rest.replace('xlink:href="#', f'href="#{prefix}-').replace("url(#", f"url(#{prefix}-")
    rest = re.sub(r'\bid="', f'id="{prefix}-', rest)
    for colour, variable in _PAGE_COLOURS.items():
        rest = rest.replace(colour, variable)
    told = _element("title", f"{prefix}-title", words.title)
    told += _element("desc", f"{prefix}-desc", words.description)
    labels = f'aria-labelledby="{prefix}-title" aria-describedby="{prefix}-desc"'
    return f'<svg role="img" {labels} {box[0]}>{told}{_compact(rest)}'


def _compact(svg: str) -> str:
    """Return SVG without what nobody sees: comments, indentation, groups, names, far decimals."""
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    needed = set(re.findall(r'(?:href="#|url\(#)([^")]*)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in needed else "", svg)
    svg = re.sub(r">\s+<", "><", re.sub(r"<[^>]+>", _compact_tag, svg))
    svg = re.sub(r'<g/>|<path [^<>]*style="fill: none"/>', "", svg)
    # a group that says nothing, around one element or around nothing
    while (fewer := re.sub(r"<g>(<[^<>]*/>|<text[^<>]*>[^<>]*</text>)?</g>", r"\1", svg)) != svg:
        svg = fewer
    return svg


def _compact_tag(found: re.Match[str]) -> str:
    tag = re.sub(r"-?\d+\.\d{2,}", lambda number: _rounded(number[0]), found[0])
    # the page chooses font and ink of texts, and what is turned by nothing is not turned
    tag = re.sub(r'font(-size: 9px|-family: [^;"]*);? ?| transform="rotate\(-?0 [^"]*"', "", tag)
    tag = tag.replace(" stroke-dashoffset: 0;", "").replace('; fill: currentColor" x', '" x')
    # a dot: a line of no length, with a round end
    tag = re.sub(r"M (\S+ \S+) L \1(?= |\")", r"M\1h0", re.sub(r"\s+", " ", tag))
    return re.sub(r' d="[^"]*"', lambda path: re.sub(r" ?([MLQCzh]) ?", r"\1", path[0]), tag)


def _rounded(number: str) -> str:
    return f"{float(number):.1f}".removesuffix(".0")


def _element(name: str, identity: str, text: str) -> str:
    return f'<{name} id="{identity}">{html.escape(showable(text))}</{name}>'
