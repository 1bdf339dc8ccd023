"""Dual numbers through functions with kinks and jumps: |x|, rounding, remainders, signs."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, JUMP, KINK, NO_VALUE, Trouble
from lunaflow.autodiff._wide cimport Wide, narrow, over, plus, times, wide


cdef inline Trouble fabs_trouble(double a) noexcept nogil:
    return KINK if a == 0 else FINE


cdef inline Trouble floor_trouble(double a) noexcept nogil:
    return JUMP if a == math.floor(a) else FINE


cdef inline Trouble trunc_trouble(double a) noexcept nogil:
    return JUMP if a == math.floor(a) and a != 0 else FINE


cdef inline bint no_remainder(double a, double c) noexcept nogil:
    return not math.isnan(a) and not math.isnan(c) and (math.isinf(a) or c == 0)


cdef inline Trouble fmod_trouble(double a, double c) noexcept nogil:
    if no_remainder(a, c):
        return NO_VALUE
    return JUMP if a != 0 and math.fmod(a, c) == 0 else FINE


cdef inline Trouble mod_trouble(double a, double c) noexcept nogil:
    if no_remainder(a, c):
        return NO_VALUE
    return JUMP if math.fmod(a, c) == 0 else FINE


cdef inline Trouble remainder_trouble(double a, double c) noexcept nogil:
    cdef double size = math.fabs(math.remainder(a, c))
    if no_remainder(a, c):
        return NO_VALUE
    return JUMP if math.fabs(c) - size == size else FINE  # halfway between two multiples


cdef inline Trouble copysign_trouble(double a, double c) noexcept nogil:
    if math.isnan(a) or math.isnan(c):
        return FINE
    if a == 0:
        return KINK
    return JUMP if c == 0 else FINE


cdef inline double fabs_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = math.NAN if a == 0 or math.isnan(a) else math.copysign(1, a) * b
    return math.fabs(a)


cdef inline double flat(double a, double b, Trouble trouble) noexcept nogil:
    """Return the tangent between the jumps of a function that is constant there."""
    return math.NAN if trouble != FINE or math.isnan(a) else 0 * b


cdef inline double floor_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = flat(a, b, floor_trouble(a))
    return math.floor(a)


cdef inline double ceil_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = flat(a, b, floor_trouble(a))
    return math.ceil(a)


cdef inline double trunc_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = flat(a, b, trunc_trouble(a))
    return math.trunc(a)


cdef inline double quotient(double a, double rest, double c) noexcept nogil:
    """Return the integer (a - rest) / c, exactly where it is below 2**50, else within 2 ulp."""
    cdef double ratio = a / c
    return math.rint(ratio - rest / c) if math.fabs(ratio) < 4503599627370496.0 else ratio


cdef inline double remainder_tangent(
    double a, double b, double c, double d, double n,
) noexcept nogil:
    """Return b - n d, n being the quotient of a and c, perhaps beyond the range."""
    cdef Wide product
    if math.isinf(n) and math.isfinite(a):
        product = times(over(wide(a), wide(c)), wide(-d))
        return narrow(plus(wide(b), product))
    return math.fma(-n, d, b)


cdef inline double fmod_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    cdef double value = math.fmod(a, c)
    tangent[0] = math.NAN
    if fmod_trouble(a, c) == FINE:
        tangent[0] = remainder_tangent(a, b, c, d, quotient(a, value, c))
    return value


cdef inline double remainder_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    cdef double value = math.remainder(a, c)
    tangent[0] = math.NAN
    if remainder_trouble(a, c) == FINE:
        tangent[0] = remainder_tangent(a, b, c, d, quotient(a, value, c))
    return value


cdef inline double mod_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    """Python's a % c: the remainder has the sign of c."""
    cdef double value = math.fmod(a, c)
    cdef double n = quotient(a, value, c)
    tangent[0] = math.NAN
    if value == 0:
        return math.copysign(0, c)
    if (value < 0) != (c < 0):
        value += c
        n -= 1
    if mod_trouble(a, c) == FINE:
        tangent[0] = remainder_tangent(a, b, c, d, n)
    return value


cdef inline double copysign_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    cdef double value = math.copysign(a, c)
    tangent[0] = math.NAN
    if copysign_trouble(a, c) == FINE and not math.isnan(a) and not math.isnan(c):
        tangent[0] = (1 if math.signbit(a) == math.signbit(c) else -1) * b + 0 * d
    return value
