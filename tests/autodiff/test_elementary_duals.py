"""Elementary functions of duals over floats: values, tangents, mixing, levels."""

import math
import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.autodiff.calls import (
    INF,
    MOVING,
    NAN,
    RULES,
    arguments,
    call,
    checked,
    exact_second_slope,
    function,
    is_near,
    moving,
    nth,
    second_slopes,
)
from tests.autodiff.exact import MP, SLOPES, measure, real, ulp
from tests.autodiff.points import direction, point

from lunaflow.autodiff import Dual, derivative, gradient
from lunaflow.autodiff import elementary as el
from lunaflow.autodiff._kernels import BINARY, UNARY

KERNELS = UNARY | BINARY
EVERY = pytest.mark.parametrize("rule", sorted(RULES))
PAIRS = pytest.mark.parametrize("rule", sorted(set(BINARY) - set(MOVING)))
NUMBERS = st.floats(-20, 20)


def bits(x: float) -> bytes:
    assert type(x) is float
    return b"nan" if x != x else struct.pack("<d", x)


def draws(rule: str, count: int) -> list[tuple[Sequence[float], Sequence[float]]]:
    """Points of the fuzzer at which the rule has a slope, and directions."""
    rng = Random(rule)
    found: list[tuple[Sequence[float], Sequence[float]]] = []
    while len(found) < count:
        at = point(rng, rule)
        if all(map(math.isfinite, at)) and KERNELS[rule].trouble_at(*at) == "fine":
            found.append((at, direction(rng, SLOPES[rule](*at))))
    return found


@EVERY
def test_values_are_those_of_plain_floats_bit_by_bit(rule: str) -> None:
    plain = function(rule)
    for at, along in draws(rule, 200):
        try:
            expected = float(plain(*at))
        except OverflowError:
            expected = INF
        if rule in ("floor", "ceil", "trunc"):
            expected = math.copysign(expected, at[0]) if expected == 0 else expected
        got = call(rule, at, along).value
        assert bits(got) == bits(expected) or (abs(got) == expected == INF)


@EVERY
def test_d8_tangents_are_within_their_bound(rule: str) -> None:
    for at, along in draws(rule, 200):
        seen = [b if i in moving(rule) else 0.0 for i, b in enumerate(along)]
        tangent = call(rule, at, seen).tangent
        assert measure(rule, at, SLOPES[rule](*at), seen, tangent).share <= 1, at


@EVERY
def test_d15_code_that_does_not_fail_gives_the_same_numbers_in_all_modes(rule: str) -> None:
    for at, along in draws(rule, 100):
        free = call(rule, at, along)
        if math.isfinite(free.value) and math.isfinite(free.tangent):
            judged = function(rule)(*arguments(rule, at, along, checked()))
            assert judged.identical(free)


@EVERY
def test_nan_and_infinities_that_come_in_pass_in_all_modes(rule: str) -> None:
    at = [0.75] * len(RULES[rule].arguments)
    at[0] = 1.75 if rule == "acosh" else 0.5
    for position in moving(rule):
        for wrong in (NAN, INF, -INF):
            along = [wrong if i == position else 1.0 for i in range(len(at))]
            made = checked()
            got = function(rule)(*arguments(rule, at, along, made))
            assert got.identical(call(rule, at, along))
        values = [NAN if i == position else a for i, a in enumerate(at)]
        assert math.isnan(
            function(rule)(*arguments(rule, values, [1.0] * len(at), made)).tangent
        ) or (rule in ("degrees", "radians"))


@pytest.mark.parametrize("rule", ["hypot", "atan2", "fmod", "mod", "remainder", "copysign"])
@given(x=NUMBERS, y=NUMBERS, b=NUMBERS)
@settings(max_examples=30)
def test_a_number_from_either_side_is_a_dual_without_a_tangent(
    rule: str, x: float, y: float, b: float
) -> None:
    assume(BINARY[rule].trouble_at(x, y) == "fine")
    f = function(rule)
    assert f(Dual(x, b), y).identical(f(Dual(x, b), Dual(y, 0.0)))
    assert f(x, Dual(y, b)).identical(f(Dual(x, 0.0), Dual(y, b)))
    assert f(Dual(x, b), np.float64(y)).identical(f(Dual(x, b), y))
    assert f(Dual(x, b), 3).identical(f(Dual(x, b), 3.0))
    assert f(np.int64(3), Dual(y, b)).identical(f(3.0, Dual(y, b)))
    assert f(True, Dual(y, b)).identical(f(1.0, Dual(y, b)))


