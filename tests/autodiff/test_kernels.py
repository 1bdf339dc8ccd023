"""Laws D8 and D14 over two doubles: values, tangents, and where there is none."""

import math
import operator
import struct
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.exact import SLOPES, measure
from tests.autodiff.points import CENTRES, near, point
from tests.fuzz.autodiff import draw

from lunaflow.autodiff._kernels import BINARY, TROUBLES, UNARY, BinaryKernel, UnaryKernel

KERNELS = UNARY | BINARY
RULES = pytest.mark.parametrize("rule", sorted(KERNELS))
PAIRS = pytest.mark.parametrize("rule", sorted(BINARY))
NAN, INF = math.nan, math.inf

# what Python gives for the same floats
IN_PYTHON: dict[str, Callable[..., float]] = {
    **{rule: getattr(math, rule) for rule in KERNELS if hasattr(math, rule)},
    "mod": operator.mod,
    "power": math.pow,
    "power_constant_exponent": math.pow,
    "power_constant_base": math.pow,
}

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def arguments(rule: str) -> st.SearchStrategy[float]:
    """Finite floats of every magnitude, and some near what is hard for the rule."""
    centres = st.sampled_from([0.0, 1.0, -1.0, 0.5, 2.0, *CENTRES.get(rule, ())])
    seeds = st.integers(0, 2**32)
    return FINITE | st.builds(lambda centre, seed: near(Random(seed), centre), centres, seeds)


def points_of(rule: str) -> st.SearchStrategy[tuple[float, ...]]:
    return st.tuples(*[arguments(rule)] * (1 if rule in UNARY else 2))


def evaluate(rule: str, point: tuple[float, ...], along: tuple[float, ...]) -> tuple[float, float]:
    pairs = zip(point, along, strict=True)
    value, tangent = KERNELS[rule].evaluate_at(*(x for pair in pairs for x in pair))
    assert type(value) is float
    assert type(tangent) is float
    return value, tangent


def bits(x: float) -> bytes:
    """The bits of a float, one pattern for all NaNs."""
    return b"nan" if x != x else struct.pack("<d", x)


def assert_same(rule: str, value: float, expected: float) -> None:
    if rule in ("floor", "ceil", "trunc"):  # the ints of Python have no negative zero
        value += 0.0
    assert bits(value) == bits(expected)


def in_python(rule: str, point: tuple[float, ...]) -> float | None:
    """What Python gives, or None where it raises."""
    try:
        return float(IN_PYTHON[rule](*point))
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


def test_all_functions_have_a_rule_and_a_reference() -> None:
    assert set(SLOPES) - {"division"} == set(KERNELS) == set(IN_PYTHON)
    assert all(kernel.name == rule for rule, kernel in KERNELS.items())


@RULES
@settings(max_examples=40)
@given(data=st.data())
def test_d8_tangents_are_within_their_bound(rule: str, data: st.DataObject) -> None:
    at = data.draw(points_of(rule))
    along = data.draw(st.tuples(*[FINITE | st.just(1.0)] * len(at)))
    if KERNELS[rule].trouble_at(*at) == "fine":
        _, tangent = evaluate(rule, at, along)
        assert measure(rule, at, SLOPES[rule](*at), along, tangent).share <= 1


@RULES
def test_d8_tangents_are_within_their_bound_where_it_is_hard(rule: str) -> None:
    """Draws of the fuzzer: near poles and tails, products that come back into the range."""
    rng = Random(rule)
    for _ in range(300):
        case = draw(rule, rng)
        assert case.measured.share <= 1, case


@RULES
@settings(max_examples=60)
@given(data=st.data())
def test_d15_trouble_is_where_the_tangent_is_not_finite_whatever_the_direction(
    rule: str, data: st.DataObject
) -> None:
    at = data.draw(points_of(rule))
    trouble = KERNELS[rule].trouble_at(*at)
    for b in (0.0, -0.0, 1.0, -1.0, 5e-324, data.draw(FINITE)):
        tangent = evaluate(rule, at, (b,) * len(at))[1]
        if trouble == "fine":
            assert not math.isnan(tangent)
            assert tangent == 0 or b != 0
        else:
            assert not math.isfinite(tangent)


