"""A pair has its differences as a figure and as a table that say the same."""

from dataclasses import replace
from typing import Any

from lunaflow.experiment import Invalid
from lunaflow.experiment._observations import Failure
from lunaflow.experiment.report._pairs import pair_of


def test_the_table_is_that_of_the_result(make_result: Any) -> None:
    result = make_result()
    pair = pair_of(result, "serial", "parallel", "p")
    assert pair.title == "serial against parallel"
    assert [head.text for head in pair.table.heads[1:]] == [
        "verdict",
        "difference",
        "interval",
        "noise floor",
        "because",
    ]
    assert [size for size, _ in pair.table.rows] == [f"{size:,}" for size in result.sizes]
    verdict, difference, interval, floor, why = pair.table.rows[0][1]
    assert (verdict.text, verdict.kind) == ("serial faster", "verdict faster")
    assert difference.text.startswith("\N{MINUS SIGN}93.")
    assert " to " in interval.text
    assert floor.text.endswith(" %")
    assert why.text.startswith("beyond")
    assert pair.table.note.startswith(
        "Difference: median of the paired differences, in percent of parallel's median; "
        "negative: serial is faster."
    )


def test_the_figure_has_the_markers_of_both_and_the_boundary_in_its_caption(
    make_result: Any,
) -> None:
    pair = pair_of(make_result(), "serial", "parallel", "p")
    assert pair.figure is not None
    assert [entry.name for entry in pair.figure.legend] == ["serial", "parallel"]
    assert "var(--series-0)" in pair.figure.svg
    assert "var(--series-1)" in pair.figure.svg
    assert "The faster one changes" in pair.figure.caption
    assert "left of zero serial is faster, right of it parallel" in pair.figure.caption
    assert pair.crossover in pair.figure.svg


def test_verdicts_that_holm_takes_back_are_marked(make_result: Any) -> None:
    result = make_result()
    one = result.comparison("serial", "parallel", 100)
    pair = pair_of(result, "serial", "parallel", "p", frozenset({one.id}))
    verdicts = [cells[0].text for _, cells in pair.table.rows]
    assert [text.endswith(" \N{DAGGER}") for text in verdicts] == [True] + [False] * 5
    assert "does not stand after Holm's correction" in pair.table.note
    assert "Holm" not in pair_of(result, "serial", "parallel", "p").table.note


def test_m11_rows_of_what_failed_have_words_and_no_figures(make_result: Any) -> None:
    result = replace(make_result(), failures=(Failure("parallel", 100, Invalid("wrong")),))
    pair = pair_of(result, "serial", "parallel", "p")
    assert pair.figure is not None
    assert ">failed<" in pair.figure.svg
    assert [cell.text for cell in pair.table.rows[0][1]] == [""] * 4 + ["parallel failed there"]
    assert pair.policy.startswith("Policy: none follows")
    assert [entry.note for entry in pair.figure.legend] == ["", "failed"]


def test_a_pair_without_comparison_has_no_figure_and_no_policy(make_result: Any) -> None:
    pair = pair_of(make_result(blocks=()), "serial", "parallel", "p")
    assert (pair.figure, pair.policy, pair.evidence) == (None, "", ())
