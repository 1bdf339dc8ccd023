"""Numbers in words keep their value to the digits shown; foreign texts stay legal HTML."""

import html5lib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lunaflow.experiment.report._texts import (
    percent_text,
    runs_text,
    showable,
    size_text,
    sizes_text,
)


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (12.34, "+12.3 %"),
        (-12.34, "\N{MINUS SIGN}12.3 %"),
        (-0.01, "0.0 %"),
        (0.0, "0.0 %"),
        (9395.8, "+9,396 %"),
    ],
)
def test_percentages_in_words(percent: float, text: str) -> None:
    assert percent_text(percent) == text


def test_enumerations_and_sizes() -> None:
    assert sizes_text([1, 1000]) == "1 and 1,000"
    assert size_text(1_000_000) == "1,000,000"


@pytest.mark.parametrize(
    ("some", "text"),
    [
        ([], ""),
        ([1, 2], "1 and 2"),
        ([1, 2, 4], "1 to 4"),
        ([2, 4, 8, 32, 1024], "2 to 8, 32 and 1,024"),
        ([1, 2, 4, 32, 1024, 2048], "1 to 4 and 32 to 2,048"),
    ],
)
def test_sizes_that_follow_each_other_are_a_range(some: list[int], text: str) -> None:
    assert runs_text(some, [1, 2, 4, 8, 16, 32, 1024, 2048]) == text


@given(st.text(st.characters(codec=None, exclude_categories=())))
@example("\ud800 \x00 \x1b[31m \u202e \ufffe \U0001ffff \x85")
def test_m13_showable_texts_are_legal_html(text: str) -> None:
    shown = showable(text)
    shown.encode("utf-8")
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;")
    parser = html5lib.HTMLParser(strict=True)
    parsed = parser.parse(f"<!DOCTYPE html><title>t</title><p>{escaped}</p>")
    (paragraph,) = parsed.iter("{http://www.w3.org/1999/xhtml}p")
    assert (paragraph.text or "") == shown.replace("\r\n", "\n").replace("\r", "\n")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cn", "Cs", "Co"])))
def test_ordinary_texts_are_shown_as_they_are(text: str) -> None:
    assert showable(text) == text
