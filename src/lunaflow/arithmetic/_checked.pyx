"""The checked operations: floats at once, all other types by dispatch."""

from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact

from lunaflow.arithmetic._float_rules cimport (
    OK, Fault, as_exponent, c_sqrt, division_fault, integer_power, order_fault, power_fault,
    root_fault,
)
from lunaflow.arithmetic._result cimport make_ok

from lunaflow._arguments import reject_type
from lunaflow.arithmetic import _dispatch as dispatch
from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._failures import FLOAT_FAULTS, NEGATIVE_COUNT, failed


cdef inline int check_context(object ctx) except -1:
    if ctx is not None and not isinstance(ctx, ArithmeticContext):
        raise reject_type("ctx", ctx, "an ArithmeticContext or None")
    return 0


cdef object float_power(str operation, object x, object n):
    cdef double base = PyFloat_AS_DOUBLE(x)
    cdef long long exponent = as_exponent(n)
    cdef double power = integer_power(base, exponent)
    cdef Fault fault = power_fault(base, exponent, power)
    if fault == OK:
        return make_ok(power)
    return failed(operation, (x, n), FLOAT_FAULTS[fault])


def div_checked(x, y, ctx=None):
    """Divide, or say why there is no quotient.

    0/0 and infinity/infinity are DOMAIN_ERROR, any other division by zero (also of NaN) is
    DIVISION_BY_ZERO, and OVERFLOW is a quotient of finite operands beyond the range of its type. A
    NaN otherwise passes through.

    Parameters
    ----------
    x, y : float, int, Fraction, Decimal, or another type that takes part
        Dividend and divisor, of one type, or one of them an int. The quotient of two ints is the
        nearest float; that of an int and a float too, computed from the exact int.
    ctx : ArithmeticContext, optional
        For types that have a precision: Decimal is rounded once under it (default: decimal128,
        never the decimal module's current context). It does not count for float, int and Fraction.

    Returns
    -------
    Ok or Err
        The quotient, or an `ArithmeticError` with the kind, the operands, and a note with the
        caller's file and line. A type of numbers without division gives UNSUPPORTED_OPERATION.

    Raises
    ------
    TypeError
        If an operand is no number (a bool is none), or the types do not mix.
    ValueError
        If `ctx` asks for more than a Decimal can have.
    """
    cdef double a, c
    cdef Fault fault
    check_context(ctx)
    if not (PyFloat_CheckExact(x) and PyFloat_CheckExact(y)):
        return dispatch.divide(x, y, ctx)
    a = PyFloat_AS_DOUBLE(x)
    c = PyFloat_AS_DOUBLE(y)
    fault = division_fault(a, c)
    if fault == OK:
        return make_ok(a / c)
    return failed("div_checked", (x, y), FLOAT_FAULTS[fault])


def sqrt_checked(x, ctx=None):
    """Take the square root, or say why there is none.

    A negative number is DOMAIN_ERROR; -0.0 has the root -0.0, and infinity and NaN have themselves.

    Parameters
    ----------
    x : float, int, Fraction, Decimal, or another type that takes part
        The root of an int is the nearest float, OVERFLOW if that is infinite; a Fraction with an
        irrational root is UNSUPPORTED_OPERATION.
    ctx : ArithmeticContext, optional
        As for `div_checked`; a Decimal's root is rounded as the context says.

    Returns
    -------
    Ok or Err
        The root, or an `ArithmeticError`, as for `div_checked`.

    Raises
    ------
    TypeError
        If `x` is no number (a bool is none).
    ValueError
        If `ctx` asks for more than a Decimal can have.
    """
    cdef double a
    cdef Fault fault
    check_context(ctx)
    if not PyFloat_CheckExact(x):
        return dispatch.square_root(x, ctx)
    a = PyFloat_AS_DOUBLE(x)
    fault = root_fault(a)
    if fault == OK:
        return make_ok(c_sqrt(a))
    return failed("sqrt_checked", (x,), FLOAT_FAULTS[fault])


