"""Inclusive scans of integers, checked, chunk by chunk on OpenMP threads.

A scan by several threads takes two passes: what each thread's part adds to the running value, then
the scan of each part from the running value that its predecessors left.
"""

from cython.parallel cimport prange
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from lunaflow.runtime._blocks cimport BLOCK, Running, Total, element, integer
from lunaflow.runtime._openmp cimport give_team, take_team
from lunaflow.runtime._reduce cimport (
    HIGH_WANTED, LOW_WANTED, TOTAL_WANTED, Partial, Source, merge, reduce_all,
)
from lunaflow.runtime._strided cimport (
    Strided, block_itemsize, describe, load, part_start, place, store,
)

include "_kernel_table.pxi"

cdef enum Operation:
    SUM = 0
    MIN = 1
    MAX = 2

cdef struct Limits:
    int64_t low
    int64_t high

cdef struct Job:
    Source source
    Strided target
    Operation operation
    # what comes before the first element
    int64_t start
    Limits limits
    bint write

cdef struct State:
    # the running value a part starts from, if it fits (else an earlier part fails)
    int64_t start
    bint reachable
    Py_ssize_t failed


cdef inline Py_ssize_t sum_block(
    const element* x, integer* y, Py_ssize_t n, Running* running
) noexcept nogil:
    if element is int32_t:
        if integer is int32_t:
            return blocks.scan32to32(x, y, n, running)
        else:
            return blocks.scan32to64(x, y, n, running)
    else:
        if integer is int32_t:
            return blocks.scan64to32(x, y, n, running)
        else:
            return blocks.scan64to64(x, y, n, running)


cdef Py_ssize_t scan_block(
    const element* x, integer* y, Py_ssize_t n, Running* running, Operation operation
) noexcept nogil:
    # the first position whose value does not fit, or -1; x and y may be the same memory
    cdef Py_ssize_t i
    cdef int64_t value = running.value
    if operation == SUM:
        return sum_block(x, y, n, running)
    if operation == MIN:
        for i in range(n):
            value = x[i] if x[i] < value else value
            y[i] = <integer> value
    else:
        for i in range(n):
            value = x[i] if x[i] > value else value
            y[i] = <integer> value
    running.value = value
    return -1


cdef Py_ssize_t scan_part(
    const Job* job, Py_ssize_t start, Py_ssize_t stop, int64_t value,
    element* x_buffer, integer* y_buffer,
) noexcept nogil:
    cdef Py_ssize_t at = start
    cdef Py_ssize_t n, failed
    cdef const element* x
    cdef integer* y
    cdef Running running
    running.value = value
    running.low = job.limits.low
    running.high = job.limits.high
    while at < stop:
        n = stop - at if stop - at < BLOCK else BLOCK
        x = load(&job.source.values, at, n, x_buffer)
        y = place(&job.target, at, y_buffer) if job.write else y_buffer
        failed = scan_block(x, y, n, &running, job.operation)
        if failed >= 0:
            return at + failed
        if job.write:
            store(&job.target, at, n, y)
        at += n
    return -1


cdef void scan_all(
    const Job* job, Py_ssize_t chunks, int parts, State* states,
    element* x_buffers, integer* y_buffers,
) noexcept:
    cdef int p, team
    cdef Py_ssize_t length = job.source.values.length
    if parts == 1:  # OpenMP takes longer to begin and end than a short array does
        with nogil:
            if states.reachable:
                states.failed = scan_part(job, 0, length, states.start, x_buffers, y_buffers)
        return
    team = take_team(parts)
    for p in prange(parts, nogil=True, num_threads=team, schedule="static"):
        if states[p].reachable:
            states[p].failed = scan_part(
                job,
                part_start(p, parts, chunks, length),
                part_start(p + 1, parts, chunks, length),
                states[p].start,
                x_buffers + <Py_ssize_t> p * BLOCK,
                y_buffers + <Py_ssize_t> p * BLOCK,
            )
    give_team(team)


