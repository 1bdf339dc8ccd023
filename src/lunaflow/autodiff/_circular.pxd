"""Circular functions of dual numbers, their inverses, and the units of angles."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, INFINITE_SLOPE, NO_VALUE, Trouble


cdef inline Trouble asin_trouble(double a) noexcept nogil:
    cdef double size = math.fabs(a)
    if size > 1:
        return NO_VALUE
    return INFINITE_SLOPE if size == 1 else FINE


cdef inline double sin_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = math.cos(a) * b
    return math.sin(a)


cdef inline double cos_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = -math.sin(a) * b
    return math.cos(a)


cdef inline double tan_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double cosine = math.cos(a)
    tangent[0] = b / (cosine * cosine)
    return math.tan(a)


cdef inline double asin_dual(double a, double b, double* tangent) noexcept nogil:
    # the factors, unlike 1 - a*a, keep their precision near 1
    tangent[0] = b / math.sqrt((1 - a) * (1 + a))
    return math.asin(a)


cdef inline double acos_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = -b / math.sqrt((1 - a) * (1 + a))
    return math.acos(a)


cdef inline double atan_dual(double a, double b, double* tangent) noexcept nogil:
    if math.fabs(a) > 1e8:  # a*a may overflow, and 1 does not count beside it
        tangent[0] = b / a / a
    else:
        tangent[0] = b / (1 + a * a)
    return math.atan(a)


cdef inline double degrees_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = b * (180 / math.M_PI)
    return a * (180 / math.M_PI)


cdef inline double radians_dual(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = b * (math.M_PI / 180)
    return a * (math.M_PI / 180)
