"""One-dimensional integer memory of any stride, alignment and byte order, read block by block."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy

cimport numpy as cnp

from lunaflow.runtime._blocks cimport integer

cdef struct Strided:
    char* data
    Py_ssize_t stride
    Py_ssize_t length
    bint direct
    bint swapped


cdef inline Strided strided(cnp.ndarray array) noexcept:
    cdef Strided memory
    memory.data = <char*> cnp.PyArray_DATA(array)
    memory.stride = cnp.PyArray_STRIDE(array, 0)
    memory.length = cnp.PyArray_DIM(array, 0)
    memory.swapped = not cnp.PyArray_ISNOTSWAPPED(array)
    memory.direct = (
        memory.stride == cnp.PyArray_ITEMSIZE(array)
        and cnp.PyArray_ISALIGNED(array)
        and not memory.swapped
    )
    return memory


cdef inline integer reversed_bytes(integer value) noexcept nogil:
    cdef uint64_t wide
    cdef uint32_t narrow
    if integer is int32_t:
        narrow = <uint32_t> value
        narrow = (narrow >> 16) | (narrow << 16)
        narrow = ((narrow >> 8) & 0x00FF00FFu) | ((narrow & 0x00FF00FFu) << 8)
        return <integer> narrow
    else:
        wide = <uint64_t> value
        wide = (wide >> 32) | (wide << 32)
        wide = ((wide >> 16) & 0x0000FFFF0000FFFFu) | ((wide & 0x0000FFFF0000FFFFu) << 16)
        wide = ((wide >> 8) & 0x00FF00FF00FF00FFu) | ((wide & 0x00FF00FF00FF00FFu) << 8)
        return <integer> wide


cdef inline const integer* load(
    const Strided* source, Py_ssize_t start, Py_ssize_t count, integer* buffer
) noexcept nogil:
    # a pointer to `count` native elements from `start` on: in place, or gathered into `buffer`
    cdef Py_ssize_t i
    cdef const char* first = source.data + start * source.stride
    if source.direct:
        return <const integer*> first
    for i in range(count):
        memcpy(&buffer[i], first + i * source.stride, sizeof(integer))
    if source.swapped:
        for i in range(count):
            buffer[i] = reversed_bytes(buffer[i])
    return buffer


cdef inline integer* place(
    const Strided* target, Py_ssize_t start, integer* buffer
) noexcept nogil:
    # where a kernel writes the block that belongs at `start`
    if target.direct:
        return <integer*> (target.data + start * target.stride)
    return buffer


cdef inline void store(
    const Strided* target, Py_ssize_t start, Py_ssize_t count, const integer* buffer
) noexcept nogil:
    # completes what `place` began: nothing to do in place, else scatters `buffer`
    cdef Py_ssize_t i
    cdef char* first = target.data + start * target.stride
    if target.direct:
        return
    for i in range(count):
        memcpy(first + i * target.stride, &buffer[i], sizeof(integer))


cdef inline Py_ssize_t start_of(
    Py_ssize_t piece, Py_ssize_t pieces, Py_ssize_t length
) noexcept nogil:
    # contiguous pieces whose lengths differ by at most one, the longer ones first
    cdef Py_ssize_t longer = length % pieces
    return piece * (length // pieces) + (piece if piece < longer else longer)


cdef inline Py_ssize_t part_start(
    int part, int parts, Py_ssize_t chunks, Py_ssize_t length
) noexcept nogil:
    # a part is what one thread does: neighbouring chunks, one after the other
    return start_of(start_of(part, parts, chunks), chunks, length)