cdef inline bint fits(const Total* total, Limits limits) noexcept nogil:
    # the total is one 64-bit number, and that is within the limits
    cdef int64_t low = <int64_t> total.low
    return total.high == (-1 if low < 0 else 0) and limits.low <= low <= limits.high


cdef void set_starts(
    const Job* job, int parts, const Partial* partials, State* states
) noexcept nogil:
    # the partials of a single part are not looked at
    cdef int p
    cdef Partial before
    before.total.high = -1 if job.start < 0 else 0
    before.total.low = <uint64_t> job.start
    before.low = job.start
    before.high = job.start
    before.count = 0
    for p in range(parts):
        states[p].failed = -1
        states[p].reachable = job.operation != SUM or fits(&before.total, job.limits)
        if job.operation == MIN:
            states[p].start = before.low
        elif job.operation == MAX:
            states[p].start = before.high
        else:
            states[p].start = <int64_t> before.total.low
        if parts > 1:
            merge(&before, &partials[p])


cdef void contributions(
    const Job* job, Py_ssize_t itemsize, Py_ssize_t chunks, int parts, char* buffers,
    Partial* partials,
) noexcept:
    cdef int wanted
    if job.operation == SUM:
        wanted = TOTAL_WANTED
    else:
        wanted = LOW_WANTED if job.operation == MIN else HIGH_WANTED
    if itemsize == sizeof(int32_t):
        reduce_all[int32_t](
            &job.source, chunks, parts, <int32_t*> buffers, wanted, partials
        )
    else:
        reduce_all[int64_t](
            &job.source, chunks, parts, <int64_t*> buffers, wanted, partials
        )


cdef void scan_typed(
    const Job* job, Py_ssize_t from_size, Py_ssize_t to_size, Py_ssize_t chunks, int parts,
    State* states, char* x_buffers, char* y_buffers,
) noexcept:
    if from_size == sizeof(int32_t) and to_size == sizeof(int32_t):
        scan_all[int32_t, int32_t](
            job, chunks, parts, states, <int32_t*> x_buffers, <int32_t*> y_buffers)
    elif from_size == sizeof(int32_t):
        scan_all[int32_t, int64_t](
            job, chunks, parts, states, <int32_t*> x_buffers, <int64_t*> y_buffers)
    elif to_size == sizeof(int32_t):
        scan_all[int64_t, int32_t](
            job, chunks, parts, states, <int64_t*> x_buffers, <int32_t*> y_buffers)
    else:
        scan_all[int64_t, int64_t](
            job, chunks, parts, states, <int64_t*> x_buffers, <int64_t*> y_buffers)


def scan_chunks(
    object data, object out, int operation, int64_t start, int64_t low, int64_t high,
    Py_ssize_t chunks, int parts, bint write,
):
    cdef Py_ssize_t from_size = block_itemsize(data)
    cdef Py_ssize_t to_size = out.itemsize
    cdef Py_ssize_t block_bytes = <Py_ssize_t> parts * BLOCK * sizeof(int64_t)
    cdef int p
    cdef Py_ssize_t first = -1
    cdef Job job
    cdef State* states
    cdef Partial* partials
    cdef char* buffers
    describe(&job.source.values, data, from_size)
    describe(&job.target, out, to_size)
    job.source.flagged = False
    job.operation = <Operation> operation
    job.start = start
    job.limits.low = low
    job.limits.high = high
    job.write = write
    states = <State*> malloc(parts * sizeof(State))
    partials = <Partial*> malloc(parts * sizeof(Partial))
    buffers = <char*> malloc(2 * block_bytes)
    try:
        if states == NULL or partials == NULL or buffers == NULL:
            raise MemoryError(f"no memory for the states of {parts} threads")
        if parts > 1:
            contributions(&job, from_size, chunks, parts, buffers, partials)
        set_starts(&job, parts, partials, states)
        scan_typed(
            &job, from_size, to_size, chunks, parts, states, buffers, buffers + block_bytes
        )
        for p in range(parts):
            if states[p].failed >= 0:
                first = states[p].failed
                break
        return first
    finally:
        free(states)
        free(partials)
        free(buffers)
