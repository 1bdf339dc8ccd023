"""Figures are bare SVG: coloured by the page, with words and with ids of their own."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from lunaflow.experiment.report._svg import (
    COLOURS,
    INK,
    Words,
    colour_number,
    colour_of,
    drawing,
    dress,
    marker_of,
    swatch,
)

WORDS = Words("e0", "A title", "What it shows.")


def figure_of(words: Words = WORDS) -> str:
    with drawing(words, 300, 200) as made:
        axes = made.figure.add_subplot()
        for number in range(7):
            axes.plot([1, 2], [number, 3], color=colour_of(number), marker=marker_of(number))
        axes.axhline(1, color=INK)
        axes.set_xlabel("label")
        dress(axes)
    return made.svg


def ids_of(svg: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', svg)


def test_a_figure_is_one_element_without_prolog_metadata_style_or_address() -> None:
    svg = figure_of()
    assert ET.fromstring(svg).tag == "svg"
    assert svg.startswith('<svg role="img" ')
    for unwanted in ("<?xml", "<!", "<metadata", "<style", "http", "xmlns", "xlink", "font-family"):
        assert unwanted not in svg


def test_every_id_is_needed_begins_with_the_prefix_and_has_its_target() -> None:
    svg = figure_of()
    ids = ids_of(svg)
    assert len(set(ids)) == len(ids) > 5
    assert all(one.startswith("e0-") for one in ids)
    targets = re.findall(r'(?:href="#|url\(#)([^")]*)', svg)
    assert {*targets, "e0-title", "e0-desc"} == set(ids)
    assert not set(ids) & set(ids_of(figure_of(Words("e1", "t", "d"))))


def test_a_figure_has_a_title_and_a_description_that_name_it() -> None:
    element = ET.fromstring(figure_of())
    title, description = list(element)[:2]
    assert (title.tag, title.text) == ("title", "A title")
    assert (description.tag, description.text) == ("desc", "What it shows.")
    assert element.attrib["aria-labelledby"] == title.attrib["id"]
    assert element.attrib["aria-describedby"] == description.attrib["id"]


@pytest.mark.parametrize("text", ["</title><script>x</script>", "a & b", '"', "\ud800", "\x00"])
def test_m13_hostile_words_stay_words(text: str) -> None:
    element = ET.fromstring(figure_of(Words("e0", text, text)))
    assert [one.tag for one in list(element)[:3]] == ["title", "desc", "g"]
    assert (element[0].text or "").startswith(text[0] if text[0].isprintable() else "\\u")


def test_the_page_decides_all_colours() -> None:
    svg = figure_of()
    bare = svg.replace("url(#", "").replace('"#', "")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?!-)", bare) == []
    for number in range(len(COLOURS)):
        assert f"var(--series-{number})" in svg
    assert "currentColor" in svg


def test_lines_without_length_become_short_dots() -> None:
    with drawing(WORDS, 300, 200) as made:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        axes = made.figure.add_subplot()
        path = Path([(0.5, 0.5), (0.5, 0.5)], [Path.MOVETO, Path.LINETO])
        axes.add_patch(PathPatch(path, edgecolor=INK, capstyle="round"))
    assert re.search(r'd="M[\d.]+ [\d.]+h0 ?"', made.svg)


def test_numbers_in_texts_are_left_as_they_are() -> None:
    with drawing(WORDS, 300, 200) as made:
        made.figure.text(0.5, 0.5, "1.23456")
    assert ">1.23456<" in made.svg


def test_neighbouring_lines_differ_in_colour_marker_or_dashes() -> None:
    looks = [(colour_number(i), *swatch(i)) for i in range(18)]
    assert len(set(looks)) == 18
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(looks))
