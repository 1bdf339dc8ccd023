"""The compiled kernels, loaded in this one place, as the first that may bring OpenMP."""

from lunaflow._compiled import not_built
from lunaflow.runtime._fork import inherits_openmp

_INHERITS_OPENMP = inherits_openmp()

try:
    from lunaflow.runtime._arrow import Chunk, Stream, chunk_of, type_of
    from lunaflow.runtime._map import double_chunks
    from lunaflow.runtime._openmp import stay_serial, threads_that_may_start
    from lunaflow.runtime._plain import doubled, highest, lowest, may_receive, running_sums, total
    from lunaflow.runtime._reduce import HIGH, LOW, TOTAL, first_outside, reduce_chunks
    from lunaflow.runtime._scan import scan_chunks
    from lunaflow.runtime._strided import joined_axes
    from lunaflow.runtime._tally import Tally
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

if _INHERITS_OPENMP:
    stay_serial()

__all__ = [
    "HIGH",
    "LOW",
    "TOTAL",
    "Chunk",
    "Stream",
    "Tally",
    "chunk_of",
    "double_chunks",
    "doubled",
    "first_outside",
    "highest",
    "joined_axes",
    "lowest",
    "may_receive",
    "reduce_chunks",
    "running_sums",
    "scan_chunks",
    "stay_serial",
    "threads_that_may_start",
    "total",
    "type_of",
]
