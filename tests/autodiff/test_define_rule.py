"""define_rule: other people's functions among duals, with the slope that someone gives for them."""

import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline
from scipy.special import ndtr
from tests.autodiff.polynomials import SMALL, Polynomial, polynomials
from tests.autodiff.rules import (
    cube_of,
    exponential,
    slope_of_cube,
    slopes_of_weighted,
    weighted,
)

from lunaflow.arithmetic import ArithmeticError, ArithmeticErrorKind
from lunaflow.autodiff import (
    Dual,
    define_rule,
    derivative,
    gradient,
    hessian,
    value_and_derivative,
)

Kind = ArithmeticErrorKind
cube = define_rule(cube_of, slope_of_cube)
weigh = define_rule(weighted, slopes_of_weighted)


def density(x: Any) -> Any:
    return exponential(-x * x / 2.0) / math.sqrt(2.0 * math.pi)


normal = define_rule(ndtr, density)


def nested(f: Callable[[Any], Any], depth: int) -> Callable[[Any], Any]:
    for _ in range(depth):
        f = derivative(f)
    return f


def test_without_duals_the_function_itself_is_called() -> None:
    x = np.array([0.0, 1.0])
    assert type(normal(0.5)) is type(ndtr(0.5))
    assert normal(0.5) == ndtr(0.5)
    assert normal(x).tolist() == ndtr(x).tolist()
    assert normal([0.0, 1.0]).tolist() == ndtr([0.0, 1.0]).tolist()
    assert cube(np.array([Fraction(1, 2), 3], dtype=object)).tolist() == [Fraction(1, 8), 27]
    assert define_rule(lambda: 7, lambda: ())() == 7


@given(polynomials(SMALL), SMALL, st.integers(0, 4))
def test_rules_nest_exactly(p: Polynomial, x: Fraction, depth: int) -> None:
    rule = define_rule(p, p.slope())
    exact = p
    for _ in range(depth):
        exact = exact.slope()
    assert nested(rule, depth)(x) == exact(x)
    assert nested(lambda y: rule(y * y), depth)(x) == nested(lambda y: p(y * y), depth)(x)


@given(st.lists(SMALL, min_size=2, max_size=2))
def test_several_arguments_have_a_slope_each(x: list[Fraction]) -> None:
    a, b = x
    assert gradient(lambda y: weigh(y[0], y[1]), x).tolist() == [2 * a * b, a * a + 2]
    assert gradient(lambda y: weigh(y[1], y[1]), x).tolist() == [0, 3 * b * b + 2]
    assert hessian(lambda y: weigh(*y), x).tolist() == [[2 * b, 2 * a], [2 * a, 0]]
    assert derivative(weigh, a, args=(b,)) == 2 * a * b
    assert derivative(weigh, b, args=(a,), argnum=1) == a * a + 2


def test_second_derivatives_of_a_compiled_function() -> None:
    x = 0.7
    phi = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    value, slope = value_and_derivative(normal, x)
    assert value == ndtr(x)
    assert slope == pytest.approx(phi, rel=1e-15)
    assert type(value) is type(slope) is float
    assert nested(normal, 2)(x) == pytest.approx(-x * phi, rel=1e-14)
    assert nested(normal, 3)(x) == pytest.approx((x * x - 1) * phi, rel=1e-14)


def test_perturbations_meet_in_a_rule_without_confusion() -> None:
    def f(x: Any) -> Any:
        return x * derivative(lambda y: weigh(x, y) * weigh(y, x), 2.0)

    def by_hand(x: Any) -> Any:
        return x * derivative(lambda y: weighted(x, y) * weighted(y, x), 2.0)

    assert value_and_derivative(f, 3.0) == value_and_derivative(by_hand, 3.0)


