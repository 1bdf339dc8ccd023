"""D15 and D17: the elementary functions where a value or slope does not exist, in all modes."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.calls import INF, RULES, Kind, arguments, call, checked, function, moving, nth
from tests.autodiff.duals import FLOATS
from tests.autodiff.test_kernels_at_edges import TROUBLES

from lunaflow.arithmetic import ArithmeticError, Err, Ok
from lunaflow.autodiff import Dual, derivative, gradient, jvp, value_and_derivative
from lunaflow.autodiff import elementary as el
from lunaflow.autodiff._dual import fresh_level, seed
from lunaflow.autodiff.checked import sqrt_checked

KINDS = {
    "no value": (Kind.DOMAIN_ERROR, "value"),
    "pole": (Kind.DIVISION_BY_ZERO, "value"),
    "infinite slope": (Kind.DIVISION_BY_ZERO, "tangent"),
    "kink": (Kind.DOMAIN_ERROR, "tangent"),
    "jump": (Kind.DOMAIN_ERROR, "tangent"),
}
POINTS = [(trouble, *row) for trouble, rows in TROUBLES.items() for row in rows]
AT = pytest.mark.parametrize(("trouble", "rule", "at"), POINTS)


def error_of(f: Callable[..., Any], *args: Any) -> ArithmeticError:
    with pytest.raises(ArithmeticError) as raised:
        f(*args)
    return raised.value


def result_or_error(f: Callable[..., Any], *args: Any) -> Any:
    try:
        return f(*args)
    except ArithmeticError as error:
        return error


def through(rule: str, at: Sequence[float]) -> Callable[[Any], Any]:
    """A function of one number that moves all arguments of a rule along ones."""
    duals = moving(rule)

    def f(t: Any) -> Any:
        return function(rule)(*[a + t if i in duals else a for i, a in enumerate(at)])

    return f


def shown(rule: str) -> str:
    return "pow" if rule.startswith("power") else rule


@AT
def test_d15_what_there_is_not_fails_whatever_the_tangents(
    trouble: str, rule: str, at: Sequence[float]
) -> None:
    kind, component = KINDS[trouble]
    for b in (1.0, 0.0, -0.0, -1e300, INF, math.nan):
        made = checked()
        error = error_of(function(rule), *arguments(rule, at, [b] * len(at), made))
        if rule == "sqrt":
            continue  # its kinds are D6's
        assert (error.kind, error.component, error.operation) == (kind, component, shown(rule))
        assert isinstance(error, ZeroDivisionError if kind is Kind.DIVISION_BY_ZERO else ValueError)


@AT
def test_d15_drivers_raise_return_or_ignore_it(
    trouble: str, rule: str, at: Sequence[float]
) -> None:
    kind, component = KINDS[trouble]
    f = through(rule, at)
    error = error_of(derivative, f, 0.0)
    assert (error.kind, error.component) == (kind, component)
    returned = derivative(f, 0.0, errors="result")
    assert returned == Err(error)
    assert not math.isfinite(derivative(f, 0.0, errors="ieee"))
    assert error.__notes__[0].startswith("called at ")
    assert __file__ in error.__notes__[0]


@AT
def test_d15_nested_derivatives_fail_at_the_same_points(
    trouble: str, rule: str, at: Sequence[float]
) -> None:
    kind, component = KINDS[trouble]
    error = error_of(nth(through(rule, at), 2), 0.0)
    assert (error.kind, error.component) == (kind, f"value.{component}")
    inner, outer = fresh_level(), fresh_level()
    args = arguments(rule, at, at, lambda a, _: seed(seed(a, 0.0, inner, False), 0.0, outer, True))
    assert error_of(function(rule), *args).kind is (kind if rule != "sqrt" else Kind.DOMAIN_ERROR)


@AT
def test_d15_with_ieee_there_is_no_finite_slope(
    trouble: str, rule: str, at: Sequence[float]
) -> None:
    single = call(rule, at, [1.0] * len(at))
    nested = function(rule)(
        *arguments(rule, at, [1.0] * len(at), lambda a, b: Dual(Dual(a, b), Dual(b, 0.0)))
    )
    assert not math.isfinite(single.tangent)
    assert not math.isfinite(nested.value.tangent)
    assert not math.isfinite(nested.tangent.value)
    assert nested.value.identical(single)
    if trouble in ("kink", "jump"):
        assert math.isnan(single.tangent)
        assert math.isnan(nested.tangent.value)
        assert math.isnan(nested.tangent.tangent)


@pytest.mark.parametrize(
    ("rule", "at", "component"),
    [
        ("exp", (710.0,), "value"),
        ("exp2", (1024.0,), "value"),
        ("expm1", (1e3,), "value"),
        ("sinh", (-711.0,), "value"),
        ("cosh", (711.0,), "value"),
        ("gamma", (172.0,), "value"),
        ("gamma", (1e-200,), "tangent"),
        ("lgamma", (1e306,), "value"),
        ("lgamma", (5e-324,), "tangent"),
        ("log", (1e-310,), "tangent"),
        ("degrees", (1e308,), "value"),
        ("hypot", (1.7e308, 1.7e308), "value"),
        ("atan2", (5e-324, 5e-324), "tangent"),
        ("power_constant_exponent", (1e200, 2.0), "value"),
        ("power_constant_exponent", (1e-200, -0.9), "tangent"),
        ("power_constant_base", (10.0, 309.0), "value"),
        ("power", (10.0, 309.0), "value"),
        ("fmod", (1e308, 1.5e-308), "tangent"),
    ],
)
def test_d15_out_of_range_is_overflow(rule: str, at: Sequence[float], component: str) -> None:
    along = [1.0, -1.0][: len(at)]
    free = call(rule, at, along)
    args = arguments(rule, at, along, checked())
    error = error_of(function(rule), *args)
    assert (error.kind, error.component) == (Kind.OVERFLOW, component)
    assert isinstance(error, OverflowError)
    assert not math.isfinite(getattr(free, component))


@pytest.mark.parametrize("rule", sorted(RULES))
@settings(max_examples=40)
@given(data=st.data())
def test_d7_finite_numbers_give_finite_numbers_or_an_error(rule: str, data: st.DataObject) -> None:
    numbers = FLOATS.filter(math.isfinite)
    many = st.tuples(*[numbers] * len(RULES[rule].arguments))
    args = arguments(rule, data.draw(many), data.draw(many), checked())
    got = result_or_error(function(rule), *args)
    if isinstance(got, ArithmeticError):
        assert got.operation == shown(rule)
        assert got.component in ("value", "tangent")
    else:
        assert math.isfinite(got.value)
        assert math.isfinite(got.tangent)


@given(FLOATS, FLOATS)
def test_d6_sqrt_in_a_checked_derivative_is_sqrt_checked(a: float, b: float) -> None:
    expected = sqrt_checked(Dual(a, b))
    x = checked()(a, b)
    nested = checked()(seed(a, b, 1, False), seed(b, 0.0, 1, False))
    if isinstance(expected, Ok):
        assert el.sqrt(x).identical(expected.value)
    else:
        kind, component = expected.error.kind, expected.error.component
        for argument, path in ((x, component), (nested, f"value.{component}")):
            error = error_of(el.sqrt, argument)
            assert (error.kind, error.component, error.operation) == (kind, path, "sqrt")


def test_the_message_names_the_call_and_the_line() -> None:
    error = error_of(derivative, el.log, 0.0)
    assert error.message.startswith("log(Dual(0.0, 1.0)): the function has no value here")
    assert error.message.endswith("(in the value)")
    power = error_of(derivative, lambda x: x**-1, 0.0)
    assert power.message.startswith("Dual(0.0, 1.0) ** -1: zero to a negative power")
    assert power.operation == "**"
    assert error_of(derivative, lambda x: x % 2, 4.0).operation == "%"
    assert error_of(derivative, abs, 0.0).operation == "fabs"


def test_users_may_catch_a_failure_as_the_builtin_that_it_is() -> None:
    def safe(x: Any) -> Any:
        try:
            return el.log(x)
        except ValueError:
            return 0.0 * x

    assert value_and_derivative(safe, -1.0) == (-0.0, 0.0)
    assert derivative(safe, 2.0) == 0.5


def test_a_mode_travels_through_object_arrays() -> None:
    def norm(x: Any) -> Any:
        return np.sqrt(np.sum(np.square(x)))

    assert error_of(gradient, norm, [0.0, 0.0]).kind is Kind.DOMAIN_ERROR
    with np.errstate(all="ignore"):
        assert np.isnan(gradient(norm, [0.0, 0.0], errors="ieee")).all()
    np.testing.assert_allclose(gradient(norm, [3.0, 4.0]), [0.6, 0.8])


# ---------------------------------------------------------------- ties


@pytest.mark.parametrize("choice", [el.maximum, el.minimum])
def test_d17_a_tie_of_different_tangents_fails_and_with_ieee_is_the_first(choice: Any) -> None:
    error = error_of(derivative, lambda x: choice(x, 2.0), 2.0)
    assert (error.kind, error.operation) == (Kind.DOMAIN_ERROR, choice.__name__)
    assert "tie" in error.message
    assert derivative(lambda x: choice(x, 2.0), 2.0, errors="ieee") == 1.0
    assert derivative(lambda x: choice(2.0, x), 2.0, errors="ieee") == 0.0
    assert derivative(lambda x: choice(x * 3.0, 3.0 * x), 2.0) == 3.0
    assert error_of(nth(lambda x: choice(x, x * x), 2), 1.0).kind is Kind.DOMAIN_ERROR


@given(st.floats(-9, 9), st.floats(-9, 9))
def test_maximum_and_minimum_choose_by_value(x: float, y: float) -> None:
    p, q = Dual(x, 2.0), Dual(y, 3.0)
    assert el.maximum(p, q).identical(p if x >= y else q)
    assert el.minimum(p, q).identical(p if x <= y else q)
    assert el.maximum(p, y).identical(p if x >= y else Dual(y, 0.0))
    assert el.minimum(x, q).identical(Dual(x, 0.0) if x <= y else q)


def test_nan_goes_before_all_in_choices() -> None:
    nan, one = Dual(math.nan, 2.0), Dual(1.0, 3.0)
    for choice in (el.maximum, el.minimum):
        for pair in ((nan, one), (one, nan)):
            assert choice(*pair).identical(nan)
        made = checked()
        assert math.isnan(choice(made(1.0, 1.0), math.nan).value)


def test_choices_and_products_work_along_directions() -> None:
    def f(x: Any) -> list[Any]:
        return [el.maximum(x[0], x[1]), el.minimum(x[0], 5), el.copysign(x[0], -1.0)]

    np.testing.assert_array_equal(jvp(f, [3.0, 4.0], [10.0, 20.0]), [20.0, 10.0, -10.0])
