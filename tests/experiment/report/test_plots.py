"""The figure of times: for every range of values, with the crossing and what failed marked."""

from xml.etree import ElementTree as ET

import pytest

from lunaflow.experiment.report._plots import Crossing, Failed, Series, time_figure
from lunaflow.experiment.report._svg import Words

WORDS = Words("x", "title", "description")


def series(number: int, points: dict[int, float]) -> Series:
    times = tuple(points.values())
    return Series(number, tuple(points), times, times, times)


TWO = [series(0, {10: 1e-9, 10_000: 2e-9}), series(1, {10: 5e-9, 10_000: 1e-9})]


def test_a_figure_is_the_same_every_time() -> None:
    crossing = Crossing(10, 100)
    assert time_figure(TWO, crossing, WORDS) == time_figure(TWO, crossing, WORDS)


@pytest.mark.parametrize(
    "points",
    [
        {1: 1e-9},
        {7: 3e-9, 8: 3.01e-9},
        {1: 1e-12, 10**12: 1e3},
        {300: 4.4e-10, 400: 4.5e-10},
        {2**62: 5e-300},
    ],
    ids=str,
)
def test_both_axes_have_a_label_whatever_the_range(points: dict[int, float]) -> None:
    tree = ET.fromstring(time_figure([series(0, points)], None, WORDS))
    texts = ["".join(text.itertext()) for text in tree.iter("text")]
    names = {"length n", "time per element"}
    assert names <= set(texts)
    times = [text for text in texts if text.endswith("s")]
    assert times
    assert [text for text in texts if text not in names and text not in times]


def test_a_crossing_adds_a_band_and_a_line_even_at_size_zero() -> None:
    plain = time_figure(TWO, None, WORDS).count("<path")
    assert time_figure(TWO, Crossing(10, 10_000), WORDS).count("<path") == plain + 2
    assert time_figure(TWO, Crossing(0, 10), WORDS).count("<path") == plain + 2


def test_m11_what_failed_has_a_cross_a_size_in_its_own_colour() -> None:
    plain = time_figure(TWO, None, WORDS)
    wrong = time_figure(TWO, None, WORDS, [Failed(4, (10, 100_000))])
    assert "var(--series-4)" not in plain
    crosses = [part for part in wrong.split("<use")[1:] if "var(--series-4)" in part.split("/>")[0]]
    assert len(crosses) == 2
