"""What users of other libraries met in elementary functions, and the whole kind of each fault."""

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.duals import FINITE, FLOATS, Kind, fault_of, same

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff import Dual, derivative, elementary, hessian, value_and_derivative
from lunaflow.autodiff._dual import sqrt_checked


def times(f: Any, order: int) -> Any:
    """The derivative of f of that order."""
    for _ in range(order):
        f = derivative(f)
    return f


def test_sqrt_slope_at_zero_unchecked() -> None:
    for zero in (0.0, -0.0):
        for x, tangent in ((Dual(zero, 1.0), math.inf), (Dual(zero, 0.0), math.nan)):
            root = elementary.sqrt(x)
            assert same((root.value, abs(root.tangent)), (zero, tangent))
    near: Any = elementary.sqrt(Dual(1e-12, 1.0))
    assert near.value == pytest.approx(1e-6, rel=1e-15)
    assert near.tangent == pytest.approx(500000, rel=1e-15)


@given(FLOATS, FLOATS)
def test_sqrt_slope_at_zero_is_that_of_the_checked_root(a: float, b: float) -> None:
    checked = sqrt_checked(Dual(a, b))
    root: Any = elementary.sqrt(Dual(a, b))
    if checked.is_ok() and a > 0 and math.isfinite(b):
        assert root.value == checked.unwrap().value
        assert root.tangent == pytest.approx(checked.unwrap().tangent, rel=1e-15, abs=5e-324)
    else:
        assert not (a == 0 and math.isfinite(root.tangent))
    found = derivative(lambda x: elementary.sqrt(x) * b, a, errors="result")
    if a <= 0:
        assert found.is_err()


def test_quotient_rule_squares_denominator_in_a_logarithm() -> None:
    c = Dual(1e-200, 0.0)
    found: Any = elementary.log(1 / c)
    assert found.value == pytest.approx(460.51701859880916, rel=1e-15)
    assert found.tangent == 0
    with pytest.raises(ArithmeticError) as caught:
        derivative(lambda x: elementary.log(1 / (c * (x / x))), 1.0)
    assert fault_of_error(caught.value) == (Kind.DOMAIN_ERROR, "tangent")
    assert fault_of(c.div_checked(c)) == (Kind.DOMAIN_ERROR, "tangent.")


def fault_of_error(error: ArithmeticError) -> Any:
    return error.kind, (error.component or "").rpartition(".")[2]


@given(FINITE.filter(bool))
def test_quotient_rule_squares_denominator_in_no_logarithm(c: float) -> None:
    constant: Any = elementary.log(abs(1 / Dual(c, 0.0)))
    if math.isfinite(1 / c):
        assert constant.value == pytest.approx(-math.log(abs(c)), rel=1e-15, abs=1e-15)
        assert constant.tangent == 0
    if 1e-150 < abs(c) < 1e150:
        variable: Any = elementary.log(abs(1 / Dual(c, 1.0)))
        assert variable.tangent == pytest.approx(-1 / c, rel=1e-14)


def test_power_zero_exponent_at_zero() -> None:
    for exponent in (0, 0.0):
        power: Any = Dual(0.0, 1.0) ** exponent
        assert power.identical(Dual(1.0, 0.0))
    for n in range(4):
        for zero in (0.0, Fraction(0)):
            found = times(lambda x, n=n: x**n, n)(zero)
            above = times(lambda x, n=n: x**n, n + 1)(zero)
            assert (found, above) == (math.factorial(n), 0)
            if n:
                assert type(found) is type(zero)


@given(st.integers(0, 5), st.integers(0, 6), st.fractions(-3, 3, max_denominator=5))
def test_power_zero_exponent_at_zero_and_all_orders(n: int, order: int, x: Fraction) -> None:
    exact = math.perm(n, order) * x ** (n - order) if order <= n else 0
    assert times(lambda x: x**n, order)(x) == exact
    of_float = times(lambda x: x**n, order)(float(x))
    assert of_float == pytest.approx(float(exact), rel=1e-12, abs=1e-300)
    assert times(lambda x: x ** float(n), order)(float(x)) == pytest.approx(
        float(exact), rel=1e-12, abs=1e-300
    )


def test_hypot_second_derivative() -> None:
    def f(x: Any) -> Any:
        return elementary.hypot(x[0], x[1])

    def spelled_out(x: Any) -> Any:
        return elementary.sqrt(x[0] * x[0] + x[1] * x[1])

    assert elementary.hypot(Dual(3.0, 1.0), Dual(4.0, 0.0)) == 5.0
    for at, expected in (
        ([3.0, 4.0], [[0.128, -0.096], [-0.096, 0.072]]),
        ([1.0, 1.0], [[0.353553390593, -0.353553390593], [-0.353553390593, 0.353553390593]]),
    ):
        for function in (f, spelled_out):
            assert hessian(function, at) == pytest.approx(np.array(expected), rel=1e-11)
    assert value_and_derivative(lambda x: elementary.hypot(x, 4.0), 3.0) == (5.0, 0.6)
    assert derivative(lambda y: elementary.hypot(3.0, y), 4.0) == 0.8


@given(st.floats(-100, 100), st.floats(-100, 100))
def test_hypot_second_derivatives_are_those_of_the_root(x: float, y: float) -> None:
    size = math.hypot(x, y)
    if size < 1e-3:
        return
    found = hessian(lambda z: elementary.hypot(z[0], z[1]), [x, y])
    exact = np.array([[y * y, -x * y], [-x * y, x * x]]) / size**3
    assert found == pytest.approx(exact, rel=1e-11, abs=1e-13 / size)


def test_tail_derivative_from_rounded_output() -> None:
    for f, x, slope in (
        (elementary.tanh, 20.0, 1.6993417021166355e-17),
        (lambda x: 1 / (1 + elementary.exp(-x)), 40.0, 4.248354255291589e-18),
        (elementary.expm1, -40.0, 4.248354255291589e-18),
    ):
        assert derivative(f, x) == pytest.approx(slope, rel=1e-12, abs=0)


@given(st.floats(-300, 300))
def test_tail_derivatives_come_from_the_argument(x: float) -> None:
    with mpmath.workdps(300):
        z = mpmath.mpf(x)
        exact = [1 / mpmath.cosh(z) ** 2, mpmath.exp(z), mpmath.exp(z) / (1 + mpmath.exp(z)) ** 2]
        slopes = [float(slope) for slope in exact]
    functions: tuple[Any, ...] = (
        elementary.tanh,
        elementary.expm1,
        lambda x: 1 / (1 + elementary.exp(-x)),
    )
    for f, slope in zip(functions, slopes, strict=True):
        assert derivative(f, x) == pytest.approx(slope, rel=1e-12, abs=0)
