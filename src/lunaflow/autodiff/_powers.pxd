"""Powers of dual numbers: (a + b eps)**c, a**(c + d eps), and (a + b eps)**(c + d eps)."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, INFINITE_SLOPE, JUMP, NO_VALUE, POLE, Trouble
from lunaflow.autodiff._wide cimport (
    Wide, is_far, narrow, over, plus, times, wide, wide_power,
)


cdef inline Trouble power_of_zero_trouble(double c) noexcept nogil:
    if c < 0:
        return POLE
    return INFINITE_SLOPE if 0 < c < 1 else FINE


cdef inline Trouble base_trouble(double a, double c) noexcept nogil:
    """Only the base is a dual number."""
    if a == 0:
        return power_of_zero_trouble(c)
    # powers of minus infinity are 0 or infinite
    if -math.INFINITY < a < 0 and c != math.floor(c) and not math.isnan(c):
        return NO_VALUE
    return JUMP if math.isinf(c) and math.fabs(a) == 1 else FINE


cdef inline Trouble exponent_trouble(double a, double c) noexcept nogil:
    """Only the exponent is a dual number."""
    if math.isnan(c):
        return FINE
    if a < 0:
        return NO_VALUE
    if c == 0 and (a == 0 or math.isinf(a)):
        return JUMP
    return POLE if a == 0 and c < 0 else FINE


cdef inline Trouble power_trouble(double a, double c) noexcept nogil:
    """Both are dual numbers."""
    cdef Trouble trouble = exponent_trouble(a, c)
    return base_trouble(a, c) if trouble == FINE else trouble


cdef inline double power_value(double a, double c) noexcept nogil:
    """Return a**c as Python does, for signalling NaNs too."""
    return 1 if c == 0 or a == 1 else math.pow(a, c)


cdef inline bint moderate(double x) noexcept nogil:
    return 1e-300 < math.fabs(x) < 1e300


cdef inline bint ordinary(double a, double c) noexcept nogil:
    """Say whether no limit must be taken."""
    return a != 0 and math.isfinite(a) and c != 0 and math.isfinite(c)


cdef inline bint predecessor_is_exact(double c) noexcept nogil:
    """Say whether c - 1 is a double."""
    cdef double lower = c - 1
    cdef double step = lower - c
    return (c - (lower - step)) + (-1 - step) == 0


cdef inline double edge_base_slope(double a, double c) noexcept nogil:
    """Return the slope c a**(c - 1), or its limit, where a or c is 0 or not finite."""
    if c == 0:
        return 0
    if not math.isinf(c):
        return c * math.pow(a, c - 1)
    if math.fabs(a) == 1:
        return math.NAN
    return 0 if math.pow(a, c) == 0 else c * math.INFINITY


cdef inline double edge_exponent_slope(double a, double c) noexcept nogil:
    """Return the slope a**c log(a), or its limit, where a or c is 0 or not finite."""
    if a == 0 and c > 0 or a == math.INFINITY and c < 0:
        return 0
    return math.pow(a, c) * math.log(a)


cdef inline double near_base_slope(double a, double c, double power) noexcept nogil:
    """Return the slope c a**(c - 1), `power` being a**c; NaN if a part of it is hardly a double."""
    cdef double slope
    if predecessor_is_exact(c):
        power = a if c == 2 else math.pow(a, c - 1)
        slope = c * power
    else:
        slope = c * power / a
    return slope if moderate(power) and moderate(slope) else math.NAN


cdef inline Wide far_base_slope(double a, double c) noexcept nogil:
    """Return the slope c a**(c - 1), however large or small."""
    cdef bint exact = predecessor_is_exact(c)
    cdef double exponent = c - 1 if exact else c
    cdef Wide slope = wide_power(math.fabs(a), exponent, c)
    if a < 0 and math.fmod(exponent, 2) != 0:
        slope.part = -slope.part
    return slope if exact else over(slope, wide(a))


cdef inline double base_tangent(double a, double b, double c, double power) noexcept nogil:
    """Return the slope c a**(c - 1) times b, `power` being a**c."""
    cdef double slope
    if not ordinary(a, c):
        return edge_base_slope(a, c) * b
    slope = near_base_slope(a, c, power)
    if not math.isnan(slope):
        return slope * b
    return math.NAN if math.isnan(power) else narrow(times(far_base_slope(a, c), wide(b)))


cdef inline double exponent_tangent(double a, double c, double d, double power) noexcept nogil:
    """Return the slope a**c log(a) times d for a >= 0, `power` being a**c."""
    if not ordinary(a, c):
        return edge_exponent_slope(a, c) * d
    if moderate(power):
        return power * math.log(a) * d
    return narrow(times(wide_power(a, c, math.log(a)), wide(d)))


cdef inline double far_power_tangent(double a, double b, double c, double d) noexcept nogil:
    """Return both slopes' part of the tangent for a > 0, however large or small."""
    cdef double log = math.log(a)
    cdef Wide base_part = times(far_base_slope(a, c), wide(b))
    cdef Wide exponent_part = times(wide_power(a, c, log), wide(d))
    # two parts that are far have lost which of them is larger; a common factor takes no side
    if b != 0 and d != 0 and (is_far(base_part) or is_far(exponent_part)):
        base_part = over(times(wide(c), wide(b)), wide(a))
        exponent_part = times(wide(log), wide(d))
        return narrow(times(wide_power(a, c, 1), plus(base_part, exponent_part)))
    return narrow(plus(base_part, exponent_part))


cdef inline double power_tangent(
    double a, double b, double c, double d, double power,
) noexcept nogil:
    """Return both slopes' part of the tangent for a >= 0, `power` being a**c."""
    cdef double result
    if not ordinary(a, c):
        return edge_base_slope(a, c) * b + edge_exponent_slope(a, c) * d
    if moderate(power):
        result = near_base_slope(a, c, power) * b + power * math.log(a) * d
        if math.isfinite(result):
            return result
    return far_power_tangent(a, b, c, d)


cdef inline double power_constant_exponent(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    """(a + b eps)**c; d does not count."""
    cdef double power = power_value(a, c)
    tangent[0] = base_tangent(a, b, c, power)
    return power


cdef inline double power_constant_base(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    """a**(c + d eps); b does not count."""
    cdef double power = power_value(a, c)
    cdef bint none = a < 0 or exponent_trouble(a, c) == JUMP
    tangent[0] = math.NAN if none else exponent_tangent(a, c, d, power)
    return power


cdef inline double power_dual(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    """(a + b eps)**(c + d eps)."""
    cdef double power = power_value(a, c)
    cdef bint none = a < 0 or exponent_trouble(a, c) == JUMP
    tangent[0] = math.NAN if none else power_tangent(a, b, c, d, power)
    return power
