"""Exponentials and logarithms of dual numbers."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, NO_VALUE, Trouble
from lunaflow.autodiff._wide cimport narrow, times, scaled, wide, wide_exp


cdef inline Trouble log_trouble(double a) noexcept nogil:
    return NO_VALUE if a <= 0 else FINE


cdef inline Trouble log1p_trouble(double a) noexcept nogil:
    return NO_VALUE if a <= -1 else FINE


cdef inline double exp_tangent(double a, double exp_a, double b) noexcept nogil:
    """Return exp(a) b, also where exp(a) is beyond the range."""
    if 700 < math.fabs(a) < math.INFINITY:
        return narrow(times(wide_exp(a, 0), wide(b)))
    return exp_a * b


cdef inline double exp_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double value = math.exp(a)
    tangent[0] = exp_tangent(a, value, b)
    return value


cdef inline double expm1_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = exp_tangent(a, math.exp(a), b)
    return math.expm1(a)


cdef inline double exp2_tangent(double a, double b) noexcept nogil:
    """Return the slope 2**a ln 2 times b where 2**a is beyond the range, or nearly."""
    cdef double within = math.fmin(math.fmax(a, -1e5), 1e5)  # farther out all is 0 or infinite
    cdef double twos = math.rint(within)
    return narrow(times(scaled(math.exp2(within - twos) * math.M_LN2, <int> twos), wide(b)))


cdef inline double exp2_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double value = math.exp2(a)
    if 1000 < math.fabs(a) < math.INFINITY:
        tangent[0] = exp2_tangent(a, b)
    else:
        tangent[0] = value * math.M_LN2 * b
    return value


cdef inline double log_tangent(double a, double b, double base) noexcept nogil:
    """Return b / (a base), also where the product leaves the range or its precision."""
    cdef double product = a * base
    if a < 0:
        return math.NAN
    if a <= 1e-300:
        return math.ldexp(b / (math.ldexp(a, 600) * base), 600)
    return b / product if product < math.INFINITY else b / a / base


cdef inline double log_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = math.NAN if a < 0 else b / a
    return math.log(a)


cdef inline double log2_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = log_tangent(a, b, math.M_LN2)
    return math.log2(a)


cdef inline double log10_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = log_tangent(a, b, math.M_LN10)
    return math.log10(a)


cdef inline double log1p_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = math.NAN if a < -1 else b / (1 + a)
    return math.log1p(a)
