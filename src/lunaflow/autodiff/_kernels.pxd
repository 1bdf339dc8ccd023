"""The elementary functions over two doubles each: what other compiled modules call.

``kernel.evaluate(a, b, &t)`` returns f(a) and writes f'(a) b, never raising: what does not exist is
infinite or NaN, for every b. ``kernel.trouble(a)`` says so beforehand. Where `by_math` is not None,
the value counts only if that function of Python raises; `value` takes care of it.
"""

cimport cython

from lunaflow.autodiff._trouble cimport (
    FINE, INFINITE_SLOPE, JUMP, KINK, NO_VALUE, POLE, BinaryTrouble, Trouble, UnaryTrouble,
)

ctypedef double (*Unary)(double a, double b, double* tangent) noexcept nogil
ctypedef double (*Binary)(double a, double b, double c, double d, double* tangent) noexcept nogil


@cython.final
cdef class UnaryKernel:
    cdef readonly str name
    cdef readonly object by_math
    cdef Unary evaluate
    cdef UnaryTrouble trouble

    cdef double value(self, double a, double own) except? -1


@cython.final
cdef class BinaryKernel:
    cdef readonly str name
    cdef readonly object by_math
    cdef Binary evaluate
    cdef BinaryTrouble trouble

    cdef double value(self, double a, double c, double own) except? -1
