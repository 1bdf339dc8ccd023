"""Duals in NumPy's object arrays, and beside arrays, polynomials and pandas' series."""

import operator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from tests.autodiff.duals import tree

from lunaflow.autodiff._dual import Dual

X: Any = Dual(2.0, 1.0)
Y: Any = Dual(3.0, 0.5)
PAIR: Any = np.array([X, Y])
NUMBERS = np.array([1.0, 2.0])


class Tagged(np.ndarray[Any, Any]):
    pass


def trees_of(array: Any) -> Any:
    return [tree(x) for x in np.ravel(array).tolist()]


def test_arrays_of_duals_are_object_arrays() -> None:
    assert PAIR.dtype == object
    assert np.array(X).shape == ()
    assert np.array([[X, 1.0]]).shape == (1, 2)
    assert np.array([Dual(X, 1), Dual(Y, 1)]).shape == (2,)


@pytest.mark.parametrize(
    "array",
    [
        NUMBERS,
        np.array([1, 2]),
        np.array([1, 2], dtype=np.uint8),
        np.array([1, 2], dtype=np.float32),
        np.array([[1.0], [2.0]]),
        np.array([X, 2.0], dtype=object),
        np.array(3.0),
        np.array(3),
        np.array([]),
    ],
    ids=repr,
)
def test_operators_work_element_by_element_from_both_sides(array: Any) -> None:
    elements = array.ravel().tolist()
    for found, expected in (
        (X + array, [X + e for e in elements]),
        (array + X, [e + X for e in elements]),
        (X - array, [X - e for e in elements]),
        (array - X, [e - X for e in elements]),
        (X * array, [X * e for e in elements]),
        (array * X, [e * X for e in elements]),
        (X / array, [X / e for e in elements]),
        (array / X, [e / X for e in elements]),
    ):
        assert np.shape(found) == array.shape
        assert trees_of(found) == list(map(tree, expected))
    for compare in (np.less, np.less_equal, np.equal, np.not_equal, np.greater, np.greater_equal):
        expected = [bool(compare(2.0, getattr(e, "value", e))) for e in elements]
        assert np.ravel(compare(X, array)).tolist() == expected
    assert np.ravel(array < X).tolist() == [e < X for e in elements]
    assert np.ravel(array == X).dtype == bool


def test_fractions_too() -> None:
    x = Dual(Fraction(1, 3), 1)
    assert trees_of(x * np.array([1, 2])) == [(Fraction(1, 3), 1), (Fraction(2, 3), 2)]
    assert trees_of(np.array([Fraction(1, 2)]) - x) == [(Fraction(1, 6), -1)]
    with pytest.raises(TypeError, match="do not mix"):
        x * NUMBERS


@pytest.mark.parametrize("array", [np.array([1j]), np.array(["a"]), np.array([None])], ids=repr)
def test_arrays_of_other_things_are_refused(array: Any) -> None:
    for left, right in ((X, array), (array, X)):
        for operate in (operator.add, operator.sub, operator.mul, operator.truediv):
            with pytest.raises(TypeError):
                operate(left, right)


