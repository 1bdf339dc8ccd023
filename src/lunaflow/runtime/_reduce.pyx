"""Exact sums, extremes and counts of integers, chunk by chunk on OpenMP threads."""

from cython.parallel cimport prange
from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from lunaflow.runtime._blocks cimport BLOCK, INT32, INT64, LONG_BLOCK, integer
from lunaflow.runtime._openmp cimport give_team, take_team
from lunaflow.runtime._strided cimport Strided, block_itemsize, describe, load, part_start

include "_kernel_table.pxi"


TOTAL = TOTAL_WANTED
LOW = LOW_WANTED
HIGH = HIGH_WANTED


cdef inline void take(
    int form, const void* x, Py_ssize_t n, int wanted, Partial* partial
) noexcept nogil:
    cdef int64_t found
    if wanted & TOTAL_WANTED:
        blocks.add_of(form, &partial.total, x, n)
    if wanted & LOW_WANTED:
        found = blocks.low_of(form, x, n)
        partial.low = min(partial.low, found)
    if wanted & HIGH_WANTED:
        found = blocks.high_of(form, x, n)
        partial.high = max(partial.high, found)


cdef inline Py_ssize_t fill(
    const integer* x, const int32_t* flags, int32_t kept, integer filler, Py_ssize_t n, integer* y
) noexcept nogil:
    if integer is int32_t:
        return blocks.fill32(x, flags, kept, filler, n, y)
    else:
        return blocks.fill64(x, flags, kept, filler, n, y)


cdef void take_flagged(
    const integer* x, const int32_t* flags, int32_t kept, Py_ssize_t n, integer* filled,
    int wanted, Partial* partial,
) noexcept nogil:
    # what does not count becomes what changes nothing: 0 in a sum, one that counts in an extreme
    cdef int form = INT32 if integer is int32_t else INT64
    cdef Py_ssize_t first = 0
    cdef Py_ssize_t count = fill(x, flags, kept, <integer> 0, n, filled)
    partial.count += count
    if count == 0:
        return
    take(form, filled, n, wanted & TOTAL_WANTED, partial)
    if wanted & ~TOTAL_WANTED:
        while flags[first] != kept:
            first += 1
        fill(x, flags, kept, x[first], n, filled)
        take(form, filled, n, wanted & ~TOTAL_WANTED, partial)


cdef void take_in_place(
    const Strided* values, Py_ssize_t start, Py_ssize_t stop, int wanted, Partial* partial
) noexcept nogil:
    # as narrow as the elements are: so many more of them are in a vector
    cdef Py_ssize_t at = start
    cdef Py_ssize_t n
    while at < stop:
        n = min(stop - at, <Py_ssize_t> LONG_BLOCK)
        take(values.form, values.data + at * values.itemsize, n, wanted, partial)
        at += n
    partial.count = stop - start


cdef void reduce_part(
    const Source* source, Py_ssize_t start, Py_ssize_t stop, integer* buffer,
    int wanted, Partial* partial,
) noexcept nogil:
    cdef int32_t flag_buffer[BLOCK]
    cdef const int32_t* flags
    cdef int form = INT32 if integer is int32_t else INT64
    cdef Py_ssize_t at = start
    cdef Py_ssize_t n
    cdef const integer* x
    partial.total.high = 0
    partial.total.low = 0
    partial.low = INT64_MAX
    partial.high = INT64_MIN
    partial.count = 0
    if source.values.packed and not source.flagged:
        take_in_place(&source.values, start, stop, wanted, partial)
        return
    while at < stop:
        n = stop - at if stop - at < BLOCK else BLOCK
        x = load(&source.values, at, n, buffer)
        if source.flagged:
            flags = load(&source.flags, at, n, flag_buffer)
            take_flagged(x, flags, source.kept, n, buffer + BLOCK, wanted, partial)
        else:
            take(form, x, n, wanted, partial)
            partial.count += n
        at += n


cdef void reduce_all(
    const Source* source, Py_ssize_t chunks, int parts, integer* buffers,
    int wanted, Partial* partials,
) noexcept:
    # called with the GIL: where Cython cannot know, it asks in a way that subinterpreters lack
    cdef int p, team
    if parts == 1:  # OpenMP takes longer to begin and end than a short array does
        with nogil:
            reduce_part(source, 0, source.values.length, buffers, wanted, partials)
        return
    team = take_team(parts)
    for p in prange(parts, nogil=True, num_threads=team, schedule="static"):
        reduce_part(
            source,
            part_start(p, parts, chunks, source.values.length),
            part_start(p + 1, parts, chunks, source.values.length),
            buffers + 2 * <Py_ssize_t> p * BLOCK,
            wanted, &partials[p],
        )
    give_team(team)


cdef void merge(Partial* into, const Partial* other) noexcept nogil:
    cdef uint64_t low = into.total.low + other.total.low
    into.total.high += other.total.high + (low < other.total.low)
    into.total.low = low
    into.low = other.low if other.low < into.low else into.low
    into.high = other.high if other.high > into.high else into.high
    into.count += other.count


def reduce_chunks(
    object data, Py_ssize_t chunks, int parts, int wanted, object flags=None, int kept=0,
    Py_ssize_t length=-1,
):
    cdef Py_ssize_t itemsize = block_itemsize(data)
    cdef Source source
    cdef int p
    cdef Partial* partials
    cdef char* buffers
    describe(&source.values, data, itemsize)
    source.flagged = flags is not None
    if source.flagged:
        describe(&source.flags, flags, sizeof(int32_t))
        source.kept = kept
    if length >= 0:
        source.values.length = length
    partials = <Partial*> malloc(parts * sizeof(Partial))
    buffers = <char*> malloc(2 * <Py_ssize_t> parts * BLOCK * itemsize)
    try:
        if partials == NULL or buffers == NULL:
            raise MemoryError(f"no memory for the partial results of {parts} threads")
        if itemsize == sizeof(int32_t):
            reduce_all[int32_t](
                &source, chunks, parts, <int32_t*> buffers, wanted, partials
            )
        else:
            reduce_all[int64_t](
                &source, chunks, parts, <int64_t*> buffers, wanted, partials
            )
        for p in range(1, parts):
            merge(&partials[0], &partials[p])
        total = (<object> partials[0].total.high << 64) + partials[0].total.low
        return total, partials[0].low, partials[0].high, partials[0].count
    finally:
        free(partials)
        free(buffers)


cdef Py_ssize_t find_outside(
    const Strided* source, int64_t low, int64_t high, integer* buffer
) noexcept nogil:
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t i, n
    cdef const integer* x
    while at < source.length:
        n = source.length - at if source.length - at < BLOCK else BLOCK
        x = load(source, at, n, buffer)
        for i in range(n):
            if x[i] < low or x[i] > high:
                return at + i
        at += n
    return -1


def first_outside(object data, int64_t low, int64_t high):
    cdef Py_ssize_t itemsize = block_itemsize(data)
    cdef Strided source
    cdef int64_t buffer[BLOCK]
    cdef Py_ssize_t found
    describe(&source, data, itemsize)
    with nogil:
        if itemsize == sizeof(int32_t):
            found = find_outside[int32_t](&source, low, high, <int32_t*> buffer)
        else:
            found = find_outside[int64_t](&source, low, high, buffer)
    return found


def part_starts(Py_ssize_t length, Py_ssize_t chunks, int parts):
    return [part_start(p, parts, chunks, length) for p in range(parts + 1)]
