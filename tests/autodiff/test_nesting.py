"""D12: nested derivatives keep their epsilons apart, also in closures, generators and threads."""

import math
import pickle
import queue
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.polynomials import SMALL, Polynomial, polynomials

from lunaflow.autodiff import (
    Dual,
    derivative,
    elementary,
    gradient,
    hessian,
    jacobian,
    jvp,
    value_and_derivative,
)


def nested(f: Callable[[Any], Any], depth: int) -> Callable[[Any], Any]:
    """The derivative of f of that order."""
    for _ in range(depth):
        f = derivative(f)
    return f


def test_d12_the_perturbations_of_the_classic_example_are_not_confused() -> None:
    assert derivative(lambda x: x * derivative(lambda y: x + y, 1.0), 1.0) == 1.0
    assert derivative(lambda x: x * derivative(lambda y: x * y, 2.0), 3.0) == 6.0
    assert derivative(lambda x: derivative(lambda y: x * y * y, x), 3.0) == 12.0


@given(polynomials(SMALL), SMALL, st.integers(0, 5))
def test_d12_derivatives_of_any_order_are_exact(p: Polynomial, x: Fraction, depth: int) -> None:
    exact = p
    for _ in range(depth):
        exact = exact.slope()
    assert nested(p, depth)(x) == exact(x)


def test_d12_mixed_derivatives_by_closures() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        return x * x * y * y * y * z / (1 + z)

    def mixed(x: Any, y: Any, z: Any) -> Any:
        return derivative(lambda a: derivative(lambda b: derivative(lambda c: f(a, b, c), z), y), x)

    x, y, z = Fraction(2), Fraction(3), Fraction(1, 2)
    assert mixed(x, y, z) == 2 * x * 3 * y * y / (1 + z) ** 2
    by_driver = derivative(derivative(derivative(f, argnum=2), argnum=1), argnum=0)
    assert by_driver(x, y, z) == mixed(x, y, z)
    in_other_order = derivative(derivative(derivative(f), argnum=2), argnum=1)
    assert in_other_order(x, y, z) == mixed(x, y, z)


@given(st.lists(SMALL, min_size=2, max_size=2), SMALL)
def test_d12_drivers_of_several_variables_nest_in_each_other(
    x: list[Fraction], t: Fraction
) -> None:
    a, b = x

    def f(y: Any, s: Any) -> Any:
        return y[0] * y[0] * y[1] * s * s * s + y[1] * y[1] * s

    assert jacobian(gradient(f))(x, t).tolist() == hessian(f, x, args=(t,)).tolist()
    assert derivative(gradient_sum, t, args=(f, x), argnum=2) == 6 * a * b * t * t + (
        3 * a * a * t * t + 2 * b
    )
    by_time = jacobian(lambda y: [derivative(f, t, args=(y,), argnum=1)], x)
    assert by_time.tolist() == [[6 * a * b * t * t, 3 * a * a * t * t + 2 * b]]
    third = jvp(hessian_rows, x, [1, 0], args=(f, t))
    assert third.tolist() == [0, 2 * t**3, 2 * t**3, 0]


def gradient_sum(f: Any, x: Any, t: Any) -> Any:
    return gradient(f, x, args=(t,)).sum()


def hessian_rows(x: Any, f: Any, t: Any) -> Any:
    return hessian(f, x, args=(t,)).ravel()


def test_d12_an_inner_derivative_that_ignores_the_outer_variable_is_a_constant() -> None:
    assert derivative(lambda x: x * derivative(lambda y: y * y * y, 2.0), 5.0) == 12.0
    assert derivative(lambda _: derivative(lambda y: y * y * y, 2.0), 5.0) == 0.0


def test_d12_generators_take_their_epsilons_along() -> None:
    def slopes(x: Any) -> Iterator[Any]:
        for n in range(4):
            yield derivative(lambda y, n=n: x * math.prod([y] * n), 2.0)

    # x * n 2^(n-1), consumed inside another derivative than the one that it was begun in
    def f(x: Any) -> Any:
        lazy = slopes(x)
        next(lazy)
        return derivative(lambda z: z * sum(lazy), 1.0)

    assert derivative(f, 3.0) == 1.0 + 4.0 + 12.0
    running = [slopes(float(x)) for x in (1, 2)]
    assert [tuple(pair) for pair in zip(*running, strict=True)] == [
        (0.0, 0.0),
        (1.0, 2.0),
        (4.0, 8.0),
        (12.0, 24.0),
    ]


def test_d12_a_dual_that_escaped_from_an_inner_derivative_is_refused() -> None:
    def leaky(x: Any) -> Any:
        escaped = []

        def inner(y: Any) -> Any:
            escaped.append(y)
            return x * y

        derivative(inner, 1)
        return x + escaped[0]

    drivers: list[Any] = [derivative, value_and_derivative]
    for driver in drivers:
        with pytest.raises(ValueError, match="escaped from another derivative"):
            driver(leaky, 2.0)
    for several in (gradient, jacobian, hessian):
        with pytest.raises(ValueError, match="escaped from another derivative"):
            several(lambda x: leaky(x[0]), [2.0])


