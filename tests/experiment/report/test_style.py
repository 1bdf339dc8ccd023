"""The colours of the page are far enough apart, in light and in dark."""

import importlib.resources
import re

import pytest

STYLE = (
    importlib.resources.files("lunaflow.experiment.report")
    .joinpath("templates", "style.css")
    .read_text(encoding="utf-8")
)
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)
)


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_have_contrast_on_all_that_they_stand_on(colours: dict[str, str]) -> None:
    for behind in ("paper", "card"):
        for text in ("ink", "muted", "accent", "good", "warn", "bad"):
            assert contrast(colours[text], colours[behind]) >= 4.5, (text, behind)
    for kind in ("good", "warn", "bad"):
        assert contrast(colours[kind], colours[f"{kind}-tint"]) >= 4.5, kind
        assert contrast(colours["ink"], colours[f"{kind}-tint"]) >= 4.5, kind


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_of_figures_have_contrast(colours: dict[str, str]) -> None:
    series = [colour for name, colour in colours.items() if name.startswith("series-")]
    assert len(series) == 6
    assert all(contrast(colour, colours["card"]) >= 3 for colour in series)


def test_the_style_sheet_loads_nothing_and_knows_dark_print_and_narrow() -> None:
    assert re.findall(r"url\(|@import|//", STYLE) == []
    for part in ("prefers-color-scheme: dark", "@media print", "min-width: 56rem"):
        assert part in STYLE
