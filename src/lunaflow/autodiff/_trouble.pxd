"""What the value of an argument alone says against a function's value or slope."""

from libc cimport math

cdef enum Trouble:  # _kernels.pyx gives their names, in this order
    FINE
    NO_VALUE
    POLE  # zero to a negative power
    INFINITE_SLOPE
    KINK  # one-sided slopes differ
    JUMP

ctypedef Trouble (*UnaryTrouble)(double a) noexcept nogil
ctypedef Trouble (*BinaryTrouble)(double a, double c) noexcept nogil


cdef inline Trouble nowhere(double a) noexcept nogil:
    return FINE


cdef inline Trouble nowhere_binary(double a, double c) noexcept nogil:
    return FINE


cdef inline Trouble at_infinity(double a) noexcept nogil:
    return NO_VALUE if math.isinf(a) else FINE
