"""The partial results of chunks, shared by reductions and the first pass of scans."""

from libc.stdint cimport int32_t, int64_t

from lunaflow.runtime._blocks cimport Total, integer
from lunaflow.runtime._strided cimport Strided

cdef enum:
    # what of a part is wanted
    TOTAL_WANTED = 1
    LOW_WANTED = 2
    HIGH_WANTED = 4

cdef struct Source:
    # elements, and which of them count: all, or those whose flag is `kept`
    Strided values
    Strided flags
    bint flagged
    int32_t kept

cdef struct Partial:
    Total total
    int64_t low
    int64_t high
    Py_ssize_t count

cdef void reduce_all(
    const Source* source, Py_ssize_t chunks, int parts, integer* buffers, int wanted,
    Partial* partials,
) noexcept
cdef void merge(Partial* into, const Partial* other) noexcept nogil
