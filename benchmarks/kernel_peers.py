"""The kernels that those of lunaflow are compared with: loops of C and Numba, PyArrow, Polars."""

import ctypes
import functools
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.runtime import build_info

Array = npt.NDArray[Any]

C_SOURCE = """
#include <stddef.h>
#include <stdint.h>
#define LOOPS(name, type)                                                                         \\
    int64_t sum_##name(const type *x, ptrdiff_t n) {                                              \\
        uint64_t total = 0;                                                                       \\
        for (ptrdiff_t i = 0; i < n; i++) total += (uint64_t)(int64_t)x[i];                       \\
        return (int64_t)total;                                                                    \\
    }                                                                                             \\
    int64_t min_##name(const type *x, ptrdiff_t n) {                                              \\
        type least = x[0];                                                                        \\
        for (ptrdiff_t i = 0; i < n; i++) least = x[i] < least ? x[i] : least;                    \\
        return least;                                                                             \\
    }                                                                                             \\
    int64_t shared_sum_##name(const type *x, ptrdiff_t n) {                                       \\
        uint64_t total = 0;                                                                       \\
        _Pragma("omp parallel for reduction(+ : total)")                                          \\
        for (ptrdiff_t i = 0; i < n; i++) total += (uint64_t)(int64_t)x[i];                       \\
        return (int64_t)total;                                                                    \\
    }                                                                                             \\
    int64_t shared_min_##name(const type *x, ptrdiff_t n) {                                       \\
        type least = x[0];                                                                        \\
        _Pragma("omp parallel for reduction(min : least)")                                        \\
        for (ptrdiff_t i = 0; i < n; i++) least = x[i] < least ? x[i] : least;                    \\
        return least;                                                                             \\
    }                                                                                             \\
    void scan_##name(const type *x, int64_t *y, ptrdiff_t n) {                                    \\
        uint64_t total = 0;                                                                       \\
        for (ptrdiff_t i = 0; i < n; i++) y[i] = (int64_t)(total += (uint64_t)(int64_t)x[i]);     \\
    }                                                                                             \\
    void double_##name(const type *x, type *y, ptrdiff_t n) {                                     \\
        for (ptrdiff_t i = 0; i < n; i++) y[i] = (type)((uint64_t)x[i] << 1);                     \\
    }
LOOPS(uint8, uint8_t)
LOOPS(int16, int16_t)
LOOPS(int32, int32_t)
LOOPS(int64, int64_t)
"""


@functools.cache
def c_library() -> ctypes.CDLL:
    """Compile the C loops for the instruction set in use, once in each process."""
    level = str(build_info()["instruction_set"])
    flags = [f"-march={level}"] if level.startswith("x86-64-") else []
    flags += ["-mprefer-vector-width=512"] if level.endswith("v4") else []
    with tempfile.TemporaryDirectory() as folder:  # a loaded library outlives its file
        (Path(folder) / "loops.c").write_text(C_SOURCE)
        command = ["cc", "-O3", "-fopenmp", *flags, "-shared", "-fPIC", "-o", "loops.so", "loops.c"]
        subprocess.run(command, cwd=folder, check=True)
        return ctypes.CDLL(f"{folder}/loops.so")


@functools.cache
def c_function(name: str, pointers: int) -> Callable[..., Any]:
    """Return a C loop that takes so many arrays, and their length."""
    function = c_library()[name]
    function.restype = ctypes.c_int64
    function.argtypes = [*[ctypes.c_void_p] * pointers, ctypes.c_ssize_t]
    return function


def by_c(operation: str, name: str, x: Array) -> int:
    """Reduce by a plain C loop."""
    return int(c_function(f"{operation}_{name}", 1)(x.ctypes.data, len(x)))


def by_c_into(operation: str, name: str, x: Array, out: Array) -> None:
    """Fill `out` by a plain C loop."""
    c_function(f"{operation}_{name}", 2)(x.ctypes.data, out.ctypes.data, len(x))


@functools.cache
def numba_function(name: str) -> Callable[..., Any]:
    """Compile a loop by Numba, once in each process."""
    from numba import njit

    loops: dict[str, Callable[..., Any]]
    loops = {"sum": loop_sum, "min": loop_min, "scan": loop_scan, "double": loop_double}
    compiled: Callable[..., Any] = njit(loops[name])
    return compiled


def loop_sum(x: Array) -> Any:
    """Add one element after the other."""
    total = 0
    for value in x:
        total += value
    return total


def loop_min(x: Array) -> Any:
    """Keep the smaller of two."""
    least = x[0]
    for value in x:
        least = min(least, value)
    return least


def loop_scan(x: Array, out: Array) -> None:
    """Write each running sum."""
    total = 0
    for i in range(len(x)):
        total += x[i]
        out[i] = total


def loop_double(x: Array, out: Array) -> None:
    """Write each double."""
    for i in range(len(x)):
        out[i] = 2 * x[i]


def by_numba(operation: str, x: Array) -> int:
    """Reduce by Numba."""
    return int(numba_function(operation)(x))


def by_numba_into(operation: str, x: Array, out: Array) -> None:
    """Fill `out` by Numba."""
    numba_function(operation)(x, out)


def arrow(x: Array) -> Any:
    """Return the same memory as a column of PyArrow."""
    import pyarrow as pa

    buffers = [None, pa.py_buffer(x)]
    return pa.Array.from_buffers(pa.from_numpy_dtype(x.dtype), len(x), buffers)


def by_pyarrow(operation: str, x: Array) -> int:
    """Reduce by PyArrow."""
    import pyarrow.compute as pc

    return int(getattr(pc, operation)(arrow(x)).as_py())


def arrow_scan(function: str, x: Array) -> Array:
    """Scan by PyArrow, which keeps the type."""
    import pyarrow.compute as pc

    column = arrow(x)
    if x.dtype != np.int64:
        column = column.cast("int64")
    scanned: Array = getattr(pc, function)(column).to_numpy()
    return scanned


def arrow_double(function: str, x: Array) -> Array:
    """Double by PyArrow."""
    import pyarrow.compute as pc

    column = arrow(x)
    doubled: Array = getattr(pc, function)(column, column).to_numpy()
    return doubled


def by_polars(operation: str, x: Array) -> int:
    """Reduce by Polars."""
    import polars as pl

    return int(getattr(pl.from_arrow(arrow(x)), operation)())
