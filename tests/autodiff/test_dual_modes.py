"""D15 as far as operators show it, and the levels that keep the epsilons of derivatives apart."""

import decimal
import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import (
    FINITE,
    FLOATS,
    division_fault,
    dual,
    is_finite,
    minus,
    plus,
    same,
    times,
    tree,
    trees,
)

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff import derivative
from lunaflow.autodiff._dual import Dual, div_checked, fresh_level, seed, split, sqrt_checked

RING: list[Any] = [(operator.add, plus), (operator.sub, minus), (operator.mul, times)]


def variables(*parts: Any, checked: bool = True) -> list[Any]:
    """Duals of one derivative, of that value and tangent."""
    level = fresh_level()
    return [seed(dual(value), dual(tangent), level, checked) for value, tangent in parts]


def outcome(run: Any, *arguments: Any) -> Any:
    """What a call returns, or the error that it raises."""
    try:
        return run(*arguments)
    except ArithmeticError as error:
        return error


def expected_fault(result: Any, *operands: Any) -> str | None:
    # D15 for + - *: the first component that is not finite, though all operands are
    if is_finite(result) or not all(map(is_finite, operands)):
        return None
    path = []
    while isinstance(result, tuple):
        which = int(is_finite(result[0]))
        path.append(("value", "tangent")[which])
        result = result[which]
    return ".".join(path)


@settings(max_examples=300)
@given(trees(FLOATS, 1) | trees(FLOATS, 2), st.data())
def test_d15_ring_operations_overflow_where_finite_operands_do(x: Any, data: st.DataObject) -> None:
    y = data.draw(trees(FLOATS, 2 if isinstance(x[0], tuple) else 1))
    a, b = variables(x, y)
    for operate, reference in RING:
        result = reference(x, y)
        found, path = outcome(operate, a, b), expected_fault(result, x, y)
        if path is None:
            assert same(tree(found), result)
        else:
            assert isinstance(found, OverflowError)
            assert isinstance(found, ArithmeticError)
            assert found.component == path
    assert same(tree(-a), tree(-dual(x)))


@settings(max_examples=300)
@given(trees(FLOATS, 1) | trees(FLOATS, 2), st.data())
def test_d15_division_is_the_checked_one(x: Any, data: st.DataObject) -> None:
    y = data.draw(trees(FLOATS, 2 if isinstance(x[0], tuple) else 1))
    a, b = variables(x, y)
    found, fault = outcome(operator.truediv, a, b), division_fault(x, y)
    if fault is None:
        assert same(tree(found), tree(dual(x) / dual(y)))
    else:
        assert (found.kind, found.component + ".", found.operation) == (*fault, "/")


@given(trees(FLOATS, 1), FLOATS)
@example((1.7e308, 1.0), 1.7e308)
@example((1.7e308, 1.0), -1.7e308)
@example((1.0, 1.7e308), 2.0)
@example((1.0, 1.7e308), 0.5)
def test_d15_beside_constants(x: Any, c: float) -> None:
    (a,) = variables(x)
    for operate in (operator.add, operator.sub, operator.mul, operator.truediv):
        for checked, plain in (((a, c), (dual(x), c)), ((c, a), (c, dual(x)))):
            found = outcome(operate, *checked)
            if operate is operator.truediv:
                expected: Any = div_checked(*plain)
                assert isinstance(found, ArithmeticError) is expected.is_err()
                if expected.is_err():
                    assert (found.kind, found.component) == (
                        expected.error.kind,
                        expected.error.component,
                    )
                    continue
            result = tree(operate(*plain))
            if operate is operator.truediv or expected_fault(result, x, c) is None:
                assert same(tree(found), result)
            else:
                assert found.component == expected_fault(result, x, c)


def test_d15_errors_are_the_builtin_exceptions_of_their_kind() -> None:
    x, y = variables((1e200, 1.0), (0.0, 1.0))
    with pytest.raises(
        ZeroDivisionError, match=r"^Dual\(1e\+200, 1.0\) / Dual\(0.0, 1.0\): division"
    ):
        x / y
    with pytest.raises(
        OverflowError, match=r"^Dual\(1e\+200, 1.0\) \* 1e\+200: .*\(in the value\)"
    ):
        x * 1e200
    with pytest.raises(ValueError, match="zero divided by zero"):
        y / y
    with pytest.raises(ArithmeticError) as caught:
        1 / (x - x)
    assert caught.value.__notes__[0].startswith(f"called at {__file__}:")
    assert caught.value.operation == "/"
    with pytest.raises(ArithmeticError) as caught:
        y / 0
    assert caught.value.message == (
        "Dual(0.0, 1.0) / 0: zero divided by zero has no value (in the value)"
    )


