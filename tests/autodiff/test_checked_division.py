"""`div_checked` of duals over floats: when it succeeds, what fails first, what it returns."""

import math
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import (
    FINITE,
    FLOATS,
    Kind,
    division_fault,
    dual,
    fault_of,
    is_accurate,
    is_finite,
    leaves,
    same,
    tree,
    trees,
)
from tests.conftest import load_cases

from lunaflow.arithmetic import Err, Ok
from lunaflow.arithmetic import div_checked as scalar_div_checked
from lunaflow.autodiff._dual import Dual, div_checked

FLAT = trees(FLOATS, 1)
NESTED = trees(FLOATS, 2)
NESTED_FINITE = trees(FINITE, 2)
LEAST = math.nextafter(2.0**-537.5, 0)  # the largest float whose square is 0


def read(text: str) -> float:
    return float.fromhex(text) if "0x" in text else float(text)


@pytest.mark.parametrize("case", load_cases("checked_division"))
def test_d4_to_d8_cases(case: dict[str, Any]) -> None:
    x, y = (Dual(*map(read, case[name])) for name in "xy")
    found, expected = div_checked(x, y), case["expect"]
    if "err" in expected:
        assert isinstance(found, Err)
        assert (found.error.kind.name, found.error.component) == (
            expected["err"],
            expected["component"],
        )
        return
    quotient = found.unwrap()
    assert same(quotient.value, read(expected["value"]))
    if expected["tangent"] is not None:
        tolerance = 4 * math.ulp(read(expected["scale"]))
        assert abs(quotient.tangent - read(expected["tangent"])) <= tolerance
        assert is_accurate(quotient.tangent, x.value, x.tangent, y.value, y.tangent)


@settings(max_examples=500)
@given(FLAT, FLAT)
@example((1e200, 1e200), (1e200, 1e200))
@example((1.0, 0.0), (1e-160, 1.0))
def test_d4_succeeds_exactly_when_the_scalar_divisions_do(x: Any, y: Any) -> None:
    found = div_checked(dual(x), dual(y))
    assert fault_of(found) == division_fault(x, y)
    if isinstance(found, Ok):
        assert same(tree(found.value), tree(dual(x) / dual(y)))
        assert same(found.value.value, scalar_div_checked(x[0], y[0]).unwrap())


@settings(max_examples=300)
@given(NESTED, NESTED)
@example(((1e200, 1e200), (1e200, 0.0)), ((1e200, 1.0), (3.0, 1e200)))
@example(((1.0, 0.0), (1.0, 0.0)), ((1e-160, 1.0), (0.0, 0.0)))
def test_d4_of_nested_duals(x: Any, y: Any) -> None:
    found = div_checked(dual(x), dual(y))
    assert fault_of(found) == division_fault(x, y)
    if isinstance(found, Ok):
        assert same(tree(found.value), tree(dual(x) / dual(y)))


@settings(max_examples=100)
@given(trees(FINITE, 3), trees(FINITE, 3))
def test_d4_of_duals_three_deep(x: Any, y: Any) -> None:
    found = div_checked(dual(x), dual(y))
    assert fault_of(found) == division_fault(x, y)
    if isinstance(found, Ok):
        assert same(tree(found.value), tree(dual(x) / dual(y)))


# a value that overflows in its own tangent, beside a tangent that divides by 0: the value is first
def test_d4_the_first_error_counts_at_any_depth() -> None:
    x, y = ((1.0, 0.0), (1.0, 0.0)), ((1e-160, 1.0), (1.0, 1.0))
    found = div_checked(dual(x), dual(y))
    assert fault_of(found) == (Kind.OVERFLOW, "value.tangent.")
    assert fault_of(div_checked(dual(x[0]), dual(y[0]))) == (Kind.OVERFLOW, "tangent.")
    over_zero = div_checked(dual(((1.0, 0.0), (1.0, 0.0))), dual(((1e-200, 0.0), (1.0, 1.0))))
    assert fault_of(over_zero) == (Kind.DOMAIN_ERROR, "value.tangent.")


@settings(max_examples=300)
@given(FLAT | NESTED_FINITE, FINITE)
def test_d4_a_constant_is_a_dual_of_tangent_zero(x: Any, c: float) -> None:
    z, constant = dual(x), dual((c, 0.0))
    if isinstance(x[0], tuple):
        constant = Dual(constant, 0)
    for plain, lifted in (((z, c), (z, constant)), ((c, z), (constant, z))):
        found, expected = div_checked(*plain), div_checked(*lifted)
        assert fault_of(found) == fault_of(expected)
        if isinstance(found, Ok):
            assert found.value.identical(plain[0] / plain[1])
            assert found.value.identical(expected.unwrap()) or not is_finite(x)


@given(FLOATS, FLOATS, FLOATS)
def test_d4_infinite_values_over_constants_equal_the_operator(a: float, b: float, c: float) -> None:
    for n, m in ((Dual(a, b), c), (c, Dual(a, b)), (Dual(a, b), Dual(c, 0.0))):
        found = div_checked(n, m)
        if isinstance(found, Ok):
            assert same(tree(found.value), tree(n / m))


