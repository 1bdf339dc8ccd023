"""Integers of any dtype and layout, read and written block by block in C order."""

cimport numpy as cnp

from lunaflow.runtime._blocks cimport integer

cdef enum:
    # as many as a NumPy array can have
    AXES = 64
    # the form of truth values of one bit each
    BITS = 16

cdef struct Strided:
    char* data
    Py_ssize_t length
    # native aligned elements, one beside the other; and of the block's type
    bint packed
    bint direct
    int form
    Py_ssize_t itemsize
    # of bits: the position of the first one
    Py_ssize_t first_bit
    # axes that one stride cannot step over as one, the innermost last; at least one
    int axes
    Py_ssize_t shape[AXES]
    Py_ssize_t strides[AXES]

# how the elements of an array lie; TypeError if no block holds them
cdef int form_of(cnp.ndarray array) except -1
# the bytes of a block's element that holds every element of an ndarray or Bits
cdef Py_ssize_t block_itemsize(object given) except -1
cdef int describe(Strided* memory, object given, Py_ssize_t itemsize) except -1

cdef void gather(
    const Strided* source, Py_ssize_t start, Py_ssize_t count, integer* buffer
) noexcept nogil
cdef void scatter(
    const Strided* target, Py_ssize_t start, Py_ssize_t count, const integer* buffer
) noexcept nogil


cdef inline const integer* load(
    const Strided* source, Py_ssize_t start, Py_ssize_t count, integer* buffer
) noexcept nogil:
    # a pointer to `count` native elements from `start` on: in place, or gathered into `buffer`
    if source.direct:
        return <const integer*> source.data + start
    gather(source, start, count, buffer)
    return buffer


cdef inline integer* place(
    const Strided* target, Py_ssize_t start, integer* buffer
) noexcept nogil:
    # where a kernel writes the block that belongs at `start`
    if target.direct:
        return <integer*> target.data + start
    return buffer


cdef inline void store(
    const Strided* target, Py_ssize_t start, Py_ssize_t count, const integer* buffer
) noexcept nogil:
    # completes what `place` began: nothing to do in place, else scatters `buffer`
    if not target.direct:
        scatter(target, start, count, buffer)


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
