"""What users of other libraries met, and the whole kind of each fault: one report, two tests."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import FINITE, FLOATS, Kind, fault_of, is_accurate

from lunaflow.arithmetic import Ok
from lunaflow.autodiff import derivative, gradient
from lunaflow.autodiff._dual import Dual, div_checked, sqrt_checked

DIVISORS = FINITE.filter(bool)
SMALL = st.fractions(-5, 5, max_denominator=9)


def squared_norm(u: Any, v: Any) -> Any:
    return u * u + v * v


def squared_root_of_squares(u: Any, v: Any) -> Any:
    root = sqrt_checked(squared_norm(u, v)).unwrap()
    return root * root


def test_norm_squared_at_zero() -> None:
    for seeds in ((1.0, 0.0), (0.0, 1.0)):
        for at, slope in ((0.0, 0.0), (1.0, 2.0)):
            u, v = (Dual(at, tangent) for tangent in seeds)
            assert squared_norm(u, v).identical(Dual(2 * at, slope))
        failed = sqrt_checked(squared_norm(*(Dual(0.0, tangent) for tangent in seeds)))
        assert fault_of(failed) == (Kind.DOMAIN_ERROR, "tangent.")
        root = squared_root_of_squares(*(Dual(1.0, tangent) for tangent in seeds))
        assert root.value == pytest.approx(2, rel=1e-15)
        assert root.tangent == pytest.approx(2, rel=1e-15)
    assert gradient(lambda x: squared_norm(*x), [0.0, 0.0]).tolist() == [0.0, 0.0]
    assert gradient(lambda x: squared_root_of_squares(*x), [0.0, 0.0], errors="result").is_err()
    for f in (squared_norm, squared_root_of_squares):
        found = gradient(lambda x, f=f: f(*x), [1.0, 1.0])
        assert found.tolist() == pytest.approx([2.0, 2.0], rel=1e-15)


@given(FINITE, FINITE)
def test_norm_squared_at_zero_is_right_or_an_error_everywhere(u: float, v: float) -> None:
    found = gradient(lambda x: squared_root_of_squares(*x), [u, v], errors="result")
    if not isinstance(found, Ok):
        norm = squared_norm(u, v)
        assert norm == 0 or norm > 1e290 or norm < 1e-290
        return
    assert np.isfinite(found.value).all()
    if squared_norm(u, v) > 1e-290:
        assert found.value == pytest.approx(np.array([2 * u, 2 * v]), rel=1e-14, abs=1e-140)


def test_sqrt_slope_at_zero_reported_as_zero() -> None:
    for zero in (0.0, -0.0):
        assert fault_of(sqrt_checked(Dual(zero, 1.0))) == (Kind.DIVISION_BY_ZERO, "tangent.")
        assert fault_of(sqrt_checked(Dual(zero, 0.0))) == (Kind.DOMAIN_ERROR, "tangent.")
    near = sqrt_checked(Dual(1e-12, 1.0)).unwrap()
    assert near.value == pytest.approx(1e-6, rel=1e-15)
    assert near.tangent == pytest.approx(500000, rel=1e-15)


@given(FLOATS.filter(lambda b: b != 0), st.integers(0, 3))
def test_sqrt_slope_at_zero_is_never_a_number(b: float, depth: int) -> None:
    x: Any = Dual(0.0, b)
    for _ in range(depth):
        x = Dual(x, 0)
    assert sqrt_checked(x).is_err()
    for square in (x * x, x - x, 0 * x):
        assert sqrt_checked(square).is_err()


def test_quotient_rule_squares_denominator() -> None:
    for size, expected in ((1e300, 1e-300), (1e-170, 1e170)):
        by_divisor = Dual(size, 0.0), Dual(size, 1.0)
        by_dividend = Dual(size, 1.0), Dual(size, 0.0)
        for (x, y), slope in ((by_divisor, -expected), (by_dividend, expected)):
            assert (x / y).value == 1.0
            assert (x / y).tangent == pytest.approx(slope, rel=1e-15)
            found = div_checked(x, y)
            if size == 1e300:
                assert found.unwrap().identical(x / y)
            else:
                assert fault_of(found) == (Kind.DIVISION_BY_ZERO, "tangent.")
    assert fault_of(div_checked(1, Dual(1e-200, 0.0))) == (Kind.DOMAIN_ERROR, "tangent.")


@settings(max_examples=300)
@given(FINITE, DIVISORS)
def test_quotient_rule_squares_denominator_at_no_magnitude(a: float, c: float) -> None:
    for x, y in ((Dual(a, 0.0), Dual(c, 1.0)), (Dual(a, 1.0), Dual(c, 0.0))):
        operands = x.value, x.tangent, y.value, y.tangent
        assert is_accurate((x / y).tangent, *operands)
        found = div_checked(x, y)
        if isinstance(found, Ok):
            assert is_accurate(found.value.tangent, *operands)


def test_perturbation_confusion() -> None:
    def inner_update(x: Any) -> Any:
        state = [x]

        def g(y: Any) -> Any:
            state[0] = state[0] * y
            return state[0]

        derivative(g, 1.0)
        return derivative(g, 1.0)

    class Adds:
        def __init__(self, other: Any) -> None:
            self.other = other

        def __call__(self, y: Any) -> Any:
            return self.other + y

    class Outer:
        def __call__(self, x: Any) -> Any:
            return x * derivative(Adds(x), 1.0)

    assert derivative(lambda x: x * derivative(lambda y: x + y, 1.0), 1.0) == 1.0
    assert derivative(lambda x: x * derivative(lambda y: x * y, 3.0), 4.0) == 8.0
    assert derivative(Outer(), 1.0) == 1.0
    with pytest.raises(ValueError, match="a Dual that escaped from another derivative"):
        derivative(inner_update, 1.0)


@given(SMALL, SMALL, SMALL)
def test_perturbation_confusion_of_any_quadratics(a: Fraction, b: Fraction, x: Fraction) -> None:
    def inner(x: Any, y: Any) -> Any:
        return a * x * y * y + b * x * x * y

    # x d/dy (a x y^2 + b x^2 y) at y = x is (2 a + b) x^3
    found = derivative(lambda x: x * derivative(lambda y: inner(x, y), x), x)
    assert found == 3 * (2 * a + b) * x**2


def test_integer_argument_gradient_zero() -> None:
    def square(x: Any) -> Any:
        return x * x

    for x, slope in (
        (100, 200.0),
        (100.0, 200.0),
        (np.int64(100), 200.0),
        (Fraction(1, 3), Fraction(2, 3)),
        (Decimal("0.1"), Decimal("0.2")),
    ):
        found = derivative(square, x)
        assert found == slope
        assert type(found) is type(slope)
    assert gradient(lambda x: square(x[0]) + square(x[1]), np.array([100, 3])).tolist() == [200, 6]


@given(st.integers(-(2**70), 2**70))
def test_integer_argument_gradients_are_those_of_floats_or_errors(n: int) -> None:
    def half(x: Any) -> Any:
        return x / 2

    if float(n) == n:
        assert derivative(half, n) == derivative(half, float(n)) == 0.5
    else:
        with pytest.raises(ValueError, match="float"):
            derivative(half, n)


def test_dual_stored_into_float_array() -> None:
    def fills_a_buffer(x: Any) -> Any:
        buffer = np.zeros(2)
        buffer[0] = 5 * x[0]
        buffer[1] = 10 * x[1]
        return buffer.sum()

    with pytest.raises(TypeError, match="store duals in arrays of dtype object"):
        gradient(fills_a_buffer, [10.0, 15.0])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16"])
@given(x=FINITE)
def test_dual_stored_into_float_array_of_any_kind(dtype: str, x: float) -> None:
    def through_a_buffer(x: Any) -> Any:
        buffer = np.empty(1, dtype=dtype)
        buffer[0] = x[0]
        return buffer[0]

    for errors in ("raise", "ieee"):
        with pytest.raises(TypeError, match="would lose its tangent"):
            gradient(through_a_buffer, [x], errors=errors)
