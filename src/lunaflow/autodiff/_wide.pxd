"""Doubles whose exponent neither over- nor underflows, for the rare paths of the rules.

An operation rounds as the double's does; `narrow` rounds once more where the result is subnormal.
"""

from libc cimport math

cdef enum:
    FARTHEST = 1 << 22  # an exponent from which no product with doubles comes back

cdef struct Wide:
    double part  # 0, not finite, or of magnitude in [0.5, 1)
    int exponent  # the number is part * 2**exponent


cdef inline Wide scaled(double part, int exponent) noexcept nogil:
    """Return part * 2**exponent."""
    cdef Wide result
    cdef int own = 0
    result.part = math.frexp(part, &own)
    result.exponent = exponent + own if math.isfinite(part) else 0
    return result


cdef inline Wide wide(double x) noexcept nogil:
    return scaled(x, 0)


cdef inline Wide times(Wide x, Wide y) noexcept nogil:
    return scaled(x.part * y.part, x.exponent + y.exponent)


cdef inline Wide over(Wide x, Wide y) noexcept nogil:
    return scaled(x.part / y.part, x.exponent - y.exponent)


cdef inline Wide plus(Wide x, Wide y) noexcept nogil:
    if x.part == 0:
        return y
    if y.part == 0:
        return x
    if x.exponent < y.exponent:
        x, y = y, x
    # a part moved below the subnormals is far below the rounding of the sum
    return scaled(x.part + math.ldexp(y.part, y.exponent - x.exponent), x.exponent)


cdef inline double narrow(Wide x) noexcept nogil:
    return math.ldexp(x.part, x.exponent)


cdef inline Wide wide_exp(double high, double low) noexcept nogil:
    """Return exp(high + low) for a finite `high`, and a `low` far smaller."""
    # ln 2 in two parts; the first has so few bits that its product with an int below 2**18 is exact
    cdef double ln2_high = 6.93147180369123816490e-01
    cdef double ln2_low = 1.90821492927058770002e-10
    cdef double within = math.fmin(math.fmax(high, -1e5), 1e5)  # farther out all is 0 or infinite
    cdef double twos = math.rint(within / math.M_LN2)
    cdef double rest = (within - twos * ln2_high) - (twos * ln2_low - low)
    return scaled(math.exp(rest), <int> twos)


cdef inline bint is_far(Wide x) noexcept nogil:
    """Say whether x stands for anything that no product with doubles brings back."""
    return not -FARTHEST // 2 < x.exponent < FARTHEST // 2


cdef inline Wide wide_power(double base, double exponent, double factor) noexcept nogil:
    """Return factor * base**exponent for a positive finite `base`, with three powers' errors.

    Where the power is beyond 2**3000 or its inverse the result may be far, and say no more.
    """
    cdef double third = exponent / 3
    cdef double first = math.pow(base, third)
    cdef double last = math.pow(base, exponent - 2 * third)  # an exact difference
    cdef double square, square_rest, product, product_rest
    cdef int twos = 0, last_twos = 0, factor_twos = 0
    if first == 0 or last == 0:
        return scaled(factor, -FARTHEST)
    if math.isinf(first) or math.isinf(last):
        return scaled(factor, FARTHEST)
    first = math.frexp(first, &twos)
    last = math.frexp(last, &last_twos)
    factor = math.frexp(factor, &factor_twos)
    square = first * first
    square_rest = math.fma(first, first, -square)
    product = square * last
    product_rest = math.fma(square, last, -product) + square_rest * last
    product = math.fma(product, factor, product_rest * factor)
    return scaled(product, 2 * twos + last_twos + factor_twos)
