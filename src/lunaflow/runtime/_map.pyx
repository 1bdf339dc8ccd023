"""Doubling of integers, checked, chunk by chunk on OpenMP threads."""

from cython.parallel cimport prange
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from lunaflow.runtime._blocks cimport BLOCK, LONG_BLOCK, integer
from lunaflow.runtime._openmp cimport give_team, take_team
from lunaflow.runtime._strided cimport Strided, describe, load, part_start, place, store

include "_kernel_table.pxi"


cdef inline Py_ssize_t double_block(const integer* x, integer* y, Py_ssize_t n) noexcept nogil:
    if integer is int32_t:
        return blocks.double32(x, y, n)
    else:
        return blocks.double64(x, y, n)


cdef Py_ssize_t double_part(
    const Strided* source, const Strided* target, Py_ssize_t start, Py_ssize_t stop,
    integer* buffer,
) noexcept nogil:
    cdef Py_ssize_t longest = LONG_BLOCK if source.direct and target.direct else BLOCK
    cdef Py_ssize_t at = start
    cdef Py_ssize_t n, failed
    cdef const integer* x
    cdef integer* y
    while at < stop:
        n = min(stop - at, longest)
        x = load(source, at, n, buffer)
        y = place(target, at, buffer + BLOCK)
        failed = double_block(x, y, n)
        if failed >= 0:
            return at + failed
        store(target, at, n, y)
        at += n
    return -1


cdef void double_all(
    const Strided* source, const Strided* target, Py_ssize_t chunks, int parts,
    integer* buffers, Py_ssize_t* failures,
) noexcept:
    cdef int p, team
    if parts == 1:  # OpenMP takes longer to begin and end than a short array does
        with nogil:
            failures[0] = double_part(source, target, 0, source.length, buffers)
        return
    team = take_team(parts)
    for p in prange(parts, nogil=True, num_threads=team, schedule="static"):
        failures[p] = double_part(
            source, target,
            part_start(p, parts, chunks, source.length),
            part_start(p + 1, parts, chunks, source.length),
            buffers + 2 * <Py_ssize_t> p * BLOCK,
        )
    give_team(team)


def double_chunks(object data, object out, Py_ssize_t chunks, int parts):
    cdef Py_ssize_t itemsize = out.itemsize
    cdef Strided source
    cdef Strided target
    cdef int p
    cdef Py_ssize_t first = -1
    cdef Py_ssize_t* failures
    cdef char* buffers
    describe(&source, data, itemsize)
    describe(&target, out, itemsize)
    failures = <Py_ssize_t*> malloc(parts * sizeof(Py_ssize_t))
    buffers = <char*> malloc(2 * <Py_ssize_t> parts * BLOCK * itemsize)
    try:
        if failures == NULL or buffers == NULL:
            raise MemoryError(f"no memory for the states of {parts} threads")
        if itemsize == sizeof(int32_t):
            double_all[int32_t](&source, &target, chunks, parts, <int32_t*> buffers, failures)
        else:
            double_all[int64_t](&source, &target, chunks, parts, <int64_t*> buffers, failures)
        for p in range(parts):
            if failures[p] >= 0:
                first = failures[p]
                break
        return first
    finally:
        free(failures)
        free(buffers)
