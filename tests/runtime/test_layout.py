"""Views in another order hold the same elements, and their partners go with them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.runtime.kit import Array
from tests.runtime.memory import arrays, integers

from lunaflow.runtime._layout import in_memory_order, without_repeats


def pairs(values: Array, beside: Array) -> list[tuple[int, int]]:
    return sorted(zip(integers(values), integers(beside), strict=True))


@given(arrays(least=1))
def test_axes_step_upwards_through_memory_and_partners_stay_together(x: Array) -> None:
    places = np.arange(x.size).reshape(x.shape)
    values, beside = in_memory_order(x, places)
    assert pairs(values, beside) == pairs(x, places)
    assert list(values.strides) == sorted(map(abs, x.strides), reverse=True)
    assert np.shares_memory(values, x)


@given(arrays(least=1), st.lists(st.integers(1, 4), max_size=3).map(tuple))
def test_repeats_are_counted_and_left_out(x: Array, more: tuple[int, ...]) -> None:
    repeated = np.broadcast_to(x, (*more, *x.shape))
    places = np.broadcast_to(np.arange(x.size).reshape(x.shape), repeated.shape)
    times, values, beside = without_repeats(repeated, places)
    assert sorted(pairs(values, beside) * times) == pairs(repeated, places)
    assert times * values.size == repeated.size
    assert times >= np.prod(more, dtype=int)
    alone, kept, _ = without_repeats(repeated, np.arange(repeated.size).reshape(repeated.shape))
    assert (alone, kept.shape) == (1, repeated.shape)
