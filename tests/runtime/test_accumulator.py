"""R7, R10: an Accumulator is exact over streams of chunks, however they are cut."""

import copy
import itertools
import multiprocessing
import pickle
import threading
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.kit import Array
from tests.runtime.memory import arrays, integers
from tests.runtime.producer import AsStream, Producer, bitmap, chunk

from lunaflow.runtime import Accumulator, InvalidInput


def of(*chunks: Any, **options: Any) -> Accumulator:
    seen = Accumulator()
    for x in chunks:
        seen.update(x, **options)
    return seen


def numbers_of(seen: Accumulator) -> tuple[int, int | None, int | None, int]:
    if seen.count == 0:
        return seen.sum, None, None, 0
    return seen.sum, seen.min, seen.max, seen.count


def expected(numbers: list[int]) -> tuple[int, int | None, int | None, int]:
    return sum(numbers), min(numbers, default=None), max(numbers, default=None), len(numbers)


@settings(max_examples=200)
@given(st.lists(arrays(), max_size=6), st.one_of(st.none(), st.integers(1, 8)), st.data())
def test_r10_chunks_of_every_kind_in_any_order_and_grouping(
    chunks: list[Array], workers: int | None, data: st.DataObject
) -> None:
    numbers = [value for x in chunks for value in integers(x)]
    assert numbers_of(of(*chunks, workers=workers)) == expected(numbers)
    shares = [Accumulator() for _ in range(3)]
    for x in data.draw(st.permutations(chunks)):
        data.draw(st.sampled_from(shares)).update(x)
    total = Accumulator()
    for share in data.draw(st.permutations(shares)):
        total.merge(share)
    assert numbers_of(total) == expected(numbers)


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64])
def test_r2_every_partition_gives_the_same(dtype: Any) -> None:
    info = np.iinfo(dtype)
    x = np.array([info.max, info.min, 1, info.max, info.max, 0, info.min, info.max], dtype)
    whole = of(x)
    assert numbers_of(whole) == expected([int(v) for v in x])
    for cuts in itertools.product([False, True], repeat=len(x) - 1):
        places = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(x)]
        assert of(*(x[a:b] for a, b in itertools.pairwise(places))) == whole


def test_r10_nothing_has_a_sum_and_no_extremes() -> None:
    for seen in (Accumulator(), of(np.empty((0, 3))[:, :0].astype(int), pa.array([], pa.int8()))):
        assert (seen.sum, seen.count) == (0, 0)
        assert repr(seen) == "<Accumulator of no element>"
        for name in ("min", "max"):
            with pytest.raises(ValueError, match=f"no element has no {name}"):
                getattr(seen, name)
        assert seen == Accumulator()


def test_r10_sums_have_no_limit() -> None:
    seen = of(np.broadcast_to(np.int64(2**63 - 1), (2**20, 2**39)))
    for _ in range(70):
        seen.merge(seen)
    assert seen.sum == (2**63 - 1) * 2**59 * 2**70
    assert seen.count == 2**129
    assert (seen.min, seen.max) == (2**63 - 1, 2**63 - 1)


def test_r10_nulls_are_refused_or_skipped() -> None:
    columns = [
        pa.chunked_array([[1, None], [5]]),
        pl.Series([None, 7]),
        np.ma.masked_array([1, 2], [True, False]),
    ]
    seen = of(*columns, nulls="skip")
    assert numbers_of(seen) == (15, 1, 7, 4)
    for column in columns:
        with pytest.raises(InvalidInput, match=r"^chunk is a .*1 of"):
            seen.update(column)
    assert numbers_of(seen) == (15, 1, 7, 4)
    with pytest.raises(ValueError, match="nulls must be"):
        seen.update(columns[0], nulls="drop")  # type: ignore[arg-type]


def test_r10_a_failed_update_leaves_it_as_it_was() -> None:
    seen = of(np.array([3, -4]))
    ones = np.ones(5, np.int64)
    failing: list[tuple[Any, type[Exception]]] = [
        ([1, 2], TypeError),
        (np.array([1.0]), InvalidInput),
        (np.array([1], np.uint64), InvalidInput),
        (pa.array([1.0]), InvalidInput),
        (AsStream(Producer(b"l", [chunk(ones), chunk(ones)], fails=5)), OSError),
        (AsStream(Producer(b"l", [chunk(ones), chunk(ones, length=-1)])), ValueError),
        (
            AsStream(Producer(b"l", [chunk(ones, buffers=[bitmap([False] * 5), ones])])),
            InvalidInput,
        ),
    ]
    for x, error in failing:
        with pytest.raises(error):
            seen.update(x)
        assert numbers_of(seen) == (-1, -4, 3, 2)
    with pytest.raises(ValueError, match="workers"):
        seen.update(ones, workers=0)
    with pytest.raises(TypeError, match="other must be an Accumulator, not dict"):
        seen.merge({})  # type: ignore[arg-type]
    assert numbers_of(seen) == (-1, -4, 3, 2)


def test_it_compares_by_its_numbers_and_has_no_hash() -> None:
    assert of(np.array([1, 4])) == of(np.array([4]), np.array([1]))
    assert of(np.array([1, 4])) != of(np.array([1, 5]))
    assert of(np.array([0, 0, 4])) != of(np.array([0, 4]))
    assert of(np.array([1])) != 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(Accumulator())
    assert repr(of(np.array([1, 4]))) == "<Accumulator of 2 elements: sum 5, min 1, max 4>"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_it_goes_through_pickle_and_copy_small(protocol: int) -> None:
    for seen in (of(np.full(1000, -(2**63)), np.array([2**63 - 1])), Accumulator()):
        stored = pickle.dumps(seen, protocol)
        assert len(stored) < 300
        for same in (pickle.loads(stored), copy.copy(seen), copy.deepcopy(seen)):
            assert same == seen
            same.update(np.array([1]))
            assert same.count == seen.count + 1


def test_a_state_of_another_version_is_refused() -> None:
    state = Accumulator().__getstate__()
    assert state == {"version": 1, "sum": 0, "min": 0, "max": 0, "count": 0}
    with pytest.raises(ValueError, match="version 2"):
        Accumulator().__setstate__(state | {"version": 2})


def test_threads_update_and_merge_one_at_once() -> None:
    total, rounds, threads = Accumulator(), 300, 8
    start = threading.Barrier(threads)

    def work(number: int) -> None:
        start.wait()
        share = Accumulator()
        for _ in range(rounds):
            total.update(np.array([number, -1], np.int16))
            share.update(np.array([number], np.uint8))
        total.merge(share)

    pool = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for thread in pool:
        thread.start()
    for thread in pool:
        thread.join()
    all_numbers = sum(range(threads))
    assert total.sum == rounds * (2 * all_numbers - threads)
    assert (total.min, total.max, total.count) == (-1, threads - 1, 3 * rounds * threads)


def share_of(part: int) -> Accumulator:
    return of(np.arange(part, 1000, 3))


def test_processes_accumulate_their_shares() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        shares = pool.map(share_of, range(3))
    total = Accumulator()
    for share in shares:
        total.merge(share)
    assert total == of(np.arange(1000))