def test_object_arrays_go_element_by_element() -> None:
    x = np.array([[Dual(2.0, 1.0)], [3.0]], dtype=object)
    found = weigh(x, np.array([1.0, 5.0]))
    assert found.shape == (2, 2)
    assert found[0, 0].identical(Dual(6.0, 4.0))
    assert found[0, 1].identical(Dual(30.0, 20.0))
    assert found[1].tolist() == [11.0, 55.0]
    assert weigh(Dual(2.0, 1.0), np.array([1.0]))[0].identical(Dual(6.0, 4.0))
    scalar = weigh(np.array(Dual(2.0, 1.0), dtype=object), 1)
    assert scalar.identical(Dual(6.0, 4.0))
    slopes = gradient(lambda y: normal(y).sum(), [0.0, 1.0])
    np.testing.assert_allclose(slopes, np.exp([0.0, -0.5]) / math.sqrt(2 * math.pi), rtol=1e-15)


def test_a_result_without_dimensions_is_a_number() -> None:
    spline = CubicSpline([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 8.0, 27.0])
    rule = define_rule(spline, define_rule(spline.derivative(), spline.derivative(2)))
    assert value_and_derivative(rule, 1.5) == pytest.approx((3.375, 6.75))
    assert nested(rule, 2)(1.5) == pytest.approx(9.0)
    assert derivative(lambda x: rule(np.array([x, x * x]))[1], 1.5) == pytest.approx(3 * 15.1875)


def test_arguments_that_are_no_duals_stay_as_they_are_and_their_slopes_do_not_count() -> None:
    seen: list[Any] = []

    def power(n: Any, x: Any, name: str) -> Any:
        seen.append((n, name))
        return x**n

    rule = define_rule(power, lambda n, x, _: (math.nan, n * x ** (n - 1), None))
    assert derivative(rule, 2.0, args=(3, "a"), argnum=1) == 12.0
    assert seen == [(3, "a")]
    assert type(seen[0][0]) is int
    with pytest.raises(ValueError, match="has no slope here"):
        derivative(rule, 3.0, args=(2.0, "a"), argnum=0)


@pytest.mark.parametrize(
    ("value", "slope", "kind", "component"),
    [
        (math.nan, 1.0, Kind.DOMAIN_ERROR, "value"),
        (math.inf, 1.0, Kind.OVERFLOW, "value"),
        (-math.inf, math.nan, Kind.OVERFLOW, "value"),
        (1.0, math.inf, Kind.DIVISION_BY_ZERO, "tangent"),
        (1.0, -math.inf, Kind.DIVISION_BY_ZERO, "tangent"),
        (1.0, math.nan, Kind.DOMAIN_ERROR, "tangent"),
        (1.0, 1e300, Kind.OVERFLOW, "tangent"),
    ],
)
def test_d15_the_checked_rules_judge_value_and_slope(
    value: float, slope: float, kind: Kind, component: str
) -> None:
    def strange(x: Any) -> Any:
        return value

    rule = define_rule(strange, lambda x: slope)

    def f(x: Any) -> Any:
        return rule(x * 1e10)

    with pytest.raises(ArithmeticError) as raised:
        derivative(f, 2.0)
    error = raised.value
    assert (error.kind, error.operation, error.component) == (kind, "strange", component)
    assert error.message.startswith("strange(Dual(20000000000.0, 10000000000.0)): ")
    assert __file__ in error.__notes__[0]
    found = value_and_derivative(f, 2.0, errors="ieee")
    assert found == pytest.approx((value, slope * 1e10), nan_ok=True)
    unchecked = rule(Dual(2.0, 1.0))
    assert unchecked.identical(Dual(value, slope))


def test_d15_the_value_alone_decides() -> None:
    root = define_rule(math.sqrt, lambda x: math.inf if x == 0 else 0.5 / math.sqrt(x))
    with pytest.raises(ZeroDivisionError):
        derivative(lambda x: root(0.0 * x), 1.0)  # though the tangent is 0
    assert math.isnan(derivative(lambda x: root(0.0 * x), 1.0, errors="ieee"))


