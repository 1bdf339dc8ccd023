"""jacobian, jvp and their value_and_ forms: shapes, types, exactness."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.polynomials import SMALL

from lunaflow.arithmetic import ArithmeticErrorKind, Err
from lunaflow.autodiff import Dual, jacobian, jvp, value_and_jacobian, value_and_jvp

POINTS = st.lists(SMALL, min_size=2, max_size=2).filter(lambda x: x[1] != 0)


def outputs(x: Any) -> list[Any]:
    return [x[0] * x[0] * x[1], x[0] / x[1], 3, x[1]]


def rows(x: Any) -> list[list[Any]]:
    a, b = x
    return [[2 * a * b, a * a], [1 / b, -a / (b * b)], [0, 0], [0, 1]]


@given(POINTS)
def test_rows_are_outputs_and_columns_inputs(x: list[Fraction]) -> None:
    value, slopes = value_and_jacobian(outputs, x)
    assert value.tolist() == outputs(x)
    assert value.dtype == slopes.dtype == object
    assert slopes.tolist() == jacobian(outputs, x).tolist() == rows(x)
    assert all(type(slope) is Fraction for slope in slopes.ravel())


@given(POINTS, st.lists(SMALL, min_size=2, max_size=2))
def test_the_jvp_is_jacobian_times_direction(x: list[Fraction], v: list[Fraction]) -> None:
    product = [r[0] * v[0] + r[1] * v[1] for r in rows(x)]
    value, tangents = value_and_jvp(outputs, x, v)
    assert value.tolist() == outputs(x)
    assert tangents.tolist() == jvp(outputs, x, v).tolist() == product
    one, slope = value_and_jvp(lambda y: outputs(y)[1], x, v)
    assert (one, slope) == (x[0] / x[1], product[1])


def test_floats_give_float64_arrays() -> None:
    value, slopes = value_and_jacobian(outputs, np.array([3, 4], dtype=np.float32))
    assert value.dtype == slopes.dtype == np.float64
    assert value.tolist() == [36.0, 0.75, 3.0, 4.0]
    assert slopes.tolist() == [[24.0, 9.0], [0.25, -0.1875], [0.0, 0.0], [0.0, 1.0]]
    value, tangents = value_and_jvp(outputs, [3, 4], [1, np.int8(-1)])
    assert value.dtype == tangents.dtype == np.float64
    assert tangents.tolist() == [15.0, 0.4375, 0.0, -1.0]


@pytest.mark.parametrize(
    "collect",
    [
        list,
        tuple,
        np.array,
        lambda y: np.array(y, dtype=object),
        lambda y: [np.array(y[0], dtype=object), y[1]],
    ],
)
def test_d13_lists_tuples_and_arrays_are_outputs(collect: Any) -> None:
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert jacobian(lambda y: collect(x @ y), [5.0, 6.0]).tolist() == x.tolist()


@pytest.mark.parametrize(
    "constant", [[1, 2.5], (1, 2.5), np.array([1, 2.5]), np.array([1, 2.5], dtype=np.float32)]
)
def test_d13_constants_have_slopes_0(constant: Any) -> None:
    value, slopes = value_and_jacobian(lambda _: constant, [1.0, 2.0, 3.0])
    assert value.tolist() == [1.0, 2.5]
    assert slopes.tolist() == [[0.0] * 3] * 2
    assert jvp(lambda _: constant, [Decimal(1)], [2]).tolist() == [Decimal(0)] * 2


def test_d13_without_inputs_or_outputs() -> None:
    value, slopes = value_and_jacobian(lambda _: [1.0, 2.0], [])
    assert value.tolist() == [1.0, 2.0]
    assert slopes.shape == (2, 0)
    value, slopes = value_and_jacobian(lambda _: [], [1.0, 2.0, 3.0])
    assert value.shape == (0,)
    assert slopes.shape == (0, 3)
    assert jacobian(lambda _: np.zeros(0), np.zeros(0)).shape == (0, 0)
    assert jvp(lambda _: [], [1.0], [1.0]).shape == (0,)
    assert jvp(lambda _: [1.0], [], []).tolist() == [0.0]
    assert jvp(lambda _: 1.0, [], []) == 0.0
    for array in (value, slopes, jacobian(lambda _: [1.0], [])):
        assert array.dtype == np.float64


def test_a_single_number_has_one_row() -> None:
    value, slopes = value_and_jacobian(lambda x: x[0] * x[1], [2.0, 3.0])
    assert value == 6.0
    assert slopes.tolist() == [[3.0, 2.0]]
    assert jacobian(lambda _: 1.0, []).shape == (1, 0)
    assert jacobian(lambda _: np.array(1.0), [2.0]).tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (np.zeros((2, 3)), ValueError, r"one-dimensional .* not the shape \(2, 3\)"),
        ([[1.0], [2.0]], ValueError, r"not the shape \(2, 1\)"),
        ([[1.0], 2.0], TypeError, "output 0 of the function must be a real number, not list"),
        ([1.0, None], TypeError, "output 1 of the function must be a real number, not NoneType"),
        ([1.0, True], TypeError, "output 1 .*not bool"),
        (np.array([1j]), TypeError, "output 0 .*not complex"),
        (np.array(["a"]), TypeError, "output 0 .*not str"),
        (None, TypeError, "the result of the function must be a real number, not NoneType"),
        ({1.0}, TypeError, "not set"),
        ("ab", TypeError, "not str"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("n", [0, 2])
def test_d13_other_results_are_refused(
    result: Any, error: type[Exception], message: str, n: int
) -> None:
    with pytest.raises(error, match=message):
        jacobian(lambda _: result, [1.0] * n)
    with pytest.raises(error, match=message):
        jvp(lambda _: result, [1.0] * n, [1.0] * n)


def test_d13_outputs_whose_number_changes_are_refused() -> None:
    lengths = iter((1, 3))
    with pytest.raises(ValueError, match=r"each time, not shapes \(1,\) and \(3,\)"):
        jacobian(lambda x: [x[0]] * next(lengths), [1.0, 2.0])


@pytest.mark.parametrize("n", [0, 1, 3])
def test_f_is_called_once_for_each_variable_and_once_for_a_direction(n: int) -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(x)
        return list(x)

    value_and_jacobian(f, [1.0] * n)
    assert len(calls) == max(n, 1)
    value_and_jvp(f, [1.0] * n, [1.0] * n)
    assert len(calls) == max(n, 1) + 1


@pytest.mark.parametrize(
    ("x", "v", "error", "message"),
    [
        ([1.0], [1.0, 2.0], ValueError, r"v must have as many numbers as x \(1\), not 2"),
        ([], [1.0], ValueError, r"as x \(0\), not 1"),
        ([1.0], 1.0, TypeError, "v must be a sequence or one-dimensional array"),
        (1.0, 1.0, TypeError, "x must be a sequence"),
        ([1.0], [[1.0]], ValueError, r"v\[0\] must be a number"),
        ([1.0], np.ones((1, 1)), ValueError, r"v must have one dimension, not the shape \(1, 1\)"),
        ([1.0], [2**53 + 1], ValueError, r"v\[0\] has to become a float"),
        ([1], [Fraction(1)], TypeError, r"float numbers and v\[0\] = Fraction\(1, 1\) do not mix"),
        ([Fraction(1)], [1.0], TypeError, r"Fraction numbers and v\[0\] = 1.0 do not mix"),
    ],
    ids=repr,
)
def test_what_is_no_direction_is_refused(
    x: Any, v: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        jvp(outputs, x, v)


def test_a_direction_may_hold_duals_of_an_outer_derivative() -> None:
    tangents = jvp(lambda x: [x[0] * x[0], x[1]], [3.0, 5.0], [Dual(1.0, 2.0), 7])
    assert tangents[0].identical(Dual(6.0, 12.0))
    assert tangents[1] == 7.0


def test_the_failing_operation_is_the_error() -> None:
    for result in (
        jacobian(outputs, [1.0, 0.0], errors="result"),
        jvp(outputs, [1.0, 0.0], [1.0, 0.0], errors="result"),
    ):
        assert isinstance(result, Err)
        assert result.error.kind is ArithmeticErrorKind.DIVISION_BY_ZERO
        assert result.error.operation == "/"
