"""Integers of any dtype and layout, read and written block by block in C order."""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

cimport numpy as cnp

from lunaflow.runtime._blocks cimport (
    BOOL, INT8, INT16, INT32, INT64, REVERSED, UINT8, UINT16, UINT32, integer,
)

cnp.import_array()

include "_kernel_table.pxi"

cdef struct Cursor:
    # a run is what the innermost axis steps over
    char* run
    Py_ssize_t at
    Py_ssize_t index[AXES]


cdef int form_of(cnp.ndarray array) except -1:
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(array)
    cdef int reversed = 0 if cnp.PyArray_ISNOTSWAPPED(array) else REVERSED
    if cnp.PyArray_ISBOOL(array):
        return BOOL
    if cnp.PyArray_ISSIGNED(array):
        if size == 8:
            return INT64 + reversed
        if size == 4:
            return INT32 + reversed
        return INT16 + reversed if size == 2 else INT8
    if cnp.PyArray_ISUNSIGNED(array) and size < 8:
        if size == 4:
            return UINT32 + reversed
        return UINT16 + reversed if size == 2 else UINT8
    raise TypeError(f"no block holds elements of dtype {array.dtype}")


cdef Py_ssize_t block_itemsize(object given) except -1:
    cdef int form
    if not cnp.PyArray_Check(given):
        return 4
    form = form_of(given) & ~REVERSED
    return 8 if form == INT64 or form == UINT32 else 4


cdef void join_axes(Strided* memory, cnp.ndarray array) noexcept:
    # neighbouring axes become one where the outer one goes on as the inner one ends
    cdef int axis
    cdef int last = -1
    cdef Py_ssize_t length, stride
    for axis in range(cnp.PyArray_NDIM(array)):
        length = cnp.PyArray_DIM(array, axis)
        stride = cnp.PyArray_STRIDE(array, axis)
        if length == 1:
            continue
        if last >= 0 and <size_t> memory.strides[last] == <size_t> length * <size_t> stride:
            memory.shape[last] *= length
        else:
            last += 1
            memory.shape[last] = length
        memory.strides[last] = stride
    if last < 0:
        last = 0
        memory.shape[0] = 1
        memory.strides[0] = cnp.PyArray_ITEMSIZE(array)
    memory.axes = last + 1


cdef int describe(Strided* memory, object given, Py_ssize_t itemsize) except -1:
    cdef cnp.ndarray array
    if not cnp.PyArray_Check(given):
        memory.data = <char*> cnp.PyArray_DATA(given.data)
        memory.length = given.size
        memory.form = BITS
        memory.first_bit = given.first
        memory.axes = 1
        memory.packed = False
        memory.direct = False
        return 0
    array = given
    memory.data = <char*> cnp.PyArray_DATA(array)
    memory.length = cnp.PyArray_SIZE(array)
    memory.form = form_of(array)
    join_axes(memory, array)
    memory.itemsize = cnp.PyArray_ITEMSIZE(array)
    memory.packed = (
        memory.form < REVERSED
        and memory.axes == 1
        and memory.strides[0] == memory.itemsize
        and cnp.PyArray_ISALIGNED(array)
    )
    memory.direct = memory.packed and memory.form == (INT32 if itemsize == 4 else INT64)
    return 0


cdef void seek(const Strided* memory, Py_ssize_t start, Cursor* cursor) noexcept nogil:
    cdef int axis = memory.axes - 1
    cursor.run = memory.data
    cursor.at = start % memory.shape[axis]
    start //= memory.shape[axis]
    while axis > 0:
        axis -= 1
        cursor.index[axis] = start % memory.shape[axis]
        cursor.run += cursor.index[axis] * memory.strides[axis]
        start //= memory.shape[axis]


cdef void next_run(const Strided* memory, Cursor* cursor) noexcept nogil:
    cdef int axis = memory.axes - 1
    cursor.at = 0
    while axis > 0:
        axis -= 1
        cursor.index[axis] += 1
        cursor.run += memory.strides[axis]
        if cursor.index[axis] < memory.shape[axis]:
            return
        cursor.run -= memory.shape[axis] * memory.strides[axis]
        cursor.index[axis] = 0


cdef inline void gather_run(
    const Strided* source, const char* first, Py_ssize_t count, integer* buffer
) noexcept nogil:
    cdef Py_ssize_t stride = source.strides[source.axes - 1]
    if integer is int32_t:
        blocks.gather32(source.form, first, stride, count, buffer)
    else:
        blocks.gather64(source.form, first, stride, count, buffer)


cdef void gather(
    const Strided* source, Py_ssize_t start, Py_ssize_t count, integer* buffer
) noexcept nogil:
    cdef Cursor cursor
    cdef int last = source.axes - 1
    cdef Py_ssize_t n
    if source.form == BITS:
        if integer is int32_t:
            blocks.spread32(<const uint8_t*> source.data, source.first_bit + start, count, buffer)
        else:
            blocks.spread64(<const uint8_t*> source.data, source.first_bit + start, count, buffer)
        return
    seek(source, start, &cursor)
    while count > 0:
        n = source.shape[last] - cursor.at
        n = count if count < n else n
        gather_run(source, cursor.run + cursor.at * source.strides[last], n, buffer)
        next_run(source, &cursor)
        buffer += n
        count -= n


cdef void scatter(
    const Strided* target, Py_ssize_t start, Py_ssize_t count, const integer* buffer
) noexcept nogil:
    cdef Cursor cursor
    cdef int last = target.axes - 1
    cdef Py_ssize_t stride = target.strides[last]
    cdef Py_ssize_t i, n
    cdef char* first
    seek(target, start, &cursor)
    while count > 0:
        n = target.shape[last] - cursor.at
        n = count if count < n else n
        first = cursor.run + cursor.at * stride
        for i in range(n):
            memcpy(first + i * stride, &buffer[i], sizeof(integer))
        next_run(target, &cursor)
        buffer += n
        count -= n


def joined_axes(cnp.ndarray array):
    cdef Strided memory
    join_axes(&memory, array)
    return tuple((memory.shape[axis], memory.strides[axis]) for axis in range(memory.axes))
