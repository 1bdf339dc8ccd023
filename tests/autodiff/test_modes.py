"""D15 to D17: what happens where a value or derivative does not exist, in each mode."""

import decimal
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.polynomials import SMALL, Quadratic, Ratio, quadratics, ratios

from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind, Err, Ok, same_value
from lunaflow.autodiff import (
    Dual,
    derivative,
    elementary,
    gradient,
    hessian,
    jacobian,
    jvp,
    value_and_derivative,
)
from lunaflow.autodiff.checked import div_checked, sqrt_checked

Kind = ArithmeticErrorKind
HUGE = 1e200


def error_of(result: Ok[Any] | Err[ArithmeticError]) -> ArithmeticError:
    assert isinstance(result, Err)
    return result.error


FAILURES: list[tuple[Callable[[Any], Any], float, Kind, str, str | None]] = [
    (lambda x: 1.0 / x, 0.0, Kind.DIVISION_BY_ZERO, "/", "value"),
    (lambda x: x / x, 0.0, Kind.DOMAIN_ERROR, "/", "value"),
    (lambda x: 1.0 / x, 1e-170, Kind.DIVISION_BY_ZERO, "/", "tangent"),  # D5
    (lambda x: x / 1e-310, 1.0, Kind.OVERFLOW, "/", "value"),
    (lambda x: x * x, HUGE, Kind.OVERFLOW, "*", "value"),
    (lambda x: HUGE * (HUGE * x), 0.0, Kind.OVERFLOW, "*", "tangent"),
    (lambda x: x + x, 1.7e308, Kind.OVERFLOW, "+", "value"),
    (lambda x: -x - x, 1.7e308, Kind.OVERFLOW, "-", "value"),
    (elementary.sqrt, 0.0, Kind.DIVISION_BY_ZERO, "sqrt", "tangent"),
    (elementary.sqrt, -1.0, Kind.DOMAIN_ERROR, "sqrt", "value"),
    (elementary.exp, 710.0, Kind.OVERFLOW, "exp", "value"),
    (lambda x: div_checked(1.0, x).unwrap(), 0.0, Kind.DIVISION_BY_ZERO, "div_checked", "value"),
    (lambda x: sqrt_checked(x).unwrap(), 0.0, Kind.DIVISION_BY_ZERO, "sqrt_checked", "tangent"),
    (lambda x: sqrt_checked(x).unwrap(), -1.0, Kind.DOMAIN_ERROR, "sqrt_checked", "value"),
]


@pytest.mark.parametrize(("f", "x", "kind", "operation", "component"), FAILURES)
def test_d15_the_first_failure_is_raised_or_returned(
    f: Any, x: float, kind: Kind, operation: str, component: str | None
) -> None:
    with pytest.raises(ArithmeticError) as raised:
        derivative(f, x)
    error = raised.value
    assert (error.kind, error.operation, error.component) == (kind, operation, component)
    for returned in (
        derivative(f, x, errors="result"),
        value_and_derivative(f, x, errors="result"),
        derivative(lambda _, y: f(y), x, args=(1,), argnum=1, errors="result"),
        gradient(lambda y: f(y[0]), [x], errors="result"),
        jacobian(lambda y: [f(y[0])], [x], errors="result"),
        jvp(lambda y: [f(y[0])], [x], [1], errors="result"),
    ):
        assert error_of(returned) == error
        assert error_of(returned).__traceback__ is None
    second = error_of(hessian(lambda y: f(y[0]), [x], errors="result"))
    assert (second.kind, second.operation) == (kind, operation)


@pytest.mark.parametrize(
    ("f", "x", "value", "slope"),
    [
        (lambda x: 1.0 / x, 0.0, math.inf, -math.inf),
        (lambda x: x / x, 0.0, math.nan, math.nan),
        (lambda x: x * x, HUGE, math.inf, 2 * HUGE),
        (lambda x: HUGE * (HUGE * x), 0.0, 0.0, math.inf),
        (lambda x: 1.0 / x, 1e-150, 1e150, -1e300),
    ],
)
def test_d15_ieee_gives_inf_and_nan(f: Any, x: float, value: float, slope: float) -> None:
    found = value_and_derivative(f, x, errors="ieee")
    assert found == pytest.approx((value, slope), rel=1e-15, nan_ok=True)
    assert same_value(gradient(lambda y: f(y[0]), [x], errors="ieee"), np.array([found[1]]))
    assert same_value(jacobian(lambda y: [f(y[0])], [x], errors="ieee"), np.array([[found[1]]]))
    assert same_value(jvp(lambda y: f(y[0]), [x], [1.0], errors="ieee"), found[1])


