"""The figure of differences: a row each, whatever their range, with threshold and boundary."""

from xml.etree import ElementTree as ET

import pytest

from lunaflow.experiment.report._forest import Boundary, Row, forest_figure
from lunaflow.experiment.report._svg import Words

WORDS = Words("f", "title", "description")
ROWS = (
    Row("1", -20.0, (-25.0, -15.0), 4.0, 0),
    Row("2", 1.0, (-2.0, 3.0), 4.0, None),
    Row("3", 30.0, (25.0, 35.0), 4.0, 1),
)


def texts_of(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter("text")]


def test_every_row_has_its_label_and_the_winners_colour() -> None:
    svg = forest_figure(ROWS, 3.0, WORDS, axis="length n")
    assert {"1", "2", "3", "length n", "difference in percent"} <= set(texts_of(svg))
    # an outline of interval and caps, and a marker
    assert svg.count("stroke: var(--series-0)") == svg.count("stroke: var(--series-1)") >= 2
    assert "var(--card)" in svg  # the undecided one is hollow


@pytest.mark.parametrize(
    ("row", "labels"),
    [
        (Row("1", 0.01, (0.005, 0.02), 0.1), {"0"}),
        (Row("1", 50.0, (20.0, 80.0), 10.0), {"0", "+40"}),
        (Row("1", 2_500.0, (2_000.0, 3_000.0), 10.0), {"\N{MINUS SIGN}10", "0", "+10", "+1,000"}),
        (Row("1", 0.0, (-1e12, 1e12), 10.0), {"0", "+10"}),
        (Row("1", -99.0, (-100.0, -98.0), 1e9), {"0"}),
        (Row("1", 1.0, None, None), {"0"}),
        (Row("1", word="failed"), {"0", "failed"}),
    ],
    ids=lambda given: given.label if isinstance(given, Row) else "",
)
def test_zero_is_on_the_axis_whatever_the_range(row: Row, labels: set[str]) -> None:
    found = texts_of(forest_figure([row], 3.0, WORDS))
    assert labels <= set(found)
    assert len(found) < 20


def test_a_boundary_is_a_line_and_a_band_two_with_a_tint() -> None:
    plain = forest_figure(ROWS, 3.0, WORDS).count("<path")
    line = forest_figure(ROWS, 3.0, WORDS, boundary=Boundary(0, 1)).count("<path")
    band = forest_figure(ROWS, 3.0, WORDS, boundary=Boundary(0, 2)).count("<path")
    assert (line - plain, band - plain) == (1, 3)


def test_groups_are_parted_by_lines() -> None:
    plain = forest_figure(ROWS, 3.0, WORDS).count("<path")
    assert forest_figure(ROWS, 3.0, WORDS, groups=[1, 2]).count("<path") == plain + 2
