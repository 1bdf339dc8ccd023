"""M14: copies lie in fresh memory at random offsets, and are the same value in all else."""

import collections
import random
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lunaflow.arithmetic import same_value
from lunaflow.experiment import Fixture
from lunaflow.experiment._fingerprint import fingerprint, is_unchanged
from lunaflow.experiment.engine._inputs import UnusableInput, require_usable
from lunaflow.experiment.engine._placement import duplicate, place

RNG = np.random.default_rng(5)
FIXTURE = Fixture.immutable(lambda size, rng: rng.random(size))
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


@given(st.integers(0, 2**32), st.integers(1, 2000))
@settings(max_examples=30)
def test_m14_the_offsets_within_a_page_are_those_drawn(seed: int, size: int) -> None:
    first, second = (np.random.default_rng(seed) for _ in range(2))
    for _ in range(5):
        one, other = place(np.arange(size), first), place([np.zeros(size)], second)[0]
        assert one.ctypes.data % 4096 == other.ctypes.data % 4096


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


@dataclass(frozen=True, slots=True)
class Frozen:
    """Holds anything, and cannot be set."""

    data: Any


@dataclass
class Open:
    """Holds anything, and more may be added."""

    data: Any
    hidden: list[int] = field(default_factory=list, compare=False)


class Plain:
    """Compares by identity."""

    def __init__(self, data: Any) -> None:
        self.data = data


class Heap(list[Any]):
    """A list with something beside."""

    note: Any = None


KINDS: list[tuple[Any, Callable[[Any], Any]]] = [
    (np.arange(3), lambda x: x.__setitem__(0, 9)),
    (Frozen([1, 2]), lambda x: x.data.append(3)),
    (Open(np.arange(3)), lambda x: x.data.__setitem__(0, 9)),
    (Open(1), lambda x: setattr(x, "data", 2)),
    (Plain([1]), lambda x: x.data.append(2)),
    ([Plain(np.arange(3))], lambda x: x[0].data.__setitem__(0, 9)),
    ({"a": Plain({1, 2})}, lambda x: x["a"].data.add(3)),
    (Heap([1, 2]), lambda x: x.append(3)),
    (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), lambda x: x.__setitem__("a", [1, 3])),
    ([pd.Series([1.0, 2.0])], lambda x: x[0].__setitem__(0, 9.0)),
    (np.array([[1], [2]], dtype=object), lambda x: x.__setitem__((0, 0), 9)),
    (np.array([[1], None], dtype=object), lambda x: x[0].append(9)),
    (collections.deque([1, 2]), lambda x: x.rotate()),
    (collections.defaultdict(list, {"a": [1]}), lambda x: x["b"]),
    (bytearray(b"ab"), lambda x: x.append(1)),
    (random.Random(1), lambda x: x.random()),
    (np.random.default_rng(1), lambda x: x.random()),
    (types.MappingProxyType({"a": [1]}), lambda x: x["a"].append(2)),
    (frozenset({Frozen((1, 2))}), lambda x: object.__setattr__(next(iter(x)), "data", 5)),
]


@pytest.mark.parametrize(("value", "change"), KINDS, ids=lambda x: type(x).__name__)
def test_m8_whatever_is_changed_in_a_copy_is_noticed_and_stays_there(
    value: Any, change: Callable[[Any], Any]
) -> None:
    require_usable(FIXTURE, value, 3)
    before = fingerprint(value)
    for new in (place(value, RNG), duplicate(value)):
        assert is_unchanged(new, value)
        assert fingerprint(new) == before
        change(new)
        assert not is_unchanged(new, value)
        assert fingerprint(value) == before


def test_m8_aliasing_inside_one_input_is_kept_in_all_kinds_of_objects() -> None:
    x = np.arange(3)
    plain = Plain(x)
    value = [x, Frozen(x), Open([x]), plain, {"p": plain}, np.array([x, plain], dtype=object)]
    new = place(value, RNG)
    copies = [new[0], new[1].data, new[2].data[0], new[3].data, new[4]["p"].data, new[5][0]]
    assert len({id(one) for one in copies}) == 1
    assert copies[0] is not x
    assert new[3] is new[4]["p"] is new[5][1]


def test_what_holds_itself_is_copied() -> None:
    inner: list[Any] = []
    value = (inner, {"a": inner})
    inner.append(value)
    holder = Open(None)
    holder.data = [holder]
    new, other = duplicate((value, holder))
    assert new[0][0] is new
    assert new[1]["a"] is new[0] is not inner
    assert other.data[0] is other is not holder
    assert is_unchanged(new, value)


def test_dataclasses_keep_what_is_beside_their_fields() -> None:
    value = Open(1)
    value.extra = [1]  # type: ignore[attr-defined]
    new = duplicate(value)
    assert new.extra == [1]
    assert new.extra is not value.extra  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", [5, "text", b"ab", 1.5, None, len, place, int, np, range(3)])
def test_what_cannot_change_is_shared(value: Any) -> None:
    assert duplicate([value])[0] is value


class Unequal:
    """A copy of it is another one."""

    def __init__(self) -> None:
        self.mark = id(self)

    def __deepcopy__(self, _memo: object) -> "Unequal":
        return Unequal()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (threading.Lock(), "a lock, cannot be copied and compared .*cannot pickle"),
        ([iter([]), threading.Lock()], "a list, cannot be copied and compared .*cannot pickle"),
        (Unequal(), "a Unequal, differs from its copy"),
    ],
)
def test_m8_what_cannot_be_copied_or_compared_is_refused_by_name(value: Any, message: str) -> None:
    with pytest.raises(UnusableInput, match=f"for size 7, {message}"):
        require_usable(FIXTURE, value, 7)