@given(st.floats(allow_nan=False), FLOATS)
def test_d4_a_constant_divisor_is_no_source_of_nan(b: float, c: float) -> None:
    assert same((Dual(math.inf, b) / Dual(c, 0.0)).tangent, (Dual(math.inf, b) / c).tangent)


@given(st.floats(0, LEAST, exclude_min=True) | st.sampled_from([LEAST, 5e-324]), FINITE, FINITE)
def test_d5_a_square_of_zero_fails_from_the_tangent(c: float, b: float, d: float) -> None:
    assert c * c == 0
    for divisor in (c, -c):
        found = div_checked(Dual(c, b), Dual(divisor, d))
        kind = Kind.DOMAIN_ERROR if b * divisor - c * d == 0 else Kind.DIVISION_BY_ZERO
        assert fault_of(found) == (kind, "tangent.")


def test_d5_the_threshold_of_plain_duals() -> None:
    above = math.nextafter(LEAST, 1)
    assert (LEAST**2, above**2) == (0.0, 5e-324)
    for sign in (1, -1):
        assert div_checked(Dual(1.0, 0.0), Dual(sign * above, 0.0)).is_ok()
        found = div_checked(Dual(1.0, 0.0), Dual(sign * LEAST, 0.0))
        assert fault_of(found) == (Kind.DOMAIN_ERROR, "tangent.")
        assert div_checked(Dual(1.0, 1.0), Dual(sign * LEAST, 1.0)).is_err()


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_d5_the_threshold_of_nested_duals(depth: int) -> None:
    # c**(2**depth) is 0 for |c| <= 2**(-1075/2**depth), up to the roundings of the squarings
    limit = 2.0 ** (-1075 / 2**depth)
    below, above = limit * (1 - 2.0**-45), limit * (1 + 2.0**-45)
    deep: Any
    one: Any
    for c, succeeds in ((below, False), (above, True), (-below, False), (-above, True)):
        deep, one = c, 1.0
        for _ in range(depth):
            deep, one = Dual(deep, 0), Dual(one, 0)
        found: Any = div_checked(one, deep)
        assert found.is_ok() is succeeds
        if not succeeds:
            path = ".".join(["tangent"] * depth)
            assert (found.error.kind, found.error.component) == (Kind.DOMAIN_ERROR, path)


@given(FINITE.filter(lambda b: abs(b) >= 1e160))
def test_d5_infinity_by_infinity_is_a_domain_error(b: float) -> None:
    found = div_checked(Dual(0.0, b), Dual(1e160, 0.0))
    assert fault_of(found) == (Kind.DOMAIN_ERROR, "tangent.")


@settings(max_examples=300)
@given(trees(FINITE, 1) | NESTED_FINITE, trees(FINITE, 1) | NESTED_FINITE)
def test_d7_finite_duals_have_finite_quotients_or_none(x: Any, y: Any) -> None:
    found = div_checked(dual(x), dual(y))
    if isinstance(found, Ok):
        assert is_finite(tree(found.value))
    assert div_checked(Dual(1e200, 1e200), Dual(1e200, 1e200)).unwrap().identical(Dual(1.0, 0.0))


@given(FINITE)
def test_d2_what_has_the_value_zero_has_no_inverse(d: float) -> None:
    for tangent in (d, -d):
        assert fault_of(div_checked(1, Dual(0.0, tangent))) == (Kind.DIVISION_BY_ZERO, "value.")
        quotient = 1 / Dual(0.0, tangent)
        assert math.isinf(quotient.value)
        assert not math.isfinite(quotient.tangent)


@given(FLAT, FLAT)
def test_the_error_names_operation_operands_and_line(x: Any, y: Any) -> None:
    n, m = dual(x), dual(y)
    for found, symbol in (
        (div_checked(n, m), f"div_checked({n!r}, {m!r})"),
        (n.div_checked(m), f"div_checked({n!r}, {m!r})"),
    ):
        if isinstance(found, Err):
            error = found.error
            assert error.operation == "div_checked"
            assert error.message.startswith(symbol[:60])
            assert f"(in the {error.component})" in error.message
            assert [note.rpartition(":")[0] for note in error.__notes__] == [
                f"called at {__file__}"
            ]


def test_huge_ints_are_an_overflow_and_no_exception() -> None:
    for n, m in ((Dual(1.0, 1.0), 10**400), (10**400, Dual(1.0, 1.0))):
        assert fault_of(div_checked(n, m)) == (Kind.OVERFLOW, "value.")


def test_leaves_are_counted_for_the_references() -> None:
    assert leaves(((1.0, 2.0), (3.0, 4.0))) == [1.0, 2.0, 3.0, 4.0]
    assert division_fault((1.0, 1.0), (2.0, 0.0)) is None
