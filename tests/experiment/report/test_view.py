"""The view puts failures, traps and what was not timed beside the figures (M1, M11)."""

from dataclasses import replace
from typing import Any

import pytest

from lunaflow.experiment import InfrastructureFailure, Invalid, RunRecord, Trap, Valid
from lunaflow.experiment._observations import Calibration, Failure, Validation
from lunaflow.experiment.report._view import Card, page_of


def card_of(result: Any) -> Card:
    return page_of(RunRecord({}, (result,), True, "finished")).cards[0]


def trap_at(name: str, size: int, kind: str | None) -> Validation:
    trap = Trap("ValueError", "no", kind)
    return Validation(name, size, "exact", Valid(), "no", trap)


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
    assert (failure.input_of, failure.flaky) == (", at size 4,096", False)
    assert failure.path == ("x", "y")
    cells = {size: row[1].text for size, row in card.times.rows}
    assert cells["4,096"] == cells["10,000"] == "failed"
    assert cells["100"].endswith(" ns")


def test_m10_a_failure_that_nothing_replays_is_told_with_the_reason(
    make_result: Any, wrong: Failure
) -> None:
    (shown,) = card_of(make_result(failures=(replace(wrong, unreplayable="no"),))).failures
    assert (shown.command, shown.unreplayable) == ("", "no")


def test_m1_an_implementation_that_always_fails_reaches_no_figure(make_result: Any) -> None:
    result = make_result()
    failures = tuple(Failure("parallel", n, Invalid("value mismatch: x")) for n in result.sizes)
    card = card_of(replace(result, failures=failures))
    assert card.figure is not None
    assert [(entry.name, entry.note) for entry in card.figure.legend] == [
        ("serial", ""),
        ("parallel", "failed"),
    ]
    (pair,) = card.pairs
    assert pair.figure is None
    assert pair.crossover == (
        "parallel failed, so nothing is recommended. At no size were both timed."
    )
    assert card.failures_in_short == ("parallel failed from n = 100: value mismatch",)
    assert card.order is not None
    assert [entry.name for entry in card.order.figure.legend] == ["serial"]
    everything = failures + tuple(replace(f, implementation="serial") for f in failures)
    card = card_of(replace(result, failures=everything))
    assert (card.figure, card.order) == (None, None)


def test_failures_of_different_kinds_stay_apart(make_result: Any) -> None:
    failures = (
        Failure("serial", 100, Invalid("value mismatch: a"), flaky=True),
        Failure("serial", 100, Invalid("outcome mismatch: b")),
        Failure(None, None, InfrastructureFailure("the process died:\nline 1\nline 2"), process=2),
    )
    first, second, third = card_of(make_result(failures=failures)).failures
    assert first.flaky
    assert first.notes == "it did not repeat, so the input is the original one"
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
    assert dict(card.times.rows)[f"{at[-1]:,}"][0].text == verb
    short = text.removeprefix("serial ").removesuffix(", as")
    assert card.traps_in_short == (f"{short} (serial)",)


def test_what_the_clock_cannot_tell_is_said(make_result: Any) -> None:
    calibrations = tuple(Calibration("serial", n, 0, 10**6, 0.0, True) for n in (100, 1_000))
    times = {"serial": lambda n: None, "parallel": lambda n: 1e-9 * n}
    card = card_of(make_result(times=times, calibrations=calibrations))
    assert card.notes == ("serial at n = 100 and 1,000 is below the timer's resolution.",)
    assert card.times.rows[0][1][0].text == "not timed"


def test_zero_sizes_and_zero_times_give_no_infinite_figure(make_result: Any) -> None:
    times = {"zero": lambda n: 0.0, "some": lambda n: 1e-9 * (n + 1)}
    card = card_of(make_result(times=times, sizes=(0, 10)))
    assert card.figure is not None
    assert [entry.name for entry in card.figure.legend] == ["some"]
    zero, some = (cell.text for cell in card.times.rows[0][1])
    assert zero == "0.00 ns a call"
    assert some.endswith(" ns a call")
    rows = (*card.times.rows, *card.pairs[0].table.rows)
    texts = [cell.text for _, row in rows for cell in row]
    assert not any("inf" in text or "nan" in text for text in texts)


def test_the_figure_marks_the_main_pair_alone(make_result: Any) -> None:
    def slow(n: int) -> float:
        return 1e-9 * n

    def fast(n: int) -> float:
        return 1e-7 + 1e-10 * n

    card = card_of(make_result(times={"a": slow, "b": fast, "c": lambda n: 2 * fast(n)}))
    assert card.figure is not None
    assert card.pairs[0].crossover == "a is faster up to 100, b from 1,000 on."
    assert [pair.title for pair in card.pairs[1:]] == ["a against c", "b against c"]
    assert "between 100 and 1,000 the faster one of a and b changes" in card.figure.caption
    assert "The faster one of a and b changes between 100 and 1,000." in card.figure.svg
    # a and c change places too, which the figure does not say
    other = card_of(make_result(times={"a": slow, "b": lambda n: 3 * slow(n), "c": fast}))
    assert other.figure is not None
    assert other.pairs[1].crossover == "a is faster up to 100, c from 1,000 on."
    assert "changes" not in other.figure.caption
    assert "changes" not in other.figure.svg


def test_one_implementation_alone_has_no_pair(make_result: Any) -> None:
    card = card_of(make_result(times={"alone": lambda n: 1e-9 * n}))
    assert (card.pairs, card.verdicts, card.more_pairs) == ((), (), 0)
    assert card.figure is not None


def test_the_overview_has_a_sentence_a_pair_of_the_first_few(make_result: Any) -> None:
    two = card_of(make_result(sizes=(100,)))
    assert two.verdicts == (("", two.pairs[0].crossover),)
    # a default for each, or all would have the last time
    five = {f"f{i}": lambda n, i=i: (1 + i) * 1e-9 * n for i in range(5)}
    card = card_of(make_result(times=five, sizes=(100,)))
    assert [title for title, _ in card.verdicts][:2] == ["f0 against f1", "f0 against f2"]
    assert (len(card.verdicts), card.more_pairs) == (6, 4)


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
    assert card.figure is not None
    assert "the noise floor is not known" in card.figure.caption


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
    assert (banner.kind, banner.details) == (
        "partial",
        (
            "Not finished: half.",
            "half: 30 blocks were timed, the last one of size 100 in process 5 of 5.",
        ),
    )


def test_m9_the_banner_says_how_far_an_unfinished_experiment_came(make_result: Any) -> None:
    whole = make_result("half", sizes=(100, 1_000, 4_096), finished=False)
    cut = replace(whole, blocks=whole.blocks[:13])
    details = page_of(RunRecord({}, (cut,), False, "cut off", (9,), torn_tail=True)).banner.details
    assert (
        "half: 13 blocks were timed, the last one of size 100 in process 3 of 5; "
        "none of sizes 1,000 and 4,096." in details
    )
    assert "The file ends in the middle of a line: its writer was cut off." in details
    nothing = replace(whole, blocks=())
    details = page_of(RunRecord({}, (nothing,), False, "cut off")).banner.details
    assert "half: nothing had been timed yet." in details


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
    assert card.figure is not None
    assert "<svg" in card.figure.svg
    assert "nan" not in card.figure.svg


def test_facts_of_any_length_are_shown(make_result: Any) -> None:
    record = RunRecord(
        {"n": 10**5000}, (make_result(sizes=(100,), seed=10**5000),), True, "finished"
    )
    page = page_of(record)
    assert page.environment == (("n", "an integer of 16610 bits"),)
    assert ("seed", "an integer of 16610 bits") in page.cards[0].facts