@pytest.mark.parametrize("rule", ["hypot", "atan2", "pow", "mod", "maximum", "minimum", "fmod"])
@pytest.mark.parametrize("wrong", ["1", None, [1.0], 1j])
def test_what_is_no_real_number_is_refused(rule: str, wrong: Any) -> None:
    for args in ((Dual(1.5, 1.0), wrong), (wrong, Dual(1.5, 1.0))):
        with pytest.raises(TypeError):
            getattr(el, rule)(*args)


def test_operators_leave_unknown_operands_to_their_own_methods() -> None:
    class Other:
        def __rpow__(self, _: Any) -> str:
            return "power"

        def __rmod__(self, _: Any) -> str:
            return "remainder"

    x: Any = Dual(1.0, 1.0)
    assert (x ** Other(), x % Other()) == ("power", "remainder")
    with pytest.raises(TypeError, match="unsupported operand"):
        x ** "2"


# ---------------------------------------------------------------- levels


@PAIRS
def test_d12_duals_of_different_levels_keep_their_tangents_apart(rule: str) -> None:
    """The mixed second derivative, one argument of each of two drivers."""
    f = function(rule)
    at = (2.3, 1.5)
    mixed = derivative(lambda x: derivative(lambda y: f(x, y), at[1]), at[0])
    other = derivative(lambda y: derivative(lambda x: f(x, y), at[0]), at[1])
    exact = exact_second_slope(rule, at, 0, 1)
    assert is_near(mixed, exact, 1e-14)
    assert is_near(other, exact, 1e-14)


@pytest.mark.parametrize("f", [el.maximum, el.minimum, el.fsum, el.hypot])
def test_d12_choices_and_sums_keep_levels_apart(f: Any) -> None:
    def call_f(x: Any, y: Any) -> Any:
        return f([x, y]) if f is el.fsum else f(x, y) if f is not el.hypot else f(x, y, 2.0)

    def inner(x: Any) -> Any:
        return derivative(lambda y: call_f(x, y) * x, 2.0)

    value = inner(3.0)
    expected = {el.maximum: 0.0, el.minimum: 3.0, el.fsum: 3.0}.get(f)
    if expected is None:
        assert value == pytest.approx(3.0 * 2.0 / math.sqrt(17.0))
    else:
        assert value == expected
    slope = derivative(inner, 3.0)
    numbers = (inner(3.0 + 1e-6) - inner(3.0 - 1e-6)) / 2e-6
    assert slope == pytest.approx(numbers, abs=1e-8)


def test_a_hand_made_dual_keeps_its_tangent_in_a_driver() -> None:
    got: Any = derivative(lambda x: el.atan2(x, Dual(2.0, 1.0)), 1.0)
    expected = el.hypot(1.0, Dual(2.0, 1.0))
    quotient = Dual(2.0, 1.0) / (expected * expected)
    assert got.value == pytest.approx(quotient.value)
    assert got.tangent == pytest.approx(quotient.tangent)


# ---------------------------------------------------------------- second derivatives


def sample(rule: str, count: int) -> list[tuple[float, ...]]:
    rng = Random(rule)
    found: list[tuple[float, ...]] = []
    while len(found) < count:
        spread = rng.choice((1.0, 5.0, 25.0))
        at = tuple(rng.uniform(-spread, spread) for _ in RULES[rule].arguments)
        if KERNELS[rule].trouble_at(*at) == "fine":
            found.append(at)
    return found


@EVERY
def test_d14_second_derivatives_are_right(rule: str) -> None:
    tight = {"atan2": 1e-9, "power": 1e-11}.get(rule, 1e-13)  # of two terms that may cancel
    for at in sample(rule, 40):
        for (i, j), got in second_slopes(rule, at).items():
            exact = exact_second_slope(rule, at, i, j)
            assert is_near(got, exact, tight) or abs(exact) < 1e-290, (at, i, j)


@EVERY
def test_d14_nested_values_and_first_slopes_are_those_of_plain_duals(rule: str) -> None:
    for at in sample(rule, 40):
        along = [1.0] * len(at)
        plain = call(rule, at, along)
        nested = function(rule)(
            *arguments(rule, at, along, lambda a, b: Dual(Dual(a, b), Dual(b, 0.0)))
        )
        assert nested.value.identical(plain)
        assert nested.tangent.value == pytest.approx(plain.tangent, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"gamma", "lgamma"}))
