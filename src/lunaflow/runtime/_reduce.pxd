"""The partial results of chunks, shared by reductions and the first pass of scans."""

from libc.stdint cimport int64_t, uint64_t

from lunaflow.runtime._strided cimport Strided, integer

cdef struct Total:
    # the two's complement number high * 2**64 + low
    int64_t high
    uint64_t low

cdef struct Partial:
    Total total
    int64_t low
    int64_t high

cdef void reduce_all(
    const Strided* source, Py_ssize_t chunks, int parts, integer* buffers,
    bint with_sum, bint with_extremes, Partial* partials,
) noexcept
cdef void merge(Partial* into, const Partial* other) noexcept nogil
