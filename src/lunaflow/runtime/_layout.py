"""Views of the same elements that are faster to read, where the order does not matter."""

from typing import Any

from lunaflow.runtime._column import Array


def in_memory_order(values: Array, beside: Array) -> tuple[Array, Array]:
    """Return views whose axes step upwards through the memory of `values`, outermost first.

    `beside` has the shape of `values`, and both views visit the same elements at the same time.
    """
    axes = sorted(range(values.ndim), key=lambda axis: -abs(values.strides[axis]))
    cut: list[Any] = [slice(None, None, -1 if stride < 0 else 1) for stride in values.strides]
    # the ellipsis keeps an array without dimensions an array
    return values[(*cut, ...)].transpose(axes), beside[(*cut, ...)].transpose(axes)


def without_repeats(values: Array, beside: Array) -> tuple[int, Array, Array]:
    """Return how often both arrays repeat all their elements, and views of one time.

    `beside` has the shape of `values`.
    """
    times = 1
    cut: list[Any] = []
    for axis, length in enumerate(values.shape):
        repeats = length > 1 and values.strides[axis] == 0 == beside.strides[axis]
        times *= length if repeats else 1
        cut.append(0 if repeats else slice(None))
    return times, values[(*cut, ...)], beside[(*cut, ...)]
