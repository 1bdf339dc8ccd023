"""Memory of every layout, and an oracle in Python integers that shares no code with the library."""

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

Array = npt.NDArray[Any]


def contiguous(values: Array) -> Array:
    return values.copy()


def reversed_view(values: Array) -> Array:
    return values[::-1].copy()[::-1]


def every_third(values: Array) -> Array:
    wide = np.zeros(3 * len(values) + 1, values.dtype)
    wide[1::3][: len(values)] = values
    return wide[1::3][: len(values)]


def swapped(values: Array) -> Array:
    return values.astype(values.dtype.newbyteorder())


def swapped_reversed(values: Array) -> Array:
    return reversed_view(swapped(values))


def unaligned(values: Array) -> Array:
    raw = np.zeros(values.nbytes + 1, np.uint8)
    view = raw[1:].view(values.dtype)
    view[...] = values
    return view


def read_only(values: Array) -> Array:
    return np.frombuffer(values.tobytes(), values.dtype)


LAYOUTS: list[Callable[[Array], Array]] = [
    contiguous,
    reversed_view,
    every_third,
    swapped,
    swapped_reversed,
    unaligned,
    read_only,
]


def limits(dtype: Any) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def exact(kind: str, reduction: str | None, values: list[int], dtype: Any) -> tuple[Any, ...]:
    """Give ("ok", result) or ("overflow", index, exact total) by Python integers alone."""
    low, high = limits(dtype)

    def first_bad(numbers: list[int]) -> int | None:
        return next((i for i, x in enumerate(numbers) if not low <= x <= high), None)

    if kind in ("MAP", "MAP_REDUCE"):
        values = [2 * x for x in values]
        if (bad := first_bad(values)) is not None:
            summing = kind == "MAP_REDUCE" and reduction == "SUM"
            return "overflow", bad, sum(values) if summing else None
        if kind == "MAP":
            return "ok", values
    combines: dict[str, Callable[[int, int], int]]
    combines = {"SUM": operator.add, "MIN": min, "MAX": max}
    combine = combines[reduction or "SUM"]
    prefixes: list[int] = list(itertools.accumulate(values, combine))
    if kind == "SCAN":
        bad = first_bad(prefixes)
        return ("ok", prefixes) if bad is None else ("overflow", bad, None)
    total = prefixes[-1]
    return ("ok", total) if low <= total <= high else ("overflow", None, total)


def integer_arrays(max_size: int = 40) -> st.SearchStrategy[Array]:
    """Arrays of int32 or int64 whose elements crowd around 0 and the type's limits."""

    def of(dtype: Any) -> st.SearchStrategy[Array]:
        low, high = limits(dtype)
        crowded = st.one_of(
            st.integers(-3, 3),
            st.integers(high - 3, high),
            st.integers(low, low + 3),
            st.sampled_from([low // 2 - 1, low // 2, high // 2, high // 2 + 1]),
            st.integers(low, high),
        )
        return hnp.arrays(dtype, st.integers(1, max_size), elements=crowded)

    return st.sampled_from([np.int32, np.int64]).flatmap(of)
