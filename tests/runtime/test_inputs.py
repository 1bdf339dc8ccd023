"""R4: any memory that holds int32 or int64 is read rightly; everything else is refused by name."""

import array
import mmap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.kit import LAYOUTS, Array, exact, integer_arrays

import lunaflow
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime import InvalidInput, double, plan_for, reference, run

Layout = Callable[[Array], Array]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("n", [1, 2, 10, 4000])
def test_r4_every_layout_gives_the_same_results(layout: Layout, dtype: Any, n: int) -> None:
    values = np.random.default_rng(n).integers(-1000, 1000, n).astype(dtype)
    x = layout(values)
    assert x.tolist() == values.tolist()
    before = x.tobytes()
    for workers in (1, 3):
        assert lunaflow.sum(x, workers=workers) == sum(values.tolist())
        assert lunaflow.min(x, workers=workers) == min(values.tolist())
        assert lunaflow.max(x, workers=workers) == max(values.tolist())
        assert lunaflow.scan(x, workers=workers).tolist() == np.cumsum(values).tolist()
        doubled = double(x, workers=workers)
        assert doubled.tolist() == (2 * values).tolist()
        assert doubled.dtype == dtype
        assert doubled.dtype.isnative
    assert x.tobytes() == before


@settings(max_examples=200)
@given(
    integer_arrays(),
    st.sampled_from(LAYOUTS),
    st.sampled_from([("SCAN", None), ("MAP", None), ("MAP_REDUCE", "SUM"), ("REDUCE", "SUM")]),
    st.integers(1, 5),
)
def test_r4_overflow_positions_do_not_depend_on_the_layout(
    values: Array, layout: Layout, kind: tuple[str, str | None], workers: int
) -> None:
    x = layout(values)
    reduction = None if kind[1] is None else ReductionKernel[kind[1]]
    result: Any = run(
        plan_for(x, PlanKind[kind[0]], reduction, workers=workers), x, errors="result"
    )
    expected = exact(*kind, values.tolist(), values.dtype)
    assert result.is_ok() == (expected[0] == "ok")
    if result.is_err():
        assert result.error.index == expected[1]


def test_r4_zero_strides_repeat_one_element() -> None:
    x = np.lib.stride_tricks.as_strided(np.array([3]), shape=(5000,), strides=(0,))
    assert lunaflow.sum(x, workers=2) == 15000
    assert lunaflow.scan(x)[-1] == 15000


def test_r4_ten_big_endian_ones() -> None:
    for dtype in (">i4", ">i8", "<i4", "<i8"):
        x = np.ones(10, dtype)
        assert lunaflow.sum(x) == 10
        assert (lunaflow.min(x), lunaflow.max(x)) == (1, 1)
        assert lunaflow.scan(x).tolist() == list(range(1, 11))
        assert double(x).tolist() == [2] * 10


def test_r4_read_only_bytes() -> None:
    x = np.frombuffer(np.array([7, -3, 12], np.int32).tobytes(), np.int32)
    assert not x.flags.writeable
    assert (lunaflow.min(x), lunaflow.max(x), lunaflow.sum(x)) == (-3, 12, 16)
    assert lunaflow.scan(x).tolist() == [7, 4, 16]
    assert double(x).tolist() == [14, -6, 24]


def test_r4_whatever_exposes_a_buffer_or_an_array(tmp_path: Path) -> None:
    values = np.arange(100, dtype=np.int64)
    path = tmp_path / "numbers.npy"
    np.save(path, values)

    class Owner:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
            return values

    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        view = memoryview(mapped)[path.stat().st_size - values.nbytes :].cast("q")
        given: list[Any] = [
            array.array("q", values.tolist()),
            array.array("i", values.tolist()),
            memoryview(values.data),
            view,
            Owner(),
            np.load(path, mmap_mode="r"),
            pd.Series(values),
            pd.Series(values, dtype="Int64"),
            pa.array(values),
            pl.Series(values),
        ]
        for x in given:
            assert lunaflow.sum(x) == 4950, type(x)
        view.release()


def test_r4_nulls_and_masks_are_refused_by_name() -> None:
    masked = np.ma.masked_array([1, 2, 3], mask=[False, True, False])
    with pytest.raises(InvalidInput, match="masked array \\(1 of 3"):
        run(plan_for(np.arange(3), PlanKind.SCAN), masked)
    with pytest.raises(InvalidInput, match="masked array"):
        lunaflow.sum(masked)
    assert lunaflow.sum(masked, nulls="skip") == 4
    assert lunaflow.max(masked, nulls="skip") == 3
    for column in (
        pd.Series([1, None, 3], dtype="Int64"),
        pa.array([1, None, 3]),
        pl.Series([1, None, 3]),
    ):
        with pytest.raises(InvalidInput, match="with 1 of 3 elements null"):
            lunaflow.sum(column)


