# cython: c_api_binop_methods=True, embedsignature=True, embedsignature.format=clinic
"""`Dual`: a value and its tangent. Over floats these are two C doubles, otherwise two objects.

Every dual has a level, which says what its epsilon is. Duals of one level share an epsilon; of two
levels the higher is a dual over the lower, whose duals are constants to it. The components of a
dual over objects are never marked as checked: the rules are judged where the operation was called.
"""

from types import GenericAlias

cimport cython
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check, PyFloat_CheckExact
from cpython.long cimport PyLong_AsDouble, PyLong_Check
from cpython.object cimport Py_EQ, Py_GE, Py_GT, Py_LE, Py_LT, Py_NE, PyObject_RichCompare
from libc.math cimport sqrt as c_sqrt

from lunaflow.arithmetic._float_rules cimport OK, Fault, division_fault, root_fault
from lunaflow.arithmetic._result cimport Err, make_ok
from lunaflow.autodiff._quotient cimport quotient_fault, quotient_tangent

import numpy as np

from lunaflow.arithmetic._checked import div_checked as scalar_div_checked
from lunaflow.arithmetic._checked import sqrt_checked as scalar_sqrt_checked
from lunaflow.arithmetic._failures import FLOAT_FAULTS, OUT_OF_RANGE as OUT_OF_RANGE_FAILURE
from lunaflow.arithmetic._failures import Failure, failed
from lunaflow.arithmetic._operations import SCALARS, Operations, enter
from lunaflow.autodiff import _components as components
from lunaflow.autodiff import _refusals as refusals
from lunaflow.autodiff._components import Fallen, is_bool
from lunaflow.autodiff._methods import elementary_method, elementary_named, function_of

cdef extern from *:  # macros of Cython itself
    bint likely(bint)
    bint unlikely(bint)

cdef enum Op:
    ADD
    SUBTRACT
    MULTIPLY
    DIVIDE

cdef tuple SYMBOLS = ("+", "-", "*", "/")
cdef tuple UFUNCS = (np.add, np.subtract, np.multiply, np.true_divide)
cdef type ndarray = np.ndarray
cdef tuple ORDERS = (np.less, np.less_equal, np.equal, np.not_equal, np.greater, np.greater_equal)
cdef tuple MIRRORED = (Py_GT, Py_GE, Py_EQ, Py_NE, Py_LT, Py_LE)
cdef tuple ORDER_SYMBOLS = ("<", "<=", "==", "!=", ">", ">=")
cdef long long last_level = FIRST_TAG
cdef set running = set()  # the levels of the derivatives that have not ended
cdef tuple found_operators = None