@given(ratios(st.floats(-1e3, 1e3)), st.floats(-1e3, 1e3))
def test_d15_code_that_does_not_fail_gives_the_same_numbers_in_all_modes(
    r: Ratio, x: float
) -> None:
    checked = value_and_derivative(r, x, errors="result")
    value, slope = value_and_derivative(r, x, errors="ieee")
    if isinstance(checked, Ok):
        assert same_value(checked.value, (value, slope))
        assert same_value(checked.value, value_and_derivative(r, x))
        assert math.isfinite(value)
        assert math.isfinite(slope)
    else:
        # over floats this is D4's own test, which may be stricter, never laxer
        assert checked.error.kind in (Kind.DIVISION_BY_ZERO, Kind.DOMAIN_ERROR, Kind.OVERFLOW)


@given(quadratics(SMALL))
def test_d15_exact_code_gives_the_same_in_all_modes(
    sample: tuple[Quadratic, list[Fraction]],
) -> None:
    f, x = sample
    assert gradient(f, x, errors="ieee").tolist() == f.gradient(x)
    assert gradient(f, x, errors="result").unwrap().tolist() == f.gradient(x)


def test_d15_user_code_may_catch_the_failure_as_the_builtin_that_it_is() -> None:
    def f(x: Any) -> Any:
        try:
            return 1.0 / (x - 1.0)
        except ZeroDivisionError:
            return 7.0 * x

    assert value_and_derivative(f, 1.0) == (7.0, 7.0)
    assert derivative(f, 2.0) == -1.0


def test_d15_result_takes_lunaflows_errors_alone() -> None:
    def of(error: Exception) -> Any:
        def f(_: Any) -> Any:
            raise error

        return f

    for error in (ZeroDivisionError("own"), ValueError("own"), OverflowError("own")):
        with pytest.raises(type(error), match="own"):
            derivative(of(error), 1.0, errors="result")
    own = ArithmeticError(Kind.PARSE_ERROR, "mine")
    assert derivative(of(own), 1.0, errors="result") == Err(own)
    assert gradient(of(own), [1.0], errors="result") == Err(own)
    with pytest.raises(TypeError, match="must be a real number"):
        derivative(lambda _: None, 1.0, errors="result")


def test_d15_where_nested_drivers_meet_the_stricter_mode_governs() -> None:
    def f(x: Any) -> Any:
        return 1.0 / x

    modes: list[Any] = ["raise", "ieee"]
    for outer in modes:
        for inner in modes:

            def nested(x: Any, mode: Any = inner) -> Any:
                return derivative(f, x, errors=mode)

            if outer == inner == "ieee":
                assert not math.isfinite(derivative(nested, 0.0, errors=outer))
            else:
                with pytest.raises(ZeroDivisionError):
                    derivative(nested, 0.0, errors=outer)
            assert derivative(nested, 2.0, errors=outer) == 0.25


def test_d15_a_checked_inner_derivative_judges_what_the_outer_does_with_it() -> None:
    def f(x: Any, inner: Any) -> Any:
        return HUGE * (HUGE * derivative(lambda y: y * y, x, errors=inner))

    assert derivative(f, 1.0, args=("ieee",), errors="ieee") == math.inf
    with pytest.raises(OverflowError):
        derivative(f, 1.0, args=("raise",), errors="ieee")


@pytest.mark.parametrize("errors", ["raise", "ieee"])
def test_d15_a_hand_made_dual_is_a_constant_that_keeps_its_tangent(errors: Any) -> None:
    product: Any = derivative(lambda x: x * Dual(2.0, 1.0), 3.0, errors=errors)
    assert product.identical(Dual(2.0, 1.0))
    value, slope = value_and_derivative(lambda x: x * x + Dual(2.0, 1.0), 3.0, errors=errors)
    assert value.identical(Dual(11.0, 1.0))
    assert slope.identical(Dual(6.0, 0.0))


