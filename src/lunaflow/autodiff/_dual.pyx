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


cdef long long new_level():
    """Return the level of a new epsilon, higher than all before; a derivative begins."""
    global last_level
    last_level += FIRST_TAG
    running.add(last_level)
    return last_level


cdef int end_level(long long level) except -1:
    """Let the derivative of that level have ended: its duals are refused by others from now on."""
    running.discard(level)
    return 0


cdef bint is_alive(object x):
    # a dual made by hand belongs to what it was made over
    cdef long long tag = level_of(x) // FIRST_TAG * FIRST_TAG
    return tag == 0 or tag in running


cdef int require_alive(object x) except -1:
    if not is_alive(x):
        raise refusals.outlived(x)
    return 0


cdef inline object combine(Op op, object x, object y):
    # the quick path of the operators: both over floats, of one epsilon or one of them a constant
    if likely(type(x) is Dual) and likely((<Dual> x).parts is None):
        if likely(type(y) is Dual):
            if likely((<Dual> y).parts is None) and likely((<Dual> x).ring == (<Dual> y).ring):
                return of_duals(op, <Dual> x, <Dual> y)
        elif PyFloat_Check(y):
            return with_constant(op, <Dual> x, PyFloat_AS_DOUBLE(y), x, y)
        elif PyLong_Check(y):
            return with_constant(op, <Dual> x, PyLong_AsDouble(y), x, y)
    elif type(y) is Dual and (<Dual> y).parts is None:
        if PyFloat_Check(x):
            return from_constant(op, PyFloat_AS_DOUBLE(x), <Dual> y, x, y)
        if PyLong_Check(x):
            return from_constant(op, PyLong_AsDouble(x), <Dual> y, x, y)
    return combine_any(op, x, y)


cdef inline object of_duals(Op op, Dual x, Dual y):
    cdef double a, b
    if op == ADD:
        a = x.a + y.a
        b = x.b + y.b
    elif op == SUBTRACT:
        a = x.a - y.a
        b = x.b - y.b
    elif op == MULTIPLY:
        a = x.a * y.a
        b = x.a * y.b + x.b * y.a
    else:
        if x.ring & 1:
            return divided(x.a, x.b, y.a, y.b, x.ring, x, y)
        a = x.a / y.a
        b = quotient_tangent(x.a, x.b, y.a, y.b)
    if x.ring & 1 and unlikely(not finite(a, b)):
        return judged_floats(op, x, y, a, b, x.ring)
    return of_floats(a, b, x.ring)


cdef inline object with_constant(Op op, Dual x, double c, object left, object right):
    cdef double a = x.a
    cdef double b = x.b
    if op == ADD:
        a += c
    elif op == SUBTRACT:
        a -= c
    elif op == MULTIPLY:
        a *= c
        b *= c
    else:
        if x.ring & 1:
            return divided(a, b, c, 0, x.ring, left, right)
        a /= c
        b /= c
    if x.ring & 1 and unlikely(not finite(a, b)):
        return judged_floats(op, left, right, a, b, x.ring)
    return of_floats(a, b, x.ring)


cdef inline object from_constant(Op op, double c, Dual y, object left, object right):
    cdef double a, b
    if op == ADD or op == MULTIPLY:
        return with_constant(op, y, c, left, right)
    if op == SUBTRACT:
        a = c - y.a
        b = -y.b
    else:
        if y.ring & 1:
            return divided(c, 0, y.a, y.b, y.ring, left, right)
        a = c / y.a
        b = quotient_tangent(c, 0, y.a, y.b)
    if y.ring & 1 and unlikely(not finite(a, b)):
        return judged_floats(op, left, right, a, b, y.ring)
    return of_floats(a, b, y.ring)


# not inlined above, which keeps the quick path small
cdef object judged_floats(Op op, object x, object y, double a, double b, long long ring):
    return judged(SYMBOLS[op], (x, y), of_floats(a, b, ring))


