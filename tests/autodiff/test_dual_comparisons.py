"""D3: values decide comparisons; D17: under the checked rules no tie of unlike tangents does."""

import bisect
import heapq
import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import FLOATS, Kind, dual, leaves, trees

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff import derivative
from lunaflow.autodiff._dual import Dual, fresh_level, seed

ORDERS: list[Any] = [
    operator.lt,
    operator.le,
    operator.eq,
    operator.ne,
    operator.gt,
    operator.ge,
]
SIDES = trees(FLOATS, 1) | trees(FLOATS, 2)


def variable(value: Any, tangent: Any = 1.0, checked: bool = True) -> Any:
    """The dual that a derivative starts from."""
    return seed(value, tangent, fresh_level(), checked)


def tie(run: Any, *arguments: Any) -> ArithmeticError:
    """The error of a tie."""
    with pytest.raises(
        ArithmeticError, match="values that tie, with tangents that differ"
    ) as caught:
        run(*arguments)
    assert caught.value.kind is Kind.DOMAIN_ERROR
    return caught.value


@settings(max_examples=300)
@given(SIDES, SIDES)
def test_d3_values_decide_at_any_depth(x: Any, y: Any) -> None:
    a, b = leaves(x)[0], leaves(y)[0]
    for order in ORDERS:
        assert order(dual(x), dual(y)) is order(a, b)
        assert order(dual(x), b) is order(a, b)
        assert order(a, dual(y)) is order(a, b)
    assert bool(dual(x)) is bool(a)


@given(FLOATS, st.integers(-(2**70), 2**70) | st.just(10**400) | st.booleans())
def test_d3_beside_ints_the_comparison_is_exact(a: float, n: int) -> None:
    for order in ORDERS:
        for x in (Dual(a, 1.0), Dual(Dual(a, 1.0), 2.0)):
            assert order(x, n) is order(a, n)
            assert order(n, x) is order(n, a)


@pytest.mark.parametrize(
    "other", [Fraction(2), Decimal(2), np.float32(2), np.longdouble(2), 2 + 0j]
)
def test_d3_numbers_that_do_not_mix_compare_as_those_of_python(other: Any) -> None:
    assert Dual(2.0, 1.0) == other
    assert other == Dual(2.0, 3.0)
    assert Dual(3.0, 1.0) != other
    if not isinstance(other, complex):
        assert Dual(1.0, 1.0) < other
        assert other < Dual(3.0, 1.0)
    assert Dual(Fraction(2), 1) == 2
    assert Dual(Decimal(1), 1) <= Dual(Decimal(1), 2)


@pytest.mark.parametrize("other", ["a", None, [2.0], object(), (2.0, 1.0), 2j])
def test_d3_what_is_no_real_number_has_no_order(other: Any) -> None:
    for x in (Dual(2.0, 1.0), variable(2.0)):
        assert (x == other, other == x) == (False, False)
        assert (x != other, other != x) == (True, True)
        for order in (operator.lt, operator.ge):
            for arguments in ((x, other), (other, x)):
                with pytest.raises(TypeError, match="not supported between instances"):
                    order(*arguments)


def test_d3_programs_take_the_path_of_the_numbers() -> None:
    x: Any = Dual(2.0, 1.0)
    y: Any = Dual(3.0, 0.5)
    assert heapq.nsmallest(1, [y, x]) == [x]
    assert bisect.bisect([1, 3], x) == 1
    assert x in [y, Dual(2.0, 7.0)]
    assert [y, x].index(2) == 1
    assert (1 if Dual(0.0, 5.0) else 2) == 2
    assert not Dual(Dual(0.0, 5.0), 1)
    assert Dual(math.nan, 0.0)


def test_d3_pandas_compares_element_by_element() -> None:
    series = pd.Series([1.0, 3.0])
    assert (Dual(2.0, 1.0) < series).tolist() == [False, True]
    assert (series > variable(2.0)).tolist() == [False, True]
    tie(operator.eq, variable(3.0), series)


