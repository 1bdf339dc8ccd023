"""The elementary functions as users call them, made from the table of rules.

A call on duals over floats is a call of a kernel; under the checked rules a result that is not
finite is then judged. Other duals go by the rules. What is no dual goes to `math`, NumPy or the
type's own functions.
"""

cimport cython
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check, PyFloat_CheckExact
from cpython.long cimport PyLong_AsDouble, PyLong_Check, PyLong_CheckExact
from cpython.object cimport PyObject

from lunaflow.autodiff._dual cimport (
    Dual, constant_beside, equal_everywhere, is_checked, is_finite, judged, lifted, marked,
    not_finite, of_floats, primal, raised, require_mixing, root, unchecked,
)
from lunaflow.autodiff._ring cimport (
    Binary, Form, Unary, binary_in_ring, evaluate, infinite_slope, refuse, unary_in_ring,
    unsupported,
)

import math

import numpy as np

from lunaflow.autodiff import _documents as documents
from lunaflow.autodiff import _plain as plain
from lunaflow.autodiff import _refusals as refusals
from lunaflow.autodiff import _rules as rules
from lunaflow.autodiff import _values as values
from lunaflow.autodiff._many import hypot_of_many
from lunaflow.autodiff._values import Unsupported

cdef extern from *:  # macros of Cython itself
    bint likely(bint)
    bint unlikely(bint)

cdef extern from "Python.h":
    ctypedef struct PyMethodDef:
        const char* ml_name
        void* ml_meth
        int ml_flags
        const char* ml_doc
    object PyCFunction_NewEx(PyMethodDef* definition, object self, object module)
    long long PyLong_AsLongLongAndOverflow(object n, int* overflow) except? -1
    int METH_O
    int METH_FASTCALL

cdef tuple INTEGERS = (int, np.integer)
cdef long long EXACT = 1 << 53  # all ints up to here are doubles


cdef class Public:
    """What a public function is bound to.

    Functions are builtins bound to such an object, since of all objects Python calls these fastest.
    """

    cdef object of_numbers     # the function of plain floats
    cdef bytes name_text       # of which the definition holds the addresses
    cdef bytes document_text
    cdef PyMethodDef definition
    cdef readonly object function

    def __reduce__(self):
        return bound_to, (self.function.__name__,)

    def __getattr__(self, name):
        # how pickle finds the function again
        if self.function is not None and name == self.function.__name__:
            return self.function
        raise AttributeError(name)


@cython.final
cdef class PublicUnary(Public):
    cdef Unary f
    cdef bint is_root


@cython.final
cdef class PublicBinary(Public):
    cdef Binary f
    cdef bint is_operator      # which leaves unknown operands to their own methods


@cython.final
cdef class PublicChoice(Public):
    cdef str name
    cdef object rule
    cdef bint larger


cdef inline bint finite(double a, double b) noexcept nogil:
    return (a - a) + (b - b) == 0


cdef object call_unary(object self, object x):
    cdef PublicUnary public = self
    cdef double a, b, value
    cdef double tangent = 0
    if likely(type(x) is Dual):
        if unlikely((<Dual> x).parts is not None):
            return unary_of_parts(public, x)
        a = (<Dual> x).a
        b = (<Dual> x).b
        value = public.f.kernel.evaluate(a, b, &tangent)
        if public.f.kernel.by_math is not None:
            value = public.f.kernel.value(a, value)
        if (<Dual> x).ring & 1 and unlikely(not finite(value, tangent)):
            return judged_unary(public, x, of_floats(value, tangent, (<Dual> x).ring))
        return of_floats(value, tangent, (<Dual> x).ring)
    if PyFloat_CheckExact(x) or PyLong_CheckExact(x):
        return public.of_numbers(x)
    return plain.of_others(public.f.rule, public.of_numbers, public.function, x)


cdef object judged_unary(PublicUnary public, Dual x, Dual result):
    if public.is_root:
        return raised(root(public.f.name, x, None))
    if not is_finite(result):
        refuse(public.f.name, public.f.rule, (x,))
    return judged(public.f.name, (x,), result)


cdef object unary_of_parts(PublicUnary public, Dual x):
    cdef bint checked = is_checked(x)
    if checked and public.is_root:
        return raised(root(public.f.name, x, None))
    # where floats give infinities and NaN, other types may raise exceptions of their own
    if checked and not PyFloat_CheckExact(primal(x)):
        refuse(public.f.name, public.f.rule, (x,))
    try:
        result = unary_in_ring(public.f, unchecked(x))
    except Unsupported as reason:
        raise unsupported(public.f.name, (x,), reason, checked) from None
    return judged_unary(public, x, marked(result, True)) if checked else result


cdef object call_two(object self, PyObject** arguments, Py_ssize_t count):
    cdef PublicBinary public = self
    require_two(public.f.name, count)
    return call_binary(public, <object> arguments[0], <object> arguments[1])


