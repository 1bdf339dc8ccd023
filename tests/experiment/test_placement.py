"""M14: copies lie in fresh memory at random offsets, and are the same value in all else."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow.arithmetic import same_value
from lunaflow.experiment._placement import duplicate, place

RNG = np.random.default_rng(5)
DTYPES = st.sampled_from(["<i4", ">i4", "<f8", ">f8", "?", "<c16", "S3", "<U2", "<M8[s]", "u1"])


class Pair(NamedTuple):
    """A named tuple with an array in it."""

    data: Any
    name: str


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    base = draw(hnp.arrays(draw(DTYPES), hnp.array_shapes(min_dims=1, max_dims=3, max_side=5)))
    view = base[draw(hnp.basic_indices(base.shape, allow_ellipsis=False, min_dims=1))]
    return np.asarray(draw(st.sampled_from([view, view.T, view[::-1]])))


@settings(max_examples=60)
@given(arrays(), st.booleans())
def test_m14_a_placed_array_is_the_same_value_in_memory_of_its_own(
    array: Any, writeable: bool
) -> None:
    array = array[...]
    array.flags.writeable = array.flags.writeable and writeable
    for new in (place(array, RNG), duplicate(array)):
        assert same_value(new, array)
        assert new.dtype == array.dtype
        assert not np.shares_memory(new, array)
        assert new.flags.writeable == array.flags.writeable
        if array.size:
            assert new.strides == array.strides
            assert new.flags.aligned >= array.flags.aligned


def test_m14_the_first_byte_lies_on_a_line_at_many_offsets() -> None:
    array = np.arange(1000)
    places = [place(array, RNG) for _ in range(50)]
    addresses = {new.ctypes.data for new in places}
    assert all(address % 64 == 0 for address in addresses)
    assert len({address % 4096 for address in addresses}) > 10


def test_a_misaligned_array_stays_misaligned() -> None:
    array = np.frombuffer(bytearray(33), dtype=np.uint8)[1:].view("<f8")
    assert not array.flags.aligned
    assert not place(array, RNG).flags.aligned


def test_a_broadcast_array_keeps_its_strides_and_its_read_only_flag() -> None:
    array = np.broadcast_to(np.arange(3.0), (4, 3))
    new = place(array, RNG)
    assert new.strides == array.strides
    assert not new.flags.writeable
    assert same_value(new, array)


def test_containers_are_copied_and_one_array_stays_one() -> None:
    x = np.arange(3)
    value = {"a": [x, (x, 2)], "b": Pair(x, "name"), "c": bytearray(b"ab"), "d": {1, 2}}
    new = place(value, RNG)
    assert same_value(new, value)
    assert isinstance(new["b"], Pair)
    assert new["a"][0] is new["a"][1][0] is new["b"].data
    assert new["a"][0] is not x
    assert new["c"] is not value["c"]
    assert new["d"] is not value["d"]


@pytest.mark.parametrize(
    "array",
    [
        np.array([1, "a", None], dtype=object),
        np.ma.masked_array([1, 2], mask=[False, True]),
        np.empty((0, 3)),
    ],
)
def test_arrays_without_a_plain_buffer_are_copied(array: Any) -> None:
    new = place(array, RNG)
    assert type(new) is type(array)
    assert new is not array
    assert same_value(new, array)


def test_other_objects_are_left_alone() -> None:
    value = (object(), range(3), "text", 5)
    assert all(a is b for a, b in zip(place(value, RNG), value, strict=True))
