"""The drivers of functions of several variables: gradient, jacobian, jvp, hessian."""

from typing import Any

import numpy.typing as npt

from lunaflow.autodiff import _passes as passes
from lunaflow.autodiff._call import OMITTED, Call
from lunaflow.autodiff._differentiated import drive
from lunaflow.autodiff._verbs import direction_driver, point_driver

Array = npt.NDArray[Any]


@point_driver
def gradient(
    f: Any, x: Any = OMITTED, *, args: Any = (), argnum: Any = 0, errors: Any = "raise"
) -> Array:
    """Return the gradient of a scalar function of several variables.

    It is exact up to rounding. `f` is called once for each variable.

    Parameters
    ----------
    f : callable
        Takes a one-dimensional object array of `Dual` as its argument number `argnum`, and returns
        one number. A constant has the gradient 0.
    x : sequence or one-dimensional array, optional
        The n numbers to differentiate at, of one type: floats of any width, Fraction, Decimal,
        `Dual`, or a registered type. Ints are differentiated as floats, or in the type of the
        numbers beside them. Without `x` a function is returned that takes all arguments of `f`.
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
    ndarray of shape (n,)
        float64, or of dtype object where not all slopes are floats. Without `x`: a function.

    Raises
    ------
    ArithmeticError
        The first operation of `f` that has no value or derivative; with the kind, the operands,
        and a note with the file and line.
    TypeError
        If an argument is of a wrong type, or `f` returns no number.
    ValueError
        If `f` returns an array, an int has to become a float and equals none, or a `Dual` escaped
        from another derivative.
    """
    return drive(gradient, _gradient, f, (x,), args, argnum, errors)


@point_driver
def value_and_gradient(
    f: Any, x: Any = OMITTED, *, args: Any = (), argnum: Any = 0, errors: Any = "raise"
) -> tuple[Any, Array]:
    """Return the value of a scalar function of several variables, and its gradient.

    Without `x`, the function returned is what `scipy.optimize.minimize` takes with ``jac=True``.

    Parameters
    ----------
    f : callable
        As for `gradient`; called once for each variable.
    x : sequence or one-dimensional array, optional
        As for `gradient`.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `gradient`.

    Returns
    -------
    tuple
        The value, and an ndarray of shape (n,). Without `x`: a function.

    Raises
    ------
    ArithmeticError, TypeError, ValueError
        As `gradient`.
    """
    return drive(value_and_gradient, passes.value_and_gradient, f, (x,), args, argnum, errors)


@point_driver
def jacobian(
    f: Any, x: Any = OMITTED, *, args: Any = (), argnum: Any = 0, errors: Any = "raise"
) -> Array:
    """Return the matrix of the slopes of each output by each variable.

    `f` is called once for each variable. Without `x`, the function returned is what SciPy's `root`,
    `least_squares` and `solve_ivp` (there with ``argnum=1``) take as `jac`.

    Parameters
    ----------
    f : callable
        Takes a one-dimensional object array of `Dual` as its argument number `argnum`, and returns
        a list, tuple or one-dimensional array of m numbers. A single number has one row, as
        `least_squares` sees it.
    x : sequence or one-dimensional array, optional
        As for `gradient`.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `gradient`.

    Returns
    -------
    ndarray of shape (m, n)
        A row for each output, a column for each variable; (1, n) of a single number. float64, or of
        dtype object where not all slopes are floats. Without `x`: a function.

    Raises
    ------
    ArithmeticError
        As `gradient`.
    TypeError
        If an argument is of a wrong type, or `f` returns what is no number or collection of them.
    ValueError
        If `f` returns something of more dimensions or of changing length, or as `gradient`.
    """
    return drive(jacobian, _jacobian, f, (x,), args, argnum, errors)


