"""Doubling of int32 and int64 memory, checked, chunk by chunk on OpenMP threads."""

from cython.parallel cimport prange
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

cimport numpy as cnp

from lunaflow.runtime._strided cimport (
    BLOCK, Strided, chunk_start, integer, load, lunaflow_thread, place, store, strided,
)

cnp.import_array()


cdef Py_ssize_t double_block(const integer* x, integer* y, Py_ssize_t n) noexcept nogil:
    # writes 2 * x, or returns the first position where that does not fit; x and y may be the same
    cdef Py_ssize_t i
    cdef integer doubled
    cdef integer changed = 0
    for i in range(n):
        doubled = <integer> (<uint64_t> x[i] << 1)
        changed |= doubled ^ x[i]
        y[i] = doubled
    if changed >= 0:
        return -1
    for i in range(n):
        # y is 2 * x modulo 2**bits: its half differs from x just where the sign changed
        if (<integer> (<uint64_t> x[i] << 1) < 0) != (x[i] < 0):
            return i
    return -1


cdef Py_ssize_t double_chunk(
    const Strided* source, const Strided* target, Py_ssize_t start, Py_ssize_t stop,
    integer* buffer,
) noexcept nogil:
    cdef Py_ssize_t at = start
    cdef Py_ssize_t n, failed
    cdef const integer* x
    cdef integer* y
    while at < stop:
        n = stop - at if stop - at < BLOCK else BLOCK
        x = load(source, at, n, buffer)
        y = place(target, at, buffer + BLOCK)
        failed = double_block(x, y, n)
        if failed >= 0:
            return at + failed
        store(target, at, n, y)
        at += n
    return -1


cdef void double_all(
    const Strided* source, const Strided* target, Py_ssize_t chunks, int threads,
    integer* buffers, Py_ssize_t* failures,
) noexcept nogil:
    cdef Py_ssize_t c
    for c in prange(chunks, num_threads=threads, schedule="static"):
        failures[c] = double_chunk(
            source, target,
            chunk_start(c, chunks, source.length),
            chunk_start(c + 1, chunks, source.length),
            buffers + 2 * lunaflow_thread() * BLOCK,
        )


def double_chunks(cnp.ndarray data, cnp.ndarray out, Py_ssize_t chunks, int threads):
    cdef Strided source = strided(data)
    cdef Strided target = strided(out)
    cdef Py_ssize_t c
    cdef Py_ssize_t first = -1
    cdef Py_ssize_t* failures = <Py_ssize_t*> malloc(chunks * sizeof(Py_ssize_t))
    cdef char* buffers = <char*> malloc(2 * threads * BLOCK * sizeof(int64_t))
    try:
        if failures == NULL or buffers == NULL:
            raise MemoryError(f"no memory for the states of {chunks} chunks")
        with nogil:
            if cnp.PyArray_ITEMSIZE(data) == sizeof(int32_t):
                double_all[int32_t](
                    &source, &target, chunks, threads, <int32_t*> buffers, failures
                )
            else:
                double_all[int64_t](
                    &source, &target, chunks, threads, <int64_t*> buffers, failures
                )
            for c in range(chunks):
                if failures[c] >= 0:
                    first = failures[c]
                    break
        return first
    finally:
        free(failures)
        free(buffers)
