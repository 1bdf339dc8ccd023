"""Error functions and gamma functions of dual numbers."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, NO_VALUE, Trouble
from lunaflow.autodiff._wide cimport (
    Wide, narrow, over, scaled, times, wide, wide_exp, wide_power,
)


cdef inline Trouble gamma_trouble(double a) noexcept nogil:
    return NO_VALUE if a <= 0 and a == math.floor(a) else FINE


cdef inline double erf_tangent(double a, double b) noexcept nogil:
    """Return the slope 2/sqrt(pi) exp(-a*a) times b."""
    cdef double high = a * a
    cdef double low
    # 2/sqrt(pi) in two parts
    cdef double factor = math.M_2_SQRTPI
    cdef double factor_rest = 1.533545961316588e-17
    if high > 1e5:
        return 0 * b
    low = math.fma(a, a, -high)
    if high > 700:
        return narrow(times(times(wide_exp(-high, -low), wide(factor)), wide(b)))
    return math.exp(-high) * (factor + (factor_rest - factor * low)) * b


cdef inline double erf_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = erf_tangent(a, b)
    return math.erf(a)


cdef inline double erfc_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = -erf_tangent(a, b)
    return math.erfc(a)


cdef inline double sin_pi(double a) noexcept nogil:
    """Return sin(pi a), reducing exactly."""
    cdef double whole = math.rint(a)
    cdef double sine = math.sin(math.M_PI * (a - whole))
    return sine if math.fmod(whole, 2) == 0 else -sine


cdef inline double cot_pi(double a) noexcept nogil:
    """Return cot(pi a), reducing exactly."""
    cdef double rest = a - math.rint(a)
    if math.fabs(rest) <= 0.25:
        return 1 / math.tan(math.M_PI * rest)
    return math.copysign(math.tan(math.M_PI * (0.5 - math.fabs(rest))), rest)


cdef inline double digamma_positive(double a) noexcept nogil:
    """Return gamma'(a) / gamma(a) for a > 0, by recurrence and Stirling's series."""
    cdef double result = 0
    cdef double w, series
    while a < 10:
        result -= 1 / a
        a += 1
    w = 1 / a / a
    series = 1 / 132.0 - w * (691 / 32760.0 - w / 12)
    series = 1 / 12.0 - w * (1 / 120.0 - w * (1 / 252.0 - w * (1 / 240.0 - w * series)))
    return result + (math.log(a) - (0.5 / a + w * series))


cdef inline double digamma(double a) noexcept nogil:
    """Return gamma'(a) / gamma(a); a is no pole and not next to the one at 0."""
    if a > 0:
        return digamma_positive(a)
    return digamma_positive(1 - a) - math.M_PI * cot_pi(a)


cdef inline Wide wide_gamma(double a) noexcept nogil:
    """Return gamma(a) for a > 100, by Stirling's series."""
    cdef double w = 1 / a / a
    cdef double series = (1 / 12.0 - w * (1 / 360.0 - w / 1260)) / a
    cdef double root_two_pi = 2.5066282746310002
    return times(times(wide_power(a, a - 0.5), wide_exp(-a, series)), wide(root_two_pi))


cdef inline double wide_gamma_tangent(double a, double b) noexcept nogil:
    """Return the slope of gamma times b where gamma is beyond the range, or nearly."""
    cdef Wide gamma
    if a > 0:
        gamma = wide_gamma(a)
    else:  # gamma(a) gamma(-a) = -pi / (a sin(pi a))
        gamma = over(wide(-math.M_PI), times(wide(a * sin_pi(a)), wide_gamma(-a)))
    return narrow(times(times(gamma, wide(digamma(a))), wide(b)))


cdef inline double gamma_tangent(double a, double b) noexcept nogil:
    if gamma_trouble(a) != FINE:
        return math.NAN
    if math.fabs(a) < 1e-10:
        return -b / a / a
    if -150 < a < 150 or not math.isfinite(a):
        return math.tgamma(a) * digamma(a) * b
    return wide_gamma_tangent(a, b)


cdef inline double gamma_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = gamma_tangent(a, b)
    return math.tgamma(a)


cdef inline double lgamma_dual(double a, double b, double* tangent) noexcept nogil:
    if gamma_trouble(a) != FINE:
        tangent[0] = math.NAN
    else:
        tangent[0] = -b / a if math.fabs(a) < 1e-20 else digamma(a) * b
    return math.lgamma(a)