@pytest.mark.parametrize(
    ("x", "said", "advice"),
    [
        (np.array([1.0, 2.0]), "float64", "never cast silently"),
        (np.array([1, 2], np.uint64), "uint64", "wraps above"),
        (np.array([1, 2], ">u8"), ">u8", "wraps above"),
        (np.array(["2020-01-01"], "M8[D]"), "datetime64", "ticks"),
        (np.array([5], "m8[s]"), "timedelta64", "ticks"),
        (np.array([1 + 2j]), "complex128", "never cast silently"),
        (np.array([1, None]), "object", ""),
        (np.array([(1, 2)], dtype=[("a", "i4"), ("b", "i4")]), "dtype", ""),
        (np.array([b"a"]), "S1", ""),
        (np.array(["a", "b"], np.dtypes.StringDType()), "StringDType", ""),
        (memoryview(b"abc").cast("c"), "S1", ""),
        (np.ma.masked, "float64", "never cast silently"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_r4_wrong_dtypes_say_what_would_do(x: Any, said: str, advice: str) -> None:
    for call in (lunaflow.sum, lunaflow.min, lunaflow.max, lunaflow.scan, double):
        with pytest.raises(InvalidInput, match=said) as caught:
            call(x)
        assert "bool, int8 to int64, or uint8 to uint32" in caught.value.accepted
        assert advice in caught.value.accepted
    with pytest.raises(InvalidInput, match=said) as caught:
        run(plan_for(np.arange(3), PlanKind.SCAN), x)
    assert "int32 or int64" in caught.value.accepted


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (np.zeros((2, 2), np.int64), "2 dimensions"),
        (np.int64(3), "0 dimensions"),
        (np.array([1, 2], np.int16), "int16"),
        (np.array([True]), "bool"),
        (b"12345678", "uint8"),
        (np.ma.masked_array([1, 2]), "masked array \\(0 of 2"),
        (pl.Series([1, 2], dtype=pl.Int8), "int8"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_r4_plans_take_one_dimension_of_int32_or_int64(x: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        run(plan_for(np.arange(3), PlanKind.SCAN), x)
    with pytest.raises(InvalidInput, match=said):
        plan_for(x, PlanKind.SCAN)


@pytest.mark.parametrize(
    "x", [[1, 2, 3], (1, 2), 5, "12", None, {1, 2}, iter([1]), np.ndarray], ids=str
)
def test_r4_what_is_no_array_is_a_type_error_with_a_hint(x: Any) -> None:
    said = "must be an array of integers"
    if isinstance(x, (list, tuple)):
        said += r".*; np\.asarray\(values\) makes one of it$"
    with pytest.raises(TypeError, match=said):
        lunaflow.sum(x)
    with pytest.raises(TypeError, match=said):
        run(plan_for(np.arange(3), PlanKind.SCAN), x, errors="result")


def test_r4_an_array_method_that_gives_a_mask_or_no_array_is_not_believed() -> None:
    class Gives:
        def __init__(self, made: Any) -> None:
            self.made = made

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            return self.made

    masked = np.ma.masked_array([1, 2, 3], mask=[False, True, False])
    with pytest.raises(InvalidInput, match="masked array"):
        lunaflow.sum(Gives(masked))
    assert lunaflow.sum(Gives(masked), nulls="skip") == 4
    with pytest.raises(TypeError, match="its __array__ gave list"):
        lunaflow.sum(Gives([1, 2]))


def test_r4_a_huge_zero_stride_array_is_one_element() -> None:
    x = np.broadcast_to(np.int64(3), (2**59,))
    assert lunaflow.sum(x) == 3 * 2**59
    assert (lunaflow.min(x), lunaflow.max(x, workers=2)) == (3, 3)
    assert lunaflow.sum(np.broadcast_to(np.int64(2**62), (2**59,)), dtype=object) == 2**121
    result: Any = run(plan_for(x, PlanKind.MAP_REDUCE, ReductionKernel.SUM), x)
    assert result == 6 * 2**59


def test_r4_a_plan_refuses_other_dtypes_and_lengths() -> None:
    p = plan_for(np.arange(4, dtype=np.int32), PlanKind.SCAN)
    with pytest.raises(InvalidInput, match="int64.*I32"):
        run(p, np.arange(4, dtype=np.int64))
    with pytest.raises(InvalidInput, match="5 elements.*4"):
        run(p, np.arange(5, dtype=np.int32))


def test_r4_the_reference_backend_reads_every_layout(layout: Layout) -> None:
    values = np.array([5, -7, 11, 13], np.int32)
    x = layout(values)
    p = plan_for(x, PlanKind.SCAN)
    assert run(p, x, backend=reference).tolist() == [5, -2, 9, 22]  # type: ignore[union-attr]
