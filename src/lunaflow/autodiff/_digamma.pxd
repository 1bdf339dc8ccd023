"""The logarithmic derivative of the gamma function."""

from libc cimport math


cdef inline double digamma_rest(double* a) noexcept nogil:
    """Move a > 0 up to 10 or more; return digamma(a) as it was, less log(a) as it is now."""
    cdef int count = <int> math.ceil(10 - a[0]) if a[0] < 10 else 0
    cdef int k
    cdef double sum = 0
    cdef double w, series
    for k in range(count):  # the smallest first
        sum += 1 / (a[0] + (count - 1 - k))
    a[0] += count
    w = 1 / a[0] / a[0]  # Stirling's series
    series = 1 / 132.0 - w * (691 / 32760.0 - w / 12)
    series = 1 / 12.0 - w * (1 / 120.0 - w * (1 / 252.0 - w * (1 / 240.0 - w * series)))
    return -0.5 / a[0] - w * series - sum


cdef inline double digamma_near_root(double step) noexcept nogil:
    """Return Taylor's series at the positive root, `step` below 0.03 away."""
    cdef double series = 0.04880428816414311 + step * (
        -0.03316112647484736 + step * (0.022597648232218104 - step * 0.01542476590494896)
    )
    series = 0.10782405069126237 + step * (-0.07219956125645471 + step * series)
    series = 0.258499760955651 + step * (-0.16394270544240652 + step * series)
    return step * (0.9676722454476212 + step * (-0.4427631689835921 + step * series))


cdef inline double digamma_positive(double a) noexcept nogil:
    # the root in two parts; the first difference is exact
    cdef double step = (a - 1.4616321449683622) - 9.549995429965697e-17
    cdef double rest
    if math.fabs(step) < 0.03:
        return digamma_near_root(step)
    rest = digamma_rest(&a)
    return math.log(a) + rest


cdef inline double digamma_negative(double a) noexcept nogil:
    """Return digamma(1 - a) - pi cot(pi a), reducing exactly."""
    cdef double from_pole = a - math.rint(a)
    cdef double mirrored = 1 - a
    cdef double rest, log, inverse
    if math.fabs(from_pole) > 0.25:
        rest = math.tan(math.M_PI * (0.5 - math.fabs(from_pole)))
        return digamma_positive(mirrored) - math.M_PI * math.copysign(rest, from_pole)
    # log and 1/from_pole may nearly cancel, so that both need what they were rounded by
    rest = digamma_rest(&mirrored)
    log = math.log(mirrored)
    rest += (mirrored - math.exp(log)) / mirrored
    inverse = 1 / from_pole
    rest -= math.fma(-inverse, from_pole, 1) * inverse
    rest -= digamma_positive(1 - from_pole) - digamma_positive(1 + from_pole)
    return log - inverse + rest


cdef inline double digamma(double a) noexcept nogil:
    """Return gamma'(a) / gamma(a); a is no pole and not next to the one at 0."""
    return digamma_positive(a) if a > 0 else digamma_negative(a)
