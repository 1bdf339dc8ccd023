"""The elementary functions over two doubles each, and the tables that find them by name."""

import math

cimport cython
from libc.math cimport NAN

from lunaflow.autodiff cimport _circular as circular
from lunaflow.autodiff cimport _exponentials as exponentials
from lunaflow.autodiff cimport _hyperbolic as hyperbolic
from lunaflow.autodiff cimport _plane as plane
from lunaflow.autodiff cimport _powers as powers
from lunaflow.autodiff cimport _roots as roots
from lunaflow.autodiff cimport _special as special
from lunaflow.autodiff cimport _steps as steps
from lunaflow.autodiff._trouble cimport at_infinity, nowhere, nowhere_binary

# in the order of Trouble
TROUBLES = ("fine", "no value", "pole", "infinite slope", "kink", "jump")


cdef double no_function(double a, double b, double* tangent) noexcept nogil:
    tangent[0] = NAN
    return NAN


cdef double no_binary_function(
    double a, double b, double c, double d, double* tangent,
) noexcept nogil:
    tangent[0] = NAN
    return NAN


@cython.final
cdef class UnaryKernel:
    """One function of one argument, over the doubles of a + b eps."""

    def __cinit__(self):
        # until the table below fills it, and for who makes one himself
        self.evaluate = no_function
        self.trouble = nowhere

    cdef double value(self, double a, double own) except? -1:
        """Return the function's value at a; `own` is what `evaluate` returned."""
        if self.by_math is None:
            return own
        try:
            return self.by_math(a)
        except (ValueError, OverflowError):
            return own

    def evaluate_at(self, double a, double b):
        """Return the value and the tangent of f(a + b eps)."""
        cdef double tangent = 0
        cdef double own = self.evaluate(a, b, &tangent)
        return self.value(a, own), tangent

    def trouble_at(self, double a):
        """Return which of `TROUBLES` there is at a."""
        return TROUBLES[self.trouble(a)]


@cython.final
cdef class BinaryKernel:
    """One function of two arguments, over the doubles of a + b eps and c + d eps."""

    def __cinit__(self):
        self.evaluate = no_binary_function
        self.trouble = nowhere_binary

    cdef double value(self, double a, double c, double own) except? -1:
        """Return the function's value at (a, c); `own` is what `evaluate` returned."""
        if self.by_math is None:
            return own
        try:
            return self.by_math(a, c)
        except (ValueError, OverflowError):
            return own

    def evaluate_at(self, double a, double b, double c, double d):
        """Return the value and the tangent of f(a + b eps, c + d eps)."""
        cdef double tangent = 0
        cdef double own = self.evaluate(a, b, c, d, &tangent)
        return self.value(a, c, own), tangent

    def trouble_at(self, double a, double c):
        """Return which of `TROUBLES` there is at (a, c)."""
        return TROUBLES[self.trouble(a, c)]


UNARY = {}
BINARY = {}


cdef int unary(str name, Unary evaluate, UnaryTrouble trouble, object by_math=None) except -1:
    cdef UnaryKernel kernel = UnaryKernel.__new__(UnaryKernel)
    kernel.name = name
    kernel.evaluate = evaluate
    kernel.trouble = trouble
    kernel.by_math = by_math
    UNARY[name] = kernel
    return 0


cdef int binary(str name, Binary evaluate, BinaryTrouble trouble, object by_math=None) except -1:
    cdef BinaryKernel kernel = BinaryKernel.__new__(BinaryKernel)
    kernel.name = name
    kernel.evaluate = evaluate
    kernel.trouble = trouble
    kernel.by_math = by_math
    BINARY[name] = kernel
    return 0


unary("sqrt", roots.sqrt_dual, roots.sqrt_trouble)
unary("cbrt", roots.cbrt_dual, roots.cbrt_trouble)
unary("exp", exponentials.exp_dual, nowhere)
unary("exp2", exponentials.exp2_dual, nowhere)
unary("expm1", exponentials.expm1_dual, nowhere)
unary("log", exponentials.log_dual, exponentials.log_trouble)
unary("log2", exponentials.log2_dual, exponentials.log_trouble)
unary("log10", exponentials.log10_dual, exponentials.log_trouble)
unary("log1p", exponentials.log1p_dual, exponentials.log1p_trouble)
unary("sin", circular.sin_dual, at_infinity)
unary("cos", circular.cos_dual, at_infinity)
unary("tan", circular.tan_dual, at_infinity)
unary("asin", circular.asin_dual, circular.asin_trouble)
unary("acos", circular.acos_dual, circular.asin_trouble)
unary("atan", circular.atan_dual, nowhere)
unary("sinh", hyperbolic.sinh_dual, nowhere)
unary("cosh", hyperbolic.cosh_dual, nowhere)
unary("tanh", hyperbolic.tanh_dual, nowhere)
unary("asinh", hyperbolic.asinh_dual, nowhere)
unary("acosh", hyperbolic.acosh_dual, hyperbolic.acosh_trouble)
unary("atanh", hyperbolic.atanh_dual, hyperbolic.atanh_trouble)
unary("erf", special.erf_dual, nowhere)
unary("erfc", special.erfc_dual, nowhere)
# CPython has its own code for these, rounded otherwise than the C library's
unary("gamma", special.gamma_dual, special.gamma_trouble, math.gamma)
unary("lgamma", special.lgamma_dual, special.gamma_trouble, math.lgamma)
unary("fabs", steps.fabs_dual, steps.fabs_trouble)
unary("floor", steps.floor_dual, steps.floor_trouble)
unary("ceil", steps.ceil_dual, steps.floor_trouble)
unary("trunc", steps.trunc_dual, steps.trunc_trouble)
unary("degrees", circular.degrees_dual, nowhere)
unary("radians", circular.radians_dual, nowhere)

binary("hypot", plane.hypot_dual, plane.hypot_trouble, math.hypot)  # as gamma
binary("atan2", plane.atan2_dual, plane.atan2_trouble)
binary("fmod", steps.fmod_dual, steps.fmod_trouble)
binary("remainder", steps.remainder_dual, steps.remainder_trouble)
binary("mod", steps.mod_dual, steps.mod_trouble)
binary("copysign", steps.copysign_dual, steps.copysign_trouble)
binary("power", powers.power_dual, powers.power_trouble)
binary("power_constant_exponent", powers.power_constant_exponent, powers.base_trouble)
binary("power_constant_base", powers.power_constant_base, powers.exponent_trouble)
