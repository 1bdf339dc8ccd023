"""Error functions and gamma functions of dual numbers."""

from libc cimport math

from lunaflow.autodiff._digamma cimport digamma
from lunaflow.autodiff._trouble cimport FINE, NO_VALUE, Trouble
from lunaflow.autodiff._wide cimport Wide, narrow, over, times, wide, wide_exp, wide_power


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


cdef inline Wide wide_gamma(double a) noexcept nogil:
    """Return gamma(a) for a > 100, by Stirling's series."""
    cdef double w = 1 / a / a
    cdef double series = (1 / 12.0 - w * (1 / 360.0 - w / 1260)) / a
    cdef double root_two_pi = 2.5066282746310007
    return times(wide_power(a, a - 0.5, root_two_pi), wide_exp(-a, series))


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
    if math.fabs(a) < 1e-10:  # -1/a**2 is the slope
        return -b / a / a if math.fabs(a) < 1e-140 else -b / (a * a)
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
