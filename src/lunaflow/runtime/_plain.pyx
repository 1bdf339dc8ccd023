"""Arrays of the plainest kind on one thread, at once: nothing of them needs the general way.

Each function returns None where an array is not plain or longer than it may be, or an array of
results does not fit: the general way then computes it, or says what is wrong.
"""

from libc.stdint cimport INT64_MAX, INT64_MIN, int32_t, int64_t

cimport numpy as cnp

from lunaflow.runtime._blocks cimport BLOCK, LONG_BLOCK, Running, Total, integer
from lunaflow.runtime._strided cimport form_of

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX

cnp.import_array()

include "_kernel_table.pxi"


def total(x, Py_ssize_t longest):
    cdef Total sum
    if not is_packed(x, longest):
        return None
    cdef Py_ssize_t length = cnp.PyArray_SIZE(x)
    cdef const char* data = <const char*> cnp.PyArray_DATA(x)
    cdef Py_ssize_t itemsize = cnp.PyArray_ITEMSIZE(x)
    cdef int form = form_of(x)
    cdef Py_ssize_t at = 0
    sum.high = 0
    sum.low = 0
    with nogil:
        while at < length:
            blocks.add_of(form, &sum, data + at * itemsize, min(length - at, LONG_BLOCK))
            at += LONG_BLOCK
    if sum.high == (-1 if <int64_t> sum.low < 0 else 0):
        return <int64_t> sum.low
    return (<object> sum.high << 64) + sum.low


def lowest(x, Py_ssize_t longest):
    cdef int64_t low
    if not is_packed(x, longest):
        return None
    cdef Py_ssize_t length = cnp.PyArray_SIZE(x)
    cdef const void* data = cnp.PyArray_DATA(x)
    cdef int form = form_of(x)
    with nogil:
        low = blocks.low_of(form, data, length)
    return low


def highest(x, Py_ssize_t longest):
    cdef int64_t high
    if not is_packed(x, longest):
        return None
    cdef Py_ssize_t length = cnp.PyArray_SIZE(x)
    cdef const void* data = cnp.PyArray_DATA(x)
    cdef int form = form_of(x)
    with nogil:
        high = blocks.high_of(form, data, length)
    return high


def running_sums(x, out, Py_ssize_t longest):
    if not is_plain(x, longest):
        return None
    result = target(x, out, cnp.NPY_INT64)
    if result is None:
        return None
    cdef bint fits
    cdef int64_t* sums = <int64_t*> cnp.PyArray_DATA(result)
    if is_narrow(x):
        fits = scan_all(<const int32_t*> cnp.PyArray_DATA(x), sums, cnp.PyArray_SIZE(x))
    else:
        fits = scan_all(<const int64_t*> cnp.PyArray_DATA(x), sums, cnp.PyArray_SIZE(x))
    return result if fits else None


def doubled(x, out, Py_ssize_t longest):
    if not is_plain(x, longest) or cnp.PyArray_NDIM(x) != 1:
        return None
    result = target(x, out, cnp.PyArray_TYPE(x))
    if result is None:
        return None
    cdef Py_ssize_t length = cnp.PyArray_SIZE(x)
    cdef Py_ssize_t failed
    cdef const void* data = cnp.PyArray_DATA(x)
    cdef void* written = cnp.PyArray_DATA(result)
    cdef bint narrow = is_narrow(x)
    with nogil:
        if narrow:
            failed = blocks.double32(<const int32_t*> data, <int32_t*> written, length)
        else:
            failed = blocks.double64(<const int64_t*> data, <int64_t*> written, length)
    return result if failed < 0 else None


def may_receive(x, out, int type_number):
    return (
        out is not None
        and is_plain(x, PY_SSIZE_T_MAX)
        and target(x, out, type_number) is not None
    )


cdef inline bint is_packed(object x, Py_ssize_t longest):
    # a NumPy array itself, of native integers or bool, one element beside the other in C order
    return (
        type(x) is cnp.ndarray
        and 0 < cnp.PyArray_SIZE(x) <= longest
        and (cnp.PyArray_ISINTEGER(x) or cnp.PyArray_ISBOOL(x))
        and not (cnp.PyArray_ISUNSIGNED(x) and cnp.PyArray_ITEMSIZE(x) == 8)
        and cnp.PyArray_CHKFLAGS(x, cnp.NPY_ARRAY_CARRAY_RO)
        and cnp.PyArray_ISNOTSWAPPED(x)
    )


cdef inline bint is_plain(object x, Py_ssize_t longest):
    # ... and of int32 or int64
    return is_packed(x, longest) and (
        cnp.PyArray_TYPE(x) == cnp.NPY_INT64 or cnp.PyArray_TYPE(x) == cnp.NPY_INT32
    )


cdef inline bint is_narrow(object x):
    return cnp.PyArray_TYPE(x) == cnp.NPY_INT32


cdef object target(object x, object out, int type_number):
    # a new 1-D array, or `out` if it is plain, of the right type and length, and apart from `x`
    cdef cnp.npy_intp length = cnp.PyArray_SIZE(x)
    if out is None:
        return cnp.PyArray_SimpleNew(1, &length, type_number)
    if not is_plain(out, length) or not cnp.PyArray_ISWRITEABLE(out):
        return None
    if cnp.PyArray_NDIM(out) != 1 or cnp.PyArray_TYPE(out) != type_number:
        return None
    return out if cnp.PyArray_SIZE(out) == length and are_apart(x, out) else None


cdef inline bint are_apart(object x, object out):
    cdef char* first = <char*> cnp.PyArray_DATA(x)
    cdef char* second = <char*> cnp.PyArray_DATA(out)
    return (
        first + cnp.PyArray_NBYTES(x) <= second or second + cnp.PyArray_NBYTES(out) <= first
    )


cdef bint scan_all(const integer* elements, int64_t* y, Py_ssize_t length) noexcept:
    # whether all prefixes fit
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t failed = -1
    cdef Py_ssize_t n
    cdef Running running
    running.value = 0
    running.low = INT64_MIN
    running.high = INT64_MAX
    with nogil:
        while at < length and failed < 0:
            n = min(length - at, <Py_ssize_t> BLOCK)
            if integer is int32_t:
                failed = blocks.scan32to64(elements + at, y + at, n, &running)
            else:
                failed = blocks.scan64to64(elements + at, y + at, n, &running)
            at += n
    return failed < 0
