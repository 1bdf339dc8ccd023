"""The laws of checked operations on floats, for any compiled module: a code, or OK."""

from libc.math cimport INFINITY, isfinite, isinf, isnan, pow as c_pow, sqrt as c_sqrt

cdef enum Fault:  # _failures.FLOAT_FAULTS says what they stand for
    OK
    ZERO_BY_ZERO
    INF_BY_INF
    BY_ZERO
    OUT_OF_RANGE
    NEGATIVE_ROOT
    NOT_ORDERED


cdef inline Fault division_fault(double a, double c) noexcept nogil:
    """F1: say why a / c has no value."""
    if c == 0:
        return ZERO_BY_ZERO if a == 0 else BY_ZERO
    if isinf(a):
        return INF_BY_INF if isinf(c) else OK
    return OUT_OF_RANGE if isinf(a / c) else OK


cdef inline Fault root_fault(double x) noexcept nogil:
    """F2: say why x has no square root."""
    return NEGATIVE_ROOT if x < 0 else OK


cdef inline Fault order_fault(double x, double y) noexcept nogil:
    """F3: say why x and y have no order."""
    return NOT_ORDERED if isnan(x) or isnan(y) else OK


cdef inline double integer_power(double x, long long n) noexcept nogil:
    """Return x**n, also where n is no double: then as a product of two powers."""
    cdef long long low
    if -(<long long> 1 << 53) <= n <= <long long> 1 << 53:
        return c_pow(x, <double> n)
    low = n % 2048  # the sign of n, as C has it; the rest of n is a double
    return c_pow(x, <double> (n - low)) * c_pow(x, <double> low)


cdef inline Fault power_fault(double x, long long n, double power) noexcept nogil:
    """F4: say why `power`, which is x**n, is no result."""
    if n < 0 and x == 0:
        return BY_ZERO
    return OUT_OF_RANGE if isinf(power) and isfinite(x) else OK


cdef long long as_exponent(object n) except? -1
