"""Square and cube roots of dual numbers."""

from libc cimport math

from lunaflow.autodiff._trouble cimport FINE, INFINITE_SLOPE, NO_VALUE, Trouble


cdef inline Trouble sqrt_trouble(double a) noexcept nogil:
    if a < 0:
        return NO_VALUE
    return INFINITE_SLOPE if a == 0 else FINE


cdef inline Trouble cbrt_trouble(double a) noexcept nogil:
    return INFINITE_SLOPE if a == 0 else FINE


cdef inline double sqrt_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double root = math.sqrt(a)
    tangent[0] = b / (2 * root)
    return root


cdef inline double cbrt_square(double a, double root) noexcept nogil:
    """Return the square of the cube root of a, `root` being near to that root."""
    cdef double square = root * root
    cdef double square_rest = math.fma(root, root, -square)
    cdef double cube = square * root
    cdef double cube_rest = math.fma(square, root, -cube) + square_rest * root
    # one step of Newton, since a library's root may be some ulp off
    cdef double correction = ((a - cube) - cube_rest) / (3 * square)
    return square + (square_rest + 2 * root * correction)


cdef inline double cbrt_dual(double a, double b, double* tangent) noexcept nogil:
    cdef double root = math.cbrt(a)
    cdef double size = math.fabs(a)
    cdef int thirds = 0
    if size == 0 or math.isinf(size):
        tangent[0] = b / size
        return root
    if not 1e-200 < size < 1e200:  # so that no rest underflows and the cube does not overflow
        thirds = 200 if size < 1 else -200
    size = cbrt_square(math.ldexp(a, 3 * thirds), math.ldexp(root, thirds))
    tangent[0] = b / math.ldexp(3 * size, -2 * thirds)
    return root