@cython.final
@cython.binding(False)  # its methods refuse another self
@cython.no_gc
@cython.freelist(256)
cdef class Dual:
    """A number a + b eps with eps**2 = 0: a value and its tangent.

    The tangent of a result is the derivative of its value along the tangents of what it was
    computed from. Over floats, operators follow IEEE 754: they give infinities and NaN, never an
    exception; over other types they do what these do. The checked division and root are in
    `lunaflow.autodiff.checked`. Comparisons, ``==`` and truth look at values alone, so a program
    takes the same path as with plain numbers; `identical` compares tangents too. Duals are
    immutable, and not hashable.

    Parameters
    ----------
    value, tangent : float, int, Fraction, Decimal, Dual, or a registered type of numbers
        Of one type, or one of them an int. Two ints become floats.

    Raises
    ------
    TypeError
        If one is no number (a bool or complex is none here), or the types do not mix.
    ValueError
        If an int that has to become a float is not exactly one.
    """

    __match_args__ = ("value", "tangent")
    __class_getitem__ = classmethod(GenericAlias)
    __array_priority__ = 1e6  # a NumPy scalar leaves its operations with a Dual to us
    __hash__ = None

    def __init__(self, value, tangent):
        if self.ring != 0:
            raise TypeError("a Dual is immutable: make another one")
        self.ring = ring_of(1, False)
        if PyFloat_CheckExact(value) and PyFloat_CheckExact(tangent):
            self.a = PyFloat_AS_DOUBLE(value)
            self.b = PyFloat_AS_DOUBLE(tangent)
            return
        kind = components.common_kind(primal(value), primal(tangent))
        if type(value) is not Dual:
            value = components.as_kind(kind, "value", value)
        if type(tangent) is not Dual:
            tangent = components.as_kind(kind, "tangent", tangent)
        if level_of(value) % FIRST_TAG >= DEEPEST or level_of(tangent) % FIRST_TAG >= DEEPEST:
            raise refusals.too_deep(DEEPEST)
        cdef Dual made = make(
            unchecked(value), unchecked(tangent),
            ring_of(
                max(level_of(value), level_of(tangent)) + 1,
                is_checked(value) or is_checked(tangent),
            ),
        )
        self.a = made.a
        self.b = made.b
        self.parts = made.parts
        self.ring = made.ring

    @staticmethod
    def constant(x):
        """Return the dual of `x` with tangent 0."""
        return Dual(x, 0)

    @staticmethod
    def variable(x):
        """Return the dual of `x` with tangent 1."""
        return Dual(x, 1)

    @property
    def value(self):
        """The number itself, of the type it was made with."""
        return self.a if self.parts is None else component(self, 0)

    @property
    def tangent(self):
        """The coefficient of eps, of the type of the value."""
        return self.b if self.parts is None else component(self, 1)

    def identical(self, other):
        """Return whether `other` is a Dual of equal value and tangent (and NaN equals NaN)."""
        if type(other) is not Dual:
            return False
        return same(self.value, other.value) and same(self.tangent, other.tangent)

    def div_checked(self, other, ctx=None, /):
        """Return ``Ok(self / other)``, or the Err that says why there is no quotient."""
        return div_checked(self, other, ctx)

    def sqrt_checked(self, ctx=None, /):
        """Return the square root as an Ok, or the Err that says why there is none."""
        return sqrt_checked(self, ctx)

    def __add__(x, y):
        return combine(ADD, x, y)

    def __sub__(x, y):
        return combine(SUBTRACT, x, y)

    def __mul__(x, y):
        return combine(MULTIPLY, x, y)

    def __truediv__(x, y):
        return combine(DIVIDE, x, y)

    def __pow__(x, y, modulus):
        if modulus is not None:
            raise TypeError("pow() of a Dual takes no modulus")
        return operators()[0](x, y)

    def __mod__(x, y):
        return operators()[1](x, y)

    def __abs__(self):
        return operators()[2](self)

    def __neg__(self):
        if self.parts is None:
            return of_floats(-self.a, -self.b, self.ring)
        value, tangent = self.parts
        return make(-value, -tangent, self.ring)

    def __pos__(self):
        # no identity for types that round to their context, as Decimal does
        if self.parts is None:
            return self
        value, tangent = self.parts
        return make(+value, +tangent, self.ring)

    def __richcmp__(self, other, int order):
        return compare(self, other, order)

    def __bool__(self):
        if self.parts is None and not self.ring & 1:
            return self.a != 0
        return bool(compare(self, 0, Py_NE))

    def __repr__(self):
        return f"Dual({self.value!r}, {self.tangent!r})"

    def __format__(self, spec):
        if not spec:
            return repr(self)
        return f"Dual({self.value:{spec}}, {self.tangent:{spec}})"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        if level_of(self) >= FIRST_TAG:
            raise refusals.pickling()
        return Dual, (self.value, self.tangent)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        # NumPy asks here; if it did not, `array += dual` would leave the array as it is
        return apply_ufunc(ufunc, method, inputs, options)

    def conjugate(self):
        """Return self: a dual number is real."""
        return self

    def __float__(self):
        raise refusals.conversion("float()", self, "primal(x)")

    def __int__(self):
        raise refusals.conversion("int()", self, "int(primal(x))")

    def __complex__(self):
        raise refusals.conversion("complex()", self, "complex(primal(x))")

    def __round__(self, digits=None):
        raise refusals.rounding("round()", self)

    def __trunc__(self):
        raise refusals.rounding("math.trunc()", self)

    def __floor__(self):
        raise refusals.rounding("math.floor()", self)

    def __ceil__(self):
        raise refusals.rounding("math.ceil()", self)

    def rint(self):
        """Raise TypeError: `numpy.round` would lose the tangent."""
        raise refusals.rounding("round()", self)

    def __floordiv__(x, y):
        raise refusals.floor_division("//")

    def __divmod__(x, y):
        raise refusals.floor_division("divmod()")

    # the names that NumPy's functions look for on the elements of object arrays
    sqrt = elementary_method("sqrt")
    cbrt = elementary_method("cbrt")
    exp = elementary_method("exp")
    exp2 = elementary_method("exp2")
    expm1 = elementary_method("expm1")
    log = elementary_method("log")
    log2 = elementary_method("log2")
    log10 = elementary_method("log10")
    log1p = elementary_method("log1p")
    sin = elementary_method("sin")
    cos = elementary_method("cos")
    tan = elementary_method("tan")
    arcsin = elementary_method("asin")
    arccos = elementary_method("acos")
    arctan = elementary_method("atan")
    sinh = elementary_method("sinh")
    cosh = elementary_method("cosh")
    tanh = elementary_method("tanh")
    arcsinh = elementary_method("asinh")
    arccosh = elementary_method("acosh")
    arctanh = elementary_method("atanh")
    fabs = elementary_method("fabs")
    floor = elementary_method("floor")
    ceil = elementary_method("ceil")
    trunc = elementary_method("trunc")
    degrees = rad2deg = elementary_method("degrees")
    radians = deg2rad = elementary_method("radians")
    hypot = elementary_method("hypot")
    arctan2 = elementary_method("atan2")
    fmod = elementary_method("fmod")
    copysign = elementary_method("copysign")