def test_d15_other_types() -> None:
    x = seed(Fraction(1), Fraction(1), fresh_level(), True)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        1 / (x - 1)
    with pytest.raises(OverflowError, match=r"beyond the range.*in the value"):
        derivative(lambda z: z * z, Decimal("9e6000"))
    y, z = variables((Decimal(1), Decimal("1e6000")), (Decimal("1e3000"), Decimal(0)))
    with decimal.localcontext(prec=34, Emax=6144), pytest.raises(OverflowError) as caught:
        y / z  # D4's numerator is infinite, and so would be the tangent
    assert caught.value.component == "tangent"  # type: ignore[attr-defined]
    third = derivative(lambda z: z / 3, Decimal(1))
    assert third == Decimal("0." + 34 * "3")


@pytest.mark.parametrize("checked", [False, True])
def test_d15_the_stricter_mode_governs(checked: bool) -> None:
    x, free = *variables((1e200, 1.0)), *variables((1e200, 1.0), checked=checked)
    by_hand = Dual(1e200, 1.0)
    for a, b in ((x, free), (free, x), (x, by_hand), (by_hand, x), (Dual(x, 1), free)):
        with pytest.raises(OverflowError):
            a * b
        with pytest.raises(ZeroDivisionError):
            a / (b * 0)
    if not checked:
        assert (free * by_hand).value.value == math.inf
        assert Dual(free, 1).value is not None


def test_d15_components_obey_the_rules_of_their_dual() -> None:
    (x,) = variables(((1e200, 1.0), (2.0, 0.0)))
    with pytest.raises(OverflowError):
        x.value * x.value
    with pytest.raises(OverflowError):
        x.tangent * 1e308
    (y,) = variables(((1e200, 1.0), (2.0, 0.0)), checked=False)
    assert (y.value * y.value).value == math.inf


def test_d15_the_rules_are_judged_at_the_operation_that_was_called() -> None:
    (x,) = variables((1e200, 1.0))
    z = Dual(x, 1)
    for operate, symbol in ((operator.mul, "*"), (operator.truediv, "/")):
        divisor = z if symbol == "*" else z * 0
        error = outcome(operate, z, divisor)
        assert error.message.startswith(f"{z!r} {symbol} {divisor!r}"[:60])
        assert error.component == "value.value"


def test_d15_a_hand_made_dual_keeps_its_tangent() -> None:
    found: Any = derivative(lambda x: x * Dual(2.0, 1.0), 3.0)
    assert found.identical(Dual(2.0, 1.0))
    over_x: Any = derivative(lambda x: Dual(x, 1.0) * x, 3.0)
    assert over_x.identical(Dual(6.0, 1.0))
    assert derivative(lambda x: Dual(2.0, 1.0), 3.0) == 0
    assert (found * 1e308 * 10).value == math.inf  # and obeys no rules any more


def test_the_checked_functions_report_and_do_not_raise() -> None:
    (x,) = variables((0.0, 1.0))
    assert div_checked(1, x).is_err()
    assert sqrt_checked(x).is_err()
    assert div_checked(x, 2).unwrap().identical(Dual(0.0, 0.5))


@given(FINITE, FINITE)
def test_d12_levels_keep_epsilons_apart(a: float, b: float) -> None:
    outer, inner = fresh_level(), fresh_level()
    assert outer < inner
    x, y = seed(a, 1.0, outer, False), seed(b, 1.0, inner, False)
    for product in (x * y, y * x):
        value, tangent = split(product, inner)
        assert value.identical(Dual(a * b, b))
        assert split(tangent, outer) == (a, 1.0)
        assert split(value, outer) == (a * b, b)


def test_d12_what_escaped_is_refused_or_a_constant() -> None:
    outer, inner = fresh_level(), fresh_level()
    x, y = seed(2.0, 1.0, outer, False), seed(3.0, 1.0, inner, False)
    for escaped in (y, x * y, Dual(y, 1), Dual(1, y)):
        with pytest.raises(ValueError, match="a Dual that escaped from another derivative"):
            split(escaped, outer)
    assert split(x, inner) == (x, None)
    assert split(2.5, inner) == (2.5, None)
    assert split(x * 0 + 2.5, outer) == (2.5, 0.0)


def test_duals_made_by_hand_over_a_derivative_come_apart() -> None:
    level = fresh_level()
    x = seed(2.0, 1.0, level, True)
    value, tangent = split(Dual(x * x, x), level)
    assert value.identical(Dual(4.0, 2.0))
    assert tangent.identical(Dual(4.0, 1.0))
    value, tangent = split(Dual(x, 5.0), level)
    assert (tree(value), tree(tangent)) == ((2.0, 5.0), (1.0, 0.0))
    deep, tangent = split(Dual(Dual(x, 1), x), level)
    assert tree(deep) == ((2.0, 1.0), (2.0, 0.0))
    assert tree(tangent) == ((1.0, 0.0), (1.0, 0.0))
    assert split(Dual(2.0, 3.0), level)[1] is None
