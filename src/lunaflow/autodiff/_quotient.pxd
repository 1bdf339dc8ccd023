"""Quotients of dual floats: the accurate tangent (D8), and why one has no value (D4 to D7)."""

from libc.float cimport DBL_MAX, DBL_MIN
from libc.math cimport fabs, frexp, isfinite, ldexp

from lunaflow.arithmetic._float_rules cimport OK, OUT_OF_RANGE, Fault, division_fault


cdef inline double quotient_tangent(double a, double b, double c, double d) noexcept nogil:
    """Return (b - (a/c) d)/c within four roundings, whatever the magnitudes."""
    cdef double quotient = a / c
    cdef double product = quotient * d
    cdef double tangent = (b - product) / c
    if d == 0:
        return b / c
    if DBL_MIN <= fabs(quotient) and DBL_MIN <= fabs(product) and fabs(tangent) <= DBL_MAX:
        return tangent
    return rare_quotient_tangent(a, b, c, d, tangent)


cdef inline double rare_quotient_tangent(
    double a, double b, double c, double d, double tangent
) noexcept nogil:
    # something under- or overflowed, or an operand is zero or not finite
    cdef double product, scaled
    cdef int a_exponent, b_exponent, c_exponent, d_exponent, exponent
    if c == 0 or not (isfinite(a) and isfinite(b) and isfinite(c) and isfinite(d)):
        return tangent
    if a == 0:
        return b / c
    a = frexp(a, &a_exponent)
    b = frexp(b, &b_exponent)
    c = frexp(c, &c_exponent)
    d = frexp(d, &d_exponent)
    product = a / c * d
    d_exponent += a_exponent - c_exponent  # now of the product
    exponent = d_exponent if b == 0 or b_exponent < d_exponent else b_exponent
    scaled = (ldexp(b, b_exponent - exponent) - ldexp(product, d_exponent - exponent)) / c
    return ldexp(scaled, exponent - c_exponent)


cdef inline Fault quotient_fault(
    double a, double b, double c, double d, double* tangent, bint* in_tangent
) noexcept nogil:
    """Say why (a + b eps)/(c + d eps) has no value, or give its tangent.

    The order is the law's: the value, then (bc - ad)/c^2 as it is written, then the range.
    """
    cdef Fault fault = division_fault(a, c)
    in_tangent[0] = fault == OK
    if fault == OK:
        fault = division_fault(b * c - a * d, c * c)
    if fault != OK:
        return fault
    tangent[0] = quotient_tangent(a, b, c, d)
    if isfinite(tangent[0]) or not (
        isfinite(a) and isfinite(b) and isfinite(c) and isfinite(d)
    ):
        return OK
    return OUT_OF_RANGE