cdef object divided(
    double a, double b, double c, double d, long long ring, object x, object y
):
    return raised(quotient_of_floats("/", a, b, c, d, ring, x, y))


cdef object combine_any(Op op, object x, object y):
    if isinstance(x, ndarray) or isinstance(y, ndarray):
        return elementwise(UFUNCS[op], x, y)
    left = x if type(x) is Dual else constant_beside(y, x)
    right = y if type(y) is Dual else constant_beside(x, y)
    if left is NotImplemented or right is NotImplemented:
        return NotImplemented
    require_mixing(left, right)
    cdef bint checked = is_checked(left) or is_checked(right)
    if op == DIVIDE and checked:
        return raised(quotient_of_any("/", left, right, None))
    result = in_ring(op, unchecked(left), unchecked(right))
    return judged(SYMBOLS[op], (x, y), marked(result, True)) if checked else result


cdef object in_ring(Op op, object x, object y):
    # D1, over any ring; None is the tangent of a constant
    cdef long long level = max(level_of(x), level_of(y))
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    if op == ADD:
        value = a + c
        tangent = b if d is None else d if b is None else b + d
    elif op == SUBTRACT:
        value = a - c
        tangent = b if d is None else -d if b is None else b - d
    elif op == MULTIPLY:
        value = a * c
        tangent = b * c if d is None else a * d if b is None else a * d + b * c
    elif isinstance(primal(c), float):
        value = float_quotient(a, c)
        tangent = float_tangent(value, a, b, c, d)
    else:
        value = a / c
        tangent = numerator(a, b, c, d) / (c * c)
    return make(value, tangent, ring_of(level, False))


cdef object float_quotient(object x, object y):
    cdef double a, c
    if type(x) is Dual or type(y) is Dual:
        return x / y
    a = x
    c = y
    return a / c  # in C, where division by zero is no exception


cdef object float_tangent(object value, object a, object b, object c, object d):
    # of the quotient `value`, as D8 wants it: of C doubles, or in the ring of the components
    if isinstance(value, float):
        return quotient_tangent(a, or_zero(b), c, or_zero(d))
    return b / c if d is None else (-(value * d) if b is None else b - value * d) / c


cdef object numerator(object a, object b, object c, object d):
    return b * c if d is None else -(a * d) if b is None else b * c - a * d


cdef int require_mixing(object x, object y) except -1:
    """Raise unless two operands are over one type, and none is of a derivative that has ended."""
    if level_of(x) != level_of(y):
        require_alive(x)
        require_alive(y)
    x, y = primal(x), primal(y)
    if type(x) is not type(y):
        components.require_mixing(x, y)
    return 0


cdef object constant_beside(Dual d, object x):
    """Return a plain number in the type that mixes with `d`, or NotImplemented."""
    return components.constant(x, primal(d))


cdef object apply_ufunc(object ufunc, str method, tuple inputs, dict options):
    cdef int op
    if method == "__call__" and not options:
        if len(inputs) == 2 and any_array(inputs):
            inputs = (scalar_of(inputs[0]), scalar_of(inputs[1]))
        if len(inputs) == 2 and not any_array(inputs):
            for op in range(4):
                if ufunc is UFUNCS[op]:
                    return combine_scalars(<Op> op, inputs[0], inputs[1])
            for op in range(6):
                if ufunc is ORDERS[op]:
                    return compare_scalars(op, inputs[0], inputs[1])
        function = elementary_named(ufunc.__name__)
        if function is not None:
            return function(*inputs)
    for target in options.get("out", ()):
        if target is not None and target.dtype.kind not in "Ob":
            raise refusals.storing(target.dtype)
    operands = [np.asarray(x, dtype=object) if type(x) is Dual else x for x in inputs]
    return getattr(ufunc, method)(*operands, **options)


cdef object compare_scalars(int order, object x, object y):
    # NumPy's scalars leave comparisons with what they do not know to this
    if type(x) is not Dual:
        return compare_scalars(MIRRORED[order], y, x)
    result = compare(x, y, order)
    if result is not NotImplemented:
        return result
    if order == Py_EQ or order == Py_NE:
        return order == Py_NE
    raise refusals.no_mix(ORDER_SYMBOLS[order], x, y)