def test_d15_arguments_that_are_not_finite_pass() -> None:
    rule = define_rule(lambda x, y: x + y, lambda x, y: (1.0, 1.0))
    assert value_and_derivative(rule, math.inf, args=(1.0,)) == (math.inf, 1.0)
    assert value_and_derivative(rule, 1.0, args=(math.inf,)) == (math.inf, 1.0)
    value, slope = value_and_derivative(rule, math.nan, args=(1.0,))
    assert math.isnan(value)
    assert slope == 1.0


def test_d15_a_second_slope_that_does_not_exist_is_told_by_its_path() -> None:
    def power(x: Any) -> Any:
        return math.fabs(x) ** 1.5

    def half(x: Any) -> Any:
        return 1.5 * math.sqrt(x)

    slope = define_rule(half, lambda x: math.inf if x == 0 else 0.75 / math.sqrt(x))
    rule = define_rule(power, slope)
    assert derivative(rule, 0.0) == 0.0
    with pytest.raises(ArithmeticError) as raised:
        derivative(derivative(rule), 0.0)
    error = raised.value
    assert (error.kind, error.component) == (Kind.DIVISION_BY_ZERO, "tangent.tangent")
    nan = define_rule(lambda x: math.nan, lambda x: 0.0)
    with pytest.raises(ArithmeticError) as raised:
        derivative(derivative(nan), 0.0)
    assert raised.value.component == "value.value"


@pytest.mark.parametrize(
    ("slopes", "count"),
    [(1.0, 1), ((1.0,), 1), ((), 0), ((1.0, 2.0, 3.0), 3)],
)
def test_another_number_of_slopes_is_refused(slopes: Any, count: int) -> None:
    rule = define_rule(weighted, lambda x, y: slopes)
    message = rf"derivative of weighted must give as many slopes .*\(2\), not {count}"
    with pytest.raises(ValueError, match=message):
        derivative(rule, 1.0, args=(2.0,))
    assert derivative(define_rule(cube_of, lambda x: (5.0,)), 1.0) == 5.0


@pytest.mark.parametrize("wrong", [None, "1", 1j, [1.0], np.ones(2)], ids=repr)
def test_what_is_no_number_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"a value of function must be a real number|not mix"):
        derivative(define_rule(lambda x: wrong, lambda x: 1.0), 1.0)
    with pytest.raises(TypeError, match=r"a slope of cube_of must be a real number|not mix"):
        derivative(define_rule(cube_of, lambda x: wrong), 1.0)


def test_values_and_slopes_are_numbers_of_the_type_of_the_arguments() -> None:
    points: list[Any] = [Fraction(2), Decimal(2)]
    for x in points:
        value, slope = value_and_derivative(cube, x)
        assert type(value) is type(slope) is type(x)
        assert (value, slope) == (8, 12)
        assert type(derivative(define_rule(cube_of, lambda y: 12), x)) is type(x)
        with pytest.raises(TypeError, match="do not mix with float"):
            derivative(define_rule(cube_of, lambda y: 12.0), x)


def test_it_keeps_name_and_documentation_and_is_picklable() -> None:
    assert cube.__name__ == "cube_of"
    assert cube.__doc__ == "Return the third power."
    assert normal.__name__ == "ndtr"
    assert repr(cube) == "define_rule(cube_of, slope_of_cube)"
    again = pickle.loads(pickle.dumps(weigh))
    assert again(Dual(2.0, 1.0), 1.0).identical(Dual(6.0, 4.0))
    assert repr(derivative(again)) == "derivative(weighted)"


def test_what_the_functions_raise_passes_through() -> None:
    with pytest.raises(ValueError, match="math domain error|nonnegative"):
        derivative(define_rule(math.sqrt, lambda x: 1.0), -1.0)
    with pytest.raises(TypeError, match="would lose its tangent"):
        nested(define_rule(math.exp, math.exp), 2)(1.0)
    with pytest.raises(TypeError, match="keyword"):
        cube(x=1.0)


def test_both_must_be_callable() -> None:
    with pytest.raises(TypeError, match="function must be callable, not int"):
        define_rule(1, cube_of)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="derivative must be callable, not float"):
        define_rule(cube_of, 1.0)  # type: ignore[arg-type]
