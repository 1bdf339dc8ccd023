"""derivative and value_and_derivative: of which numbers, to which types, and what is refused."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.autodiff.polynomials import SMALL, WHOLE, Polynomial, Ratio, polynomials, ratios

from lunaflow.autodiff import Dual, derivative, value_and_derivative


def cube(x: Any) -> Any:
    return x * x * x


def product(x: Any, y: Any, z: Any) -> Any:
    return x * x * y * y * y * z


@given(polynomials(SMALL), SMALL)
def test_d1_slopes_of_polynomials_are_exact(p: Polynomial, x: Fraction) -> None:
    assert value_and_derivative(p, x) == (p(x), p.slope()(x))
    assert derivative(p, x) == p.slope()(x)


@given(ratios(SMALL), SMALL)
def test_d4_slopes_of_rational_functions_are_exact(r: Ratio, x: Fraction) -> None:
    assume(r.q(x) != 0)
    assert value_and_derivative(r, x) == (r(x), r.slope_at(x))


@given(polynomials(WHOLE), WHOLE)
def test_floats_give_floats(p: Polynomial, x: int) -> None:
    value, slope = value_and_derivative(p, float(x))
    assert (value, slope) == (p(x), p.slope()(x))
    assert type(value) is type(slope) is float
    assert type(derivative(p, float(x))) is float


@given(ratios(st.floats(-1e3, 1e3)), st.floats(-1e3, 1e3), st.sampled_from(["raise", "ieee"]))
def test_a_float_goes_the_short_way_as_others_go_the_long_one(
    r: Ratio, x: float, errors: Any
) -> None:
    def second(_: Any, y: Any) -> Any:
        return r(y)

    short = _shown(lambda: value_and_derivative(r, x, errors=errors))
    assert short == _shown(lambda: value_and_derivative(r, np.float64(x), errors=errors))
    assert short == _shown(
        lambda: value_and_derivative(second, x, args=(0,), argnum=1, errors=errors)
    )
    assert short[-1:] == _shown(lambda: (derivative(r, x, errors=errors),))


def _shown(compute: Callable[[], tuple[Any, ...]]) -> list[str]:
    # repr tells 0.0 from -0.0 and takes one NaN for another
    try:
        return [repr(number) for number in compute()]
    except ArithmeticError as error:
        return [repr(error)]


@pytest.mark.parametrize(
    "x",
    [3, np.int8(3), np.uint64(3), np.float16(3), np.float32(3), np.float64(3)],
    ids=lambda x: type(x).__name__,
)
def test_d16_ints_and_narrow_floats_are_differentiated_as_floats(x: Any) -> None:
    value, slope = value_and_derivative(cube, x)
    assert (value, slope) == (27.0, 27.0)
    assert type(value) is type(slope) is type(derivative(cube, x)) is float


@given(st.integers(-(2**53), 2**53), st.integers(0, 970))
def test_d16_every_int_that_is_a_float_is_taken(n: int, exponent: int) -> None:
    assert value_and_derivative(lambda x: x, n << exponent) == (float(n << exponent), 1.0)


@given(st.integers(2**52, 2**1100))
def test_d16_an_int_that_is_no_float_is_refused(half: int) -> None:
    odd = 2 * half + 1
    for n in (odd, -odd, np.uint64(odd % 2**63 | 2**63 | 1)):
        with pytest.raises(ValueError, match="x has to become a float"):
            derivative(cube, n)


@pytest.mark.parametrize(
    ("x", "slope"),
    [
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.2"), Decimal("0.12")),
        (gmpy2.mpq(2, 3), gmpy2.mpq(4, 3)),
        (mpmath.mpf(0.5), mpmath.mpf(0.75)),
        (Dual(2.0, 1.0), Dual(12.0, 12.0)),
        (Dual(Fraction(2), Fraction(1)), Dual(Fraction(12), Fraction(12))),
    ],
    ids=lambda x: type(x).__name__,
)
def test_other_types_stay_what_they_are(x: Any, slope: Any) -> None:
    found = derivative(cube, x)
    assert type(found) is type(slope)
    assert found.identical(slope) if isinstance(slope, Dual) else found == slope


@pytest.mark.parametrize(
    "x",
    [1.5, Fraction(1, 3), Decimal(2), gmpy2.mpq(1, 2), Dual(2.0, 1.0)],
    ids=lambda x: type(x).__name__,
)
@pytest.mark.parametrize("constant", [5, 5.0, np.float32(5), Fraction(5), np.array(5.0)])
def test_d13_a_plain_number_has_the_slope_0_of_the_type_of_x(x: Any, constant: Any) -> None:
    value, slope = value_and_derivative(lambda _: constant, x)
    assert value == constant
    assert type(slope) is type(x)
    assert slope == 0
    if isinstance(x, Dual):
        assert slope.identical(Dual(0.0, 0.0))


def test_an_object_array_without_dimensions_counts_as_its_number() -> None:
    assert derivative(lambda x: np.array(x * x, dtype=object), 3.0) == 6.0


def test_the_variable_stands_where_argnum_says() -> None:
    assert derivative(product, 2.0, args=(3.0, 5.0)) == 540.0
    assert derivative(product, 3.0, args=[2.0, 5.0], argnum=1) == 540.0
    assert derivative(product, 5.0, args=(2.0, 3.0), argnum=np.int64(2)) == 108.0


def test_the_function_is_called_once() -> None:
    calls = []

    def counted(x: Any) -> Any:
        calls.append(x)
        return x

    for x in (1.0, Fraction(1), 1):
        derivative(counted, x)
        value_and_derivative(counted, x)
    assert len(calls) == 6
    assert all(type(x) is Dual for x in calls)


@pytest.mark.parametrize(
    "x", [[1.0], (1.0,), np.array([1.0]), np.array(1.0), np.zeros((2, 2))], ids=repr
)
def test_arrays_are_refused_with_the_drivers_to_use(x: Any) -> None:
    with pytest.raises(TypeError, match=r"x must be a real number.*gradient and jacobian"):
        derivative(cube, x)


@pytest.mark.parametrize("x", [None, "1", 1j, True, np.True_, np.longdouble(1), object()], ids=repr)
def test_what_is_no_real_number_is_refused(x: Any) -> None:
    with pytest.raises(TypeError, match=f"x must be a real number.*not {type(x).__name__}"):
        value_and_derivative(cube, x)


@pytest.mark.parametrize("result", [None, "1", True, 1j, {}], ids=repr)
def test_d13_a_result_that_is_no_number_is_a_type_error(result: Any) -> None:
    for x in (1.0, Fraction(1)):
        with pytest.raises(TypeError, match="the result of the function must be a real number"):
            derivative(lambda _: result, x)


@pytest.mark.parametrize(
    ("result", "shape"),
    [
        ([1.0], r"\(1,\)"),
        ((1.0, 2.0), r"\(2,\)"),
        (np.zeros((2, 3)), r"\(2, 3\)"),
        ([[1.0, 2.0]], r"\(1, 2\)"),
        ([[1.0], 2.0], r"\(2,\)"),
        ([], r"\(0,\)"),
    ],
    ids=repr,
)
def test_d13_a_result_with_a_shape_is_a_value_error_that_names_it(result: Any, shape: str) -> None:
    for x in (1.0, Fraction(1)):
        with pytest.raises(ValueError, match=f"single number here, not the shape {shape}"):
            derivative(lambda _: result, x)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"args": 3.0}, TypeError, "args must be a tuple of the other arguments of f, not float"),
        ({"args": np.ones(2)}, TypeError, "args must be a tuple"),
        ({"argnum": 1.0}, TypeError, "argnum must be an integer, not float"),
        ({"argnum": False}, TypeError, "argnum must be an integer"),
        ({"argnum": -1}, ValueError, "argnum must be at least 0, not -1"),
        ({"argnum": 1}, ValueError, r"argnum must be at most .* \(0 in args\), not 1"),
        ({"argnum": 3, "args": (1, 2)}, ValueError, r"\(2 in args\), not 3"),
        ({"errors": None}, TypeError, 'errors must be the str "raise", "result" or "ieee"'),
        ({"errors": "Raise"}, ValueError, "errors must be .*, not 'Raise'"),
    ],
    ids=repr,
)
def test_wrong_options_are_refused_before_the_call(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    for x in (1.0, Fraction(1)):
        with pytest.raises(error, match=message):
            derivative(_never, x, **options)


def _never(*_: Any) -> Any:
    raise AssertionError("called")


def test_f_must_be_callable() -> None:
    for x in (1.0, Fraction(1)):
        with pytest.raises(TypeError, match="f must be callable, not float"):
            derivative(3.0, x)  # type: ignore[call-overload]


@pytest.mark.parametrize("errors", ["raise", "result", "ieee"])
@pytest.mark.parametrize("x", [1.0, Fraction(1), Decimal(1)], ids=repr)
def test_d13_what_f_raises_passes_through(x: Any, errors: Any) -> None:
    class OwnError(Exception):
        pass

    def broken(_: Any) -> Any:
        raise OwnError("mine")

    with pytest.raises(OwnError, match="mine"):
        derivative(broken, x, errors=errors)