cdef inline bint any_array(tuple inputs):
    return isinstance(inputs[0], ndarray) or isinstance(inputs[1], ndarray)


cdef inline object scalar_of(object x):
    # NumPy makes arrays without dimensions of some of its scalars
    return x[()] if isinstance(x, ndarray) and x.ndim == 0 else x


cdef object combine_scalars(Op op, object x, object y):
    result = combine(op, x, y)
    if result is NotImplemented:
        raise refusals.no_mix(SYMBOLS[op], x, y)
    return result


cdef object elementwise(object ufunc, object x, object y):
    """Apply a NumPy function to object arrays, of which one operand is or becomes an element."""
    return ufunc(np.asanyarray(x, dtype=object), np.asanyarray(y, dtype=object))


cdef object judged(str operation, tuple operands, Dual result):
    """Return a checked result; raise OVERFLOW if it is not finite though all operands are."""
    if is_finite(result) or not all_finite(operands):
        return result
    raise refusals.out_of_range(operation, operands, not_finite(result))


cdef str not_finite(object x):
    # the path to the first component that is not finite, outermost first
    names = []
    while type(x) is Dual:
        value, tangent = pair(x)
        in_value = not is_finite(value)
        names.append("value" if in_value else "tangent")
        x = value if in_value else tangent
    return ".".join(names)


def div_checked(x, y, ctx=None):
    """Divide duals, or say why there is no quotient or no derivative of it.

    (a + b eps)/(c + d eps) exists where a/c does and (b c - a d)/c**2 does, each by the checked
    division of their type; the value is tried first. Over floats c*c may underflow to 0, which
    fails although a/c exists. Finite floats give a finite quotient, or OVERFLOW.

    Parameters
    ----------
    x, y : Dual, or a number that mixes with it
        Dividend and divisor. Without a Dual this is `lunaflow.arithmetic.div_checked`.
    ctx : ArithmeticContext, optional
        Goes unchanged to the operations of the components' type.

    Returns
    -------
    Ok or Err
        The quotient, equal to ``x / y``, or an `ArithmeticError` whose `component` says what
        failed: ``"value"`` or ``"tangent"``, of nested duals a path such as ``"tangent.value"``.

    Raises
    ------
    TypeError
        If an operand is no number, or the types do not mix.
    """
    cdef Dual u, v
    if type(x) is Dual and type(y) is Dual and ctx is None:
        u = x
        v = y
        if u.parts is None and v.parts is None and u.ring == v.ring:
            return as_result(quotient_of_floats("div_checked", u.a, u.b, v.a, v.b, u.ring, x, y))
    if type(x) is not Dual and type(y) is not Dual:
        return scalar_div_checked(x, y, ctx)
    components.require_context(ctx)
    try:
        left = x if type(x) is Dual else constant_beside(y, x)
        right = y if type(y) is Dual else constant_beside(x, y)
    except OverflowError as error:
        return refusals.too_large("div_checked", (x, y), error)
    if left is NotImplemented or right is NotImplemented or is_bool(x) or is_bool(y):
        raise refusals.no_mix("div_checked", x, y)
    require_mixing(left, right)
    return as_result(quotient_of_any("div_checked", left, right, ctx))


def sqrt_checked(x, ctx=None):
    """Take the square root of a dual, or say why it or its derivative does not exist.

    The root of a + b eps exists where that of a does and b/(2 sqrt(a)) does, each by the checked
    operations of their type: over floats for a > 0, not at 0, whatever b is.

    Parameters
    ----------
    x : Dual, or another number
        Without a Dual this is `lunaflow.arithmetic.sqrt_checked`.
    ctx : ArithmeticContext, optional
        Goes unchanged to the operations of the components' type.

    Returns
    -------
    Ok or Err
        The root, or an `ArithmeticError`, as for `div_checked`.

    Raises
    ------
    TypeError
        If `x` is no number.
    """
    if type(x) is not Dual:
        return scalar_sqrt_checked(x, ctx)
    components.require_context(ctx)
    return as_result(root("sqrt_checked", x, ctx))