cdef int require_two(str name, Py_ssize_t count) except -1:
    if unlikely(count != 2):
        raise TypeError(f"{name} takes 2 arguments, not {count}")
    return 0


cdef inline object call_binary(PublicBinary public, object x, object y):
    # the quick path: both over floats, of one epsilon or one of them a constant
    if likely(type(x) is Dual) and likely((<Dual> x).parts is None):
        if type(y) is Dual:
            if (<Dual> y).parts is None and (<Dual> x).ring == (<Dual> y).ring:
                return of_floats_two(
                    public, public.f.both,
                    (<Dual> x).a, (<Dual> x).b, (<Dual> y).a, (<Dual> y).b, (<Dual> x).ring, x, y,
                )
        elif is_double(public, y):
            return of_floats_two(
                public, public.f.constant_second,
                (<Dual> x).a, (<Dual> x).b, double_of(y), 0, (<Dual> x).ring, x, y,
            )
    elif type(y) is Dual and (<Dual> y).parts is None:
        if PyFloat_Check(x) or PyLong_Check(x):
            return of_floats_two(
                public, public.f.constant_first,
                double_of(x), 0, (<Dual> y).a, (<Dual> y).b, (<Dual> y).ring, x, y,
            )
    return binary_of_any(public, x, y)


cdef inline bint is_double(PublicBinary public, object y) except -1:
    cdef int overflow = 0
    cdef long long n
    if PyFloat_Check(y):
        return True
    if not PyLong_Check(y) or not public.f.is_power:
        return PyLong_Check(y)
    n = PyLong_AsLongLongAndOverflow(y, &overflow)
    return overflow == 0 and -EXACT <= n <= EXACT


cdef inline double double_of(object x) except? -1:
    return PyFloat_AS_DOUBLE(x) if PyFloat_Check(x) else PyLong_AsDouble(x)


cdef inline object of_floats_two(
    PublicBinary public, Form form, double a, double b, double c, double d,
    long long ring, object x, object y,
):
    cdef double tangent = 0
    cdef double value = evaluate(form, a, b, c, d, &tangent)
    if ring & 1 and unlikely(not finite(value, tangent)):
        refuse(public.f.name, form.rule, (x, y))
        return judged(public.f.name, (x, y), of_floats(value, tangent, ring))
    return of_floats(value, tangent, ring)


cdef object binary_of_any(PublicBinary public, object x, object y):
    cdef Form form
    if PyFloat_CheckExact(x) and PyFloat_CheckExact(y):
        return public.of_numbers(x, y)
    if needs_no_rule(x, y):
        return plain.of_others(public.f.rule, public.of_numbers, public.function, x, y)
    left = beside(y, x)
    # an int as exponent keeps all its digits
    right = int(y) if public.f.is_power and isinstance(y, INTEGERS) else beside(x, y)
    if left is NotImplemented or right is NotImplemented:
        if public.is_operator:
            return NotImplemented
        raise refusals.no_mix(public.f.name, x, y)
    require_mixing(left, right)
    form = public.f.form(type(left) is Dual, type(right) is Dual)
    cdef bint checked = is_checked(left) or is_checked(right)
    if checked and not PyFloat_CheckExact(primal(left)):  # as above
        refuse(public.f.name, form.rule, (left, right))
    try:
        result = binary_in_ring(public.f, unchecked(left), unchecked(right))
    except Unsupported as reason:
        raise unsupported(public.f.name, (x, y), reason, checked) from None
    return judged_binary(public, form, x, y, marked(result, True)) if checked else result


cdef object judged_binary(PublicBinary public, Form form, object x, object y, Dual result):
    if not is_finite(result):
        refuse(public.f.name, form.rule, (x, y))
    # at x = 0 a slope of x**y, of whatever order, is infinite rather than out of range
    if public.f.is_power and primal(x) == 0 and not (is_finite(result) or is_natural(y)):
        if is_finite(x) and is_finite(y):
            raise infinite_slope(public.f.name, (x, y), not_finite(result))
    return judged(public.f.name, (x, y), result)


cdef bint is_natural(object y):
    return type(y) is not Dual and values.is_whole(y)


cdef bint needs_no_rule(object x, object y):
    """Say whether neither is a dual, or one is an array."""
    if type(x) is not Dual and type(y) is not Dual:
        return True
    return plain.is_array(x) or plain.is_array(y)


cdef object beside(object d, object x):
    # x beside the dual d: a plain number as one of the type that d is over, or NotImplemented
    return x if type(x) is Dual else plain.as_type_of(primal(d), constant_beside(d, x))


cdef object call_hypot(object self, PyObject** arguments, Py_ssize_t count):
    if count == 2:
        return call_binary(self, <object> arguments[0], <object> arguments[1])
    return hypot_of_many([<object> arguments[i] for i in range(count)])


