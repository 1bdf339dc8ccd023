"""Faults that users of other libraries met, each with the right answer and its whole kind."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.autodiff.calls import Kind, nth
from tests.autodiff.exact import MP

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff import Dual, derivative, gradient, hessian
from lunaflow.autodiff import elementary as el

SIDES = st.floats(0.01, 100) | st.floats(-100, -0.01)


def test_power_zero_exponent_at_zero() -> None:
    """(a) x**0 at 0, and (b) the n-th and (n+1)-th derivative of x**n there."""
    for exponent in (0, 0.0):
        assert (Dual(0.0, 1.0) ** exponent).identical(Dual(1.0, 0.0))
    for zero in (0.0, Fraction(0)):
        for n, factorial in enumerate((1, 1, 2, 6)):
            if n:
                assert nth(lambda x, n=n: x**n, n)(zero) == factorial  # type: ignore[misc]
            assert nth(lambda x, n=n: x**n, n + 1)(zero) == 0  # type: ignore[misc]


@given(st.integers(0, 12), st.integers(1, 6), st.sampled_from([0.0, -0.0, Fraction(0)]))
def test_powers_have_all_their_derivatives_at_zero(n: int, k: int, zero: Any) -> None:
    got = nth(lambda x: x**n, k)(zero)
    assert got == (math.factorial(n) if n == k else 0)
    shifted = nth(lambda x: (x - 3) ** n, k)(zero + 3)
    assert shifted == got


def test_hypot_second_derivative() -> None:
    def spelled_out(p: Any) -> Any:
        return el.sqrt(p[0] * p[0] + p[1] * p[1])

    def ready_made(p: Any) -> Any:
        return el.hypot(p[0], p[1])

    assert ready_made([3.0, 4.0]) == 5.0
    np.testing.assert_allclose(gradient(ready_made, [3.0, 4.0]), [0.6, 0.8], rtol=1e-15)
    expected = [[0.128, -0.096], [-0.096, 0.072]]
    np.testing.assert_allclose(hessian(ready_made, [3.0, 4.0]), expected, rtol=1e-14)
    np.testing.assert_allclose(hessian(spelled_out, [3.0, 4.0]), expected, rtol=1e-14)
    at_ones = hessian(ready_made, [1.0, 1.0])
    np.testing.assert_allclose(at_ones[0], [0.353553390593, -0.353553390593], rtol=1e-11)


@given(SIDES, SIDES)
def test_second_derivatives_of_two_numbers_are_those_of_the_spelled_out_function(
    x: float, y: float
) -> None:
    pairs: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
        (el.hypot, lambda a, b: el.sqrt(a * a + b * b)),
        (el.pow, lambda a, b: el.exp(b * el.log(a))),
        (el.atan2, lambda a, b: el.atan(a / b)),
    ]
    for f, spelled_out in pairs:
        assume(f is not el.pow or (x > 0 and abs(y * math.log(x)) < 50))
        got = hessian(lambda p, f=f: f(*p), [x, y])
        expected = hessian(lambda p, f=spelled_out: f(*p), [x, y])
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-11 * abs(expected).max())
        assert got[0, 1] == pytest.approx(got[1, 0], rel=1e-9, abs=1e-11 * abs(got).max())


def test_tail_derivative_from_rounded_output() -> None:
    cases: list[tuple[Callable[[Any], Any], float, float]] = [
        (el.tanh, 20.0, 1.6993417021166355e-17),
        (lambda x: 1 / (1 + el.exp(-x)), 40.0, 4.248354255291589e-18),
        (el.expm1, -40.0, 4.248354255291589e-18),
    ]
    for f, x, slope in cases:
        assert derivative(f, x) == pytest.approx(slope, rel=1e-12, abs=0)


TAILS: dict[str, tuple[float, float, Callable[[Any], Any]]] = {
    "tanh": (5.0, 350.0, lambda x: 1 / MP.cosh(x) ** 2),
    "erf": (3.0, 26.0, lambda x: 2 / MP.sqrt(MP.pi) * MP.exp(-x * x)),
    "erfc": (-26.0, -3.0, lambda x: -2 / MP.sqrt(MP.pi) * MP.exp(-x * x)),
    "expm1": (-700.0, -30.0, MP.exp),
    "atan": (1e8, 1e100, lambda x: 1 / (1 + x * x)),
}


@pytest.mark.parametrize("name", sorted(TAILS))
@given(share=st.floats(0, 1))
def test_slopes_in_tails_are_computed_from_the_argument(name: str, share: float) -> None:
    low, high, slope = TAILS[name]
    x = low + share * (high - low)
    exact = slope(MP.mpf(x))
    got = derivative(getattr(el, name), x)
    assert got != 0
    assert abs(MP.mpf(got) - exact) <= abs(exact) * MP.mpf("1e-12")
    second = nth(getattr(el, name), 2)(x)
    assert math.isfinite(second)
    assert second != 0 or abs(exact) < 1e-300


def test_quotient_rule_squares_denominator_iii() -> None:
    """log(1/c) with c a constant so small that c*c is 0."""
    got = el.log(1 / Dual(1e-200, 0.0))
    assert got.value == pytest.approx(460.51701859880916, rel=1e-15)
    assert got.tangent == 0.0
    with pytest.raises(ArithmeticError) as raised:
        derivative(lambda x: el.log(1 / (x * 1e-200)), 1.0)
    assert raised.value.kind is Kind.DIVISION_BY_ZERO
    assert raised.value.operation == "/"


@given(st.floats(1e-300, 1e300), st.floats(-1e3, 1e3))
def test_logarithms_of_quotients_need_no_square(c: float, b: float) -> None:
    got = el.log(1 / Dual(c, c * b))
    assert got.value == pytest.approx(-math.log(c), rel=1e-14, abs=1e-14)
    assert got.tangent == pytest.approx(-b, rel=1e-14, abs=1e-12)


def test_sqrt_slope_at_zero_reported_as_zero() -> None:
    for zero in (0.0, -0.0):
        with pytest.raises(ZeroDivisionError):
            derivative(lambda x, z=zero: el.sqrt(x + z), zero)
        assert el.sqrt(Dual(zero, 1.0)).tangent in (math.inf, -math.inf)
        assert math.isnan(el.sqrt(Dual(zero, 0.0)).tangent)
    assert derivative(el.sqrt, 1e-12) == pytest.approx(500000.0)


def test_norm_squared_at_zero() -> None:
    def by_root(p: Any) -> Any:
        r = el.sqrt(p[0] * p[0] + p[1] * p[1])
        return r * r

    outcome = gradient(by_root, [0.0, 0.0], errors="result")
    assert outcome.is_err()
    assert gradient(lambda p: p[0] ** 2 + p[1] ** 2, [0.0, 0.0]).tolist() == [0.0, 0.0]
    np.testing.assert_allclose(gradient(by_root, [1.0, 1.0]), [2.0, 2.0], rtol=1e-15)
