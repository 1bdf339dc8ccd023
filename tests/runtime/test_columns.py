"""R10: Arrow columns, nullable columns and masked arrays, whole or with nulls."""

import itertools
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.memory import elements, laid_out, limits

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime import InvalidInput, double, plan_for, reference, run

TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"]
NULLABLE = {name: name.capitalize().replace("Ui", "UI") for name in TYPES} | {"bool": "boolean"}
Values = list[int | None]
Make = Callable[[Values, str, list[int]], Any]


def pieces(values: Values, cuts: list[int]) -> list[Values]:
    places = sorted(min(cut, len(values)) for cut in cuts)
    return [values[a:b] for a, b in itertools.pairwise([0, *places, len(values)])]


def arrow_type(name: str) -> pa.DataType:
    return pa.bool_() if name == "bool" else pa.type_for_alias(name)


def typed(values: Values, name: str) -> list[Any]:
    return [bool(v) if name == "bool" and v is not None else v for v in values]


def arrow_array(values: Values, name: str, cuts: list[int]) -> pa.Array:
    # a slice, so that offsets are not 0
    ahead = min(limits(name)[1], 1)
    padded = typed([ahead] * len(cuts) + values + [None], name)
    return pa.array(padded, arrow_type(name)).slice(len(cuts), len(values))


def arrow_chunks(values: Values, name: str, cuts: list[int]) -> pa.ChunkedArray:
    arrays = [arrow_array(piece, name, cuts) for piece in pieces(values, cuts)]
    return pa.chunked_array(arrays, arrow_type(name))


def polars_series(values: Values, name: str, cuts: list[int]) -> pl.Series:
    dtype = {"bool": pl.Boolean, "uint8": pl.UInt8, "uint16": pl.UInt16, "uint32": pl.UInt32}.get(
        name, getattr(pl, name.capitalize(), None)
    )
    parts = [pl.Series(typed(piece, name), dtype=dtype) for piece in pieces(values, cuts)]
    return pl.concat(parts, rechunk=False)


def pandas_nullable(values: Values, name: str, cuts: list[int]) -> pd.Series:
    return pd.Series(typed(values, name), dtype=NULLABLE[name])


def pandas_array(values: Values, name: str, cuts: list[int]) -> Any:
    return pandas_nullable(values, name, cuts).array


def pandas_arrow(values: Values, name: str, cuts: list[int]) -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(arrow_chunks(values, name, cuts)))


def masked(values: Values, name: str, cuts: list[int]) -> Any:
    data = np.array([0 if v is None else v for v in values]).astype(name)
    step = [1, -1, 2][len(cuts) % 3]
    mask = laid_out(np.array([v is None for v in values], bool), [0], [step])
    return np.ma.masked_array(laid_out(data, [0], [-step]), mask)


MAKERS: list[Make] = [
    arrow_array,
    arrow_chunks,
    polars_series,
    pandas_nullable,
    pandas_array,
    pandas_arrow,
    masked,
]


@st.composite
def columns(draw: st.DrawFn, *, nulls: bool) -> tuple[Values, str, list[int]]:
    name = draw(st.sampled_from(TYPES))
    element: st.SearchStrategy[int | None] = elements(name)
    if nulls:
        element = st.one_of(st.none(), element)
    values = draw(st.lists(element, max_size=40))
    return values, name, draw(st.lists(st.integers(0, 40), max_size=3))


@settings(max_examples=150)
@given(columns(nulls=True), st.sampled_from(MAKERS), st.one_of(st.none(), st.integers(1, 8)))
def test_r10_nulls_are_skipped_or_counted(
    column: tuple[Values, str, list[int]], make: Make, workers: int | None
) -> None:
    values = column[0]
    x = make(*column)
    there = [v for v in values if v is not None]
    assert lunaflow.sum(x, nulls="skip", dtype=object, workers=workers) == sum(there)
    for form, exact in ((lunaflow.min, min), (lunaflow.max, max)):
        if there:
            assert form(x, nulls="skip", workers=workers) == exact(there)
        else:
            with pytest.raises(ValueError, match=f"has no {exact.__name__}"):
                form(x, nulls="skip", workers=workers)
    nulls = len(values) - len(there)
    if nulls == 0:
        return
    said = f"{nulls} of {len(values)} elements masked|{nulls} of {len(values)} elements null$"
    for refuse in (lunaflow.sum, lunaflow.min, lunaflow.max, lunaflow.scan, double):
        with pytest.raises(InvalidInput) as caught:
            refuse(x)
        assert re.search(said, caught.value.given)


