"""Drivers without a point: the functions that they return."""

import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.autodiff.polynomials import SMALL, Quadratic, quadratics

from lunaflow.arithmetic import Ok
from lunaflow.autodiff import (
    derivative,
    gradient,
    hessian,
    jacobian,
    jvp,
    value_and_derivative,
    value_and_gradient,
    value_and_jacobian,
    value_and_jvp,
)

POINT_DRIVERS: list[Any] = [gradient, value_and_gradient, jacobian, value_and_jacobian, hessian]
DRIVERS: list[Any] = [derivative, value_and_derivative, *POINT_DRIVERS, jvp, value_and_jvp]


def energy(t: Any, x: Any, scale: Any = 1) -> Any:
    return (x[0] * x[0] * x[1] + t * x[1]) * scale


def decay(t: float, y: Any) -> Any:
    return -y * t


@pytest.mark.parametrize("driver", POINT_DRIVERS)
def test_the_function_takes_the_arguments_of_f(driver: Any) -> None:
    x = [2.0, 3.0]
    expected = repr(driver(energy, x, args=(5.0, 7.0), argnum=1))
    g = driver(energy, argnum=1)
    assert repr(g(5.0, x, 7.0)) == expected
    assert repr(g(5.0, x, scale=7.0)) == expected
    assert repr(driver(energy, argnum=1, errors="result")(5.0, x, 7.0).unwrap()) == expected


def test_derivative_without_x() -> None:
    assert derivative(decay, argnum=1)(2.0, 3.0) == -2.0
    assert value_and_derivative(decay)(2.0, 3.0) == (-6.0, -3.0)
    assert derivative(decay, argnum=1, errors="result")(2.0, 3.0) == Ok(-2.0)


def test_the_direction_of_jvp_follows_its_variable() -> None:
    x, v = [2.0, 3.0], [1, -1]
    assert jvp(energy, argnum=1)(5.0, x, v, 7.0) == jvp(energy, x, v, args=(5.0, 7.0), argnum=1)
    assert value_and_jvp(energy, argnum=1)(5.0, x, v) == (27.0, 12.0 - 4.0 - 5.0)


@given(quadratics(SMALL))
def test_the_jvp_of_a_gradient_is_hessian_times_direction(
    sample: tuple[Quadratic, list[Fraction]],
) -> None:
    f, x = sample
    v = x[::-1]
    product = [sum(h * y for h, y in zip(row, v, strict=True)) for row in f.hessian()]
    assert jvp(gradient(f))(x, v).tolist() == product


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: str(driver.__name__))
def test_it_says_what_it_is(driver: Any) -> None:
    name = driver.__name__
    assert repr(driver(math.hypot)) == f"{name}(hypot)"
    assert driver(math.hypot).__name__ == f"{name}(hypot)"
    shown = f"{name}(hypot, argnum=1, errors='ieee')"
    assert repr(driver(math.hypot, argnum=1, errors="ieee")) == shown
    assert repr(driver(driver(math.hypot))) == f"{name}({name}(hypot))"
    assert repr(driver(partial(math.hypot, 1.0))).startswith(f"{name}(functools.partial(")


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: str(driver.__name__))
def test_it_is_picklable_and_a_value(driver: Any) -> None:
    g = driver(energy, argnum=1, errors="ieee")
    again = pickle.loads(pickle.dumps(g))
    assert again == g
    assert hash(again) == hash(g)
    assert again != driver(energy, argnum=1)
    assert again.driver is driver


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: str(driver.__name__))
def test_options_are_checked_when_it_is_made(driver: Any) -> None:
    wrong: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (3, {}, TypeError, "f must be callable, not int"),
        (energy, {"argnum": -1}, ValueError, "argnum must be at least 0"),
        (energy, {"argnum": "x"}, TypeError, "argnum must be an integer"),
        (energy, {"errors": "warn"}, ValueError, "errors must be"),
        (energy, {"args": 1}, TypeError, "args must be a tuple"),
        (energy, {"args": (1,)}, TypeError, "args belong to a point x"),
    ]
    for f, options, error, message in wrong:
        with pytest.raises(error, match=message):
            driver(f, **options)


@pytest.mark.parametrize("driver", [jvp, value_and_jvp])
def test_a_point_without_direction_is_refused(driver: Any) -> None:
    with pytest.raises(TypeError, match="takes both x and v, or neither"):
        driver(energy, [1.0])
    with pytest.raises(TypeError, match="takes both x and v, or neither"):
        driver(energy, v=[1.0])


def test_too_few_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match=r"gradient\(energy, argnum=1\) takes at least 2 pos.* 1"):
        gradient(energy, argnum=1)(1.0)
    with pytest.raises(TypeError, match=r"jvp\(energy\) takes at least 2 positional arguments"):
        jvp(energy)([1.0])
    with pytest.raises(TypeError, match="takes at least 1 positional argument, not 0"):
        derivative(decay)()


def test_none_is_a_wrong_point_and_no_omission() -> None:
    with pytest.raises(TypeError, match=r"not NoneType \(None\)"):
        derivative(decay, None)
    with pytest.raises(TypeError, match=r"not NoneType \(None\)"):
        gradient(energy, None)  # type: ignore[call-overload]


def test_threads_share_one() -> None:
    g = value_and_gradient(energy, argnum=1)

    def at(n: int) -> bool:
        value, slopes = g(float(n), [2.0, 3.0])
        return bool(value == 12 + 3 * n and slopes.tolist() == [12.0, 4.0 + n])

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(at, range(200)))


def test_keywords_of_any_name_reach_the_function() -> None:
    def f(x: Any, /, *, self: float, args: float, v: float) -> Any:
        return x * self * args * v

    slope: Callable[..., Any] = derivative(f)
    assert slope(1.0, self=2.0, args=3.0, v=5.0) == 30.0


def test_an_array_stays_as_it_is() -> None:
    x = np.array([2.0, 3.0])
    x.flags.writeable = False

    def overwrites(_: float, y: Any) -> Any:
        y[0] = y[0] * y[1]
        return y[0]

    assert gradient(overwrites, argnum=1)(0.0, x).tolist() == [3.0, 2.0]
    assert x.tolist() == [2.0, 3.0]
