"""The figure of the order has a mark a sample, or one for many, and stays small."""

import re

import pytest

from lunaflow.experiment.report._order import Order, Sample
from lunaflow.experiment.report._order_plot import MOST_MARKS, bundle_of, order_figure
from lunaflow.experiment.report._svg import Words

WORDS = Words("o", "title", "description")


def order(blocks: int, *, implementations: int = 1, ratio: float = 1.0) -> Order:
    samples = tuple(
        Sample(i, i * 3 // blocks, 10, 0, ratio if i % 2 else 1.0) for i in range(blocks)
    )
    third = blocks // 3
    spans = tuple((p, p * third, (p + 1) * third - 1) for p in range(3))
    return Order(blocks, spans, tuple((i, samples) for i in range(implementations)))


def test_a_sample_is_a_dot() -> None:
    svg = order_figure(order(30, implementations=2), WORDS)
    assert len(re.findall(r"h0", svg)) == 60


def test_thousands_of_samples_share_marks_and_none_is_lost_from_sight() -> None:
    many = order(30_000, ratio=5.0)
    assert bundle_of(many) == 75
    svg = order_figure(many, WORDS)
    assert len(re.findall(r"h0", svg)) == MOST_MARKS
    assert len(svg) < 30_000


@pytest.mark.parametrize("ratio", [1.0, 1.001, 1.5, 10.0, 1e6])
def test_the_axis_has_labels_whatever_the_range(ratio: float) -> None:
    svg = order_figure(order(30, ratio=ratio), WORDS)
    assert len(re.findall("\N{MULTIPLICATION SIGN}", svg)) >= 2


def test_processes_are_named_and_parted() -> None:
    svg = order_figure(order(30), WORDS)
    assert all(f">{process}<" in svg for process in (1, 2, 3))
    one = Order(30, ((0, 0, 29),), order(30).samples)
    assert svg.count("<path") == order_figure(one, WORDS).count("<path") + 2