def test_d8_first_slopes_of_nested_duals_are_nearly_as_accurate(rule: str) -> None:
    """Draws of the fuzzer, over the whole range of the slopes but its ends."""
    for at, _ in draws(rule, 100):
        slopes = SLOPES[rule](*at)
        if not all(slope == 0 or 1e-290 < abs(slope) < 1e290 for slope in slopes):
            continue
        for i in moving(rule):
            slope = slopes[i]
            along = [float(k == i) for k in range(len(at))]
            made = arguments(rule, at, along, lambda a, b: Dual(Dual(a, 0.0), Dual(b, 0.0)))
            got = function(rule)(*made).tangent.value
            assert abs(real(got) - slope) <= 6 * ulp(slope), (at, i)


THIRD: dict[str, Callable[[float], float]] = {
    "sin": lambda x: -math.cos(x),
    "exp": math.exp,
    "log": lambda x: 2 / x**3,
    "sqrt": lambda x: 3 / 8 * x**-2.5,
    "tanh": lambda x: (4 * math.sinh(x) ** 2 - 2) / math.cosh(x) ** 4,
    "atan": lambda x: (6 * x * x - 2) / (1 + x * x) ** 3,
    "erf": lambda x: (4 * x * x - 2) * 2 / math.sqrt(math.pi) * math.exp(-x * x),
    "fabs": lambda x: 0.0,
    "lgamma": lambda x: float(MP.psi(2, x)),
}


@pytest.mark.parametrize("rule", sorted(THIRD))
@pytest.mark.parametrize("x", [0.25, 1.0, 2.5])
def test_d14_rules_nest_to_third_derivatives(rule: str, x: float) -> None:
    assert nth(function(rule), 3)(x) == pytest.approx(THIRD[rule](x), rel=1e-8)


@pytest.mark.parametrize(
    ("rule", "x", "second"),
    [
        ("tanh", 0.0, 0.0),
        ("tanh", 20.0, -3.398683404233271e-17),
        ("tanh", -400.0, 0.0),
        ("tanh", 360.0, -8 * math.exp(-720.0)),
        ("tanh", 1e-10, -2e-10),
        ("expm1", -40.0, math.exp(-40.0)),
        ("log1p", -0.5, -4.0),
        ("asin", 1e-10, 1e-10),
        ("atan", 1e100, -2e-300),
        ("asinh", 1e80, -1e-160),
        ("erf", 5.0, -20 / math.sqrt(math.pi) * math.exp(-25.0)),
        ("gamma", 1.0, 1.978111990655945),
        ("lgamma", 1e8, 1.000000005e-8),
        ("lgamma", -1.5, float(MP.psi(1, -1.5))),
    ],
)
def test_d14_second_slopes_at_edges(rule: str, x: float, second: float) -> None:
    got = second_slopes(rule, (x,))[0, 0]
    assert got == pytest.approx(second, rel=1e-14, abs=1e-320)


def test_d14_second_slopes_keep_their_range() -> None:
    """Squares of the distance would over- or underflow here."""
    for size in (1e-200, 1e200):
        found = second_slopes("hypot", (3 * size, 4 * size))
        assert [x * size for x in found.values()] == pytest.approx([0.128, -0.096, -0.096, 0.072])
    slopes = gradient(lambda p: el.atan2(p[0], p[1]), [1e-200, 1e-200])
    np.testing.assert_allclose(slopes, [5e199, -5e199], rtol=1e-15)
    mixed = second_slopes("atan2", (1e100, 2e100))
    assert mixed[0, 1] == pytest.approx(-3 / 25 * 1e-200)


@pytest.mark.parametrize("rule", ["hypot", "atan2"])
@pytest.mark.parametrize("at", [(INF, 2.0), (2.0, INF), (-INF, 2.0), (2.0, -INF)])
def test_nested_slopes_at_infinity_are_those_of_plain_duals(rule: str, at: Any) -> None:
    plain = call(rule, at, (3.0, 5.0))
    nested = function(rule)(
        *[Dual(Dual(a, b), Dual(b, 0.0)) for a, b in zip(at, (3.0, 5.0), strict=True)]
    )
    assert nested.tangent.value == plain.tangent
