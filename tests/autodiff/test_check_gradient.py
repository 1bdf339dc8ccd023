"""check_gradient: a gradient that someone wrote by hand, right or wrong, and how that is told."""

import dataclasses
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.autodiff.polynomials import SMALL, WHOLE, Quadratic, quadratics

from lunaflow.autodiff import GradientCheck, check_gradient, gradient

TOLERANCE = 1e-8


def f(x: Any) -> Any:
    return x[0] * x[0] * x[1]


@given(quadratics(WHOLE) | quadratics(SMALL))
def test_a_right_gradient_agrees(sample: tuple[Quadratic, list[Any]]) -> None:
    q, x = sample
    check = check_gradient(q, q.gradient, x)
    assert check.agrees
    assert check.error == 0.0


@given(quadratics(SMALL), st.data(), st.floats(1e-7, 1e3))
def test_a_wrong_component_is_found(
    sample: tuple[Quadratic, list[Any]], data: Any, factor: float
) -> None:
    q, x = sample
    right = q.gradient(x)
    i = data.draw(st.integers(0, len(x) - 1))
    assume(right[i] != 0)

    def wrong(y: Any) -> Any:
        slopes = q.gradient(y)
        slopes[i] = slopes[i] * Fraction(1 + factor)
        return slopes

    check = check_gradient(q, wrong, x)
    assert not check.agrees
    assert check.component == i
    assert (check.given, check.computed) == (wrong(x)[i], right[i])
    relative = factor / (1 + factor)
    assert check.error == pytest.approx(relative, rel=1e-6)


@given(st.floats(-2e-8, 2e-8))
def test_differences_within_the_tolerance_are_rounding(share: float) -> None:
    def jac(x: Any) -> Any:
        return [2 * x[0] * x[1] * (1 + share), x[0] * x[0]]

    check = check_gradient(f, jac, [2.0, 3.0])
    assert check.error == pytest.approx(abs(share), rel=1e-7, abs=1e-15)
    assert check.agrees == (check.error <= TOLERANCE)


@pytest.mark.parametrize(("noise", "agrees"), [(1e-15, True), (3e-14, False)])
def test_small_components_are_judged_beside_the_largest(noise: float, agrees: bool) -> None:
    check = check_gradient(lambda x: x[0] + 0.0 * x[1], lambda x: [1.0, noise], [1.0, 1.0])
    assert check.agrees is agrees
    assert check.component == 1
    assert check.error == pytest.approx(noise / 1e-6)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_differ(wrong: float) -> None:
    check = check_gradient(f, lambda x: [12.0, wrong], [2.0, 3.0])
    assert not check.agrees
    assert check.component == 1
    assert check.error == math.inf


def test_the_result_is_a_frozen_value_that_reads_well() -> None:
    right = check_gradient(f, gradient(f), [2.0, 3.0])
    wrong = check_gradient(f, lambda x: [2 * x[0] * x[1], 2 * x[0] * x[0]], [2.0, 3.0])
    assert right == GradientCheck(True, 0, 12.0, 12.0, 0.0)
    assert wrong == GradientCheck(False, 1, 8.0, 4.0, 0.5)
    assert pickle.loads(pickle.dumps(wrong)) == wrong
    assert hash(wrong) == hash(dataclasses.replace(wrong))
    with pytest.raises(dataclasses.FrozenInstanceError):
        wrong.agrees = True  # type: ignore[misc]
    assert str(right) == (
        "the gradients agree within 0.0e+00 of each slope, worst at component 0 (given 12.0, "
        "computed 12.0)"
    )
    assert str(wrong) == (
        "the gradients differ by 5.0e-01 of the slope at component 1 (given 8.0, computed 4.0), "
        "more than 1e-08"
    )


def test_other_arguments_go_to_both() -> None:
    def scaled(x: Any, a: float, b: float) -> Any:
        return a * x[0] + b

    check = check_gradient(scaled, lambda x, a, b: [a], [1.0], args=(3.0, 5.0))
    assert check == GradientCheck(True, 0, 3.0, 3.0, 0.0)


def test_jac_gets_an_array_of_plain_numbers() -> None:
    seen: list[Any] = []

    def jac(x: Any) -> Any:
        seen.append(x)
        return (2 * x[0] * x[1], x[0] * x[0])

    assert check_gradient(f, jac, (2, np.float32(3))).agrees
    assert check_gradient(f, jac, [Decimal(2), 3]).agrees
    floats, decimals = seen
    assert floats.dtype == np.float64
    assert floats.tolist() == [2.0, 3.0]
    assert decimals.dtype == object
    assert decimals.tolist() == [Decimal(2), Decimal(3)]


def test_without_variables_there_is_nothing_to_differ() -> None:
    check = check_gradient(lambda x: 1.0, lambda x: [], [])
    assert check == GradientCheck(True, None, None, None, 0.0)
    assert str(check) == "the gradients agree: there are no variables"


@pytest.mark.parametrize(
    ("given_slopes", "error", "message"),
    [
        ([1.0], ValueError, r"jac must return as many .* shape \(2,\), not the shape \(1,\)"),
        ([], ValueError, r"not the shape \(0,\)"),
        (np.ones((2, 1)), ValueError, r"the result of jac must have one dim.*shape \(2, 1\)"),
        ([[1.0, 2.0]], ValueError, r"the result of jac\[0\] must be a number"),
        (1.0, TypeError, "the result of jac must be a sequence or one-dimensional array"),
        (None, TypeError, "the result of jac .*not NoneType"),
        ([1.0, "2"], TypeError, r"the result of jac\[1\] must be a real number.*not str"),
    ],
    ids=repr,
)
def test_wrong_shapes_and_types_of_jac_are_refused(
    given_slopes: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        check_gradient(f, lambda x: given_slopes, [2.0, 3.0])


def test_wrong_arguments_are_refused() -> None:
    jac = gradient(f)
    with pytest.raises(TypeError, match="f must be callable"):
        check_gradient(1, jac, [1.0])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="jac must be callable"):
        check_gradient(f, 1, [1.0])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="args must be a tuple"):
        check_gradient(f, jac, [1.0], args=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="x must be a sequence"):
        check_gradient(f, jac, 1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="single number here"):
        check_gradient(lambda x: [x[0]], jac, [1.0])
    with pytest.raises(ZeroDivisionError):
        check_gradient(lambda x: 1 / x[0], jac, [0.0])


def test_the_truth_of_a_check_is_whether_it_agrees() -> None:
    assert check_gradient(lambda x: x[0] * x[0], lambda x: [2 * x[0]], [3.0])
    assert not check_gradient(lambda x: x[0] * x[0], lambda x: [3 * x[0]], [3.0])