@settings(max_examples=150)
@given(columns(nulls=False), st.sampled_from(MAKERS), st.one_of(st.none(), st.integers(1, 8)))
def test_r10_columns_without_nulls_are_arrays_in_pieces(
    column: tuple[Values, str, list[int]], make: Make, workers: int | None
) -> None:
    numbers = [v for v in column[0] if v is not None]
    x = make(*column)
    for dtype in (np.int32, np.int64, object):
        low, high = limits(np.int64 if dtype is object else dtype)
        prefixes = list(itertools.accumulate(numbers))
        bad = [i for i, p in enumerate(prefixes) if dtype is not object and not low <= p <= high]
        if bad:
            with pytest.raises(ArithmeticError) as caught:
                lunaflow.scan(x, dtype=dtype, workers=workers)
            assert caught.value.index == bad[0]
            assert f"the exact prefix {prefixes[bad[0]]} " in str(caught.value)
        else:
            found = lunaflow.scan(x, dtype=dtype, workers=workers)
            assert (found.tolist(), found.dtype) == (prefixes, np.dtype(dtype))
    result = np.dtype(np.int32 if column[1] == "int32" else np.int64)
    low, high = limits(result)
    bad = [i for i, v in enumerate(numbers) if not low <= 2 * v <= high]
    if bad:
        with pytest.raises(ArithmeticError) as caught:
            double(x, workers=workers)
        assert caught.value.index == bad[0]
    else:
        found = double(x, workers=workers)
        assert (found.tolist(), found.dtype) == ([2 * v for v in numbers], result)


KINDS = [
    (PlanKind.MAP, None),
    (PlanKind.REDUCE, ReductionKernel.SUM),
    (PlanKind.SCAN, ReductionKernel.SUM),
    (PlanKind.SCAN, ReductionKernel.MIN),
    (PlanKind.SCAN, ReductionKernel.MAX),
    (PlanKind.MAP_REDUCE, ReductionKernel.SUM),
    (PlanKind.MAP_REDUCE, ReductionKernel.MAX),
]


@settings(max_examples=100)
@given(
    st.sampled_from(["int32", "int64"]).flatmap(
        lambda name: st.tuples(
            st.lists(elements(name), min_size=1, max_size=30),
            st.just(name),
            st.lists(st.integers(0, 30), max_size=3),
        )
    ),
    st.sampled_from([arrow_chunks, polars_series, pandas_nullable, pandas_arrow]),
    st.sampled_from(KINDS),
    st.integers(1, 8),
)
def test_r4_plans_read_columns_in_pieces(
    column: tuple[Any, str, list[int]], make: Make, kind: Any, workers: int
) -> None:
    x = make(*column)
    plan = plan_for(x, *kind, workers=workers)
    plain = np.array(column[0], column[1])
    expected = run(plan, plain, backend=reference, errors="result")
    for found in (run(plan, x, errors="result"), run(plan, x, backend=reference, errors="result")):
        assert found.is_ok() == expected.is_ok()
        if found.is_ok():
            assert np.array_equal(found.unwrap(), expected.unwrap())
        else:
            assert found == expected
    with pytest.raises(InvalidInput, match="with 1 of"):
        run(plan, make([*column[0], None], column[1], column[2]))


def test_r10_nothing_but_nulls_is_nothing() -> None:
    for x in (
        pa.nulls(3),
        pa.array([None, None], pa.int8()),
        pl.Series([None, None]),
        pd.array([None], dtype="Int32"),
        np.ma.masked_array(np.zeros((2, 3), np.int16), True),
        pa.chunked_array([], pa.int64()),
    ):
        assert lunaflow.sum(x, nulls="skip") == 0
        with pytest.raises(ValueError, match="has no max"):
            lunaflow.max(x, nulls="skip")
    with pytest.raises(InvalidInput, match="3 of 3 elements null"):
        lunaflow.sum(pa.nulls(3))


def test_r9_columns_of_no_element_have_a_dtype() -> None:
    for x in (pa.array([], pa.int32()), pa.chunked_array([], pa.int32())):
        assert lunaflow.sum(x) == 0
        assert double(x).dtype == np.int32
        assert lunaflow.scan(x).dtype == np.int64
    assert double(pl.Series([], dtype=pl.Int8)).dtype == np.int64


def test_r1_the_total_of_what_is_not_null_is_exact() -> None:
    x = pa.chunked_array([[2**63 - 1, None], [2**63 - 1]])
    with pytest.raises(ArithmeticError, match="sum of 2 elements") as caught:
        lunaflow.sum(x, nulls="skip")
    assert caught.value.exact == 2**64 - 2
    assert any("test_columns.py" in note for note in caught.value.__notes__)
    assert lunaflow.sum(x, nulls="skip", dtype=object) == 2**64 - 2