@RULES
def test_values_are_those_of_python_bit_by_bit(rule: str) -> None:
    rng = Random(rule)
    for _ in range(3_000):
        at = point(rng, rule)
        expected = in_python(rule, at)
        value = evaluate(rule, at, (1.0,) * len(at))[0]
        if expected is None:
            assert not math.isfinite(value), at
        else:
            assert_same(rule, value, expected)


@RULES
def test_values_at_the_edges_are_those_of_python(rule: str) -> None:
    edges = [x for y in (0.0, 0.5, 1.0, 2.0, 3.0, 5e-324, 1.7e308, INF) for x in (y, -y)] + [NAN]
    for at in [(x,) for x in edges] if rule in UNARY else [(x, y) for x in edges for y in edges]:
        expected = in_python(rule, at)
        value = evaluate(rule, at, (1.0,) * len(at))[0]
        if expected is not None:
            assert_same(rule, value, expected)


@pytest.mark.parametrize("rule", ["power", "power_constant_base", "power_constant_exponent"])
def test_powers_are_those_of_the_operator(rule: str) -> None:
    rng = Random(rule)
    edges = [(x, y) for x in (-INF, -2.0, -0.0, 1.0, NAN) for y in (-INF, -3.0, 0.0, 2.0, NAN)]
    for base, exponent in [*(point(rng, rule) for _ in range(1_000)), *edges]:
        try:
            expected = base**exponent
        except (OverflowError, ZeroDivisionError):
            continue
        if isinstance(expected, float):  # else complex
            assert_same(rule, evaluate(rule, (base, exponent), (1.0, 1.0))[0], expected)


@RULES
@pytest.mark.parametrize("where", [0, 1])
def test_nan_in_gives_nan_out_and_no_trouble(rule: str, where: int) -> None:
    at = (NAN,) if rule in UNARY else (NAN, 1.5) if where else (1.5, NAN)
    assert KERNELS[rule].trouble_at(*at) == "fine"
    value, tangent = evaluate(rule, at, (1.0,) * len(at))
    expected = in_python(rule, at)
    assert math.isnan(tangent) or rule in ("degrees", "radians")  # the one slope of all
    assert expected is None or bits(value) == bits(expected)


@RULES
def test_a_nan_direction_is_not_lost(rule: str) -> None:
    at = (1.5,) if rule in UNARY else (1.5, 0.7)
    dual = {"power_constant_exponent": [0], "power_constant_base": [1]}.get(rule, range(len(at)))
    if rule != "acosh" and KERNELS[rule].trouble_at(*at) != "fine":
        at = (0.5,)
    for position in dual:
        along = tuple(NAN if i == position else 1.0 for i in range(len(at)))
        assert math.isnan(evaluate(rule, at, along)[1])


def test_where_python_raises_the_values_are_those_of_ieee_754() -> None:
    assert evaluate("gamma", (0.0,), (1.0,))[0] == INF
    assert evaluate("gamma", (-0.0,), (1.0,))[0] == -INF
    assert evaluate("gamma", (200.0,), (1.0,))[0] == INF
    assert math.isnan(evaluate("gamma", (-3.0,), (1.0,))[0])
    assert evaluate("lgamma", (-3.0,), (1.0,))[0] == INF
    assert evaluate("lgamma", (1e308,), (1.0,))[0] == INF
    assert evaluate("hypot", (1.7e308, 1.7e308), (1.0, 1.0))[0] == INF
    assert evaluate("log", (0.0,), (1.0,))[0] == -INF
    assert evaluate("log1p", (-1.0,), (1.0,))[0] == -INF
    assert evaluate("power", (0.0, -1.5), (1.0, 1.0))[0] == INF
    assert evaluate("power", (-0.0, -1.0), (1.0, 1.0))[0] == -INF


def test_troubles_have_names() -> None:
    assert TROUBLES == ("fine", "no value", "pole", "infinite slope", "kink", "jump")


def test_a_kernel_that_a_person_makes_has_no_value() -> None:
    assert all(map(math.isnan, UnaryKernel().evaluate_at(1.0, 1.0)))
    assert all(map(math.isnan, BinaryKernel().evaluate_at(1.0, 1.0, 1.0, 1.0)))
    assert UnaryKernel().trouble_at(1.0) == BinaryKernel().trouble_at(1.0, 1.0) == "fine"