def test_d12_a_dual_that_escaped_from_an_earlier_derivative_is_refused() -> None:
    escaped: list[Any] = []

    def keeps(x: Any) -> Any:
        escaped.append(x)
        return x

    derivative(keeps, 7.0)
    uses: list[Callable[[Any], Any]] = [
        lambda x: x * escaped[0],
        lambda x: x if x > escaped[0] else -x,
        lambda x: elementary.hypot(x, escaped[0]),
        lambda x: elementary.maximum(escaped[0], x),
        lambda x: escaped[0],
        lambda x: escaped[0] * 2.0,
    ]
    for f in uses:
        with pytest.raises(ValueError, match="escaped from another derivative"):
            value_and_derivative(f, 3.0)


def test_d12_what_a_function_keeps_from_one_pass_is_refused_in_the_next() -> None:
    kept: list[Any] = []

    def remembers(x: Any) -> Any:
        kept.append(x[0])
        return kept[0] * x[1]

    for driver in (gradient, hessian):
        kept.clear()
        with pytest.raises(ValueError, match="escaped from another derivative"):
            driver(remembers, [2.0, 3.0])


def test_d12_the_end_of_a_derivative_is_noted_also_where_it_fails() -> None:
    escaped: list[Any] = []

    def fails(x: Any) -> Any:
        escaped.append(x)
        raise KeyError

    calls: list[Callable[[], Any]] = [
        lambda: derivative(fails, 2.0),
        lambda: value_and_derivative(fails, 2),
        lambda: gradient(lambda x: fails(x[0]), [2.0]),
        lambda: hessian(lambda x: fails(x[0]), [2.0]),
    ]
    for call in calls:
        escaped.clear()
        with pytest.raises(KeyError):
            call()
        with pytest.raises(ValueError, match="escaped from another derivative"):
            derivative(lambda y: y * escaped[0], 2.0)


def test_d12_eight_threads_differentiate_at_once() -> None:
    barrier = Barrier(8)

    def at(n: int) -> list[Any]:
        barrier.wait()
        found: list[Any] = []
        for k in range(1, 40):
            x = Fraction(n, k)
            found.append(derivative(lambda y: y * derivative(lambda z: y * z * z, y * y), x))
            found.append(nested(lambda y: y * y * y * y / 2, 3)(float(k)))
            found.append(jacobian(gradient(lambda y: y[0] * y[0] * y[1]), [x, 1]).tolist())
        return found

    with ThreadPoolExecutor(8) as pool:
        all_found = list(pool.map(at, range(1, 9)))
    for n, found in enumerate(all_found, start=1):
        exact: list[Any] = []
        for k in range(1, 40):
            x = Fraction(n, k)
            exact += [8 * x**3, 12.0 * k, [[2, 2 * x], [2 * x, 0]]]
        assert found == exact


def test_d12_a_dual_of_another_thread_is_a_constant_or_refused() -> None:
    to_early: queue.Queue[Any] = queue.Queue()
    to_late: queue.Queue[Any] = queue.Queue()
    outcomes: dict[str, Any] = {}

    def run(name: str, f: Callable[[Any], Any]) -> None:
        try:
            outcomes[name] = derivative(f, 3.0)
        except ValueError as error:
            outcomes[name] = error

    def early(x: Any) -> Any:
        to_late.put(x)
        return x * to_early.get(timeout=60)

    def late(x: Any) -> Any:
        to_early.put(x)
        return x * other

    thread = Thread(target=run, args=("early", early))
    thread.start()
    other = to_late.get(timeout=60)  # so the derivative below has the later epsilon
    run("late", late)
    thread.join(60)
    # the earlier one may have ended before the later one used its dual
    assert isinstance(outcomes["late"], ValueError) or outcomes["late"].identical(other)
    assert "escaped from another derivative" in str(outcomes["early"])


def test_d12_a_dual_of_a_running_derivative_is_not_pickled() -> None:
    cases: list[Any] = [(derivative, 1.0), (gradient, [1.0]), (derivative, Fraction(1))]
    for driver, point in cases:
        with pytest.raises(pickle.PicklingError, match="running derivative"):
            driver(pickle.dumps, point)
    assert pickle.loads(pickle.dumps(Dual(1.0, 2.0))).identical(Dual(1.0, 2.0))


def test_d16_no_tangent_is_lost_on_the_way_into_an_array() -> None:
    buffer = np.zeros(2)

    def stores(x: Any) -> Any:
        buffer[0] = x[0]
        return buffer[0]

    for f in (stores, lambda x: np.array(x, dtype=float)[0], lambda x: math.sin(x[0])):
        with pytest.raises(TypeError, match="would lose its tangent"):
            gradient(f, [1.0])
