"""Powers of dual floats to integers that are no doubles."""

from libc cimport math
from libc.float cimport DBL_MAX

from lunaflow.arithmetic._float_rules cimport integer_power
from lunaflow.autodiff._powers cimport moderate
from lunaflow.autodiff._wide cimport Wide, narrow, times, wide, wide_power


cdef inline double integer_power_tangent(
    double a, double b, long long lower, double n,
) noexcept nogil:
    """Return the slope n a**lower times b, where `lower` is n - 1 and beyond 2**53.

    An n beyond the doubles is infinite here.
    """
    cdef double power = integer_power(a, lower)
    cdef long long low = lower % 2048
    cdef Wide slope
    if b == 0 and a != 0 and math.isfinite(a):
        return b
    if moderate(power) or a == 0 or not math.isfinite(a):
        return n * power * b
    n = math.fmax(-DBL_MAX, math.fmin(n, DBL_MAX))
    slope = wide_power(math.fabs(a), <double> (lower - low), n)
    slope = times(slope, wide(math.pow(math.fabs(a), low)))
    if a < 0 and lower & 1:
        slope.part = -slope.part
    return narrow(times(slope, wide(b)))
