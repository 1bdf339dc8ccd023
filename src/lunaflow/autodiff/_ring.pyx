"""The functions in any ring, by its unchecked meaning: IEEE 754 over floats.

A function of a dual over objects is its rule, written with the functions of the ring below.
"""

from functools import cache
from types import SimpleNamespace

cimport cython
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_AsDouble, PyLong_CheckExact

from lunaflow.arithmetic._float_rules cimport as_exponent, integer_power
from lunaflow.autodiff._dual cimport (
    Dual, level_of, make, of_floats, pair_at, primal, ring_of, unchecked,
)
from lunaflow.autodiff._integer_powers cimport integer_power_tangent

import math

from lunaflow.arithmetic._failures import failed
from lunaflow.autodiff import _kernels as kernels
from lunaflow.autodiff import _plain as plain
from lunaflow.autodiff import _rules as rules
from lunaflow.autodiff import _slopes as slopes
from lunaflow.autodiff import _values as values
from lunaflow.autodiff._troubles import FAILURES, Trouble

cdef long long EXACT = 1 << 53  # all ints up to here are doubles


@cython.final
cdef class Unary:
    """A function of one argument."""

    def __init__(self, str name, rule):
        self.name = name
        self.rule = rule
        self.breaks = rule.breaks
        self.kernel = kernels.UNARY[rule.name]


@cython.final
cdef class Form:
    """A function of two arguments where both are duals, or one of them is a constant."""

    def __init__(self, rule):
        self.rule = rule
        self.breaks = rule.breaks
        self.kernel = kernels.BINARY.get(rule.name)


@cython.final
cdef class Binary:
    """A function of two arguments."""

    def __init__(self, str name, rule, value=None):
        self.name = name
        self.rule = rule
        self.value = value
        self.both = self.constant_first = self.constant_second = Form(rule)
        self.is_power = rule.name == "power"
        if self.is_power:
            self.constant_first = Form(rules.POWER_OF_CONSTANT_BASE)
            self.constant_second = Form(rules.POWER_OF_CONSTANT_EXPONENT)

    cdef Form form(self, bint first, bint second):
        """Return the form in which the first, the second or both arguments are duals."""
        return self.both if first and second else self.constant_second if first else (
            self.constant_first
        )


cdef Dual unary_of_floats(Unary f, Dual x):
    """Return f of a dual over floats, not judged."""
    cdef double tangent = 0
    cdef double value = f.kernel.evaluate(x.a, x.b, &tangent)
    if f.kernel.by_math is not None:
        value = f.kernel.value(x.a, value)
    return of_floats(value, tangent, x.ring)


cdef double evaluate(
    Form form, double a, double b, double c, double d, double* tangent,
) except? -1:
    """Return the kernel's value and write its tangent."""
    cdef double value = form.kernel.evaluate(a, b, c, d, tangent)
    return value if form.kernel.by_math is None else form.kernel.value(a, c, value)


cdef object unary_in_ring(Unary f, object x):
    """Return f of a number that is not marked as checked."""
    cdef double tangent
    cdef double number
    if type(x) is Dual:
        return unary_of_floats(f, x) if (<Dual> x).parts is None else unary_of_parts(f, x)
    if PyFloat_CheckExact(x):
        number = PyFloat_AS_DOUBLE(x)
        return f.kernel.value(number, f.kernel.evaluate(number, 0, &tangent))
    return values.value_of(f.rule.name, x)


cdef object unary_of_parts(Unary f, Dual x):
    a, b = x.parts
    value = unary_in_ring(f, a)
    if lacks_slope(f.breaks, value, (primal(a),)):
        return make(value, slopes.undefined(b), x.ring)
    return make(value, f.rule.tangents[0](functions, a, b), x.ring)


cdef bint lacks_slope(tuple breaks, object value, tuple arguments) except -1:
    """Say whether there is no slope, though a rule might tell one, that of one side."""
    number = primal(value)
    if number != number:
        return True
    for at in breaks:
        if at(*arguments):
            return True
    return False


