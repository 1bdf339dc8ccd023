"""The view puts failures, traps and what was not timed beside the figures (M1, M11)."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import InfrastructureFailure, Invalid, RunRecord, Trap, Valid
from lunaflow.experiment._observations import Calibration, Failure, Validation
from lunaflow.experiment.report._view import Card, page_of


def card_of(result: Any) -> Card:
    return page_of(RunRecord({}, (result,), True, "finished")).cards[0]


def trap_at(name: str, size: int, kind: str | None) -> Validation:
    trap = Trap("ValueError", "no", kind)
    return Validation(name, size, "exact", Valid(), "no", trap)


def test_times_and_comparisons_are_those_of_the_result(make_result: Any) -> None:
    result = make_result()
    card = card_of(result)
    assert list(card.sizes) == [
        "100",
        "1,000",
        "4,096",
        "10,000",
        "100,000",
        "1,000,000",
    ]
    pair = card.main_pair
    assert pair is not None
    assert (pair.title, card.other_pairs) == ("serial against parallel", ())
    assert pair.meaning == (
        "Difference: median of the paired differences, in percent of parallel's median; "
        "negative: serial is faster."
    )
    median = float(np.median(result.times("serial", 100))) / 100 * 1e9
    assert card.times[0][0].text == f"{median:.3f} ns"
    verdict, difference, interval = pair.cells[0]
    assert (verdict.text, verdict.kind) == ("serial faster", "verdict faster")
    assert difference.text.startswith("\N{MINUS SIGN}93.")
    assert " to " in interval.text
    assert "Noise floor (A/A controls, each against itself)" in card.caption


def test_m11_what_failed_is_told_with_its_input_and_not_drawn(
    make_result: Any, wrong: Failure
) -> None:
    times = {name: (lambda n: 1e-9 * n) for name in ("right", "wrong")}
    result = make_result(times=times, failures=(wrong, replace(wrong, size=10_000)))
    card = card_of(result)
    (failure,) = card.failures
    assert (failure.who, failure.kind) == ("wrong", "Invalid")
    assert failure.sizes == "at sizes 4,096 and 10,000"
    assert failure.reason.startswith("value mismatch: 7 is not 8")
    assert failure.input_text == "array([1, 2])"
    assert failure.notes == "shrunk in 2 steps"
    assert failure.shrunk
    cells = {size: row[1].text for size, row in zip(card.sizes, card.times, strict=True)}
    assert cells["4,096"] == cells["10,000"] == "failed"
    assert cells["100"].endswith(" ns")


def test_m1_an_implementation_that_always_fails_reaches_no_figure(make_result: Any) -> None:
    result = make_result()
    failures = tuple(Failure("parallel", n, Invalid("value mismatch: x")) for n in result.sizes)
    card = card_of(replace(result, failures=failures))
    assert [entry.name for entry in card.legend] == ["serial"]
    assert card.main_pair is not None
    assert card.main_pair.crossover == (
        "parallel failed, so nothing is recommended. At no size were both timed."
    )
    assert card.failures_in_short == ("parallel failed from n = 100: value mismatch",)
    everything = failures + tuple(replace(f, implementation="serial") for f in failures)
    assert card_of(replace(result, failures=everything)).figure == ""


def test_failures_of_different_kinds_stay_apart(make_result: Any) -> None:
    failures = (
        Failure("serial", 100, Invalid("value mismatch: a"), flaky=True),
        Failure("serial", 100, Invalid("outcome mismatch: b")),
        Failure(None, None, InfrastructureFailure("the process died:\nline 1\nline 2"), process=2),
    )
    first, second, third = card_of(make_result(failures=failures)).failures
    assert first.notes == "flaky: it did not repeat"
    assert second.reason == "outcome mismatch: b"
    assert (third.who, third.sizes, third.kind) == ("the measurement", "", "InfrastructureFailure")
    assert (third.reason, third.details) == ("the process died:", "line 1\nline 2")


@pytest.mark.parametrize(
    ("at", "kind", "text"),
    [
        ((100_000, 1_000_000), "OVERFLOW", "serial overflows from n = 100,000, as"),
        ((100, 1_000_000), "OVERFLOW", "serial overflows at n = 100 and 1,000,000, as"),
        ((1_000_000,), None, "serial raises ValueError at n = 1,000,000, as"),
    ],
)
def test_valid_exceptions_are_told_and_not_timed(
    make_result: Any, at: tuple[int, ...], kind: str | None, text: str
) -> None:
    times = {"serial": lambda n: None if n in at else 1e-9 * n, "parallel": lambda n: 1e-9 * n}
    validations = tuple(trap_at("serial", n, kind) for n in at)
    card = card_of(make_result(times=times, validations=validations))
    (note,) = card.notes
    assert note.startswith(text)
    assert note.endswith("it is not timed there.")
    assert card.failures == ()
    verb = text.split(" at ", maxsplit=1)[0].split(" from ", maxsplit=1)[0].removeprefix("serial ")
    assert card.times[card.sizes.index(f"{at[-1]:,}")][0].text == verb
    short = text.removeprefix("serial ").removesuffix(", as")
    assert card.traps_in_short == (f"{short} (serial)",)


def test_what_the_clock_cannot_tell_is_said(make_result: Any) -> None:
    calibrations = tuple(Calibration("serial", n, 0, 10**6, 0.0, True) for n in (100, 1_000))
    times = {"serial": lambda n: None, "parallel": lambda n: 1e-9 * n}
    card = card_of(make_result(times=times, calibrations=calibrations))
    assert card.notes == ("serial at n = 100 and 1,000 is below the timer's resolution.",)
    assert card.times[0][0].text == "not timed"


def test_zero_sizes_and_zero_times_give_no_infinite_figure(make_result: Any) -> None:
    times = {"zero": lambda n: 0.0, "some": lambda n: 1e-9 * (n + 1)}
    card = card_of(make_result(times=times, sizes=(0, 10)))
    assert [entry.name for entry in card.legend] == ["some"]
    zero, some = (cell.text for cell in card.times[0])
    assert zero == "0.00 ns a call"
    assert some.endswith(" ns a call")
    assert card.main_pair is not None
    rows = (*card.times, *card.main_pair.cells)
    texts = [cell.text for row in rows for cell in row]
    assert not any("inf" in text or "nan" in text for text in texts)


def test_the_figure_marks_the_main_pair_alone(make_result: Any) -> None:
    def slow(n: int) -> float:
        return 1e-9 * n

    def fast(n: int) -> float:
        return 1e-7 + 1e-10 * n

    card = card_of(make_result(times={"a": slow, "b": fast, "c": lambda n: 2 * fast(n)}))
    assert card.main_pair is not None
    assert card.main_pair.crossover == "a is faster up to 100, b from 1,000 on."
    assert [pair.title for pair in card.other_pairs] == ["a against c", "b against c"]
    assert card.figure_label.count(" changes between ") == 1
    assert "The faster one of a and b changes between 100 and 1,000." in card.figure_label
    assert "between 100 and 1,000 the faster one of a and b changes" in card.caption
    # a and c change places too, which the figure does not say
    other = card_of(make_result(times={"a": slow, "b": lambda n: 3 * slow(n), "c": fast}))
    assert other.other_pairs[0].crossover == "a is faster up to 100, c from 1,000 on."
    assert "changes" not in other.figure_label + other.caption


def test_one_implementation_alone_has_no_pair(make_result: Any) -> None:
    card = card_of(make_result(times={"alone": lambda n: 1e-9 * n}))
    assert (card.main_pair, card.other_pairs) == (None, ())
    assert card.figure != ""


def test_overflows_of_all_are_told_without_names(make_result: Any) -> None:
    validations = tuple(
        trap_at(name, n, "OVERFLOW")
        for name in ("serial", "parallel")
        for n in (100_000, 1_000_000)
    )
    card = card_of(make_result(validations=validations))
    assert card.traps_in_short == ("overflows from n = 100,000",)


def test_an_unmeasured_control_is_said(make_result: Any) -> None:
    result = make_result()
    alone = [
        replace(b, order=b.order[:2], seconds=b.seconds[:2], iterations=b.iterations[:2])
        for b in result.blocks
    ]
    card = card_of(replace(result, blocks=tuple(alone)))
    assert "the noise floor is not known" in card.caption


@pytest.mark.parametrize(
    ("changes", "kind", "parts"),
    [
        ({}, "complete", ["came to their end"]),
        ({"complete": False, "ending": "interrupted"}, "partial", ["was interrupted"]),
        ({"complete": False, "ending": "cut off"}, "partial", ["no end event"]),
        (
            {"complete": False, "damaged_lines": (3, 9)},
            "damaged",
            ["Lines 3 and 9 of the record could not be read and are left out."],
        ),
        (
            {"complete": False, "ending": "cut off", "damaged_lines": (3,)},
            "partial",
            ["no end event", "Line 3 of the record could not be read and is left out."],
        ),
    ],
)
def test_m9_the_banner_says_what_is_missing(
    make_result: Any, changes: dict[str, Any], kind: str, parts: list[str]
) -> None:
    record = replace(RunRecord({}, (make_result(sizes=(100,)),), True, "finished"), **changes)
    banner = page_of(record).banner
    assert banner.kind == kind
    assert all(any(part in detail for detail in banner.details) for part in parts)


def test_m9_unfinished_experiments_are_named(make_result: Any) -> None:
    cut = make_result("half", sizes=(100,), finished=False)
    banner = page_of(RunRecord({}, (cut,), False, "finished")).banner
    assert (banner.kind, banner.details) == ("partial", ("Not finished: half.",))


def test_the_environment_is_shown_as_texts(make_result: Any) -> None:
    record = RunRecord({"cpus": 2, "cpu_model": "X"}, (), True, "finished", (), "0.1", "2025-01-01")
    assert page_of(record).environment == (
        ("CPUs", "2"),
        ("lunaflow", "0.1"),
        ("cpu model", "X"),
        ("started", "2025-01-01"),
    )


def test_m4_batches_that_took_no_time_have_no_place_in_the_figure(make_result: Any) -> None:
    result = make_result(sizes=(100, 1_000))
    blocks = [
        replace(b, seconds=tuple(0.0 for _ in b.seconds)) if b.index < 3 else b
        for b in result.blocks
    ]
    card = card_of(replace(result, blocks=tuple(blocks)))
    assert "<svg" in card.figure
    assert "nan" not in card.figure


def test_facts_of_any_length_are_shown(make_result: Any) -> None:
    record = RunRecord(
        {"n": 10**5000}, (make_result(sizes=(100,), seed=10**5000),), True, "finished"
    )
    page = page_of(record)
    assert page.environment == (("n", "an integer of 16610 bits"),)
    assert ("seed", "an integer of 16610 bits") in page.cards[0].facts
