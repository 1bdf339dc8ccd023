"""gradient, value_and_gradient and hessian: of which points, exactly, and with how many calls."""

import array
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gmpy2
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.polynomials import SMALL, WHOLE, Quadratic, quadratics

from lunaflow.arithmetic import ArithmeticErrorKind, Err
from lunaflow.autodiff import Dual, gradient, hessian, value_and_gradient


def product(x: Any) -> Any:
    return x[0] * x[0] * x[1]


def ratio(x: Any) -> Any:
    return (x[0] + x[1] * x[2]) / (x[1] - x[2])


@given(quadratics(SMALL))
def test_d1_gradients_are_exact_over_fractions(sample: tuple[Quadratic, list[Fraction]]) -> None:
    f, x = sample
    value, slopes = value_and_gradient(f, x)
    assert value == f(x)
    assert slopes.dtype == object
    assert slopes.tolist() == gradient(f, x).tolist() == f.gradient(x)


@given(quadratics(WHOLE))
def test_floats_give_float64_arrays(sample: tuple[Quadratic, list[int]]) -> None:
    f, x = sample
    value, slopes = value_and_gradient(f, np.array(x, dtype=float))
    assert value == f(x)
    assert type(value) is float
    assert slopes.dtype == np.float64
    assert slopes.tolist() == f.gradient(x)


@given(st.lists(SMALL, min_size=3, max_size=3).filter(lambda x: x[1] != x[2]))
def test_d4_gradients_of_quotients_are_exact(x: list[Fraction]) -> None:
    p, q = x[0] + x[1] * x[2], x[1] - x[2]
    exact = [1 / q, (x[2] * q - p) / q**2, (x[1] * q + p) / q**2]
    assert gradient(ratio, x).tolist() == exact


@given(quadratics(SMALL, least=0))
def test_hessians_are_exact_and_symmetric(sample: tuple[Quadratic, list[Fraction]]) -> None:
    f, x = sample
    assert hessian(f, x).tolist() == f.hessian()
    assert hessian(f, x, errors="ieee").tolist() == f.hessian()
    assert hessian(f, x, errors="result").unwrap().tolist() == f.hessian()