cdef inline tuple operators():
    # power, remainder and absolute value know Dual, and so are found when first called
    global found_operators
    if found_operators is None:
        found_operators = tuple(map(function_of, ("power_operator", "mod_operator", "fabs")))
    return found_operators


cdef inline bint finite(double a, double b) noexcept nogil:
    return (a - a) + (b - b) == 0


cdef Dual of_floats(double a, double b, long long ring):
    """Make a dual over floats."""
    cdef Dual d = Dual.__new__(Dual)
    d.a = a
    d.b = b
    d.ring = ring
    return d


cdef Dual make(object value, object tangent, long long ring):
    """Make a dual of two components, not marked as checked, of which one may be a constant."""
    if PyFloat_CheckExact(value) and PyFloat_CheckExact(tangent):
        return of_floats(PyFloat_AS_DOUBLE(value), PyFloat_AS_DOUBLE(tangent), ring)
    cdef Dual d = Dual.__new__(Dual)
    d.parts = (lifted(value, tangent), lifted(tangent, value))
    d.ring = ring
    return d


cdef object lifted(object x, object model):
    # x as a dual of the level of `model`, if that is higher
    cdef long long level = level_of(model)
    if level_of(x) >= level:
        return x
    value, tangent = pair(model)
    return make(lifted(x, value), zero_like(tangent), ring_of(level, False))


cdef long long ring_of(long long level, bint checked):
    """Return the number of the ring of that level, with or without the checked rules."""
    return 2 * level + checked


cdef long long level_of(object x):
    # what only __new__ made, of no ring, is a Dual(0.0, 0.0)
    return ((<Dual> x).ring >> 1 or 1) if type(x) is Dual else 0


cdef bint is_checked(object x):
    return type(x) is Dual and (<Dual> x).ring & 1


cdef object unchecked(object x):
    return marked(x, False)


cdef object marked(object x, bint checked):
    cdef Dual d
    cdef Dual copy
    if type(x) is not Dual or is_checked(x) == checked:
        return x
    d = x
    copy = of_floats(d.a, d.b, d.ring ^ 1)
    copy.parts = d.parts
    return copy


cdef inline tuple pair(Dual d):
    return (d.a, d.b) if d.parts is None else d.parts


cdef object component(Dual d, int which):
    # what leaves a dual obeys the rules that the dual obeyed
    return marked(pair(d)[which], is_checked(d))


cdef tuple pair_at(object x, long long level):
    # components in the ring of that level; a constant of it has no tangent
    return pair(x) if level_of(x) == level else (unchecked(x), None)


cdef inline object or_zero(object tangent):
    return 0 if tangent is None else tangent


cdef object zero_like(object x):
    if type(x) is not Dual:
        return type(x)(0)
    value, tangent = pair(x)
    return make(zero_like(value), zero_like(tangent), ring_of(level_of(x), False))


cpdef object primal(object x):
    """Return the plain number under a dual of any depth; every other object as it is.

    What a function computes with it has no tangent: use it to choose between branches that join
    smoothly, to print, or to store. Unlike ``x.value`` it is a plain number in nested derivatives
    too, and works where the function is called with plain numbers.
    """
    while type(x) is Dual:
        x = pair(x)[0]
    return x


cdef bint same(object x, object y):
    if type(x) is Dual or type(y) is Dual:
        return type(x) is Dual and (<Dual> x).identical(y)
    return type(x) is type(y) and components.same(x, y)


cdef bint is_finite(object x):
    """Return whether no component of `x`, at any depth, is infinite or NaN."""
    if type(x) is not Dual:
        return components.is_finite(x)
    if (<Dual> x).parts is None:
        return finite((<Dual> x).a, (<Dual> x).b)
    value, tangent = (<Dual> x).parts
    return is_finite(value) and is_finite(tangent)


cdef bint all_finite(tuple operands):
    for x in operands:
        if not is_finite(x):
            return False
    return True


include "_dual_levels.pxi"
include "_dual_operators.pxi"
include "_dual_numpy.pxi"
include "_dual_checked.pxi"
include "_dual_order.pxi"

# a plain number divided by a Dual is the rule of the Dual's type, also for the scalars' function
enter(Operations(Dual, SCALARS, div=div_checked, sqrt=sqrt_checked))
