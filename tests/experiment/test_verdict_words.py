"""A printed table and a report say a verdict in the same words."""

import pytest

from lunaflow.experiment import ExperimentResult, Protocol, RunRecord
from lunaflow.experiment._observations import Block
from lunaflow.experiment._verdict_words import verdict_text
from lunaflow.experiment.report._view import page_of

NAMES = ("f", "g")
ORDER = (*NAMES, "f (control)", "g (control)")


def result_with(seconds: tuple[float, float], control: float = 1.0) -> ExperimentResult:
    """Return a result of one size; a control takes so many times what its original takes."""
    f, g = seconds
    batch = (f, g, control * f, control * g)
    blocks = tuple(Block(f"b{i}", 4, 0, i, ORDER, (1,) * 4, batch) for i in range(4))
    protocol = Protocol("TEST", pairs=4, processes=1, resamples=100)
    return ExperimentResult("e", NAMES, (4,), protocol, "equal", ORDER[2:], 0, blocks=blocks)


@pytest.mark.parametrize(
    ("seconds", "control", "words"),
    [
        ((1.0, 2.0), 1.0, "f faster"),
        ((2.0, 1.0), 1.0, "g faster"),
        ((1.0, 1.0), 1.0, "equivalent"),
        ((1.0, 1.0), 1.5, "undecided"),
        ((1.0, 2.0), 3.0, "undecided"),
        ((0.0, 0.0), 1.0, "no ratio"),
    ],
)
def test_table_and_page_use_the_same_words(
    seconds: tuple[float, float], control: float, words: str
) -> None:
    result = result_with(seconds, control)
    assert verdict_text(result.comparison("f", "g", 4)) == words
    assert verdict_text(result.comparison("g", "f", 4)) == words
    row = str(result).splitlines()[2]
    assert f"{words}  " in row
    (pair,) = page_of(RunRecord({}, (result,), True, "finished")).cards[0].pairs
    assert pair.table.rows[0][1][0].text == words


def test_no_comparison_has_no_verdict() -> None:
    assert verdict_text(None) == ""
