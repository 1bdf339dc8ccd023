"""The kernels over one block of contiguous native elements, as a table that every level fills.

A block is not empty. It is at most BLOCK elements long in a scan and LONG_BLOCK in a sum; extremes
and doubles are found at any length.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    # elements a block: two blocks of int64 stay in a first-level cache of 32 KiB, with room
    BLOCK = 1536
    # ... and where a block is read once, in place: long enough for four streams, short enough that
    # a file mapped to memory is still read from its beginning to its end
    LONG_BLOCK = 65536

cdef enum:
    # how an element lies in memory; with its bytes reversed, that and REVERSED
    BOOL = 0
    INT8 = 1
    UINT8 = 2
    INT16 = 3
    UINT16 = 4
    INT32 = 5
    UINT32 = 6
    INT64 = 7
    REVERSED = 8

ctypedef fused integer:
    int32_t
    int64_t

# an input's type, where it may differ from the output's
ctypedef fused element:
    int32_t
    int64_t

cdef struct Total:
    # the two's complement number high * 2**64 + low
    int64_t high
    uint64_t low

cdef struct Running:
    # a running sum and the limits that it must keep
    int64_t value
    int64_t low
    int64_t high

cdef struct Blocks:
    # of aligned elements of any form but REVERSED: add them to an exact total
    void (*add_of)(int form, Total*, const void*, Py_ssize_t) noexcept nogil
    # ... and the smallest and the largest of them
    int64_t (*low_of)(int form, const void*, Py_ssize_t) noexcept nogil
    int64_t (*high_of)(int form, const void*, Py_ssize_t) noexcept nogil
    # write 2 * x, or return the first position where that does not fit
    Py_ssize_t (*double32)(const int32_t*, int32_t*, Py_ssize_t) noexcept nogil
    Py_ssize_t (*double64)(const int64_t*, int64_t*, Py_ssize_t) noexcept nogil
    # write running sums, or return the first position whose sum is beyond the limits
    Py_ssize_t (*scan32to32)(const int32_t*, int32_t*, Py_ssize_t, Running*) noexcept nogil
    Py_ssize_t (*scan32to64)(const int32_t*, int64_t*, Py_ssize_t, Running*) noexcept nogil
    Py_ssize_t (*scan64to32)(const int64_t*, int32_t*, Py_ssize_t, Running*) noexcept nogil
    Py_ssize_t (*scan64to64)(const int64_t*, int64_t*, Py_ssize_t, Running*) noexcept nogil
    # gather elements of a form, so many bytes apart; 32 bits hold no UINT32 and INT64
    void (*gather32)(int form, const char*, Py_ssize_t, Py_ssize_t, int32_t*) noexcept nogil
    void (*gather64)(int form, const char*, Py_ssize_t, Py_ssize_t, int64_t*) noexcept nogil
    # spread bits, from the given one on, to elements 0 and 1
    void (*spread32)(const uint8_t*, Py_ssize_t, Py_ssize_t, int32_t*) noexcept nogil
    void (*spread64)(const uint8_t*, Py_ssize_t, Py_ssize_t, int64_t*) noexcept nogil
    # write x where the flag is the wanted one, else a filler, and return how many flags are that
    Py_ssize_t (*fill32)(
        const int32_t*, const int32_t* flags, int32_t wanted, int32_t filler, Py_ssize_t, int32_t*
    ) noexcept nogil
    Py_ssize_t (*fill64)(
        const int64_t*, const int32_t* flags, int32_t wanted, int64_t filler, Py_ssize_t, int64_t*
    ) noexcept nogil