def test_subclasses_of_arrays_stay_what_they_are() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    for product in (X * masked, masked * X):
        assert isinstance(product, np.ma.MaskedArray)
        assert product.mask.tolist() == [False, True]
        assert product[0].identical(X)
    assert isinstance(X * NUMBERS.view(Tagged), Tagged)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (lambda: np.dot(PAIR, PAIR), X * X + Y * Y),
        (lambda: PAIR @ PAIR, X * X + Y * Y),
        (lambda: PAIR @ NUMBERS, X + 2 * Y),
        (lambda: np.dot(NUMBERS, PAIR), X + 2 * Y),
        (lambda: np.sum(PAIR), X + Y),
        (lambda: PAIR.sum(), X + Y),
        (lambda: np.prod(PAIR), X * Y),
        (lambda: np.mean(PAIR), (X + Y) / 2),
        (lambda: np.median(PAIR), (X + Y) / 2),
        (lambda: np.trapezoid(PAIR), (X + Y) / 2),
        (lambda: np.max(PAIR), Y),
        (lambda: np.min(PAIR), X),
        (lambda: np.trace(np.array([[X, Y], [Y, X]])), X + X),
        (lambda: np.einsum("i,i", PAIR, PAIR), X * X + Y * Y),
        (lambda: np.add.reduce(PAIR), X + Y),
        (lambda: np.add(np.float64(2), X), X + 2),
        (lambda: np.polyval([1, 2, 3], X), X * X + 2 * X + 3),
        (lambda: Polynomial([3, 2, 1])(X), X * X + 2 * X + 3),
        (lambda: Polynomial([3, 2, 1]).deriv()(X), 2 * X + 2),
        (lambda: Polynomial([1, 2], domain=[0, 1])(X), 4 * X - 1),
        (lambda: Polynomial([X, Y])(2.0), X + 2 * Y),
        (lambda: pd.Series([X, Y]).sum(), X + Y),
    ],
)
def test_reductions(found: Any, expected: Any) -> None:
    assert found().identical(expected)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (lambda: PAIR * PAIR, [X * X, Y * Y]),
        (lambda: np.cumsum(PAIR), [X, X + Y]),
        (lambda: np.diff(PAIR), [Y - X]),
        (lambda: np.square(PAIR), [X * X, Y * Y]),
        (lambda: np.reciprocal(PAIR), [1 / X, 1 / Y]),
        (lambda: np.negative(PAIR), [-X, -Y]),
        (lambda: np.positive(PAIR), [X, Y]),
        (lambda: np.conjugate(PAIR), [X, Y]),
        (lambda: np.sort(PAIR[::-1]), [X, Y]),
        (lambda: np.unique(np.array([Y, X, Y])), [X, Y]),
        (lambda: np.maximum(PAIR, 2.5), [2.5, Y]),
        (lambda: np.minimum(PAIR, PAIR[::-1]), [X, X]),
        (lambda: np.clip(PAIR, 2.25, 2.5), [2.25, 2.5]),
        (lambda: np.where(PAIR > 2.5, PAIR, 0.0), [0.0, Y]),
        (lambda: np.outer(PAIR, PAIR), [X * X, X * Y, Y * X, Y * Y]),
        (lambda: np.array([[X, Y], [Y, X]]) @ PAIR, [X * X + Y * Y, Y * X + X * Y]),
        (lambda: np.convolve(PAIR, PAIR), [X * X, X * Y + Y * X, Y * Y]),
        (lambda: np.linspace(X, Y, 3), [X, (X + Y) / 2, Y]),
        (lambda: np.full(2, X), [X, X]),
        (lambda: PAIR[PAIR > X], [Y]),
        (lambda: PAIR[np.argsort(PAIR[::-1])], [Y, X]),
        (lambda: (Polynomial([X, Y]) + 1).coef, [X + 1, Y]),
        (lambda: (Polynomial([1, 2]) + X).coef, [X + 1, 2.0]),
        (lambda: (X + Polynomial([1, 2])).coef, [X + 1, 2.0]),
        (lambda: (X * Polynomial([1, 2])).coef, [X, 2 * X]),
        (lambda: (Polynomial([1, 2]) * X).coef, [X, 2 * X]),
        (lambda: (Polynomial([X, Y]) * Polynomial([X, Y])).coef, [X * X, 2 * X * Y, Y * Y]),
        (lambda: Polynomial([1, 2])(PAIR), [2 * X + 1, 2 * Y + 1]),
        (lambda: (X * pd.Series(NUMBERS)).to_numpy(), [X, 2 * X]),
        (lambda: (pd.Series(NUMBERS) * X).to_numpy(), [X, 2 * X]),
    ],
)
def test_functions_of_arrays(found: Any, expected: Any) -> None:
    assert trees_of(found()) == list(map(tree, expected))


def test_in_place_operators_of_object_arrays() -> None:
    array = PAIR.copy()
    array += X
    array *= 2
    array -= NUMBERS
    array /= Y
    assert trees_of(array) == [
        tree(((e + X) * 2 - n) / Y) for e, n in zip(PAIR, NUMBERS, strict=True)
    ]


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=4), st.floats(-2, 2))
def test_polynomials_have_their_derivative(coefficients: list[float], x: float) -> None:
    polynomial = Polynomial(coefficients)
    found: Any = polynomial(Dual(x, 1.0))
    assert found.value == pytest.approx(polynomial(x), abs=1e-9)
    assert found.tangent == pytest.approx(polynomial.deriv()(x), abs=1e-9)