@given(st.lists(st.floats(0.5, 2.0), min_size=3, max_size=3))
def test_hessians_of_floats_are_symmetric_arrays(x: list[float]) -> None:
    def f(y: Any) -> Any:
        return y[0] * y[1] / (y[2] + y[0] * y[0])

    second = hessian(f, x)
    a, b, c = (Fraction(number) for number in x)
    q = c + a * a
    exact: list[list[Any]] = [
        [(8 * a**3 * b - 6 * a * b * q) / q**3, (c - a * a) / q**2, -b * (c - 3 * a * a) / q**3],
        [0, 0, -a / q**2],
        [0, 0, 2 * a * b / q**3],
    ]
    assert second.dtype == np.float64
    assert (second == second.T).all()
    for i in range(3):
        for j in range(i, 3):
            assert second[i, j] == pytest.approx(float(exact[i][j]), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize(
    "x",
    [
        [2, 3],
        (2.0, 3),
        range(2, 4),
        deque([2, 3.0]),
        array.array("d", [2, 3]),
        np.array([2, 3], dtype=">i2"),
        np.array([2, 3], dtype=np.uint8),
        np.array([2, 3], dtype=np.float16),
        np.array([2, 9, 3, 9], dtype=np.float32)[::2],
        np.array([2, 3.0], dtype=object),
        np.array([2, np.float32(3)], dtype=object),
        np.ma.array([2.0, 3.0], mask=[False, False]),
        pd.Series([2.0, 3.0]),
    ],
    ids=lambda x: f"{type(x).__name__} {getattr(x, 'dtype', '')}",
)
def test_d16_every_sequence_of_numbers_becomes_floats(x: Any) -> None:
    value, slopes = value_and_gradient(product, x)
    assert (value, slopes.tolist()) == (12.0, [12.0, 4.0])
    assert type(value) is float
    assert slopes.dtype == np.float64


@pytest.mark.parametrize(
    ("x", "slopes"),
    [
        ([Fraction(1, 2), 3], [Fraction(3), Fraction(1, 4)]),
        ([3, Decimal("0.5")], [Decimal(3), Decimal(9)]),
        (np.array([gmpy2.mpq(1, 2), 3]), [gmpy2.mpq(3), gmpy2.mpq(1, 4)]),
    ],
    ids=["Fraction", "Decimal", "mpq"],
)
def test_ints_take_the_type_of_their_neighbours(x: Any, slopes: list[Any]) -> None:
    found = gradient(product, x)
    assert found.dtype == object
    assert [type(slope) for slope in found] == [type(slope) for slope in slopes]
    assert found.tolist() == slopes


def test_duals_are_the_variables_of_an_outer_derivative() -> None:
    slopes = gradient(product, [Dual(2.0, 1.0), 3])
    assert slopes[0].identical(Dual(12.0, 6.0))
    assert slopes[1].identical(Dual(4.0, 4.0))
    zeros = gradient(lambda _: 5.0, [Dual(2.0, 1.0), 3])
    assert zeros[0].identical(Dual(0.0, 0.0))
    assert type(zeros[1]) is float


def test_f_receives_an_object_array_of_duals() -> None:
    seen = []

    def f(x: Any) -> Any:
        seen.append(x)
        return np.dot(x, x) + x.sum()

    assert gradient(f, [1.0, 2.0]).tolist() == [3.0, 5.0]
    assert len(seen) == 2
    for i, x in enumerate(seen):
        assert isinstance(x, np.ndarray)
        assert x.dtype == object
        assert [(d.value, d.tangent) for d in x] == [(1.0, 1.0 - i), (2.0, float(i))]


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_f_is_called_once_for_each_variable(n: int) -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(len(x))
        return sum(y * y for y in x)

    value_and_gradient(f, [1.0] * n)
    assert calls == [n] * max(n, 1)
    calls.clear()
    hessian(f, [1.0] * n)
    assert calls == [n] * max(n * (n + 1) // 2, 1)


@pytest.mark.parametrize("x", [[], (), np.zeros(0), np.zeros(0, dtype=object)], ids=repr)
def test_d13_without_variables_the_gradient_is_an_empty_array(x: Any) -> None:
    value, slopes = value_and_gradient(lambda _: 5.0, x)
    assert value == 5.0
    assert slopes.shape == (0,)
    assert slopes.dtype == np.float64
    assert hessian(lambda _: 5.0, x).shape == (0, 0)


@pytest.mark.parametrize(
    ("x", "zero"), [([1.0, 2], 0.0), ([Fraction(1), 2], Fraction(0)), ([Decimal(1)], Decimal(0))]
)
def test_d13_a_constant_has_the_gradient_0_of_the_right_type(x: Any, zero: Any) -> None:
    n = len(x)
    for slopes in (gradient(lambda _: 5, x), hessian(lambda _: 5, x), hessian(sum, x)):
        assert slopes.dtype == (float if type(zero) is float else object)
        assert all(type(s) is type(zero) and s == 0 for s in slopes.ravel().tolist())
    assert hessian(lambda _: 5, x).shape == (n, n)


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("driver", [gradient, value_and_gradient, hessian])
def test_d13_a_result_with_a_shape_is_refused(driver: Any, n: int) -> None:
    with pytest.raises(ValueError, match=r"single number here, not the shape \(2,\)"):
        driver(lambda x: [1.0, *x][:1] * 2, [1.0] * n)
    with pytest.raises(TypeError, match="must be a real number, not NoneType"):
        driver(lambda _: None, [1.0] * n)


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (1.5, TypeError, "derivative is for functions of a single number"),
        (np.float64(1.5), TypeError, "derivative is for functions of a single number"),
        (Dual(1.0, 1.0), TypeError, "derivative is for functions of a single number"),
        ("12", TypeError, r"x must be a sequence or one-dimensional array of .*not str \('12'\)"),
        (b"12", TypeError, "not bytes"),
        ({1.0}, TypeError, "not set"),
        ({1.0: 2.0}, TypeError, "not dict"),
        (iter([1.0]), TypeError, "not list_iterator"),
        (np.array(1.5), ValueError, r"x must have one dimension, not the shape \(\)"),
        (np.ones((1, 2)), ValueError, r"not the shape \(1, 2\)"),
        ([[1.0], [2.0]], ValueError, r"x\[0\] must be a number, not \[1.0\]"),
        ([1.0, np.ones(2)], ValueError, r"x\[1\] must be a number, not array"),
        (["1"], TypeError, r"x\[0\] must be a real number.*not str"),
        ([1.0, None], TypeError, r"x\[1\] must be a real number.*not NoneType"),
        ([1.0, True], TypeError, r"x\[1\] must be a real number.*not bool"),
        (np.array([True]), TypeError, r"x\[0\] must be a real number.*not bool"),
        (np.array([1j]), TypeError, r"x\[0\] must be a real number.*not complex"),
        (np.array([1], dtype=np.longdouble), TypeError, r"x\[0\] .*not longdouble"),
        (np.array(["2020"], dtype="M8[s]"), TypeError, r"x\[0\] .*not datetime"),
        (np.ma.array([1.0, 2.0], mask=[False, True]), TypeError, r"x\[1\] .*not NoneType"),
        ([1.0, 2**53 + 1], ValueError, r"x\[1\] has to become a float"),
        ([1.0, Fraction(1)], TypeError, r"x\[0\] = 1.0 and x\[1\] = Fraction\(1, 1\) do not mix"),
        ([Decimal(1), Fraction(1), 1.0], TypeError, r"and x\[2\] = 1.0 do not mix"),
        ([Dual(Fraction(1), 0), 1.0], TypeError, "do not mix"),
    ],
    ids=repr,
)
def test_what_is_no_point_is_refused(x: Any, error: type[Exception], message: str) -> None:
    for driver in (gradient, value_and_gradient, hessian):
        with pytest.raises(error, match=message):
            driver(product, x)


def test_the_failing_operation_is_the_error() -> None:
    match gradient(ratio, [1.0, 2.0, 2.0], errors="result"):
        case Err(error):
            assert error.kind is ArithmeticErrorKind.DIVISION_BY_ZERO
            assert error.component == "value"
            assert "called at" in error.__notes__[0]
            assert __file__ in error.__notes__[0]
        case other:
            raise AssertionError(other)
