"""Short arrays of the plainest kind, computed at once: nothing of them needs the general way.

Each function returns None where an array is not short and plain, or the result does not fit: the
general way then computes it, or says what is wrong.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t

cimport numpy as cnp

from lunaflow.runtime._blocks cimport BLOCK, Blocks, Running, Total, integer

from lunaflow.runtime import _isa as isa

cnp.import_array()

cdef enum:
    # elements: as many as two threads have never gained on
    LONGEST = 4096

cdef object capsule = isa.table()
cdef const Blocks* blocks = <const Blocks*> PyCapsule_GetPointer(capsule, "lunaflow.runtime.Blocks")


def total(x):
    cdef Total sum
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t n, length
    if not is_plain(x):
        return None
    sum.high = 0
    sum.low = 0
    length = cnp.PyArray_DIM(x, 0)
    while at < length:
        n = min(length - at, <Py_ssize_t> BLOCK)
        if is_narrow(x):
            blocks.add32(&sum, (<const int32_t*> cnp.PyArray_DATA(x)) + at, n)
        else:
            blocks.add64(&sum, (<const int64_t*> cnp.PyArray_DATA(x)) + at, n)
        at += n
    if sum.high != (-1 if <int64_t> sum.low < 0 else 0):
        return None
    return <int64_t> sum.low


def lowest(x):
    if not is_plain(x):
        return None
    if is_narrow(x):
        return blocks.low32(<const int32_t*> cnp.PyArray_DATA(x), cnp.PyArray_DIM(x, 0))
    return blocks.low64(<const int64_t*> cnp.PyArray_DATA(x), cnp.PyArray_DIM(x, 0))


def highest(x):
    if not is_plain(x):
        return None
    if is_narrow(x):
        return blocks.high32(<const int32_t*> cnp.PyArray_DATA(x), cnp.PyArray_DIM(x, 0))
    return blocks.high64(<const int64_t*> cnp.PyArray_DATA(x), cnp.PyArray_DIM(x, 0))


def running_sums(x, out):
    cdef Py_ssize_t failed
    if not is_plain(x):
        return None
    result = target(x, out, cnp.NPY_INT64)
    if result is None:
        return None
    if is_narrow(x):
        failed = scan(<const int32_t*> cnp.PyArray_DATA(x), result)
    else:
        failed = scan(<const int64_t*> cnp.PyArray_DATA(x), result)
    return result if failed < 0 else None


def doubled(x, out):
    cdef Py_ssize_t failed
    if not is_plain(x):
        return None
    result = target(x, out, cnp.PyArray_TYPE(x))
    if result is None:
        return None
    if is_narrow(x):
        failed = double_all(<const int32_t*> cnp.PyArray_DATA(x), result)
    else:
        failed = double_all(<const int64_t*> cnp.PyArray_DATA(x), result)
    return result if failed < 0 else None


cdef inline bint is_plain(object x):
    # a NumPy array itself, 1-D, of native int32 or int64, one element beside the other
    return (
        type(x) is cnp.ndarray
        and cnp.PyArray_NDIM(x) == 1
        and 0 < cnp.PyArray_DIM(x, 0) <= LONGEST
        and (cnp.PyArray_TYPE(x) == cnp.NPY_INT64 or cnp.PyArray_TYPE(x) == cnp.NPY_INT32)
        and cnp.PyArray_CHKFLAGS(x, cnp.NPY_ARRAY_CARRAY_RO)
        and cnp.PyArray_ISNOTSWAPPED(x)
    )


cdef inline bint is_narrow(object x):
    return cnp.PyArray_TYPE(x) == cnp.NPY_INT32


cdef object target(object x, object out, int type_number):
    # a new array, or `out` if it is plain, of the right type and length, and apart from `x`
    cdef cnp.npy_intp length = cnp.PyArray_DIM(x, 0)
    if out is None:
        return cnp.PyArray_SimpleNew(1, &length, type_number)
    if not is_plain(out) or not cnp.PyArray_ISWRITEABLE(out):
        return None
    if cnp.PyArray_TYPE(out) != type_number or cnp.PyArray_DIM(out, 0) != length:
        return None
    return out if are_apart(x, out) else None


cdef inline bint are_apart(object x, object out):
    cdef char* first = <char*> cnp.PyArray_DATA(x)
    cdef char* second = <char*> cnp.PyArray_DATA(out)
    return (
        first + cnp.PyArray_NBYTES(x) <= second or second + cnp.PyArray_NBYTES(out) <= first
    )


cdef Py_ssize_t scan(const integer* x, object result):
    cdef int64_t* y = <int64_t*> cnp.PyArray_DATA(result)
    cdef Py_ssize_t length = cnp.PyArray_DIM(result, 0)
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t n, failed
    cdef Running running
    running.value = 0
    running.low = INT64_MIN
    running.high = INT64_MAX
    while at < length:
        n = min(length - at, <Py_ssize_t> BLOCK)
        if integer is int32_t:
            failed = blocks.scan32to64(x + at, y + at, n, &running)
        else:
            failed = blocks.scan64to64(x + at, y + at, n, &running)
        if failed >= 0:
            return at + failed
        at += n
    return -1


cdef Py_ssize_t double_all(const integer* x, object result):
    cdef integer* y = <integer*> cnp.PyArray_DATA(result)
    if integer is int32_t:
        return blocks.double32(x, y, cnp.PyArray_DIM(result, 0))
    else:
        return blocks.double64(x, y, cnp.PyArray_DIM(result, 0))
