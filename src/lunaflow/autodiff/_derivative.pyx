"""The drivers of functions of one number: a float takes a short way, all else the general one."""

from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.tuple cimport PyTuple_CheckExact

from lunaflow.arithmetic._result cimport make_err, make_ok
from lunaflow.autodiff._dual cimport Dual, end_level, new_level, of_floats, ring_of

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff import _scalar as scalar
from lunaflow.autodiff._call import MODES, OMITTED
from lunaflow.autodiff._differentiated import drive


def derivative(f, x=OMITTED, *, args=(), argnum=0, errors="raise"):
    """Return the derivative of a function of one number.

    It is exact up to rounding. `f` is called once.

    Parameters
    ----------
    f : callable
        Takes a `Dual` as its argument number `argnum`, and returns one number. The derivative of a
        plain number is 0.
    x : number, optional
        Where: a float, Fraction, Decimal, `Dual`, or a registered type; an int is differentiated as
        a float. Without `x` a function is returned that takes all arguments of `f`.
    args : tuple
        The other arguments of `f`, in their order.
    argnum : int
        By which argument of `f` to differentiate, the first being 0.
    errors : {"raise", "result", "ieee"}
        What happens where a value or derivative does not exist: the `ArithmeticError` is raised, or
        returned as Err (and all else as Ok), or nothing is checked, and floats become infinite or
        NaN. Decimals are computed with 34 digits, whatever the current decimal context.

    Returns
    -------
    number
        Of the type of `x`. Without `x`: a function.

    Raises
    ------
    ArithmeticError
        The first operation of `f` that has no value or derivative; with the kind, the operands,
        and a note with the file and line.
    TypeError
        If an argument is of a wrong type (arrays have a `gradient` or `jacobian`), or `f` returns
        no number.
    ValueError
        If `f` returns an array, the int `x` equals no float, or a `Dual` escaped from another
        derivative.
    """
    if not is_simple(f, x, args, argnum, errors):
        return drive(derivative, scalar.derivative, f, (x,), args, argnum, errors)
    if errors != "result":
        return slope(f, PyFloat_AS_DOUBLE(x), errors == "raise")
    try:
        return make_ok(slope(f, PyFloat_AS_DOUBLE(x), True))
    except ArithmeticError as error:
        return make_err(error.with_traceback(None))


def value_and_derivative(f, x=OMITTED, *, args=(), argnum=0, errors="raise"):
    """Return the value of a function of one number, and its derivative, from one call.

    Parameters
    ----------
    f : callable
        As for `derivative`.
    x : number, optional
        As for `derivative`.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `derivative`.

    Returns
    -------
    tuple
        Value and derivative. Without `x`: a function.

    Raises
    ------
    ArithmeticError, TypeError, ValueError
        As `derivative`.
    """
    if not is_simple(f, x, args, argnum, errors):
        return drive(
            value_and_derivative, scalar.value_and_derivative, f, (x,), args, argnum, errors
        )
    if errors != "result":
        return value_and_slope(f, PyFloat_AS_DOUBLE(x), errors == "raise")
    try:
        return make_ok(value_and_slope(f, PyFloat_AS_DOUBLE(x), True))
    except ArithmeticError as error:
        return make_err(error.with_traceback(None))


cdef inline bint is_simple(object f, object x, object args, object argnum, object errors):
    # a float, and no option that needs more than a call
    return (
        PyFloat_CheckExact(x)
        and PyTuple_CheckExact(args) and not args
        and type(argnum) is int and argnum == 0
        and type(errors) is str and errors in MODES
        and callable(f)
    )


cdef object slope(object f, double x, bint checked):
    cdef long long level = new_level()
    cdef long long ring = ring_of(level, checked)
    try:
        result = f(of_floats(x, 1, ring))
        if is_of_floats(result, ring):
            return (<Dual> result).b
        return scalar.from_float(result, level)[1]
    finally:
        end_level(level)


cdef tuple value_and_slope(object f, double x, bint checked):
    cdef long long level = new_level()
    cdef long long ring = ring_of(level, checked)
    try:
        result = f(of_floats(x, 1, ring))
        if is_of_floats(result, ring):
            return (<Dual> result).a, (<Dual> result).b
        return scalar.from_float(result, level)
    finally:
        end_level(level)


cdef inline bint is_of_floats(object result, long long ring):
    # what most functions return
    return (
        type(result) is Dual
        and (<Dual> result).parts is None
        and (<Dual> result).ring == ring
    )
