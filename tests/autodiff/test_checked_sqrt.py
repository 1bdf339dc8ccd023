"""`sqrt_checked` of duals over floats: D6, at any depth."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import (
    FINITE,
    FLOATS,
    TINY,
    UNIT,
    Kind,
    dual,
    fault_of,
    is_finite,
    is_within,
    root_fault,
    same,
    tree,
    trees,
)
from tests.conftest import load_cases

from lunaflow.arithmetic import Err, Ok
from lunaflow.arithmetic import sqrt_checked as scalar_sqrt_checked
from lunaflow.autodiff._dual import Dual, sqrt_checked

POSITIVE = FINITE.map(abs).filter(bool)


def read(text: str) -> float:
    return float.fromhex(text) if "0x" in text else float(text)


@pytest.mark.parametrize("case", load_cases("checked_sqrt"))
def test_d6_cases(case: dict[str, Any]) -> None:
    found, expected = sqrt_checked(Dual(*map(read, case["x"]))), case["expect"]
    if "err" in expected:
        assert isinstance(found, Err)
        assert (found.error.kind.name, found.error.component) == (
            expected["err"],
            expected["component"],
        )
        return
    root, tangent = found.unwrap(), read(expected["tangent"])
    assert same(root.value, read(expected["value"]))
    if math.isfinite(tangent):
        assert abs(root.tangent - tangent) <= 2 * math.ulp(tangent)
    else:
        assert same(root.tangent, tangent)


@settings(max_examples=500)
@given(trees(FLOATS, 1))
def test_d6_succeeds_exactly_when_root_and_slope_do(x: Any) -> None:
    found = sqrt_checked(dual(x))
    assert fault_of(found) == root_fault(x)
    a, b = x
    if isinstance(found, Ok):
        assert a > 0 or math.isnan(a)
        assert same(found.value.value, scalar_sqrt_checked(a).unwrap())
    elif a > 0:
        overflowed = math.isfinite(b) and abs(b) > 1.0
        assert overflowed or (math.isinf(a) and math.isinf(b))


@settings(max_examples=300)
@given(trees(FLOATS, 2))
@example(((5e-324, 1e300), (1.0, 1.0)))
@example(((1.0, 0.0), (1e308, 1e308)))
@example(((0.25, 1e308), (1.0, 1.0)))
def test_d6_of_nested_duals(x: Any) -> None:
    assert fault_of(sqrt_checked(dual(x))) == root_fault(x)


@settings(max_examples=200)
@given(trees(FINITE, 1) | trees(FINITE, 2) | trees(FINITE, 3))
def test_d7_finite_duals_have_finite_roots_or_none(x: Any) -> None:
    found = sqrt_checked(dual(x))
    if isinstance(found, Ok):
        assert is_finite(tree(found.value))


@settings(max_examples=500)
@given(POSITIVE, FINITE)
@example(5e-324, 5e-324)
@example(1.7976931348623157e308, 5e-324)
def test_d8_the_slope_of_the_root(a: float, b: float) -> None:
    found = sqrt_checked(Dual(a, b))
    # s = 1/(2 sqrt(a)) to 80 digits, far more than the bound can tell apart
    scale = 10**400
    slope = Fraction(scale, 2 * math.isqrt(int(Fraction(a) * scale**2)))
    tolerance = 4 * UNIT * slope * abs(Fraction(b)) + TINY
    if isinstance(found, Ok):
        assert is_within(found.value.tangent, slope * Fraction(b), tolerance)
        assert found.value.value == math.sqrt(a)
    else:
        assert found.error.kind is Kind.OVERFLOW
        assert is_within(math.copysign(math.inf, b), slope * Fraction(b), tolerance)


@given(st.sampled_from([0.0, -0.0]), FLOATS, st.integers(0, 2))
def test_d6_at_zero_there_is_none_however_the_constant_was_made(
    zero: float, b: float, depth: int
) -> None:
    kind = Kind.DOMAIN_ERROR if b == 0 else Kind.DIVISION_BY_ZERO
    x: Any = Dual(zero, b)
    assert fault_of(sqrt_checked(x)) == (kind, "tangent.")
    for _ in range(depth):
        x = Dual(x, 0)
    assert fault_of(sqrt_checked(x)) == (kind, depth * "value." + "tangent.")
    for constant in (Dual.constant(zero), Dual(0, 0), Dual(1.0, 1.0) * zero * 0.0):
        assert fault_of(sqrt_checked(constant)) == (Kind.DOMAIN_ERROR, "tangent.")


def test_the_second_derivative_of_the_root() -> None:
    found = sqrt_checked(Dual(Dual(4.0, 1.0), Dual(1.0, 0.0))).unwrap()
    assert found.identical(Dual(Dual(2.0, 0.25), Dual(0.25, -0.03125)))


def test_the_method_is_the_function() -> None:
    assert Dual(4.0, 1.0).sqrt_checked() == sqrt_checked(Dual(4.0, 1.0))
    assert Dual(4.0, 1.0).sqrt_checked().unwrap().identical(Dual(2.0, 0.25))
    found = Dual(-4.0, 1.0).sqrt_checked()
    assert isinstance(found, Err)
    assert found.error.message == (
        "sqrt_checked(Dual(-4.0, 1.0)): a negative number has no real square root (in the value)"
    )
    assert sqrt_checked(4.0) == Ok(2.0)
