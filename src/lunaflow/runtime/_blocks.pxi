# The kernels of one block, compiled once for each level of the instruction set. Loops without a
# branch are those that the compiler makes vectors of; a block that needs care is done again.

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t, uint32_t, uint64_t

from lunaflow.runtime._blocks cimport Blocks, Running, Total, element, integer

cdef extern from "_scan_shim.h" nogil:
    bint LUNAFLOW_WIDE_SCAN
    bint lunaflow_scan_int32_t_int32_t(const int32_t*, int32_t*, Py_ssize_t, int64_t*)
    bint lunaflow_scan_int32_t_int64_t(const int32_t*, int64_t*, Py_ssize_t, int64_t*)
    bint lunaflow_scan_int64_t_int32_t(const int64_t*, int32_t*, Py_ssize_t, int64_t*)
    bint lunaflow_scan_int64_t_int64_t(const int64_t*, int64_t*, Py_ssize_t, int64_t*)

include "_gather.pxi"

# A block of less than 2**12 elements of [-2**50, 2**50) sums without wrapping in 64 bits.
cdef uint64_t SMALL = <uint64_t> 1 << 50
# ... and from a running sum of [-2**62, 2**62) too.
cdef int64_t FAR = <int64_t> 1 << 62


cdef inline void add(Total* total, int64_t term) noexcept nogil:
    total.low += <uint64_t> term
    total.high += (total.low < <uint64_t> term) - (term < 0)


cdef bint all_small(const int64_t* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t bound = 0
    for i in range(n):
        bound |= <uint64_t> x[i] + SMALL
    return bound < 2 * SMALL


cdef void add_block(Total* total, const integer* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint64_t wrapped = 0
    cdef uint64_t bound = 0
    if integer is int32_t:
        for i in range(n):
            wrapped += <uint64_t> <int64_t> x[i]
    else:
        for i in range(n):
            wrapped += <uint64_t> x[i]
            bound |= <uint64_t> x[i] + SMALL
        if bound >= 2 * SMALL:
            for i in range(n):
                add(total, x[i])
            return
    add(total, <int64_t> wrapped)


cdef stored low_block(const stored* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef stored low = x[0]
    for i in range(n):
        low = x[i] if x[i] < low else low
    return low


cdef stored high_block(const stored* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef stored high = x[0]
    for i in range(n):
        high = x[i] if x[i] > high else high
    return high


cdef int64_t low_of(int form, const void* x, Py_ssize_t n) noexcept nogil:
    if form == BOOL:
        return low_block(<const uint8_t*> x, n) != 0
    if form == INT8:
        return low_block(<const int8_t*> x, n)
    if form == UINT8:
        return low_block(<const uint8_t*> x, n)
    if form == INT16:
        return low_block(<const int16_t*> x, n)
    if form == UINT16:
        return low_block(<const uint16_t*> x, n)
    if form == INT32:
        return low_block(<const int32_t*> x, n)
    if form == UINT32:
        return low_block(<const uint32_t*> x, n)
    return low_block(<const int64_t*> x, n)


cdef int64_t high_of(int form, const void* x, Py_ssize_t n) noexcept nogil:
    if form == BOOL:
        return high_block(<const uint8_t*> x, n) != 0
    if form == INT8:
        return high_block(<const int8_t*> x, n)
    if form == UINT8:
        return high_block(<const uint8_t*> x, n)
    if form == INT16:
        return high_block(<const int16_t*> x, n)
    if form == UINT16:
        return high_block(<const uint16_t*> x, n)
    if form == INT32:
        return high_block(<const int32_t*> x, n)
    if form == UINT32:
        return high_block(<const uint32_t*> x, n)
    return high_block(<const int64_t*> x, n)


cdef inline integer doubled(integer x) noexcept nogil:
    # modulo 2**bits, in which x + x is defined
    if integer is int32_t:
        return <int32_t> (<uint32_t> x << 1)
    else:
        return <int64_t> (<uint64_t> x << 1)


cdef Py_ssize_t double_block(const integer* x, integer* y, Py_ssize_t n) noexcept nogil:
    # x and y may be the same memory
    cdef Py_ssize_t i
    cdef integer twice
    cdef integer changed = 0
    for i in range(n):
        twice = doubled(x[i])
        changed |= twice ^ x[i]
        y[i] = twice
    if changed >= 0:
        return -1
    for i in range(n):
        # a double does not fit just where the sign changed
        if (doubled(x[i]) ^ x[i]) < 0:
            return i
    return -1


cdef Py_ssize_t scan_carefully(
    const element* x, integer* y, Py_ssize_t n, Running* running
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t value = running.value
    cdef int64_t sum
    for i in range(n):
        sum = <int64_t> (<uint64_t> value + <uint64_t> <int64_t> x[i])
        if ((value ^ sum) & (<int64_t> x[i] ^ sum)) < 0:
            return i
        if sum < running.low or sum > running.high:
            return i
        value = sum
        y[i] = <integer> value
    running.value = value
    return -1


cdef inline bint scan_wide(
    const element* x, integer* y, Py_ssize_t n, int64_t* value
) noexcept nogil:
    if element is int32_t and integer is int32_t:
        return lunaflow_scan_int32_t_int32_t(x, y, n, value)
    elif element is int32_t:
        return lunaflow_scan_int32_t_int64_t(x, y, n, value)
    elif integer is int32_t:
        return lunaflow_scan_int64_t_int32_t(x, y, n, value)
    else:
        return lunaflow_scan_int64_t_int64_t(x, y, n, value)


cdef Py_ssize_t scan_block(
    const element* x, integer* y, Py_ssize_t n, Running* running
) noexcept nogil:
    # x and y may be the same memory, of which nothing is lost: such a scan was verified before
    cdef Py_ssize_t i
    cdef int64_t value = running.value
    cdef uint64_t bound = 0
    if LUNAFLOW_WIDE_SCAN:
        if not scan_wide(x, y, n, &value):
            return scan_carefully(x, y, n, running)
        running.value = value
        return -1
    if not -FAR <= value < FAR:
        return scan_carefully(x, y, n, running)
    if element is int64_t:
        if not all_small(x, n):
            return scan_carefully(x, y, n, running)
    for i in range(n):
        value += x[i]
        y[i] = <integer> value
        if integer is int32_t:
            bound |= <uint64_t> value + (<uint64_t> 1 << 31)
    if integer is int32_t:
        if bound >= <uint64_t> 1 << 32:
            return scan_carefully(x, y, n, running)
    running.value = value
    return -1


cdef Blocks TABLE
TABLE.add32 = add_block[int32_t]
TABLE.add64 = add_block[int64_t]
TABLE.low_of = low_of
TABLE.high_of = high_of
TABLE.double32 = double_block[int32_t]
TABLE.double64 = double_block[int64_t]
TABLE.scan32to32 = scan_block[int32_t, int32_t]
TABLE.scan32to64 = scan_block[int32_t, int64_t]
TABLE.scan64to32 = scan_block[int64_t, int32_t]
TABLE.scan64to64 = scan_block[int64_t, int64_t]
TABLE.gather32 = gather_block[int32_t]
TABLE.gather64 = gather_block[int64_t]
TABLE.spread32 = spread_block[int32_t]
TABLE.spread64 = spread_block[int64_t]
TABLE.fill32 = fill_block[int32_t]
TABLE.fill64 = fill_block[int64_t]


def table():
    return PyCapsule_New(&TABLE, "lunaflow.runtime.Blocks", NULL)
