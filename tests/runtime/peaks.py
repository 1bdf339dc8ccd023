"""``python -m tests.runtime.peaks``: by how much memory grows during calls on large inputs.

Prints a JSON object of KiB by name, on Linux alone. Inputs and outputs are there before, with all
their pages.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from tests.runtime.memory import laid_out

import lunaflow
from lunaflow.plan import (
    DataDomain,
    ExecutionPolicy,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
)
from lunaflow.runtime import Accumulator, double, plan_for, run

SIZE = 1 << 22


def peak_kib() -> int:
    """Return the most memory that the process had since the last `reset`."""
    # not ru_maxrss, which starts at the peak of the process that started this one
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def reset() -> None:
    """Forget the peak up to now."""
    Path("/proc/self/clear_refs").write_text("5")


def growth(call: Callable[[], object]) -> int:
    """Return the KiB by which the peak grows during a second call."""
    call()
    reset()
    before = peak_kib()
    call()
    return peak_kib() - before


def random(dtype: Any, shape: tuple[int, ...] = (SIZE,)) -> Any:
    return np.random.default_rng(0).integers(0, 2, shape, np.int8).astype(dtype)


def arrays() -> Iterator[tuple[str, Any]]:
    """Yield large arrays of every kind that is not native and contiguous."""
    for dtype in ("?", "i1", "u1", "i2", ">i2", "u4", ">i4", ">i8"):
        yield dtype, random(dtype)
    for dtype in ("i1", "i8"):
        yield f"{dtype} strided", laid_out(random(dtype), [0], [3])
        yield f"{dtype} reversed", laid_out(random(dtype), [0], [-2])
        yield f"{dtype} unaligned", laid_out(random(dtype), [0], [1], 1)
        cube = random(dtype, (64, 128, SIZE >> 13))
        yield f"{dtype} in three dimensions", laid_out(cube, [2, 0, 1], [1, -1, 2])


def columns() -> Iterator[tuple[str, Any]]:
    """Yield large columns with nulls."""
    values, mask = random(np.int64), random(bool)
    yield "masked", np.ma.masked_array(values, mask)
    yield "masked, strided", np.ma.masked_array(laid_out(values, [0], [2]), mask)
    arrow = pa.array(values, mask=mask)
    yield "PyArrow", arrow
    yield "PyArrow, chunked", pa.chunked_array([arrow.slice(5, 1000), arrow.slice(7)])
    yield "Polars", pl.Series(arrow)
    yield "pandas", pd.Series(pd.arrays.IntegerArray(values, mask))
    yield "pandas with Arrow", pd.Series(pd.arrays.ArrowExtensionArray(arrow))


def calls_on_array(x: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    out = np.ones(x.size, np.int64)
    shaped = np.ones(x.shape, np.int64)
    yield "sum", lambda: lunaflow.sum(x, workers=2)
    yield "min", lambda: lunaflow.min(x)
    yield "scan", lambda: lunaflow.scan(x, out=out, workers=2)
    if x.dtype.newbyteorder("=") != np.int32:
        yield "double", lambda: double(x, out=shaped, workers=2)
    if x.dtype.itemsize == 8 and x.ndim == 1:
        plan = plan_for(x, PlanKind.MAP_REDUCE, ReductionKernel.SUM, workers=2)
        yield "map_reduce", lambda: run(plan, x)
    yield "Accumulator", lambda: Accumulator().update(x)


def calls_on_column(x: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "sum", lambda: lunaflow.sum(x, nulls="skip", workers=2)
    yield "max", lambda: lunaflow.max(x, nulls="skip")
    yield "Accumulator", lambda: Accumulator().update(x, nulls="skip")


def one_worker_an_element() -> Callable[[], object]:
    x = random(np.int32)
    policy = ExecutionPolicy(worker_count=SIZE, chunk_size=1)
    domain = DataDomain(ValueType.I32, SIZE)
    plan = Plan("many", PlanKind.REDUCE, domain, policy, ReductionKernel.SUM)
    return lambda: run(plan, x)


def main() -> None:
    """Measure everything, and the smallest copy for comparison."""
    found = {"a copy": growth(random(np.int8).copy)}
    found["run, a worker an element"] = growth(one_worker_an_element())
    for name, x in arrays():
        for call_name, call in calls_on_array(x):
            found[f"{call_name} of {name}"] = growth(call)
    for name, x in columns():
        for call_name, call in calls_on_column(x):
            found[f"{call_name} of {name}"] = growth(call)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
