# The kernels of one block, compiled once for each level of the instruction set. Loops without a
# branch are those that the compiler makes vectors of; a block that needs care is done again.

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memchr

from lunaflow.runtime._blocks cimport LONG_BLOCK, Blocks, Running, Total, element, integer

cdef extern from "_scan_shim.h" nogil:
    int LUNAFLOW_SCAN_LANES
    bint lunaflow_scan_int32_t_int32_t(const int32_t*, int32_t*, Py_ssize_t, int64_t*)
    bint lunaflow_scan_int32_t_int64_t(const int32_t*, int64_t*, Py_ssize_t, int64_t*)
    bint lunaflow_scan_int64_t_int32_t(const int64_t*, int32_t*, Py_ssize_t, int64_t*)
    bint lunaflow_scan_int64_t_int64_t(const int64_t*, int64_t*, Py_ssize_t, int64_t*)

include "_gather.pxi"

ctypedef fused small:
    int8_t
    uint8_t
    int16_t
    uint16_t

ctypedef fused narrow:
    int32_t
    uint32_t

cdef uint64_t SIGN = <uint64_t> 1 << 63
cdef uint64_t HALF = <uint64_t> 1 << 31
# 1536 elements of int32 do not wrap a running sum that begins in [-2**62, 2**62).
cdef int64_t FAR = <int64_t> 1 << 62


cdef inline Py_ssize_t quarter_of(Py_ssize_t n) noexcept nogil:
    # Four quarters read at once keep more of the memory busy than one stream does; whole vectors.
    return n // 4 & ~<Py_ssize_t> 63


cdef inline void add(Total* total, int64_t term) noexcept nogil:
    total.low += <uint64_t> term
    total.high += (total.low < <uint64_t> term) - (term < 0)


cdef inline uint64_t biased_high(int64_t x) noexcept nogil:
    # floor(x / 2**32) + 2**31
    return (<uint64_t> x ^ SIGN) >> 32


cdef int64_t sum_of_bools(const uint8_t* x, Py_ssize_t n) noexcept nogil:
    # any byte but 0 is true
    cdef Py_ssize_t i
    cdef uint32_t count = 0
    for i in range(n):
        count += x[i] != 0
    return count


cdef int64_t sum_of_small(const small* x, Py_ssize_t n) noexcept nogil:
    # 2**16 elements of 16 bits sum without wrapping in 32
    cdef Py_ssize_t i
    cdef uint32_t sum = 0
    for i in range(n):
        sum += <uint32_t> x[i]
    if small is uint16_t:
        return sum
    else:
        return <int32_t> sum