def test_d15_a_hand_made_dual_takes_the_mode_of_the_driver() -> None:
    hand_made = Dual(0.0, 1.0)
    assert math.isinf((1.0 / hand_made).value)
    with pytest.raises(ZeroDivisionError):
        derivative(lambda x: x / hand_made, 1.0)
    left: Any = derivative(lambda x: x / hand_made, 1.0, errors="ieee")
    assert math.isinf(left.value)
    after: Any = derivative(lambda x: x * Dual(2.0, 1.0), 3.0)
    assert math.isinf((after / 0.0).value)  # no mode is left in what was returned


@pytest.mark.parametrize("errors", ["raise", "result", "ieee"])
def test_d15_decimals_run_under_decimal128_without_traps(errors: Any) -> None:
    def third(x: Any) -> Any:
        return x / 3

    strict = decimal.Context(prec=5, traps=[decimal.Inexact, decimal.Rounded], flags=[])
    with decimal.localcontext(strict) as ambient:
        results = [
            derivative(third, Decimal(1), errors=errors),
            gradient(lambda x: third(x[0]), [Decimal(1)], errors=errors),
            jvp(lambda x: third(x[0]), [Decimal(1)], [1], errors=errors),
        ]
        assert decimal.getcontext() is ambient
        assert not any(ambient.flags.values())
    for result in results:
        found = result.value if isinstance(result, Ok) else result
        assert (found[0] if isinstance(found, np.ndarray) else found) == Decimal("0." + "3" * 34)


def test_d15_decimals_fail_or_become_infinite_as_floats_do() -> None:
    def f(x: Any) -> Any:
        return 1 / x

    assert error_of(derivative(f, Decimal(0), errors="result")).kind is Kind.DIVISION_BY_ZERO
    assert value_and_derivative(f, Decimal(0), errors="ieee") == (
        Decimal("Infinity"),
        Decimal("-Infinity"),
    )
    value, _ = value_and_derivative(lambda x: x / x, Decimal(0), errors="ieee")
    assert value.is_nan()
    large = Decimal("1e6000")
    assert error_of(derivative(lambda x: x * x, large, errors="result")).kind is Kind.OVERFLOW


def test_d15_over_fraction_ieee_raises_the_exception_of_fraction() -> None:
    with pytest.raises(ZeroDivisionError) as own:
        derivative(lambda x: 1 / x, Fraction(0), errors="ieee")
    assert not isinstance(own.value, ArithmeticError)
    with pytest.raises(ArithmeticError) as ours:
        derivative(lambda x: 1 / x, Fraction(0))
    assert ours.value.kind is Kind.DIVISION_BY_ZERO


def square_but_at_3(x: Any) -> Any:
    return 9.0 if x == 3.0 else x * x


def hand_written_abs(x: Any) -> Any:
    return x if x > 0.0 else -x


@pytest.mark.parametrize(("f", "tie"), [(square_but_at_3, 3.0), (hand_written_abs, 0.0)])
def test_d17_a_branch_on_a_tie_is_refused_and_says_what_to_write(f: Any, tie: float) -> None:
    error = error_of(derivative(f, tie, errors="result"))
    assert error.kind is Kind.DOMAIN_ERROR
    assert 'errors="ieee"' in error.message
    assert f"{__file__}:{f.__code__.co_firstlineno + 1}" in error.__notes__[0]
    assert isinstance(derivative(f, tie, errors="ieee"), float)
    assert derivative(f, 5.0) == (10.0 if f is square_but_at_3 else 1.0)
    with pytest.raises(ValueError, match="tie"):
        gradient(lambda x: f(x[0]) * x[1], [tie, 1.0])


def test_d17_a_tie_of_two_variables_is_one_and_of_equal_tangents_none() -> None:
    with pytest.raises(ValueError, match="tie"):
        gradient(max, [1.0, 1.0])
    assert gradient(max, [1.0, 1.0], errors="ieee").tolist() == [1.0, 0.0]
    assert derivative(lambda x: 2.0 * x if x == x * 1.0 else x, 1.0) == 2.0
