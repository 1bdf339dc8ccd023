"""D11: code written once against the protocols runs on numbers and on duals of them."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.duals import Kind, fault_of

from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    DivChecked,
    Err,
    Ok,
    Result,
    SqrtChecked,
    div_checked,
    sqrt_checked,
)
from lunaflow.autodiff._dual import Dual

T = TypeVar("T")
Outcome = Result[T, ArithmeticError]
D = TypeVar("D", bound=DivChecked)
CTX = ArithmeticContext(20)


def mean_ratio(pairs: list[tuple[T, T]], ctx: ArithmeticContext | None = None) -> Outcome[T]:
    """The mean of quotients, or the first that there is not."""
    total: Any = 0
    for dividend, divisor in pairs:
        match div_checked(dividend, divisor, ctx):
            case Ok(value):
                total = total + value
            case Err() as failed:
                return failed
    return div_checked(total, len(pairs), ctx)


def height(base: T, side: T) -> Outcome[T]:
    """The height of a triangle of two equal sides."""
    square: Any = side * side - base * base / 4  # type: ignore[operator]
    return sqrt_checked(square)


def ratio_by_method(x: D, y: D) -> Outcome[D]:
    """A quotient by the protocol's own method."""
    return x.div_checked(y, CTX)


def lifts(kind: Any) -> list[Callable[[Any], Any]]:
    """Ways to write a plain number in the rings over its type."""
    return [
        kind,
        lambda x: Dual(kind(x), 0),
        lambda x: Dual(kind(x), kind(2)),
        lambda x: Dual(Dual(kind(x), kind(3)), kind(2)),
        lambda x: Dual(Dual(Dual(kind(x), 0), kind(3)), 1),
    ]


def value_of(x: Any) -> Any:
    """The innermost value."""
    return value_of(x.value) if isinstance(x, Dual) else x


@pytest.mark.parametrize("kind", [float, Fraction, Decimal])
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=4))
def test_d11_the_value_is_that_of_the_numbers(kind: Any, pairs: list[tuple[int, int]]) -> None:
    plain: Any = mean_ratio([(kind(n), kind(d)) for n, d in pairs], CTX)
    for lift in lifts(kind):
        found: Any = mean_ratio([(lift(n), lift(d)) for n, d in pairs], CTX)
        assert found.is_ok() is plain.is_ok()
        if isinstance(found, Ok):
            assert value_of(found.value) == plain.unwrap()
        else:
            assert found.error.kind is plain.error.kind
            assert set((found.error.component or "value").split(".")) == {"value"}


@pytest.mark.parametrize("kind", [float, Fraction, Decimal])
def test_d11_roots(kind: Any) -> None:
    for lift in lifts(kind):
        assert value_of(height(lift(6), lift(5)).unwrap()) == 4
        assert height(lift(11), lift(5)).is_err()
    slope: Any = height(Dual(kind(6), kind(1)), kind(5)).unwrap()
    assert slope.tangent == kind(-6) / 16


def test_d11_a_dual_meets_the_protocols() -> None:
    for x in (Dual(2.0, 1.0), Dual(Fraction(2), 1), Dual(Dual(Decimal(2), 1), 1)):
        assert isinstance(x, DivChecked)
        assert isinstance(x, SqrtChecked)
        assert value_of(ratio_by_method(x, x).unwrap()) == 1
    failed = ratio_by_method(Dual(2.0, 1.0), Dual(0.0, 1.0))
    assert fault_of(failed) == (Kind.DIVISION_BY_ZERO, "value.")


def test_d11_errors_of_numbers_and_of_duals_are_of_one_type() -> None:
    outcomes: list[Any] = [
        div_checked(1.0, 0.0),
        div_checked(Dual(1.0, 0.0), Dual(0.0, 0.0)),
        div_checked(Dual(Fraction(1), 0), 0),
    ]
    assert {type(outcome.error) for outcome in outcomes} == {type(outcomes[0].error)}
    assert all(outcome.error.kind is Kind.DIVISION_BY_ZERO for outcome in outcomes)
    assert [outcome.error.component for outcome in outcomes] == [None, "value", "value"]
    assert math.isnan(div_checked(math.nan, 1.0).unwrap())