@given(FLOATS, FLOATS)
def test_d17_a_tie_of_unlike_tangents_is_an_error(a: float, b: float) -> None:
    x = variable(a, b)
    for order in ORDERS:
        if a == a and b != 0:
            for arguments in ((x, a), (a, x), (x, Dual(a, 7.0)), (Dual(a, 7.0), x)):
                tie(order, *arguments)
        else:
            assert order(x, a) is order(a, a)
            assert order(a, x) is order(a, a)
        for other in (a, Dual(a, 7.0)):
            assert order(variable(a, b, checked=False), other) is order(a, a)


@given(FLOATS, FLOATS)
def test_d17_equal_tangents_may_tie(a: float, b: float) -> None:
    level = fresh_level()
    x, y = seed(a, b, level, True), seed(a, b, level, True)
    for order in ORDERS:
        assert order(x, y) is order(a, a)
        assert order(x, x) is order(a, a)
        assert order(x, Dual(a, 0.0) * 1.0 if b == 0 else y) is order(a, a)


@given(FLOATS, FLOATS)
def test_d17_no_tie_no_error(a: float, b: float) -> None:
    x, y = variable(a, 1.0), variable(b, 2.0)
    if a != b:
        for order in ORDERS:
            assert order(x, y) is order(a, b)
            assert order(x, b) is order(a, b)
            assert order(a, y) is order(a, b)


def test_d17_at_every_depth() -> None:
    inner = variable(Dual(3.0, 0.0), Dual(1.0, 0.0))
    tie(operator.lt, inner, 3)
    tie(operator.eq, inner, Dual(3.0, 0.0))
    same_in_tangents = variable(Dual(3.0, 1.0), Dual(0.0, 0.0))
    assert same_in_tangents == Dual(3.0, 1.0)
    tie(operator.eq, same_in_tangents, Dual(3.0, 2.0))
    fractions = variable(Fraction(1, 3), Fraction(1))
    tie(operator.le, fractions, Fraction(1, 3))
    assert fractions < 1


def test_d17_truth_is_the_comparison_with_zero() -> None:
    assert bool(variable(2.0))
    assert not bool(variable(0.0, 0.0))
    assert tie(bool, variable(0.0)).operation == "!="
    with pytest.raises(ArithmeticError, match="values that tie"):
        np.zeros(1, dtype=bool)[0] = variable(0.0)


def test_d17_the_message_says_what_where_and_how() -> None:
    error = tie(operator.lt, variable(2.0), 2)
    assert error.operation == "<"
    assert error.message.startswith("Dual(2.0, 1.0) < 2: values that tie")
    assert "compare plain numbers: primal(x)" in error.message
    assert 'errors="ieee"' in error.message
    assert isinstance(error, ValueError)
    assert error.__notes__[0].startswith(f"called at {__file__}:")


def test_d17_in_drivers() -> None:
    def hand_written_abs(x: Any) -> Any:
        return x if x > 0 else -x

    def special_case(x: Any) -> Any:
        return 9.0 if x == 3 else x**2

    def greatest(x: Any) -> Any:
        return max(x, 2.0 * x - 1.0)

    assert derivative(hand_written_abs, -2.0) == -1.0
    for f, x, ieee in (
        (hand_written_abs, 0.0, -1.0),
        (special_case, 3.0, 0.0),
        (greatest, 1.0, 1.0),
    ):
        tie(derivative, f, x)
        assert derivative(f, x, errors="result").is_err()
        assert derivative(f, x, errors="ieee") == ieee
    for compare in (np.maximum, np.minimum):
        tie(derivative, lambda x, compare=compare: compare(np.array([x]), 2.0)[0], 2.0)
    tie(derivative, lambda x: sorted([x, 2.0])[1], 2.0)


def test_nan_ties_with_nothing() -> None:
    x = variable(math.nan)
    for order in ORDERS:
        assert order(x, math.nan) is order(math.nan, math.nan)
        assert order(x, variable(math.nan, 2.0)) is order(math.nan, math.nan)