def test_r5_results_of_columns_are_written_to_out_and_never_over_the_column() -> None:
    memory = np.arange(6)
    x = pa.chunked_array([pa.array(memory[:3]), pa.array(memory[3:])])
    out = np.empty(6, np.int64)
    assert lunaflow.scan(x, out=out) is out
    assert out.tolist() == [0, 1, 3, 6, 10, 15]
    assert double(x, out=out[::-1]).tolist() == [0, 2, 4, 6, 8, 10]
    with pytest.raises(InvalidInput, match="overlaps the input"):
        lunaflow.scan(x, out=memory)
    with pytest.raises(InvalidInput, match="read-only|overlaps"):
        double(x.chunk(0), out=memory[:3][::-1])
    assert memory.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("x", "said", "advice"),
    [
        (pa.array([1.5]), "Arrow type float64", "never cast silently"),
        (pa.array([1], pa.uint64()), "Arrow type uint64", "check the maximum"),
        (pa.array([1], pa.timestamp("s", "UTC")), r"timestamp \(tss:UTC\)", "ticks"),
        (pa.array([1], pa.duration("ms")), r"duration \(tDm\)", "ticks"),
        (pa.array([1], pa.date32()), r"date \(tdD\)", "ticks"),
        (pa.array([1], pa.time64("ns")), r"time \(ttn\)", "ticks"),
        (pa.array(["a"]), "Arrow type string", ""),
        (pa.array([b"a"]), "Arrow type binary", ""),
        (pa.array([Decimal(1)]), r"decimal \(d:1,0\)", "never cast"),
        (pa.array([1, 1]).dictionary_encode(), "dictionary .with int32 indices", "decoded"),
        (pa.array([[1]]), "Arrow type list", "flattened"),
        (pa.array([{"a": 1}]), "Arrow type struct", "one column"),
        (pa.RunEndEncodedArray.from_arrays([2], [1]), "run-end encoded", "flattened"),
        (pa.table({"a": [1]}), r"Table", "one column"),
        (pl.DataFrame({"a": [1]}), "DataFrame", "one column"),
        (pl.LazyFrame({"a": [1]}), "LazyFrame", "one column"),
        (pd.DataFrame({"a": [1]}), "DataFrame", "one column"),
        (pl.Series([1.0]), "Arrow type float64", "never cast"),
        (pl.Series(["a"]), "Arrow type string view", ""),
        (pl.Series(["a"], dtype=pl.Categorical), "dictionary", "indices"),
        (pd.Series([1.0], dtype="Float64"), "dtype Float64", ""),
        (pd.Series([1], dtype="UInt64"), "dtype UInt64", ""),
        (pd.Series([1], dtype="category"), "dtype category", ""),
        (pd.Series([1], dtype="Sparse[int64]"), "dtype Sparse", ""),
        (pd.Series([1], dtype="float64[pyarrow]"), "Arrow type float64", "never cast"),
        (pd.Series(pd.to_datetime(["2020-01-01"])), "datetime64", "ticks"),
        (pd.Series([1, None]), "dtype float64", "never cast"),
        (pd.period_range("2020", periods=2, freq="D"), "dtype period", ""),
    ],
    ids=lambda value: str(value)[:20],
)
def test_r10_other_columns_are_refused_by_name(x: Any, said: str, advice: str) -> None:
    for call in (lunaflow.sum, lunaflow.scan):
        with pytest.raises(InvalidInput, match=said) as caught:
            call(x)
        assert "bool, int8 to int64, or uint8 to uint32" in caught.value.accepted
        assert advice in caught.value.accepted


class Meters(pa.ExtensionType):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(pa.int64(), "tests.meters")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, serialized: Any) -> "Meters":
        return cls()


def test_r10_an_extension_type_is_more_than_its_storage() -> None:
    storage = pa.array([1, 2])
    with pytest.raises(InvalidInput, match="tests.meters .an extension type over int64") as caught:
        lunaflow.sum(pa.ExtensionArray.from_storage(Meters(), storage))
    assert "storage" in caught.value.accepted
    assert lunaflow.sum(storage) == 3


def test_r10_metadata_that_names_no_extension_is_passed_over() -> None:
    field = pa.field("x", pa.int64(), metadata={"unit": "m", "ARROW:other": "y" * 1000})
    table = pa.table([[1, 2]], schema=pa.schema([field]))
    assert lunaflow.sum(table["x"]) == 3


def test_r10_masks_of_every_shape_and_layout() -> None:
    values = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    mask = values % 5 == 0
    x = np.ma.masked_array(values, mask)
    there = values[~mask].tolist()
    for y in (x, x.T, x[:, ::-1], x.transpose(1, 2, 0), np.ma.masked_array(values.T, mask.T)):
        kept = y.compressed().tolist()
        assert lunaflow.sum(y, nulls="skip") == sum(kept)
        assert lunaflow.min(y, nulls="skip") == min(kept)
        assert lunaflow.max(y, nulls="skip", workers=3) == max(there)
    row = np.ma.masked_array([1, 2, 3], [True, False, False])
    repeated = np.broadcast_to(row, (4, 3), subok=True)
    assert lunaflow.sum(repeated, nulls="skip") == np.ma.sum(repeated)


def test_r10_nothing_masked_is_an_array_and_a_mask_is_never_dropped() -> None:
    x = np.ma.masked_array([[1, 2], [3, 4]])
    assert lunaflow.sum(x) == 10
    assert lunaflow.scan(x).tolist() == [1, 3, 6, 10]
    assert double(x).tolist() == [[2, 4], [6, 8]]

    class Own(np.ndarray[Any, Any]):
        mask: Any

    own = np.array([1, 2, 3]).view(Own)
    own.mask = np.array([True, False, False])
    with pytest.raises(InvalidInput, match="1 of 3 elements masked"):
        lunaflow.sum(own)
    assert lunaflow.sum(own, nulls="skip") == 5
    own.mask = [1, 0]
    with pytest.raises(InvalidInput, match="has a mask of dtype int64"):
        lunaflow.sum(own, nulls="skip")
