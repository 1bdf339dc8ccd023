"""The figure of the samples in the order in which they were timed, a panel an implementation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lunaflow.experiment.report._order import Order, Sample
from lunaflow.experiment.report._svg import (
    GRID,
    INK,
    PAPER,
    Words,
    colour_of,
    drawing,
    dress,
    marker_of,
)

_WIDTH, _PANEL, _MARGIN = 420, 104, 46
MOST_MARKS = 400
"""Of one implementation; where there are more samples, neighbours share a mark."""


def bundle_of(order: Order) -> int:
    """Return how many blocks share a mark."""
    return max(1, -(-order.blocks // MOST_MARKS))


def order_figure(order: Order, words: Words) -> str:
    """Return the SVG element of an order that holds samples: time over the median, logarithmic."""
    count, bundle = len(order.samples), bundle_of(order)
    ratios = [sample.ratio for _, of_one in order.samples for sample in of_one]
    with drawing(words, _WIDTH, _MARGIN + _PANEL * count) as made:
        panels = made.figure.subplots(count, sharex=True, squeeze=False)[:, 0]
        for axes, (number, samples) in zip(panels, order.samples, strict=True):
            for _, first, _ in order.processes[1:]:
                axes.axvline(first - 0.5, color=GRID, linewidth=0.8, zorder=0)
            axes.axhline(1, color=INK, linewidth=0.8, zorder=1)
            if bundle == 1:
                _dots(axes, number, [(s.block, s.ratio) for s in samples])
            else:
                _bars(axes, number, samples, bundle)
            _key(axes, number)
            _dress(axes, ratios)
        panels[0].set_title("time over the median", loc="left", color=INK, fontsize=9.0)
        _name_processes(panels[-1], order)
    return made.svg


def _dots(axes: Any, number: int, points: Sequence[tuple[float, float]]) -> None:
    from matplotlib.path import Path

    # one outline of many lines without length: a tenth of what as many markers take
    codes = np.tile([Path.MOVETO, Path.LINETO], len(points))
    _outline(axes, Path(np.repeat(points, 2, axis=0), codes), number, 3.2)


def _bars(axes: Any, number: int, samples: Sequence[Sample], bundle: int) -> None:
    from matplotlib.path import Path

    ends, middles = [], []
    groups: dict[int, list[float]] = {}
    for sample in samples:
        groups.setdefault(sample.block // bundle, []).append(sample.ratio)
    for group, ratios in groups.items():
        centre = (group + 0.5) * bundle
        ends += [(centre, min(ratios)), (centre, max(ratios))]
        middles.append((centre, float(np.median(ratios))))
    codes = np.tile([Path.MOVETO, Path.LINETO], len(middles))
    _outline(axes, Path(ends, codes), number, 0.8)
    _dots(axes, number, middles)


def _outline(axes: Any, path: Any, number: int, width: float) -> None:
    from matplotlib.patches import PathPatch

    axes.add_patch(
        PathPatch(
            path,
            facecolor="none",
            edgecolor=colour_of(number),
            linewidth=width,
            capstyle="round",
            zorder=2,
        )
    )


def _key(axes: Any, number: int) -> None:
    axes.plot(
        0.985,
        0.9,
        transform=axes.transAxes,
        color=colour_of(number),
        marker=marker_of(number),
        markersize=7,
        markeredgecolor=PAPER,
        clip_on=False,
        zorder=5,
    )


def _dress(axes: Any, ratios: Sequence[float]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    low, high = min(0.97, *ratios), max(1.03, *ratios)
    if high / low > 3:
        axes.set_yscale("log")
        subs = (1.0, 2.0, 5.0) if high / low < 100 else (1.0,)
        axes.yaxis.set_major_locator(LogLocator(subs=subs, numticks=7))
        axes.yaxis.set_minor_locator(NullLocator())
    else:
        axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"\N{MULTIPLICATION SIGN}{value:.4g}")
    )
    pad = (high / low) ** 0.06
    axes.set_ylim(low / pad, high * pad)
    dress(axes, grid="y")


def _name_processes(axes: Any, order: Order) -> None:
    axes.set_xlim(-1, order.blocks)
    every = -(-len(order.processes) // 12)
    shown = order.processes[::every]
    axes.set_xticks(
        [(first + last) / 2 for _, first, last in shown],
        [str(process + 1) for process, _, _ in shown],
    )
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel("process, its blocks from left to right", color=INK)
