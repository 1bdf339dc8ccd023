"""E11: candidates of arrays keep the dtype, shrink along each axis, and get simpler elements."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.experiment.candidates.orders import check

from lunaflow.experiment import Shrinker, candidates, shrink

DTYPES = st.sampled_from(["?", "<i4", ">i2", "u1", "<f8", ">f4", "<c16", "<U3"])
ARRAYS = DTYPES.flatmap(
    lambda dtype: hnp.arrays(
        dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
    )
)


@settings(max_examples=60)
@given(ARRAYS)
def test_e11_arrays_get_simpler(array: Any) -> None:
    before = array.copy()
    for one in check(candidates.arrays, array):
        assert one.dtype == array.dtype
        assert one.ndim == array.ndim
        assert not np.shares_memory(one, array)
    assert array.tobytes() == before.tobytes()


@given(hnp.array_shapes(max_dims=3, max_side=5))
def test_e11_shapes_shrink_along_each_axis(shape: tuple[int, ...]) -> None:
    found = [one.shape for one in candidates.arrays(np.zeros(shape))]
    for axis in range(len(shape)):
        others = [(*s[:axis], *s[axis + 1 :]) for s in found]
        lengths = [
            s[axis]
            for s, rest in zip(found, others, strict=True)
            if rest == (*shape[:axis], *shape[axis + 1 :])
        ]
        assert {0, shape[axis] - 1, shape[axis] // 2} <= set(lengths)


def test_e11_blocks_become_zero_and_then_elements_get_simpler() -> None:
    found = [one.tolist() for one in candidates.arrays(np.array([4, 0, 2]))]
    assert found[5:] == [[0, 0, 0], [0, 0, 2], [2, 0, 2], [3, 0, 2], [4, 0, 0], [4, 0, 1]]


def test_e11_a_failing_array_ends_small() -> None:
    rng = np.random.default_rng(0)
    big = rng.integers(-100, 100, (40, 30))
    shrunk = shrink(big, Shrinker(candidates.arrays, max_steps=500), lambda a: bool((a > 90).any()))
    assert shrunk.result.tolist() == [[91]]


def test_the_candidates_of_elements_may_be_the_callers() -> None:
    def halves(x: Any) -> list[Any]:
        return [x / 2] if x > 1 else []

    positive = partial(candidates.arrays, elements=halves)
    found = [one.tolist() for one in positive(np.array([4.0, 1.0])) if one.size == 2]
    assert found == [[2.0, 1.0]]
    with pytest.raises(TypeError, match="elements must be callable"):
        candidates.arrays(np.zeros(1), elements=3)  # type: ignore[arg-type]


def test_arrays_of_objects_hold_simpler_objects() -> None:
    array = np.empty(2, dtype=object)
    array[:] = [[1, 2], "b"]
    found = [one.tolist() for one in candidates.arrays(array) if one.size == 2]
    assert found[:3] == [[[], "b"], [[2], "b"], [[1], "b"]]
    assert found[-1] == [[1, 2], "a"]
    scalar = np.empty((), dtype=object)
    scalar[()] = None
    scalar = np.array([[5]], dtype=object).reshape(())
    assert [one[()] for one in candidates.arrays(scalar)] == [0, 3, 4]


def test_what_only_gets_shorter() -> None:
    masked = np.ma.array([1, 2], mask=[True, False])
    found = list(candidates.arrays(masked))
    assert [one.tolist() for one in found] == [[], [2], [None]]
    assert all(type(one) is type(masked) for one in found)
    times = np.array(["2020-01-01", "NaT"], dtype="M8[D]")
    assert [one.size for one in candidates.arrays(times)] == [0, 1, 1]
    records = np.zeros(1, dtype=[("a", "i4")])
    assert [one.size for one in candidates.arrays(records)] == [0]


def test_another_kind_is_refused_at_once() -> None:
    with pytest.raises(candidates.WrongKind, match="input must be a NumPy array, not list"):
        candidates.arrays([1])
