"""Random calls of the everyday forms on inputs of every kind, against Python integers."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from tests.runtime.kit import Array
from tests.runtime.memory import STEPS, integers, laid_out, limits, random_array

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.runtime import Accumulator, InvalidInput, double

Numbers = list[int | None]


def check(rng: random.Random) -> str:
    """Draw an input and call everything on it; AssertionError shows what does not agree."""
    kind = rng.choice(sorted(_INPUTS))
    x, numbers = _INPUTS[kind](rng)
    layout = str(x.type if isinstance(x, pa.Array | pa.ChunkedArray) else x.dtype)
    if isinstance(x, np.ndarray):
        layout += f" of shape {x.shape}, strides {x.strides}, at {x.ctypes.data % 8}"
    workers = rng.choice([None, None, 1, 1, 2, 8])
    shown = f"{kind}, {layout}, {numbers}, {workers} workers"
    _check_reductions(x, numbers, workers, shown)
    if None not in numbers:
        dtype = rng.choice([np.int32, np.int64, object])
        _check_scan(x, numbers, dtype, workers, shown)
        _check_double(x, numbers, workers, shown)
    return kind


def _check_reductions(x: Any, numbers: Numbers, workers: int | None, shown: str) -> None:
    there = [v for v in numbers if v is not None]
    if len(there) < len(numbers):
        nulls = f"{len(numbers) - len(there)} "
        refusal = _outcome(lambda: lunaflow.sum(x, workers=workers))
        assert isinstance(refusal, InvalidInput), f"{shown}: {refusal}"
        assert nulls in refusal.given, f"{shown}: {refusal}"
    for form, exact in ((lunaflow.sum, sum), (lunaflow.min, min), (lunaflow.max, max)):
        if form is not lunaflow.sum and not there:
            continue
        expected = exact(there)
        found = _outcome(lambda form=form: form(x, nulls="skip", workers=workers))  # type: ignore[misc]
        if isinstance(found, ArithmeticError):
            assert not _fits(expected, np.int64), f"{shown}: {found}"
            found = found.exact
        assert found == expected, f"{shown}: {form.__name__} gave {found}, not {expected}"
    seen = Accumulator()
    seen.update(x, nulls="skip", workers=workers)
    assert (seen.sum, seen.count) == (sum(there), len(there)), f"{shown}: {seen}"


def _check_scan(x: Any, numbers: Any, dtype: Any, workers: int | None, shown: str) -> None:
    prefixes = list(itertools.accumulate(numbers))
    found = _outcome(lambda: lunaflow.scan(x, dtype=dtype, workers=workers))
    _check_array(found, prefixes, dtype, f"{shown}: scan in {dtype}")


def _check_double(x: Any, numbers: Any, workers: int | None, shown: str) -> None:
    found = _outcome(lambda: double(x, workers=workers))
    kind = str(getattr(x, "dtype", getattr(x, "type", None))).lower()
    dtype = np.int32 if kind in ("int32", ">i4") else np.int64
    _check_array(found, [2 * v for v in numbers], dtype, f"{shown}: double")


def _check_array(found: Any, expected: list[int], dtype: Any, shown: str) -> None:
    bad = next((i for i, v in enumerate(expected) if not _fits(v, dtype)), None)
    if isinstance(found, ArithmeticError):
        assert found.index == bad, f"{shown}: {found}, not at {bad}"
        return
    assert bad is None, f"{shown}: no overflow at {bad}"
    assert found.dtype == np.dtype(dtype), f"{shown}: {found.dtype}"
    assert integers(found) == expected, f"{shown}: {found}, not {expected}"


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (ArithmeticError, InvalidInput) as error:
        return error


def _fits(value: int, dtype: Any) -> bool:
    return dtype is object or limits(dtype)[0] <= value <= limits(dtype)[1]


def _plain(rng: random.Random) -> tuple[Any, Numbers]:
    x = random_array(rng)
    return x, list(integers(x))


def _with_nulls(rng: random.Random, size: int) -> Array:
    share = rng.choice([0, 0, 0.1, 0.5, 1])
    return np.array([rng.random() < share for _ in range(size)], bool)


def _masked(rng: random.Random) -> tuple[Any, Numbers]:
    x = random_array(rng)
    mask = _with_nulls(rng, x.size).reshape(x.shape)
    axes = rng.sample(range(x.ndim), x.ndim)
    lying = laid_out(mask, axes, [rng.choice(STEPS) for _ in axes])
    return np.ma.masked_array(x, lying), _numbers(x, mask)


def _numbers(x: Array, mask: Array) -> Numbers:
    flags = mask.ravel(order="C").tolist()
    return [None if null else v for v, null in zip(integers(x), flags, strict=True)]


def _arrow(rng: random.Random) -> tuple[Any, Numbers]:
    x = random_array(rng)
    flat = x.ravel().astype(x.dtype.newbyteorder("="))
    mask = _with_nulls(rng, x.size)
    start = rng.randint(0, x.size)
    whole = pa.array(flat, mask=mask if mask.any() else None).slice(start)
    cut = rng.randint(0, len(whole))
    numbers = _numbers(flat, mask)[start:]
    if rng.random() < 0.5:
        return whole, numbers
    return pa.chunked_array([whole.slice(0, cut), whole.slice(cut)], whole.type), numbers


def _polars(rng: random.Random) -> tuple[Any, Numbers]:
    column, numbers = _arrow(rng)
    return pl.Series(values=column), numbers


_INPUTS: dict[str, Callable[[random.Random], tuple[Any, Numbers]]] = {
    "arrays": _plain,
    "Arrow columns": _arrow,
    "masked arrays": _masked,
    "Polars columns": _polars,
}
