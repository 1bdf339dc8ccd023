"""Hyperbolic functions of dual numbers, and their inverses."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, INFINITE_SLOPE, NO_VALUE, Trouble
from lunaflow.autodiff._wide cimport narrow, times, wide, wide_exp


cdef inline Trouble acosh_trouble(double a) noexcept nogil:
    if a < 1:
        return NO_VALUE
    return INFINITE_SLOPE if a == 1 else FINE


cdef inline Trouble atanh_trouble(double a) noexcept nogil:
    return NO_VALUE if math.fabs(a) >= 1 else FINE


cdef inline double half_exp_tangent(double size, double b) noexcept nogil:
    """Return exp(size) / 2 times b for a large `size`."""
    return narrow(times(times(wide_exp(size, 0), wide(0.5)), wide(b)))


cdef inline double sinh_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double size = math.fabs(a)
    if 700 < size < math.INFINITY:
        tangent[0] = half_exp_tangent(size, b)
    else:
        tangent[0] = math.cosh(a) * b
    return math.sinh(a)


cdef inline double cosh_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double size = math.fabs(a)
    if 700 < size < math.INFINITY:
        tangent[0] = half_exp_tangent(size, -b if a < 0 else b)
    else:
        tangent[0] = math.sinh(a) * b
    return math.cosh(a)


cdef inline double tanh_tangent(double a, double b) noexcept nogil:
    """Return b / cosh(a)**2, which is 4 q / (1 + q)**2 times b with q = exp(-2 |a|)."""
    cdef double twice = 2 * math.fabs(a)
    cdef double q = math.exp(-twice)
    cdef double sum = 1 + q
    cdef double sum_rest = q - (sum - 1)
    if 700 < twice < math.INFINITY:
        return narrow(times(times(wide_exp(-twice, 0), wide(4)), wide(b)))
    return 4 * q / math.fma(sum, sum, 2 * sum * sum_rest) * b


cdef inline double tanh_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = tanh_tangent(a, b)
    return math.tanh(a)


cdef inline double asinh_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double size = math.fabs(a)
    # far out a*a may overflow, and 1 does not count beside it
    tangent[0] = b / size if size > 1e8 else b / math.sqrt(1 + a * a)
    return math.asinh(a)


cdef inline double acosh_dual(double a, double b, double* tangent) noexcept nogil:
    if a < 1:
        tangent[0] = math.NAN
    else:
        tangent[0] = b / a if a > 1e8 else b / math.sqrt((a - 1) * (a + 1))
    return math.acosh(a)


cdef inline double atanh_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = math.NAN if math.fabs(a) > 1 else b / ((1 - a) * (1 + a))
    return math.atanh(a)
