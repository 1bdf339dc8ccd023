"""Verdicts in words say what was decided, what was not, and what was not measured."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lunaflow.experiment._observations import Failure
from lunaflow.experiment.report._verdicts import (
    crossover_text,
    many_comparisons,
    pairs_of,
)

SIZES = (10, 100, 1_000, 10_000)


def ratio(*ratios: float | None) -> Callable[[int], float | None]:
    """Return seconds by size: so many times a nanosecond an element; None is not timed."""
    times = {n: None if r is None else r * 1e-9 * n for n, r in zip(SIZES, ratios, strict=True)}
    return times.__getitem__


@pytest.mark.parametrize(
    ("other", "text"),
    [
        ((2, 1.5, 0.5, 0.4), "a is faster up to 100, b from 1,000 on."),
        (
            (0.5, 1, 1, 2),
            "b is faster up to 10, a from 10,000 on; equivalent at 100 and 1,000.",
        ),
        (
            (2, 1, None, 0.5),
            "a is faster up to 10, b from 10,000 on; equivalent at 100; not compared at 1,000.",
        ),
        ((1, 2, 0.5, 1), "a is faster at 100, b at 1,000; equivalent at 10 and 10,000."),
        ((2, 0.5, 0.5, None), "a is faster up to 10, b from 100 to 1,000; not compared at 10,000."),
        ((None, 2, 2, 0.5), "a is faster from 100 to 1,000, b from 10,000 on; not compared at 10."),
        ((2, 2, 2, 2), "No crossover: a is faster at all 4 sizes compared."),
        (
            (2, None, None, None),
            "No crossover: a is faster at the one size compared; not compared at 100 to 10,000.",
        ),
        (
            (1, 0.5, None, None),
            (
                "No crossover: b is faster at 1 of the 2 sizes compared; equivalent at 10; "
                "not compared at 1,000 and 10,000."
            ),
        ),
        ((1, 1, 1, 1), "No crossover: a and b are equivalent at all 4 sizes compared."),
        ((2, 0.5, 2, 2), "No threshold: the faster one changes more than once."),
        (
            (2, 0.5, 2, 1),
            "No threshold: the faster one changes more than once; equivalent at 10,000.",
        ),
        ((None,) * 4, "At no size were both timed."),
    ],
)
def test_a_crossover_in_words(make_result: Any, other: tuple[float | None, ...], text: str) -> None:
    times = {"a": ratio(1, 1, 1, 1), "b": ratio(*other)}
    assert crossover_text(make_result(times=times, sizes=SIZES), "a", "b") == text


def noisy_at(result: Any, *sizes: int) -> Any:
    """Return a result in whose blocks of some sizes a is slow in every second process, or fast."""
    blocks = [
        replace(b, seconds=(b.seconds[0] * (0.4 + 2 * (b.process % 2)), *b.seconds[1:]))
        if b.size in sizes
        else b
        for b in result.blocks
    ]
    return replace(result, blocks=tuple(blocks))


@pytest.mark.parametrize(
    ("noisy", "text"),
    [
        ((10_000,), "a is faster up to 10, b from 100 to 1,000; undecided at 10,000."),
        ((10,), "No crossover: b is faster at 3 of the 4 sizes compared; undecided at 10."),
        (
            (10, 100, 1_000),
            "No crossover: b is faster at 1 of the 4 sizes compared; undecided at 10 to 1,000.",
        ),
    ],
)
def test_a_crossover_names_what_is_undecided_beside_it(
    make_result: Any, noisy: tuple[int, ...], text: str
) -> None:
    times = {"a": ratio(1, 1, 1, 1), "b": ratio(2, 0.7, 0.7, 0.7)}
    result = noisy_at(make_result(times=times, sizes=SIZES), *noisy)
    assert crossover_text(result, "a", "b") == text


@pytest.mark.parametrize(("count", "where"), [(1, "the one size"), (2, "any of the 2 sizes")])
def test_without_a_decision_no_one_is_called_faster(
    make_result: Any, count: int, where: str
) -> None:
    result = make_result(
        times={"a": ratio(1, 1, 1, 1), "b": ratio(1, 1, 1, 1)}, sizes=SIZES[:count]
    )
    text = crossover_text(noisy_at(result, *SIZES), "a", "b")
    assert text == f"No crossover: neither is known to be faster at {where} compared."


def test_m11_what_failed_somewhere_is_never_recommended(make_result: Any, wrong: Failure) -> None:
    times = {"right": ratio(1, 1, 1, 1), "wrong": ratio(0.5, 0.5, 0.5, 0.5)}
    result = make_result(times=times, sizes=SIZES, failures=(replace(wrong, size=1_000),))
    assert crossover_text(result, "right", "wrong") == (
        "wrong failed, so nothing is recommended. Where both were right: "
        "No crossover: wrong is faster at all 3 sizes compared; not compared at 1,000."
    )


def test_pairs_follow_the_order_of_the_comparisons(make_result: Any) -> None:
    result = make_result(times=dict.fromkeys("abc", ratio(1, 1, 1, 1)), sizes=SIZES)
    assert pairs_of(result) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(c.a, c.b) for c in result.comparisons() if c.size == 10] == pairs_of(result)


def test_m12_several_comparisons_say_so_and_are_corrected(make_result: Any) -> None:
    sure = make_result(times={"a": ratio(1, 1, 1, 1), "b": ratio(2, 2, 2, 2)}, sizes=SIZES)
    text, weak = many_comparisons([sure, sure])
    assert text.startswith("8 comparisons: of the 8 verdicts that one is faster, all stand after")
    assert "Holm" in text
    assert weak == ()
    tie = make_result(times={"a": ratio(1, 1, 1, 1), "b": ratio(1, 1, 1, 1)}, sizes=SIZES)
    assert many_comparisons([tie])[0] == "4 comparisons: none decides that one is faster."
    assert many_comparisons([make_result(sizes=(100,))]) == ("", ())
    assert many_comparisons([]) == ("", ())


def test_m12_verdicts_that_do_not_stand_are_named(make_result: Any) -> None:
    # b is faster by 4 % to 7 %, depending on the process: enough alone, not among four
    result = make_result("few", times={"a": ratio(1, 1, 1, 1), "b": ratio(1, 1, 1, 1)}, sizes=SIZES)
    spread = (0.957, 0.951, 0.945, 0.939, 0.933)
    blocks = [
        replace(b, seconds=tuple(spread[b.process] if t[0] == "b" else 1.0 for t in b.order))
        for b in result.blocks
    ]
    blocks = [replace(b, iterations=(1,) * 4) for b in blocks]
    text, weak = many_comparisons([replace(result, blocks=tuple(blocks))])
    assert "4 of them would not stand" in text
    assert weak[0] == "few, a against b at size 10"
    assert len(weak) == 4
    alone, of_one = many_comparisons([replace(result, sizes=(10,), blocks=tuple(blocks))])
    assert (alone, of_one) == ("", ())
