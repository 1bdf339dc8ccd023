"""Figures are bare SVG: coloured by the page, with ids of their own, for every range of values."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from lunaflow.experiment.report._plots import (
    COLOURS,
    Crossing,
    Series,
    colour_number,
    swatch,
    time_figure,
)


def series(number: int, points: dict[int, float]) -> Series:
    times = tuple(points.values())
    return Series(number, tuple(points), times, times, times)


TWO = [series(0, {10: 1e-9, 10_000: 2e-9}), series(1, {10: 5e-9, 10_000: 1e-9})]


def ids_of(svg: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', svg)


def test_a_figure_is_one_element_without_prolog_metadata_style_or_address() -> None:
    svg = time_figure(TWO, Crossing(10, 10_000), "e0")
    assert ET.fromstring(svg).tag == "svg"
    assert svg.startswith('<svg viewBox="')
    for unwanted in ("<?xml", "<!DOCTYPE", "<metadata", "<style", "http", "xmlns", "xlink"):
        assert unwanted not in svg


def test_every_id_begins_with_the_prefix_and_every_reference_has_its_target() -> None:
    svg = time_figure(TWO, None, "e0")
    ids = ids_of(svg)
    assert len(set(ids)) == len(ids) > 5
    assert all(one.startswith("e0-") for one in ids)
    targets = re.findall(r'(?:href="#|url\(#)([^")]*)', svg)
    assert targets
    assert set(targets) <= set(ids)
    assert not set(ids) & set(ids_of(time_figure(TWO, None, "e1")))


def test_a_figure_is_the_same_every_time() -> None:
    assert time_figure(TWO, Crossing(10, 100), "e0") == time_figure(TWO, Crossing(10, 100), "e0")


def test_the_page_decides_all_colours() -> None:
    svg = time_figure([series(i, {10: 1e-9 * (i + 1)}) for i in range(14)], Crossing(1, 10), "x")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?!-)", svg.replace("url(#", "").replace('"#', "")) == []
    for number in range(len(COLOURS)):
        assert f"var(--series-{number})" in svg
    assert "currentColor" in svg


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
    svg = time_figure([series(0, points)], None, "x")
    tree = ET.fromstring(svg)
    # the horizontal axis also holds its name
    for axis, names in (("1", 1), ("2", 0)):
        (group,) = tree.iterfind(f".//g[@id='x-matplotlib.axis_{axis}']")
        assert len(list(group.iter("text"))) > names


def test_a_crossing_adds_a_band_and_a_line_even_at_size_zero() -> None:
    plain = time_figure(TWO, None, "x").count("<path")
    assert time_figure(TWO, Crossing(10, 10_000), "x").count("<path") > plain
    assert time_figure(TWO, Crossing(0, 10), "x").count("<path") > plain


def test_neighbouring_lines_differ_in_colour_marker_or_dashes() -> None:
    looks = [(colour_number(i), *swatch(i)) for i in range(18)]
    assert len(set(looks)) == 18
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(looks))