cdef inline object as_result(object outcome):
    return outcome if isinstance(outcome, Err) else make_ok(outcome)


cdef object raised(object outcome):
    if type(outcome) is Dual:
        return outcome
    raise (<Err> outcome).error


cdef object quotient_of_floats(
    str operation, double a, double b, double c, double d, long long ring, object x, object y
):
    # a Dual or an Err, as in the functions below
    cdef double tangent
    cdef bint in_tangent
    cdef Fault fault = quotient_fault(a, b, c, d, &tangent, &in_tangent)
    if fault == OK:
        return of_floats(a / c, tangent, ring)
    return failed(operation, (x, y), FLOAT_FAULTS[fault], "tangent" if in_tangent else "value")


cdef object quotient_of_any(str operation, object x, object y, object ctx):
    cdef bint checked = is_checked(x) or is_checked(y)
    with components.working_context(primal(x if type(x) is Dual else y), ctx):
        outcome = quotient(unchecked(x), unchecked(y), ctx)
    return concluded(operation, (x, y), outcome, checked)


cdef object root(str operation, Dual x, object ctx):
    """Return the checked square root as a Dual, or an Err."""
    cdef Fault fault
    if x.parts is None:
        fault = root_fault(x.a)
        if fault != OK:
            return failed(operation, (x,), FLOAT_FAULTS[fault], "value")
        fault = division_fault(x.b, 2 * c_sqrt(x.a))
        if fault != OK:
            return failed(operation, (x,), FLOAT_FAULTS[fault], "tangent")
        return of_floats(c_sqrt(x.a), x.b / (2 * c_sqrt(x.a)), x.ring)
    with components.working_context(primal(x), ctx):
        outcome = square_root(unchecked(x), ctx)
    return concluded(operation, (x,), outcome, is_checked(x))


cdef object concluded(str operation, tuple operands, object outcome, bint checked):
    # what the recursion below found, told to the caller
    if type(outcome) is Fallen:
        return failed(operation, operands, outcome.failure, outcome.path)
    if checked and not is_finite(outcome) and all_finite(operands):
        return failed(operation, operands, OUT_OF_RANGE_FAILURE, not_finite(outcome))
    return marked(outcome, checked)


cdef object quotient(object x, object y, object ctx):
    # D4 at any depth: the quotient in T[eps], or Fallen
    cdef long long level = max(level_of(x), level_of(y))
    if level == 0:
        return outcome_of(scalar_div_checked(x, y, ctx))
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    value = quotient(a, c, ctx)
    if type(value) is Fallen:
        return value.within("value")
    floats = isinstance(primal(value), float)
    # a constant among floats has the tangent 0, as it has in two C doubles
    tested = or_zero(b) * c - a * or_zero(d) if floats else numerator(a, b, c, d)
    tangent = quotient(tested, c * c, ctx)
    if type(tangent) is Fallen:
        return tangent.within("tangent")
    if floats:
        tangent = float_tangent(value, a, b, c, d)
    return in_range(make(value, tangent, ring_of(level, False)), x, y)


cdef object square_root(object x, object ctx):
    # D6 at any depth
    if type(x) is not Dual:
        return outcome_of(scalar_sqrt_checked(x, ctx))
    a, b = pair(x)
    value = square_root(a, ctx)
    if type(value) is Fallen:
        return value.within("value")
    tangent = quotient(b, 2 * value, ctx)
    if type(tangent) is Fallen:
        return tangent.within("tangent")
    return in_range(make(value, tangent, ring_of(level_of(x), False)), x, 0)


