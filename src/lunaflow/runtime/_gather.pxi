# From elements of any form to a block of native ones. Each element is copied before it is looked
# at, since it may lie anywhere; the compiler makes vectors of the loops over neighbours.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from lunaflow.runtime._blocks cimport (
    BOOL, INT8, INT16, INT32, INT64, REVERSED, UINT8, UINT16, UINT32, integer,
)

ctypedef fused stored:
    int8_t
    uint8_t
    int16_t
    uint16_t
    int32_t
    uint32_t
    int64_t


cdef inline stored reversed_bytes(stored value) noexcept nogil:
    cdef uint64_t wide
    cdef uint32_t narrow
    if stored is int64_t:
        wide = <uint64_t> value
        wide = (wide >> 32) | (wide << 32)
        wide = ((wide >> 16) & 0x0000FFFF0000FFFFu) | ((wide & 0x0000FFFF0000FFFFu) << 16)
        wide = ((wide >> 8) & 0x00FF00FF00FF00FFu) | ((wide & 0x00FF00FF00FF00FFu) << 8)
        return <stored> wide
    elif stored is int32_t or stored is uint32_t:
        narrow = <uint32_t> value
        narrow = (narrow >> 16) | (narrow << 16)
        narrow = ((narrow >> 8) & 0x00FF00FFu) | ((narrow & 0x00FF00FFu) << 8)
        return <stored> narrow
    elif stored is int16_t or stored is uint16_t:
        narrow = <uint16_t> value
        return <stored> <uint16_t> ((narrow >> 8) | (narrow << 8))
    else:
        return value


cdef inline void widen(
    stored kind, bint swap, const char* first, Py_ssize_t stride, Py_ssize_t n, integer* y
) noexcept nogil:
    # `kind` tells the type alone
    cdef Py_ssize_t size = sizeof(stored)
    cdef Py_ssize_t i
    cdef stored x
    if stride == size and not swap:
        for i in range(n):
            memcpy(&x, first + i * size, sizeof(stored))
            y[i] = <integer> x
    elif stride == size:
        for i in range(n):
            memcpy(&x, first + i * size, sizeof(stored))
            y[i] = <integer> reversed_bytes(x)
    else:
        for i in range(n):
            memcpy(&x, first + i * stride, sizeof(stored))
            y[i] = <integer> (reversed_bytes(x) if swap else x)


cdef inline void truths(
    const char* first, Py_ssize_t stride, Py_ssize_t n, integer* y
) noexcept nogil:
    cdef Py_ssize_t i
    if stride == 1:
        for i in range(n):
            y[i] = first[i] != 0
    else:
        for i in range(n):
            y[i] = first[i * stride] != 0


cdef void gather_block(
    int form, const char* first, Py_ssize_t stride, Py_ssize_t n, integer* y
) noexcept nogil:
    cdef bint swap = form >= REVERSED
    form -= REVERSED if swap else 0
    if form == BOOL:
        truths(first, stride, n, y)
    elif form == INT8:
        widen(<int8_t> 0, False, first, stride, n, y)
    elif form == UINT8:
        widen(<uint8_t> 0, False, first, stride, n, y)
    elif form == INT16:
        widen(<int16_t> 0, swap, first, stride, n, y)
    elif form == UINT16:
        widen(<uint16_t> 0, swap, first, stride, n, y)
    elif form == INT32:
        widen(<int32_t> 0, swap, first, stride, n, y)
    elif integer is int64_t:
        if form == UINT32:
            widen(<uint32_t> 0, swap, first, stride, n, y)
        elif form == INT64:
            widen(<int64_t> 0, swap, first, stride, n, y)


cdef inline bint bit(const uint8_t* bytes, Py_ssize_t at) noexcept nogil:
    return (bytes[at >> 3] >> (at & 7)) & 1


cdef void spread_block(
    const uint8_t* bytes, Py_ssize_t first, Py_ssize_t n, integer* y
) noexcept nogil:
    # to the next whole byte, then byte by byte, then the rest
    cdef Py_ssize_t start = -first & 7
    cdef Py_ssize_t i, whole
    cdef int k
    cdef uint8_t byte
    start = n if n < start else start
    for i in range(start):
        y[i] = bit(bytes, first + i)
    whole = (n - start) >> 3
    for i in range(whole):
        byte = bytes[((first + start) >> 3) + i]
        for k in range(8):
            y[start + 8 * i + k] = (byte >> k) & 1
    for i in range(start + 8 * whole, n):
        y[i] = bit(bytes, first + i)


cdef Py_ssize_t fill_block(
    const integer* x, const int32_t* flags, int32_t kept, integer filler, Py_ssize_t n, integer* y
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int32_t count = 0
    for i in range(n):
        y[i] = x[i] if flags[i] == kept else filler
        count += flags[i] == kept
    return count
