"""The exact kernels beside NumPy, Numba, PyArrow, Polars, C: ``python benchmarks/kernels.py``.

Each row of the table is one experiment of `lunaflow.experiment`: fresh processes, balanced blocks,
an A/A control for each candidate. A candidate whose result is not NumPy's is not timed. Figures are
how many times as fast as NumPy a candidate is, and behind each row the memory read in a second by
the exact kernel, as a share of what a plain C loop over the same data reads. The C loops are
compiled here, for the instruction set of the kernels in use; they check nothing. What they gain by
OpenMP is what the memory has for more than one thread.
"""

import argparse
import json
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import lunaflow
from kernel_peers import (
    arrow_double,
    arrow_scan,
    by_c,
    by_c_into,
    by_numba,
    by_numba_into,
    by_polars,
    by_pyarrow,
)
from lunaflow.experiment import QUICK_CHECK, Experiment, Protocol
from lunaflow.runtime import build_info, double

Array = npt.NDArray[Any]
Candidates = dict[str, Callable[[Array], Any]]
Medians = dict[str, dict[str, float]]

PEERS = {"numba": "Numba", "pyarrow": "PyArrow", "polars": "Polars"}
SIZES = [10**3, 10**4, 10**5, 10**6, 10**7]
DTYPES = {"int32": np.int32, "int64": np.int64}
NARROW = {"uint8": np.uint8, "int16": np.int16}  # reductions of these too
BARS = [  # row, candidate, beside which, how many times as fast at least
    ("sum of int32, n = 1e5", "lunaflow, 1 thread", "NumPy", 2.5),
    ("sum of int32, n = 1e7", "lunaflow, 1 thread", "NumPy", 2.0),
    ("sum of int64, n = 1e5", "lunaflow, 1 thread", "NumPy", 1.4),
    ("sum of int64, n = 1e7", "lunaflow, 1 thread", "NumPy", 1.1),
    ("sum of int64, n = 1e7", "lunaflow, 1 thread", "C", 0.9),
    *[
        (f"min of {name}, n = 1e{k}", "lunaflow, 1 thread", "NumPy", 1.0)
        for name in DTYPES | NARROW
        for k in (5, 7)
    ],
    ("scan of int64 with out, n = 1e5", "lunaflow, 1 thread", "NumPy", 5.0),
    ("scan of int64 with out, n = 1e7", "lunaflow, 1 thread", "NumPy", 2.0),
    *[
        (f"double of {name} with out, n = 1e{k}", "lunaflow, 1 thread", "NumPy", 0.95)
        for name in DTYPES
        for k in (5, 7)
    ],
    *[
        (f"{row} of {name}, n = 1e7", "lunaflow", "lunaflow, 1 thread", 1.7)
        for row in ("sum", "min")
        for name in DTYPES
    ],
]
PROTOCOL = Protocol("kernels", pairs=30, processes=5)
SHARED_FROM = 4 * 10**5  # bytes from which a call of a C loop takes longer than ctypes does
CALL_SECONDS = 1.5e-6  # of the everyday form on 1,000 elements, at most