def compare_checked(x, y):
    """Compare exactly, or say that there is no order.

    Parameters
    ----------
    x, y : float, int, Fraction, Decimal, or another type that takes part
        Of one type, or one of them an int.

    Returns
    -------
    Ok or Err
        -1 if x < y, 0 if they are equal, 1 if x > y; UNORDERED_COMPARISON if one is NaN.

    Raises
    ------
    TypeError
        If an operand is no number (a bool is none), or the types do not mix.
    """
    cdef double a, c
    if not (PyFloat_CheckExact(x) and PyFloat_CheckExact(y)):
        return dispatch.compare(x, y)
    a = PyFloat_AS_DOUBLE(x)
    c = PyFloat_AS_DOUBLE(y)
    if order_fault(a, c) == OK:
        return make_ok((a > c) - (a < c))
    return failed("compare_checked", (x, y), FLOAT_FAULTS[order_fault(a, c)])


def pow_nat_checked(x, n, ctx=None):
    """Raise to a natural power, or say why there is none.

    As `pow_int_checked`, but a negative `n` is DOMAIN_ERROR, whatever `x` is.

    Parameters
    ----------
    x : float, int, Fraction, Decimal, or another type that takes part
        The base.
    n : int
        The exponent.
    ctx : ArithmeticContext, optional
        As for `div_checked`.

    Returns
    -------
    Ok or Err
        The power, or an `ArithmeticError`, as for `pow_int_checked`.

    Raises
    ------
    TypeError
        If `x` is no number or `n` no integer (a bool is neither).
    ValueError
        If `ctx` asks for more than a Decimal can have.
    """
    check_context(ctx)
    if not (PyFloat_CheckExact(x) and PyLong_CheckExact(n)):
        return dispatch.power_nat(x, n, ctx)
    if n < 0:
        return failed("pow_nat_checked", (x, n), NEGATIVE_COUNT)
    return float_power("pow_nat_checked", x, n)


def pow_int_checked(x, n, ctx=None):
    """Raise to an integer power, or say why there is none.

    x**0 is 1, also for 0 and NaN. A negative power of zero is DIVISION_BY_ZERO; OVERFLOW is an
    infinite result of a finite base, and an exact power of more than 10**6 bits (of a Fraction:
    numerator or denominator), which is not computed.

    Parameters
    ----------
    x : float, int, Fraction, Decimal, or another type that takes part
        The base. Negative powers of an int are the nearest float, its other powers exact ints.
    n : int
        The exponent.
    ctx : ArithmeticContext, optional
        As for `div_checked`; a Decimal's power is correctly rounded.

    Returns
    -------
    Ok or Err
        The power, or an `ArithmeticError`, as for `div_checked`.

    Raises
    ------
    TypeError
        If `x` is no number or `n` no integer (a bool is neither).
    ValueError
        If `ctx` asks for more than a Decimal can have.
    """
    check_context(ctx)
    if not (PyFloat_CheckExact(x) and PyLong_CheckExact(n)):
        return dispatch.power_int(x, n, ctx)
    return float_power("pow_int_checked", x, n)


def parse_checked(text, type, ctx=None):
    """Read a number from text, or say why the text is none.

    The text is an ASCII decimal literal such as ``-1.5e-3``, or in any case ``inf``, ``infinity``
    or ``nan``, with or without a sign, between optional ASCII white space. No underscores, no
    fractions such as ``1/3``, no digits of other scripts.

    Parameters
    ----------
    text : str
        What to read.
    type : type
        float (the nearest; too small is 0.0), int (any literal whose value is an integer, such as
        ``1e3``), Fraction, Decimal, or another type that takes part.
    ctx : ArithmeticContext, optional
        As for `div_checked`; a Decimal is rounded under it.

    Returns
    -------
    Ok or Err
        The number. Other text is PARSE_ERROR, the message showing at most 80 characters of it; a
        finite literal beyond the range of float or of the Decimal's context is OVERFLOW, as is for
        int and Fraction an exponent that is not within 10**6 of zero.

    Raises
    ------
    TypeError
        If `text` is no str, or `type` no type of numbers (bool is none).
    ValueError
        If `ctx` asks for more than a Decimal can have.
    """
    check_context(ctx)
    return dispatch.parse(text, type, ctx)