@point_driver
def value_and_jacobian(
    f: Any, x: Any = OMITTED, *, args: Any = (), argnum: Any = 0, errors: Any = "raise"
) -> tuple[Any, Array]:
    """Return the outputs of a function of several variables, and its jacobian.

    Parameters
    ----------
    f : callable
        As for `jacobian`; called once for each variable.
    x : sequence or one-dimensional array, optional
        As for `gradient`.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `gradient`.

    Returns
    -------
    tuple
        The outputs as an ndarray of shape (m,), or the number that `f` returned, and an ndarray of
        shape (m, n). Without `x`: a function.

    Raises
    ------
    ArithmeticError, TypeError, ValueError
        As `jacobian`.
    """
    return drive(value_and_jacobian, passes.value_and_jacobian, f, (x,), args, argnum, errors)


@direction_driver
def jvp(
    f: Any,
    x: Any = OMITTED,
    v: Any = OMITTED,
    *,
    args: Any = (),
    argnum: Any = 0,
    errors: Any = "raise",
) -> Any:
    """Return the derivative along a direction: the jacobian times `v`, from one call of `f`.

    Without `x` and `v`, the function returned takes the arguments of `f` with `v` after the one
    that it differentiates by. So ``jvp(gradient(f))`` is what `scipy.optimize.minimize` takes as
    `hessp`.

    Parameters
    ----------
    f : callable
        As for `jacobian`.
    x : sequence or one-dimensional array, optional
        As for `gradient`.
    v : sequence or one-dimensional array, optional
        The direction: n numbers of the type of `x`, or ints.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `gradient`.

    Returns
    -------
    ndarray of shape (m,) or number
        The tangents of the outputs; a number where `f` returns one. Without `x`: a function.

    Raises
    ------
    ArithmeticError, TypeError
        As `jacobian`.
    ValueError
        If `v` is not as long as `x`, or as `jacobian`.
    """
    return drive(jvp, _jvp, f, (x, v), args, argnum, errors)


@direction_driver
def value_and_jvp(
    f: Any,
    x: Any = OMITTED,
    v: Any = OMITTED,
    *,
    args: Any = (),
    argnum: Any = 0,
    errors: Any = "raise",
) -> tuple[Any, Any]:
    """Return the outputs of a function and their derivatives along a direction, from one call.

    Parameters
    ----------
    f : callable
        As for `jacobian`.
    x, v : sequence or one-dimensional array, optional
        As for `jvp`.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `gradient`.

    Returns
    -------
    tuple
        Outputs and tangents, two ndarrays of shape (m,), or two numbers. Without `x`: a function.

    Raises
    ------
    ArithmeticError, TypeError, ValueError
        As `jvp`.
    """
    return drive(value_and_jvp, passes.value_and_jvp, f, (x, v), args, argnum, errors)


@point_driver
def hessian(
    f: Any, x: Any = OMITTED, *, args: Any = (), argnum: Any = 0, errors: Any = "raise"
) -> Array:
    """Return the matrix of the second derivatives of a scalar function of several variables.

    They come from duals over duals, and are exact up to rounding. `f` is called n (n + 1) / 2
    times, and the matrix is symmetric. Without `x`, the function returned is what
    `scipy.optimize.minimize` takes as `hess`.

    Parameters
    ----------
    f : callable
        As for `gradient`.
    x : sequence or one-dimensional array, optional
        As for `gradient`.
    args : tuple
        The other arguments of `f`.
    argnum : int
        By which argument of `f` to differentiate.
    errors : {"raise", "result", "ieee"}
        As for `gradient`. Second derivatives have to exist as well.

    Returns
    -------
    ndarray of shape (n, n)
        float64, or of dtype object where not all slopes are floats. Without `x`: a function.

    Raises
    ------
    ArithmeticError, TypeError, ValueError
        As `gradient`.
    """
    return drive(hessian, passes.hessian, f, (x,), args, argnum, errors)


def _gradient(call: Call, x: Any) -> Array:
    return passes.value_and_gradient(call, x)[1]


def _jacobian(call: Call, x: Any) -> Array:
    return passes.value_and_jacobian(call, x)[1]


def _jvp(call: Call, x: Any, v: Any) -> Any:
    return passes.value_and_jvp(call, x, v)[1]