def main() -> None:
    """Measure what was asked for, print the ratios, write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs, one process")
    parser.add_argument("--only", default="", help="only the rows whose names contain this")
    parser.add_argument("--sizes", default="", help="lengths, such as 1e3,1e8")
    parser.add_argument("--json", type=Path, help="where to write the medians")
    given = parser.parse_args()
    sizes = [int(float(size)) for size in given.sizes.split(",") if size] or SIZES
    missing = [name for module, name in PEERS.items() if find_spec(module) is None]
    if missing:
        print("not installed, so not compared:", ", ".join(missing))
    print("kernels:", build_info()["instruction_set"])
    medians: Medians = {}
    for row, candidates, dtype, size in rows(sizes):
        if given.only in row:
            medians[row] = measured(row, candidates, dtype, size, quick=given.quick)
            print(line(row, medians[row], size * np.dtype(dtype).itemsize), flush=True)
    for text in bars(medians):
        print(text)
    if given.json is not None:
        given.json.write_text(json.dumps(medians, indent=1))


def rows(sizes: list[int]) -> Iterator[tuple[str, Candidates, Any, int]]:
    """Yield the name, candidates, dtype and length of each experiment."""
    for size in sizes:
        for name, dtype in (DTYPES | NARROW).items():
            for operation, candidates in operations(name).items():
                words = operation.partition(" ")
                row = f"{words[0]} of {name}{words[1]}{words[2]}, n = {size:.0e}"
                yield row.replace("e+0", "e"), candidates, dtype, size


def measured(
    row: str, candidates: Candidates, dtype: Any, size: int, *, quick: bool
) -> dict[str, float]:
    """Return the median seconds of a call of each candidate that agrees with NumPy."""
    result = Experiment(
        row,
        candidates,
        sizes=[size],
        make=partial(numbers, dtype),
        protocol=QUICK_CHECK if quick else PROTOCOL,
    ).run(progress=False)
    for failure in result.failures:
        print(f"{row}: {failure.implementation} is not timed: {failure.status}")
    timed = {key: result.times(key, size) for key in candidates}
    return {key: statistics.median(times) for key, times in timed.items() if len(times)}


def numbers(dtype: Any, size: int, rng: np.random.Generator) -> Array:
    """Return small integers of both signs, so that no result overflows."""
    least = max(-1000, np.iinfo(dtype).min)
    return rng.integers(least, min(1000, np.iinfo(dtype).max), size).astype(dtype)


def line(row: str, medians: dict[str, float], nbytes: int) -> str:
    """Return a row of the table."""
    if "NumPy" not in medians:
        return f"{row}: NumPy was not timed"
    ratios = [f"{key} {medians['NumPy'] / seconds:.3g}" for key, seconds in medians.items()]
    ours = medians.get("lunaflow, 1 thread")
    if ours is None or "C" not in medians or nbytes < SHARED_FROM:
        return f"{row}: " + ", ".join(ratios)
    share = medians["C"] / ours
    return f"{row}: " + ", ".join(ratios) + f"; {nbytes / ours / 1e9:.1f} GB/s, {share:.0%} of C"


def bars(medians: Medians) -> Iterator[str]:
    """Yield how each promise stands."""
    for row, candidate, beside, least in BARS:
        times = medians.get(row, {})
        if candidate in times and beside in times:
            ratio = times[beside] / times[candidate]
            verdict = "met" if ratio >= least else "MISSED"
            yield f"{row}, {candidate} against {beside}: {ratio:.3g}, at least {least:g}: {verdict}"
    for row, times in medians.items():
        if row.endswith("n = 1e3") and "out" not in row and "lunaflow" in times:
            verdict = "met" if times["lunaflow"] <= CALL_SECONDS else "MISSED"
            yield f"{row}: {times['lunaflow'] * 1e6:.2f} microseconds a call: {verdict}"


def operations(name: str) -> dict[str, Candidates]:
    """Return the candidates of each operation on elements of that dtype."""
    reduced = {"sum": reductions(name, "sum"), "min": reductions(name, "min")}
    if name in NARROW:
        return reduced
    return {
        **reduced,
        "scan": scans(),
        "scan with out": scans_into(name),
        "double": doubles(),
        "double with out": doubles_into(name),
    }


def reductions(name: str, operation: str) -> Candidates:
    """Return the ways to a sum or a smallest element."""
    ours = getattr(lunaflow, operation)
    candidates: Candidates = {
        "NumPy": partial(by_numpy, operation),
        "lunaflow, 1 thread": partial(ours, workers=1),
        "lunaflow": ours,
        "C": partial(by_c, operation, name),
        "C, all threads": partial(by_c, f"shared_{operation}", name),
    }
    if find_spec("numba"):
        candidates["Numba"] = partial(by_numba, operation)
    if find_spec("pyarrow"):
        candidates["PyArrow"] = partial(by_pyarrow, operation)
    if find_spec("polars"):
        candidates["Polars"] = partial(by_polars, operation)
    return candidates


def scans() -> Candidates:
    """Return the ways to running sums in new memory."""
    candidates: Candidates = {
        "NumPy": partial(np.cumsum, dtype=np.int64),
        "lunaflow, 1 thread": partial(lunaflow.scan, workers=1),
        "lunaflow": lunaflow.scan,
    }
    if find_spec("pyarrow"):
        candidates["PyArrow"] = partial(arrow_scan, "cumulative_sum")
        candidates["PyArrow, checked"] = partial(arrow_scan, "cumulative_sum_checked")
    return candidates


def scans_into(name: str) -> Candidates:
    """Return the ways to running sums in memory that is there."""
    candidates: Candidates = {
        "NumPy": partial(into, "int64", numpy_scan),
        "lunaflow, 1 thread": partial(into, "int64", partial(our_scan, 1)),
        "lunaflow": partial(into, "int64", partial(our_scan, None)),
        "C": partial(into, "int64", partial(by_c_into, "scan", name)),
    }
    if find_spec("numba"):
        candidates["Numba"] = partial(into, "int64", partial(by_numba_into, "scan"))
    return candidates


def doubles() -> Candidates:
    """Return the ways to doubled elements in new memory."""
    candidates: Candidates = {
        "NumPy": numpy_double,
        "lunaflow, 1 thread": partial(double, workers=1),
        "lunaflow": double,
    }
    if find_spec("pyarrow"):
        candidates["PyArrow"] = partial(arrow_double, "add")
        candidates["PyArrow, checked"] = partial(arrow_double, "add_checked")
    return candidates


def doubles_into(name: str) -> Candidates:
    """Return the ways to doubled elements in memory that is there."""
    candidates: Candidates = {
        "NumPy": partial(into, name, numpy_double_into),
        "lunaflow, 1 thread": partial(into, name, partial(our_double, 1)),
        "lunaflow": partial(into, name, partial(our_double, None)),
        "C": partial(into, name, partial(by_c_into, "double", name)),
    }
    if find_spec("numba"):
        candidates["Numba"] = partial(into, name, partial(by_numba_into, "double"))
    return candidates


_OUTPUTS: dict[tuple[int, str], Array] = {}


def into(dtype: str, compute: Callable[[Array, Array], Any], x: Array) -> Array:
    """Compute into memory that this process keeps, so that no page is new."""
    out = _OUTPUTS.get((len(x), dtype))
    if out is None:
        out = _OUTPUTS[len(x), dtype] = np.zeros(len(x), dtype)
    compute(x, out)
    return out


def by_numpy(operation: str, x: Array) -> int:
    """Reduce by NumPy."""
    return int(getattr(np, operation)(x))


def numpy_scan(x: Array, out: Array) -> None:
    """Scan by NumPy."""
    np.cumsum(x, out=out)


def numpy_double(x: Array) -> Array:
    """Double by NumPy."""
    doubled: Array = np.add(x, x)
    return doubled


def numpy_double_into(x: Array, out: Array) -> None:
    """Double by NumPy into `out`."""
    np.add(x, x, out)


def our_scan(workers: int | None, x: Array, out: Array) -> None:
    """Scan exactly."""
    lunaflow.scan(x, out=out, workers=workers)


def our_double(workers: int | None, x: Array, out: Array) -> None:
    """Double exactly."""
    double(x, out=out, workers=workers)


if __name__ == "__main__":
    main()