cdef object binary_in_ring(Binary f, object x, object y):
    """Return f of numbers that are not marked as checked."""
    cdef long long level = max(level_of(x), level_of(y))
    if level == 0:
        return binary_of_plain(f, x, y)
    a, b = pair_at(x, level)
    c, d = pair_at(y, level)
    form = f.form(b is not None, d is not None)
    if type(a) is float:
        if type(c) is float and (<Form> form).kernel is not None:
            return binary_of_floats(form, a, b, c, d, level)
        if type(c) is int:
            return power_of_float(form, a, b, c, level)
    value = binary_in_ring(f, a, c)
    if lacks_slope((<Form> form).breaks, value, (primal(a), primal(c))):
        return make(value, slopes.undefined(d if b is None else b), ring_of(level, False))
    first, second = (<Form> form).rule.tangents
    if d is None:
        tangent = first(functions, a, c, b)
    elif b is None:
        tangent = second(functions, a, c, d)
    else:
        tangent = first(functions, a, c, b) + second(functions, a, c, d)
    return make(value, tangent, ring_of(level, False))


cdef Dual binary_of_floats(Form form, double a, object b, double c, object d, long long level):
    cdef double tangent = 0
    cdef double first = 0 if b is None else b
    cdef double second = 0 if d is None else d
    cdef double value = evaluate(form, a, first, c, second, &tangent)
    return of_floats(value, tangent, ring_of(level, False))


cdef Dual power_of_float(Form form, double a, double b, object n, long long level):
    # n is an int
    cdef double tangent
    if -EXACT <= n <= EXACT:
        return binary_of_floats(form, a, b, PyLong_AsDouble(n), None, level)
    tangent = integer_power_tangent(a, b, as_exponent(n - 1), double_of(n))
    return of_floats(integer_power(a, as_exponent(n)), tangent, ring_of(level, False))


cdef double double_of(object n) except? -1:
    try:
        return PyLong_AsDouble(n)
    except OverflowError:
        return math.inf if n > 0 else -math.inf


cdef object binary_of_plain(Binary f, object x, object y):
    cdef double tangent
    if f.value is not None:
        return f.value(functions, x, y)
    if PyFloat_CheckExact(x):
        if PyFloat_CheckExact(y):
            return evaluate(
                f.both, PyFloat_AS_DOUBLE(x), 0, PyFloat_AS_DOUBLE(y), 0, &tangent
            )
        if PyLong_CheckExact(y):
            return integer_power(PyFloat_AS_DOUBLE(x), as_exponent(y))
    return values.value_of(f.rule.name, x, y)


cdef int refuse(str name, object rule, tuple operands) except -1:
    """Raise the error of what stands against value or slope."""
    trouble = rule.trouble(*[primal(x) for x in operands])
    if trouble is not None:
        component, failure = FAILURES[trouble]
        raise failed(name, operands, failure, path_to(component, operands)).error
    return 0


cdef object infinite_slope(str name, tuple operands, str path):
    """Return the error of a slope, of whatever order, that is infinite."""
    failure = FAILURES[Trouble.INFINITE_SLOPE][1]
    return failed(name, operands, failure, path).error


cdef object unsupported(str name, tuple operands, object reason, bint checked):
    """Return the error for numbers whose type has no such function."""
    if checked:
        failure = plain.unsupported_failure(reason)
        return failed(name, operands, failure, path_to("value", operands)).error
    return plain.unsupported(name, operands, reason)


cdef str path_to(str component, tuple operands):
    # from the result, which has the levels of all operands, to a component of the innermost dual
    levels = set()
    for x in operands:
        while type(x) is Dual:
            levels.add(level_of(x))
            x = pair_at(x, level_of(x))[0]
    return "value." * (len(levels) - 1) + component  # of a plain number just the component


cdef object in_ring(object function):
    """Return a function as the rules call it."""
    def unary(x):
        return unary_in_ring(function, unchecked(x))

    def binary(x, y):
        return binary_in_ring(function, unchecked(x), unchecked(y))

    return unary if type(function) is Unary else binary


@cache
def power_log(k):
    """Return a**c log(a)**k as a function of a and c."""
    rule = rules.power_log(k)
    return in_ring(Binary(rule.name, rule, lambda f, a, c: slopes.power_log(f, a, c, k)))


def by_rules():
    """Return the functions that the rules are written with, by name."""
    by_name = {name: in_ring(Unary(name, rule)) for name, rule in rules.UNARY.items()}
    for name, rule in rules.BINARY.items():
        by_name[name] = in_ring(Binary(name, rule))
    return SimpleNamespace(
        **by_name,
        power_log=lambda a, c, k: power_log(k)(a, c) if k else by_name["power"](a, c),
        like=lambda model, n: values.like(primal(model), n),
        primal=lambda x: primal(x),
        is_dual=lambda x: type(x) is Dual,
    )


functions = by_rules()