cdef object in_range(Dual result, object x, object y):
    # D7: finite floats have a finite result, or none
    if not isinstance(primal(result), float) or is_finite(result):
        return result
    if not (is_finite(x) and is_finite(y)):
        return result
    return Fallen(not_finite(result), OUT_OF_RANGE_FAILURE)


cdef object outcome_of(object result):
    if isinstance(result, Err):
        error = (<Err> result).error
        return Fallen(error.component or "", Failure(error.kind, error.message, error.__cause__))
    return result.value


cdef inline object compare(Dual x, object y, int order):
    # D3: the values decide
    cdef double c
    if x.parts is None:
        if type(y) is Dual and (<Dual> y).parts is None:
            c = (<Dual> y).a
            if x.ring == (<Dual> y).ring and (x.a != c or not x.ring & 1):
                return ordered(x.a, c, order)
        elif PyFloat_CheckExact(y):
            c = PyFloat_AS_DOUBLE(y)
            if x.a != c or not x.ring & 1:
                return ordered(x.a, c, order)
    return compare_any(x, y, order)


cdef inline bint ordered(double a, double c, int order) noexcept nogil:
    if order == Py_LT:
        return a < c
    if order == Py_LE:
        return a <= c
    if order == Py_EQ:
        return a == c
    if order == Py_NE:
        return a != c
    return a > c if order == Py_GT else a >= c


cdef object compare_any(Dual x, object y, int order):
    if isinstance(y, ndarray):
        return elementwise(ORDERS[order], x, y)
    if not (type(y) is Dual or PyLong_Check(y) or components.is_number(y)):
        return NotImplemented
    if level_of(x) != level_of(y):
        require_alive(x)
        require_alive(y)
    # D17: under the checked rules not by a tie that hides tangents
    if (is_checked(x) or is_checked(y)) and primal(x) == primal(y):
        if not equal_everywhere(x, y):
            raise refusals.tie(ORDER_SYMBOLS[order], (x, y))
    return PyObject_RichCompare(primal(x), primal(y), order)


cdef bint equal_everywhere(object x, object y):
    """Return whether all components of two numbers are equal (NaN equals NaN)."""
    cdef long long level = max(level_of(x), level_of(y))
    if level == 0:
        return x == y or (x != x and y != y)
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    return equal_everywhere(a, c) and equal_everywhere(or_zero(b), or_zero(d))


def seed(value, tangent, level, checked):
    """Make the dual that a derivative starts from, of the given level."""
    return make(
        unchecked(value), unchecked(tangent),
        ring_of(level, checked or is_checked(value) or is_checked(tangent)),
    )


def fresh_level():
    """Return the level of a new epsilon, higher than all before; a derivative begins."""
    return new_level()


def finish(level):
    """Let the derivative of that level have ended: its duals are refused by others from now on."""
    end_level(level)


def split(x, level):
    """Return what `x` is in the ring of that level: value and tangent, None for a constant.

    Raises
    ------
    ValueError
        If `x` holds an epsilon of another, later derivative, from which it escaped.
    """
    cdef long long own = level
    cdef long long above = level_of(x)
    if above < own:
        require_alive(x)
        return released(x), None
    if above == own:
        return released(component(x, 0)), released(component(x, 1))
    if above >= own + FIRST_TAG:
        raise refusals.escaped(x)
    # made by hand in the function, over duals of this level
    value, value_tangent = split(component(x, 0), level)
    tangent, tangent_tangent = split(component(x, 1), level)
    if value_tangent is None and tangent_tangent is None:
        return Dual(value, tangent), None
    return Dual(value, tangent), Dual(
        zero_like(value) if value_tangent is None else value_tangent,
        zero_like(tangent) if tangent_tangent is None else tangent_tangent,
    )


cdef object released(object x):
    # a dual made by hand is not checked any more once no derivative runs
    return unchecked(x) if level_of(x) < FIRST_TAG else x


# a plain number divided by a Dual is the rule of the Dual's type, also for the scalars' function
enter(Operations(Dual, SCALARS, div=div_checked, sqrt=sqrt_checked))
