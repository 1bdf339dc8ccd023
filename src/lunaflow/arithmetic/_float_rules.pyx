"""The laws of checked operations on floats, as the rules that dispatch calls."""

from libc.limits cimport LLONG_MAX

from lunaflow.arithmetic._failures import FLOAT_FAULTS


cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object n, int* overflow) except? -1


cdef long long as_exponent(object n) except? -1:
    """Return the int `n`; one beyond 64 bits becomes the farthest of its sign and parity.

    So large a power of any float but -1, 0 and 1 is 0 or infinite, and of these only parity counts.
    """
    cdef int overflow = 0
    cdef long long value = PyLong_AsLongLongAndOverflow(n, &overflow)
    if overflow == 0:
        return value
    value = LLONG_MAX if n & 1 else LLONG_MAX - 1
    return value if overflow > 0 else -value


def divide(double x, double y):
    """Return x / y, or why not."""
    cdef Fault fault = division_fault(x, y)
    return x / y if fault == OK else FLOAT_FAULTS[fault]


def square_root(double x, ctx):
    """Return the square root of x, or why not; the context does not count."""
    cdef Fault fault = root_fault(x)
    return c_sqrt(x) if fault == OK else FLOAT_FAULTS[fault]


def power(double x, n, ctx):
    """Return x**n, or why not; the context does not count."""
    cdef long long exponent = as_exponent(n)
    cdef double result = integer_power(x, exponent)
    cdef Fault fault = power_fault(x, exponent, result)
    return result if fault == OK else FLOAT_FAULTS[fault]
