"""Integer arrays of every dtype, shape and layout, drawn by Hypothesis or by a random generator."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from tests.runtime.kit import Array

# bool and all that int64 holds, in both byte orders
DTYPES = [np.dtype(code) for code in ("?", "i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4")]
DTYPES += [np.dtype(code) for code in ("<u4", ">u4", "<i8", ">i8")]
STEPS = (1, 1, 1, 2, 3, -1, -2)


def laid_out(
    values: Array, axes: Sequence[int], steps: Sequence[int], shift: int = 0, frozen: bool = False
) -> Array:
    """Return an array equal to `values` and of its dtype, whose memory lies as told.

    `axes` is the order of the axes in memory, outermost first, `steps` the elements from one to the
    next along each axis of `values`; `shift` is the bytes by which the memory is out of line.
    """
    lengths = [values.shape[a] * abs(steps[a]) for a in axes]
    size = int(np.prod(lengths, dtype=np.int64))
    raw = np.full(size * values.itemsize + shift, 0xA5, np.uint8)
    memory = raw[shift:].view(values.dtype).reshape(lengths)
    cut: list[Any] = [slice(None, None, steps[a]) for a in axes]
    view: Array = memory[(*cut, ...)].transpose(np.argsort(axes, kind="stable"))
    view[...] = values
    if frozen:
        view.flags.writeable = False
    return view


def limits(dtype: Any) -> tuple[int, int]:
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return 0, 1
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def elements(dtype: Any) -> st.SearchStrategy[int]:
    """Integers of a dtype that crowd around 0 and its limits."""
    low, high = limits(dtype)
    near = {low, low + 1, low // 2 - 1, low // 2, -1, 0, 1, 2, high // 2, high // 2 + 1, high}
    inside = sorted(x for x in near if low <= x <= high)
    return st.one_of(st.sampled_from(inside), st.integers(low, high))


@st.composite
def arrays(draw: st.DrawFn, least: int = 0, most_axes: int = 4) -> Array:
    """Arrays of any dtype, up to `most_axes` dimensions and any layout."""
    dtype = draw(st.sampled_from(DTYPES))
    shape = draw(st.lists(st.integers(least, 5), max_size=most_axes).map(tuple))
    size = int(np.prod(shape, dtype=np.int64))
    numbers = draw(st.lists(elements(dtype), min_size=size, max_size=size))
    values = np.array(numbers, dtype).reshape(shape)
    axes = draw(st.permutations(range(len(shape))))
    steps = draw(st.lists(st.sampled_from(STEPS), min_size=len(shape), max_size=len(shape)))
    array = laid_out(values, axes, steps, draw(st.integers(0, 1)), draw(st.booleans()))
    if least and draw(st.integers(0, 5)) == 0:
        return np.broadcast_to(array, (draw(st.integers(1, 4)), *shape))
    return array


def random_array(rng: random.Random) -> Array:
    """Return an array as `arrays` draws them."""
    dtype = rng.choice(DTYPES)
    shape = tuple(
        rng.choice([0, 1, 2, 3, 4, 9]) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4]))
    )
    size = int(np.prod(shape, dtype=np.int64))
    low, high = limits(dtype)
    bound = rng.choice([1, 100, high])
    numbers = [rng.randint(max(low, -bound), min(high, bound)) for _ in range(size)]
    values = np.array(numbers, dtype).reshape(shape)
    axes = rng.sample(range(len(shape)), len(shape))
    steps = [rng.choice(STEPS) for _ in shape]
    array = laid_out(values, axes, steps, rng.randrange(2), rng.random() < 0.5)
    if rng.random() < 0.1:
        return np.broadcast_to(array, (rng.randint(1, 4), *shape))
    return array


def integers(array: Array) -> list[int]:
    """Return the elements in C order, as Python integers."""
    return [int(x) for x in array.ravel(order="C").tolist()]