cdef int64_t sum_of_narrow(const narrow* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t q = quarter_of(n)
    cdef Py_ssize_t i
    cdef int64_t a = 0, b = 0, c = 0, d = 0
    for i in range(q):
        a += x[i]
        b += x[q + i]
        c += x[2 * q + i]
        d += x[3 * q + i]
    for i in range(4 * q, n):
        a += x[i]
    return a + b + c + d


cdef void add_wide(Total* total, const int64_t* x, Py_ssize_t n) noexcept nogil:
    # The sum modulo 2**64 and that of the high halves h: 2**32 h <= sum < 2**32 (h + n) are one sum
    cdef Py_ssize_t q = quarter_of(n)
    cdef Py_ssize_t i
    cdef uint64_t a = 0, b = 0, c = 0, d = 0, high = 0
    cdef int64_t halves
    for i in range(q):
        a += <uint64_t> x[i]
        b += <uint64_t> x[q + i]
        c += <uint64_t> x[2 * q + i]
        d += <uint64_t> x[3 * q + i]
        high += biased_high(x[i]) + biased_high(x[q + i])
        high += biased_high(x[2 * q + i]) + biased_high(x[3 * q + i])
    for i in range(4 * q, n):
        a += <uint64_t> x[i]
        high += biased_high(x[i])
    halves = <int64_t> high - (<int64_t> n << 31)
    a += b + c + d - (<uint64_t> halves << 32)
    total.low += a
    total.high += (total.low < a) + (halves >> 32)
    a = <uint64_t> halves << 32
    total.low += a
    total.high += total.low < a


cdef stored low_block(const stored* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t q = quarter_of(n)
    cdef Py_ssize_t i
    cdef stored a = x[0], b = x[0], c = x[0], d = x[0]
    for i in range(q):
        a = x[i] if x[i] < a else a
        b = x[q + i] if x[q + i] < b else b
        c = x[2 * q + i] if x[2 * q + i] < c else c
        d = x[3 * q + i] if x[3 * q + i] < d else d
    for i in range(4 * q, n):
        a = x[i] if x[i] < a else a
    return min(min(a, b), min(c, d))


cdef stored high_block(const stored* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t q = quarter_of(n)
    cdef Py_ssize_t i
    cdef stored a = x[0], b = x[0], c = x[0], d = x[0]
    for i in range(q):
        a = x[i] if x[i] > a else a
        b = x[q + i] if x[q + i] > b else b
        c = x[2 * q + i] if x[2 * q + i] > c else c
        d = x[3 * q + i] if x[3 * q + i] > d else d
    for i in range(4 * q, n):
        a = x[i] if x[i] > a else a
    return max(max(a, b), max(c, d))


cdef bint any_true(const uint8_t* x, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(0, n, 4096):
        if high_block(x + at, min(n - at, <Py_ssize_t> 4096)):
            return True
    return False


cdef void add_of(int form, Total* total, const void* x, Py_ssize_t n) noexcept nogil:
    if form == BOOL:
        add(total, sum_of_bools(<const uint8_t*> x, n))
    elif form == INT8:
        add(total, sum_of_small(<const int8_t*> x, n))
    elif form == UINT8:
        add(total, sum_of_small(<const uint8_t*> x, n))
    elif form == INT16:
        add(total, sum_of_small(<const int16_t*> x, n))
    elif form == UINT16:
        add(total, sum_of_small(<const uint16_t*> x, n))
    elif form == INT32:
        add(total, sum_of_narrow(<const int32_t*> x, n))
    elif form == UINT32:
        add(total, sum_of_narrow(<const uint32_t*> x, n))
    else:
        add_wide(total, <const int64_t*> x, n)


cdef int64_t low_of(int form, const void* x, Py_ssize_t n) noexcept nogil:
    if form == BOOL:
        return memchr(x, 0, n) == NULL
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
        return any_true(<const uint8_t*> x, n)
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


cdef bint doubles_fit(const integer* x, integer* y, Py_ssize_t n) noexcept nogil:
    # writes all doubles, from two halves at once; one does not fit just where the sign changed
    cdef Py_ssize_t half = n // 2
    cdef Py_ssize_t i
    cdef integer changed = 0
    cdef integer twice, later
    for i in range(half):
        twice = doubled(x[i])
        later = doubled(x[half + i])
        changed |= (twice ^ x[i]) | (later ^ x[half + i])
        y[i] = twice
        y[half + i] = later
    if n % 2:
        twice = doubled(x[n - 1])
        changed |= twice ^ x[n - 1]
        y[n - 1] = twice
    return changed >= 0


cdef Py_ssize_t double_block(const integer* x, integer* y, Py_ssize_t n) noexcept nogil:
    # x and y may be the same memory, of which nothing is lost: all doubles were verified before
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t i, count
    while at < n:
        count = min(n - at, <Py_ssize_t> LONG_BLOCK)
        if not doubles_fit(x + at, y + at, count):
            for i in range(at, at + count):
                if (doubled(x[i]) ^ x[i]) < 0:
                    return i
        at += count
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


cdef inline uint64_t wraps(uint64_t sum, uint64_t term, uint64_t next) noexcept nogil:
    # in its sign bit: whether next = sum + term left 64 bits
    return (sum ^ next) & (term ^ next)


cdef inline bint scan_by_fours(
    const element* x, integer* y, Py_ssize_t n, int64_t* value
) noexcept nogil:
    # as scan_wide does, without vectors: four sums wait for those before them by one addition
    cdef uint64_t sum = <uint64_t> value[0]
    cdef uint64_t a, b, c, d, term
    cdef uint64_t wrapped = 0, outside = 0
    cdef Py_ssize_t i = 0
    if element is int32_t:
        # from there a block of int32 cannot wrap, and is not looked at
        if not -FAR <= value[0] < FAR:
            return False
    while i + 4 <= n:
        a = <uint64_t> <int64_t> x[i]
        b = a + <uint64_t> <int64_t> x[i + 1]
        c = b + <uint64_t> <int64_t> x[i + 2]
        d = sum + (c + <uint64_t> <int64_t> x[i + 3])
        a += sum
        b += sum
        c += sum
        if element is int64_t:
            wrapped |= wraps(sum, <uint64_t> x[i], a) | wraps(a, <uint64_t> x[i + 1], b)
            wrapped |= wraps(b, <uint64_t> x[i + 2], c) | wraps(c, <uint64_t> x[i + 3], d)
        if integer is int32_t:
            outside |= (a + HALF) | (b + HALF) | (c + HALF) | (d + HALF)
        y[i] = <integer> <int64_t> a
        y[i + 1] = <integer> <int64_t> b
        y[i + 2] = <integer> <int64_t> c
        y[i + 3] = <integer> <int64_t> d
        sum = d
        i += 4
    while i < n:
        term = <uint64_t> <int64_t> x[i]
        a = sum + term
        wrapped |= wraps(sum, term, a)
        outside |= a + HALF
        y[i] = <integer> <int64_t> a
        sum = a
        i += 1
    value[0] = <int64_t> sum
    if integer is int32_t:
        return wrapped < SIGN and outside < 2 * HALF
    else:
        return wrapped < SIGN


cdef Py_ssize_t scan_block(
    const element* x, integer* y, Py_ssize_t n, Running* running
) noexcept nogil:
    # x and y may be the same memory, of which nothing is lost: such a scan was verified before
    cdef int64_t value = running.value
    cdef bint fits
    # vectors of four gain nothing where int32 is summed in int64, and no sum is looked at
    if LUNAFLOW_SCAN_LANES == 8:
        fits = scan_wide(x, y, n, &value)
    elif LUNAFLOW_SCAN_LANES == 4 and (element is int64_t or integer is int32_t):
        fits = scan_wide(x, y, n, &value)
    else:
        fits = scan_by_fours(x, y, n, &value)
    if not fits:
        return scan_carefully(x, y, n, running)
    running.value = value
    return -1


cdef Blocks TABLE
TABLE.add_of = add_of
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
