"""The functions that drivers return are what SciPy's solvers take, as they are written."""

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares, minimize, root, root_scalar

from lunaflow.autodiff import (
    derivative,
    gradient,
    hessian,
    jacobian,
    jvp,
    value_and_derivative,
    value_and_gradient,
    value_and_jacobian,
)

T = np.array([0.0, 1.0, 2.0, 4.0])
Y = 2.0 / (1.0 + 0.5 * T)


def misfit(x: Any, t: Any, y: Any) -> Any:
    residuals = x[0] / (1.0 + x[1] * t) - y
    return np.dot(residuals, residuals)


def residuals(x: Any, t: Any, y: Any, *, scale: float = 1.0) -> Any:
    return (x[0] / (1.0 + x[1] * t) - y) * scale


def rosenbrock(x: Any) -> Any:
    a, b = 1.0 - x[0], x[1] - x[0] * x[0]
    return a * a + 100.0 * b * b


def circle_and_line(x: Any) -> Any:
    return [x[0] * x[0] + x[1] * x[1] - 25.0, x[0] - x[1] + 1.0]


def robertson(t: float, y: Any, k: float) -> Any:
    slow, fast = k * y[0] - 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    return np.array([-slow, slow - fast, fast])


def test_a6_minimize_takes_value_and_gradient() -> None:
    found = minimize(value_and_gradient(misfit), [1.0, 1.0], args=(T, Y), jac=True)
    assert found.success
    np.testing.assert_allclose(found.x, [2.0, 0.5], rtol=1e-5)


@pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B", "SLSQP", "TNC", "CG"])
def test_a6_minimize_takes_gradient(method: Any) -> None:
    found = minimize(rosenbrock, [-1.2, 1.0], jac=gradient(rosenbrock), method=method)
    np.testing.assert_allclose(found.x, [1.0, 1.0], rtol=2e-3)


@pytest.mark.parametrize("method", ["Newton-CG", "trust-exact", "trust-ncg", "trust-krylov"])
def test_a6_minimize_takes_hessian(method: Any) -> None:
    options: Any = {"jac": gradient(rosenbrock), "hess": hessian(rosenbrock)}
    found = minimize(rosenbrock, [0.5, 0.5], method=method, **options)
    np.testing.assert_allclose(found.x, [1.0, 1.0], rtol=1e-5)


def test_a6_minimize_takes_the_jvp_of_a_gradient_as_hessp() -> None:
    g = gradient(rosenbrock)
    found = minimize(rosenbrock, [-1.2, 1.0], method="trust-ncg", jac=g, hessp=jvp(g))
    assert found.success
    np.testing.assert_allclose(found.x, [1.0, 1.0], rtol=1e-6)


def test_a6_root_takes_jacobian() -> None:
    found = root(circle_and_line, [1.0, 1.0], jac=jacobian(circle_and_line))
    np.testing.assert_allclose(found.x, [3.0, 4.0], rtol=1e-12)
    pair = root(value_and_jacobian(circle_and_line), [1.0, 1.0], jac=True)
    np.testing.assert_allclose(pair.x, [3.0, 4.0], rtol=1e-12)


@pytest.mark.parametrize("method", ["trf", "dogbox", "lm"])
def test_a6_least_squares_takes_jacobian(method: Any) -> None:
    found = least_squares(
        residuals,
        [1.0, 1.0],
        jac=jacobian(residuals),
        args=(T, Y),
        kwargs={"scale": 3.0},
        method=method,
    )
    np.testing.assert_allclose(found.x, [2.0, 0.5], rtol=1e-7)


def test_a6_a_single_residual_is_one_row_for_root_and_least_squares() -> None:
    def f(x: Any) -> Any:
        return x[0] * x[0] - 2.0

    for solve in (least_squares, root):
        assert solve(f, [1.0], jac=jacobian(f)).x[0] == pytest.approx(2**0.5, rel=1e-9)


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])
def test_a6_solve_ivp_takes_jacobian(method: Any) -> None:
    start = [1.0, 0.0, 0.0]
    options: Any = {"method": method, "args": (0.04,), "rtol": 1e-8, "atol": 1e-12}
    found = solve_ivp(robertson, (0, 40), start, jac=jacobian(robertson, argnum=1), **options)
    assert found.success
    # from Hairer and Wanner, Solving Ordinary Differential Equations II
    np.testing.assert_allclose(found.y[:, -1], [0.7158271, 9.185534e-6, 0.2841637], rtol=1e-5)


def test_a6_root_scalar_takes_derivative() -> None:
    def f(x: Any, a: float) -> Any:
        return x * x * x - a

    newton = root_scalar(f, args=(8.0,), x0=3.0, fprime=derivative(f), method="newton")
    assert newton.root == pytest.approx(2.0, rel=1e-12)
    pair = root_scalar(value_and_derivative(f), args=(8.0,), x0=3.0, fprime=True)
    assert pair.root == pytest.approx(2.0, rel=1e-12)


def test_a6_what_a_worker_process_gets_is_the_same_function() -> None:
    again = pickle.loads(pickle.dumps(jacobian(robertson, argnum=1)))
    y = np.array([1.0, 2.0, 3.0])
    assert (
        again(0.0, y, 0.04).tolist() == jacobian(robertson, y, args=(0.0, 0.04), argnum=1).tolist()
    )