cdef object call_log(object self, PyObject** arguments, Py_ssize_t count):
    if count == 1:
        return call_unary(self, <object> arguments[0])
    if count != 2:
        raise TypeError(f"log takes 1 or 2 arguments, not {count}")
    x = <object> arguments[0]
    base = <object> arguments[1]
    if needs_no_rule(x, base):
        return plain.log_to_base((<PublicUnary> self).function, x, base)
    if type(x) is Dual:
        return call_unary(self, x) / log_beside(self, x, base)
    divisor = call_unary(self, base)
    return log_beside(self, base, x) / divisor


cdef object log_beside(PublicUnary public, Dual d, object x):
    """Return the logarithm of an operand beside a dual."""
    if type(x) is Dual:
        return call_unary(public, x)
    number = beside(d, x)
    if number is NotImplemented:
        raise refusals.no_mix("log", d, x)
    if is_checked(d):
        refuse("log", public.f.rule, (number,))
    return unary_in_ring(public.f, number)


cdef object call_choice(object self, PyObject** arguments, Py_ssize_t count):
    cdef PublicChoice public = self
    require_two(public.name, count)
    x = <object> arguments[0]
    y = <object> arguments[1]
    if needs_no_rule(x, y):
        return plain.of_others(public.rule, public.of_numbers, public.function, x, y)
    left = beside(y, x)
    right = beside(x, y)
    if left is NotImplemented or right is NotImplemented:
        raise refusals.no_mix(public.name, x, y)
    require_mixing(left, right)
    return chosen(public, left, right)


cdef object chosen(PublicChoice public, object x, object y):
    cdef bint checked = is_checked(x) or is_checked(y)
    a = primal(x)
    c = primal(y)
    if checked and a == c and not equal_everywhere(x, y):
        raise refusals.tie(public.name, (x, y))
    # the first at a tie, and NaN before all
    first = a != a or not (c != c or (c > a if public.larger else c < a))
    taken, other = (x, y) if first else (y, x)
    return marked(lifted(unchecked(taken), unchecked(other)), checked)


cdef object make_function(
    Public public, str name, object rule, void* call, int flags, str signature,
):
    """Return the builtin function that calls `call` with `public`."""
    public.name_text = name.encode()
    public.document_text = f"{name}{signature}\n--\n\n{documents.docstring(rule)}".encode()
    public.definition.ml_name = public.name_text
    public.definition.ml_meth = call
    public.definition.ml_flags = flags
    public.definition.ml_doc = public.document_text
    public.function = PyCFunction_NewEx(
        &public.definition, public, "lunaflow.autodiff.elementary"
    )
    return public.function


def make_unary(rule):
    """Return the function of one argument that the rule describes."""
    cdef PublicUnary public = PublicUnary.__new__(PublicUnary)
    public.f = Unary(rule.name, rule)
    public.is_root = rule.name == "sqrt"
    public.of_numbers = getattr(math, rule.name)
    if rule.name == "log":
        return make_function(
            public, "log", rule, <void*> call_log, METH_FASTCALL, documents.LOG_SIGNATURE
        )
    return make_function(public, rule.name, rule, <void*> call_unary, METH_O, "(x, /)")


def make_binary(name, rule, is_operator=False):
    """Return the function of two arguments that the rule describes; `name` is for errors."""
    cdef PublicBinary public = PublicBinary.__new__(PublicBinary)
    public.f = Binary(name, rule)
    public.is_operator = is_operator
    public.of_numbers = plain.of_two_numbers(rule.name)
    signature = f"({', '.join(rule.arguments)}, /)"
    cdef void* call = <void*> call_two
    if rule.name == "hypot":
        signature = "(*coordinates)"
        call = <void*> call_hypot
    shown = rule.name if is_operator else name
    return make_function(public, shown, rule, call, METH_FASTCALL, signature)


def make_choice(rule):
    """Return the function that takes one of its two arguments."""
    cdef PublicChoice public = PublicChoice.__new__(PublicChoice)
    public.name = rule.name
    public.rule = rule
    public.larger = rule.name == "maximum"
    public.of_numbers = plain.of_two_numbers(rule.name)
    return make_function(
        public, rule.name, rule, <void*> call_choice, METH_FASTCALL, "(x, y, /)"
    )


def by_name():
    """Return the public functions."""
    found = {name: make_unary(rule) for name, rule in rules.UNARY.items()}
    for name, rule in rules.BINARY.items():
        shown = "pow" if name == "power" else name
        found[shown] = make_binary(shown, rule)
    for name, rule in rules.CHOICES.items():
        found[name] = make_choice(rule)
    return found


def bound_to(name):
    """Return what the public function of that name is bound to, for pickle."""
    return FUNCTIONS[name].__self__


FUNCTIONS = by_name()
# what the operators of Dual call
power_operator = make_binary("**", rules.BINARY["power"], True)
mod_operator = make_binary("%", rules.BINARY["mod"], True)
globals().update(FUNCTIONS)
