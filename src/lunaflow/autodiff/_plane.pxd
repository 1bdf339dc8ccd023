"""Distance and angle of a point whose coordinates are dual numbers."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, JUMP, KINK, NO_VALUE, Trouble
from lunaflow.autodiff._wide cimport Wide, narrow, plus, times, wide


cdef inline Trouble hypot_trouble(double a, double c) noexcept nogil:
    if a == 0 and c == 0 or math.isinf(a) and math.isinf(c):
        return KINK
    return FINE


cdef inline Trouble atan2_trouble(double a, double c) noexcept nogil:
    if a == 0 and c == 0:
        return NO_VALUE
    return JUMP if a == 0 and c < 0 else FINE


cdef inline double larger(double a, double c) noexcept nogil:
    """Return the larger magnitude, NaN if there is one."""
    cdef double x = math.fabs(a), y = math.fabs(c)
    return x if x > y or math.isnan(x) else y


cdef inline double hypot_tangent(double a, double b, double c, double d) noexcept nogil:
    cdef double size = larger(a, c)
    cdef double distance
    cdef int twos = 0
    if size == 0 or math.isnan(size):
        return math.NAN
    if math.isinf(size):
        a = math.copysign(1, a) if math.isinf(a) else 0 * a
        c = math.copysign(1, c) if math.isinf(c) else 0 * c
        return math.NAN if a != 0 and c != 0 else a * b + c * d
    if not 1e-100 < size < 1e100:
        math.frexp(size, &twos)
        a = math.ldexp(a, -twos)
        c = math.ldexp(c, -twos)
    distance = math.sqrt(a * a + c * c)
    return a / distance * b + c / distance * d


cdef inline double hypot_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    tangent[0] = hypot_tangent(a, b, c, d)
    return math.hypot(a, c)


cdef inline double far_atan2_tangent(
    double a, double b, double c, double d, double size,
) noexcept nogil:
    """Return (c b - a d) / (a*a + c*c), also where a part of it leaves the range."""
    cdef int twos = 0
    cdef double square
    cdef Wide result
    math.frexp(size, &twos)
    a = math.ldexp(a, -twos)
    c = math.ldexp(c, -twos)
    square = a * a + c * c
    result = plus(times(wide(c / square), wide(b)), times(wide(-a / square), wide(d)))
    result.exponent -= twos
    return narrow(result)


cdef inline double atan2_tangent(double a, double b, double c, double d) noexcept nogil:
    cdef double size = larger(a, c)
    cdef double square, result
    if size == math.INFINITY:
        return 0 * b + 0 * d
    if 1e-100 < size < 1e100:
        square = a * a + c * c
        result = c / square * b - a / square * d
        if math.isfinite(result):
            return result
    return far_atan2_tangent(a, b, c, d, size)


cdef inline double atan2_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    cdef bint exists = atan2_trouble(a, c) == FINE and not math.isnan(a) and not math.isnan(c)
    tangent[0] = atan2_tangent(a, b, c, d) if exists else math.NAN
    return math.atan2(a, c)
