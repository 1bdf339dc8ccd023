"""The functions in any ring: what their objects know, and values without the checked rules."""

from lunaflow.autodiff._dual cimport Dual
from lunaflow.autodiff._kernels cimport BinaryKernel, UnaryKernel


cdef class Unary:
    cdef readonly str name     # as errors write it
    cdef readonly object rule
    cdef tuple breaks          # tests of points at which a rule tells the slope of one side
    cdef UnaryKernel kernel


cdef class Form:
    """A function of two arguments where both are duals, or one of them is a constant."""
    cdef readonly object rule
    cdef tuple breaks
    cdef BinaryKernel kernel   # None: by the rule over floats too


cdef class Binary:
    cdef readonly str name
    cdef readonly object rule
    cdef Form both
    cdef Form constant_first
    cdef Form constant_second
    cdef bint is_power         # whose second argument may be an int that is no double
    cdef object value          # of plain numbers, where there is no kernel

    cdef Form form(self, bint first, bint second)


cdef object unary_in_ring(Unary f, object x)
cdef object binary_in_ring(Binary f, object x, object y)
cdef Dual unary_of_floats(Unary f, Dual x)
cdef double evaluate(Form form, double a, double b, double c, double d, double* tangent) except? -1
cdef bint lacks_slope(tuple breaks, object value, tuple arguments) except -1
cdef int refuse(str name, object rule, tuple operands) except -1
cdef object infinite_slope(str name, tuple operands, str path)
cdef object unsupported(str name, tuple operands, object reason, bint checked)
cdef object functions
