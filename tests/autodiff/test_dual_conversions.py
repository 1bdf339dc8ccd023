"""D16: no tangent is lost in silence."""

import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lunaflow.autodiff import elementary
from lunaflow.autodiff._dual import Dual, fresh_level, seed

DUALS = [
    Dual(2.0, 1.0),
    Dual(Fraction(2), 1),
    Dual(Decimal(2), 1),
    Dual(Dual(2.0, 1.0), 1),
    seed(2.0, 1.0, fresh_level(), True),
]
TO_FLOAT: list[Any] = [
    float,
    math.sin,
    math.sqrt,
    math.exp,
    math.fabs,
    math.isnan,
    math.gamma,
    lambda x: math.atan2(x, 1.0),
    lambda x: math.fsum([x]),
    lambda x: math.hypot(x, 1.0),
    lambda x: math.copysign(1.0, x),
    lambda x: np.float64(x),
    lambda x: np.interp(x, [0.0, 1.0], [0.0, 1.0]),
]
ROUNDING: list[Any] = [
    round,
    lambda x: round(x, 2),
    math.floor,
    math.ceil,
    math.trunc,
    lambda x: np.floor(np.array([x])),
    lambda x: np.array([x]).round(),
    lambda x: np.rint(np.array([x])),
]
DIVISIONS: list[Any] = [
    lambda x: x // 2,
    lambda x: 2 // x,
    lambda x: x // x,
    lambda x: divmod(x, 2),
    lambda x: divmod(2, x),
    lambda x: np.float64(2) // x,
    lambda x: np.floor_divide(np.array([x]), 2),
]


@pytest.mark.parametrize("x", DUALS, ids=repr)
@pytest.mark.parametrize("convert", TO_FLOAT)
def test_d16_no_conversion_to_float(x: Any, convert: Any) -> None:
    with pytest.raises(TypeError, match=r"^float\(\) of Dual\(.*write primal\(x\) for.*elementary"):
        convert(x)


@pytest.mark.parametrize("x", DUALS, ids=repr)
def test_d16_no_conversion_to_other_numbers(x: Any) -> None:
    with pytest.raises(TypeError, match=r"^int\(\) of Dual\(.*write int\(primal\(x\)\) for"):
        int(x)
    for convert in (complex, lambda x: np.array([x]).astype(complex)):
        with pytest.raises(TypeError, match=r"^complex\(\) of Dual\(.*complex\(primal\(x\)\) for"):
            convert(x)
    with pytest.raises(TypeError):
        operator.index(x)
    with pytest.raises(TypeError):
        [1, 2, 3][x]
    for make in (Fraction, Decimal):
        with pytest.raises(TypeError):
            make(x)


@pytest.mark.parametrize("x", DUALS, ids=repr)
@pytest.mark.parametrize("convert", ROUNDING)
def test_d16_no_rounding(x: Any, convert: Any) -> None:
    with pytest.raises(TypeError, match="would lose its tangent: use floor, ceil or trunc"):
        convert(x)


@pytest.mark.parametrize("x", DUALS, ids=repr)
@pytest.mark.parametrize("divide", DIVISIONS)
def test_d16_no_integer_division(x: Any, divide: Any) -> None:
    with pytest.raises(TypeError, match=r"of a Dual would lose its tangent: write floor\(x / y\)"):
        divide(x)


@pytest.mark.parametrize(
    "dtype", [float, np.float32, np.float16, np.longdouble, int, np.uint8, complex]
)
@pytest.mark.parametrize("x", DUALS, ids=repr)
def test_d16_no_storing_into_numeric_arrays(x: Any, dtype: Any) -> None:
    buffer = np.zeros(2, dtype=dtype)

    def store() -> None:
        buffer[0] = x

    def fill() -> None:
        buffer.fill(x)

    for put in (
        store,
        fill,
        lambda: np.array([x, x], dtype=dtype),
        lambda: np.asarray(x, dtype=dtype),
        lambda: np.array([x, 1.0]).astype(dtype),
        lambda: np.full(2, x, dtype=dtype),
        lambda: np.copyto(buffer, np.array([x, x]), casting="unsafe"),
    ):
        with pytest.raises(TypeError, match="would lose its tangent.*dtype object"):
            put()
    assert not buffer.any()


def test_d16_a_bool_array_takes_the_truth() -> None:
    truths = np.zeros(3, dtype=bool)
    truths[0] = Dual(0.0, 1.0)
    truths[1] = Dual(2.0, 0.0)
    assert truths.tolist() == [False, True, False]
    assert np.array([Dual(0.0, 1.0), Dual(2.0, 0.0)]).astype(bool).tolist() == [False, True]


def test_d16_a_float_array_takes_no_dual_in_place() -> None:
    operations: list[Any] = [operator.iadd, operator.isub, operator.imul, operator.itruediv]
    for operate in operations:
        buffer: Any = np.ones((2, 2))
        with pytest.raises(TypeError, match="float64 cannot hold a Dual.*dtype=object"):
            operate(buffer, Dual(2.0, 1.0))
        with pytest.raises(TypeError, match="float64 cannot hold a Dual.*dtype=object"):
            operate(buffer[0], Dual(2.0, 1.0))
        assert buffer.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    with pytest.raises(TypeError):
        np.add(buffer, np.array([Dual(2.0, 1.0)] * 2), out=buffer)


def test_d16_object_arrays_take_duals_in_place_also_through_views() -> None:
    buffer: Any = np.ones((2, 2), dtype=object)
    for row in buffer:
        row *= Dual(2.0, 1.0)
    assert buffer.sum().identical(Dual(8.0, 4.0))
    x: Any = Dual(2.0, 1.0)
    out = np.empty(2, dtype=object)
    assert np.multiply(x, np.ones(2), out=out) is out
    assert out[1].identical(Dual(2.0, 1.0))
    truths = np.zeros(2, dtype=bool)
    assert np.less(x, np.array([1.0, 3.0]), out=truths).tolist() == [False, True]


def test_numpy_functions_of_one_dual_are_the_elementary_ones() -> None:
    x: Any = Dual(0.5, 1.0)
    assert np.sin(x).identical(elementary.sin(x))
    assert np.hypot(2.0, x).identical(elementary.hypot(2.0, x))
    assert np.maximum(x, 0.25).identical(x)
    assert np.power(x, 2).identical(x**2)
    assert not np.isnan(x)
    assert np.multiply.outer(x, np.arange(2.0))[1].identical(x)
    assert (np.float64(3.0) * x).identical(3.0 * x)
    with pytest.raises(TypeError, match="mix"):
        np.complex128(1j) * x


def test_no_modular_power() -> None:
    x: Any = Dual(2.0, 1.0)
    with pytest.raises(TypeError, match="no modulus"):
        pow(x, 2, 3)
