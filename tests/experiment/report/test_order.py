"""The order of the samples shows drift, outliers and positions, and nothing of what failed."""

from dataclasses import replace
from typing import Any

import pytest

from lunaflow.experiment import Invalid
from lunaflow.experiment._observations import Failure
from lunaflow.experiment.report._order import order_caption, order_of, order_tables, order_text

TIMES = {"f": lambda _: 1.0, "g": lambda _: 2.0}


@pytest.fixture
def plain(make_result: Any) -> Any:
    """Return a result of two sizes without noise, 60 blocks over 5 processes."""
    result = make_result(times=TIMES, sizes=(10, 100))
    even = [replace(b, seconds=(1000.0, 2000.0, 1000.0, 2000.0)) for b in result.blocks]
    return replace(result, blocks=tuple(sorted(even, key=lambda b: b.process)))


def slowed(result: Any, factor: float, *, process: int) -> Any:
    blocks = [
        replace(b, seconds=tuple(factor * s for s in b.seconds)) if b.process == process else b
        for b in result.blocks
    ]
    return replace(result, blocks=tuple(blocks))


def test_samples_are_in_the_order_of_the_blocks_over_the_median_of_their_size(plain: Any) -> None:
    order = order_of(plain)
    assert order.blocks == 60
    assert order.processes == tuple((p, 12 * p, 12 * p + 11) for p in range(5))
    for _, samples in order.samples:
        assert [sample.block for sample in samples] == list(range(60))
        assert {sample.ratio for sample in samples} == {1.0}
    assert [{s.position for s in samples} for _, samples in order.samples] == [{0}, {1}]


def test_drift_of_a_process_and_the_slowest_sample_are_told(plain: Any) -> None:
    drifted = slowed(plain, 1.5, process=4)
    order = order_of(drifted)
    by_process, by_position = order_tables(drifted, order)
    assert [head for head, _ in by_process.rows] == ["1", "2", "3", "4", "5"]
    assert [cells[0] for _, cells in by_process.rows] == ["0.0 %"] * 4 + ["+50.0 %"]
    assert [cells for _, cells in by_position.rows] == [
        ("0.0 %", ""),
        ("", "0.0 %"),
        ("", ""),
        ("", ""),
    ]
    text = order_text(drifted, order)
    assert "The medians of the processes differ by up to 50.0 % (f)." in text
    assert "The slowest sample took 1.5 times its median (f, n = 10, process 5)." in text


def test_m1_samples_of_what_failed_are_left_out(plain: Any) -> None:
    wrong = replace(plain, failures=(Failure("g", 100, Invalid("wrong")),))
    (_, f), (_, g) = order_of(wrong).samples
    assert {sample.size for sample in f} == {10, 100}
    assert {sample.size for sample in g} == {10}
    everywhere = replace(plain, failures=tuple(Failure("g", n, Invalid("x")) for n in (10, 100)))
    assert [number for number, _ in order_of(everywhere).samples] == [0]


def test_m6_exploratory_blocks_are_left_out(plain: Any) -> None:
    first, *others = plain.blocks
    result = replace(plain, blocks=(replace(first, phase="exploratory"), *others))
    assert order_of(result).blocks == 59


def test_batches_that_took_no_time_have_no_place(plain: Any) -> None:
    nothing = replace(plain, blocks=tuple(replace(b, seconds=(0.0,) * 4) for b in plain.blocks))
    assert order_of(nothing).samples == ()


def test_the_caption_says_how_many_blocks_share_a_mark() -> None:
    assert "reaches over" not in order_caption(1)
    assert "Each line reaches over 7 blocks, the dot is their median." in order_caption(7)
