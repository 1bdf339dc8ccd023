"""D1 and D2: the ring of duals, over exact types as algebra and over floats as IEEE 754 has it."""

import decimal
import functools
import math
import operator
import statistics
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.duals import (
    FLOATS,
    dual,
    minus,
    negative,
    over,
    plus,
    same,
    times,
    tree,
    trees,
)

from lunaflow.autodiff._dual import Dual

SMALL = st.fractions(-5, 5, max_denominator=9)
EXACT = trees(SMALL, 1)
EXACT_NESTED = trees(SMALL, 2)
RING = [(operator.add, plus), (operator.sub, minus), (operator.mul, times)]


@settings(max_examples=200)
@given(trees(FLOATS, 1) | trees(FLOATS, 2), st.data())
def test_d1_over_floats_is_ieee_to_the_bit(x: Any, data: st.DataObject) -> None:
    y = data.draw(trees(FLOATS, 2 if isinstance(x[0], tuple) else 1))
    for operate, reference in RING:
        assert same(tree(operate(dual(x), dual(y))), reference(x, y))
    assert same(tree(-dual(x)), negative(x))
    assert +dual(x) is not None
    assert same(tree(+dual(x)), x)


@settings(max_examples=100)
@given(EXACT | EXACT_NESTED, st.data())
def test_d1_over_fractions_is_exact(x: Any, data: st.DataObject) -> None:
    y = data.draw(EXACT_NESTED if isinstance(x[0], tuple) else EXACT)
    for operate, reference in RING:
        assert same(tree(operate(dual(x), dual(y))), reference(x, y))
    if dual(y) != 0:
        assert same(tree(dual(x) / dual(y)), over(x, y))
    else:
        with pytest.raises(ZeroDivisionError):
            dual(x) / dual(y)


@settings(max_examples=100)
@given(EXACT_NESTED, EXACT_NESTED, EXACT_NESTED)
def test_d1_the_laws_of_a_commutative_ring(x: Any, y: Any, z: Any) -> None:
    a, b, c = map(dual, (x, y, z))
    for left, right in (
        ((a + b) + c, a + (b + c)),
        ((a * b) * c, a * (b * c)),
        (a * (b + c), a * b + a * c),
        (a + b, b + a),
        (a * b, b * a),
        (a - b, -(b - a)),
        (a + 0, a),
        (a * 1, a),
        (a - a, a * 0),
        (a - b, a + -b),
    ):
        assert left.identical(right)
    if b != 0:
        assert (a / b * b).identical(a)


def test_d1_epsilon_squared_is_zero() -> None:
    for zero, one in ((0.0, 1.0), (Fraction(0), Fraction(1)), (Decimal(0), Decimal(1))):
        eps = Dual(zero, one)
        assert (eps * eps).identical(Dual(zero, zero))


@given(EXACT, SMALL, st.integers(-9, 9))
def test_constants_have_no_tangent(x: Any, c: Fraction, n: int) -> None:
    a = dual(x)
    for constant in (c, n):
        lifted = Dual(Fraction(constant), 0)
        for operate in (operator.add, operator.sub, operator.mul, operator.truediv):
            for plain, dual_ in (((a, constant), (a, lifted)), ((constant, a), (lifted, a))):
                if operate is operator.truediv and plain[1] == 0:
                    continue
                assert operate(*plain).identical(operate(*dual_))


@given(trees(FLOATS, 1), FLOATS)
def test_float_constants_move_the_value_alone(x: Any, c: float) -> None:
    (a, b), z = x, dual(x)
    assert same(tree(z + c), (a + c, b))
    assert same(tree(c + z), (c + a, b))
    assert same(tree(z - c), (a - c, b))
    assert same(tree(c - z), (c - a, -b))
    assert same(tree(z * c), (a * c, b * c))
    assert same(tree(c * z), (c * a, c * b))
    if c != 0:
        assert same(tree(z / c), (a / c, b / c))


@pytest.mark.parametrize("zero", [0, 0.0, -0.0, Dual(0.0, 0.0), Dual(0.0, 1.0), Dual(-0.0, -1.0)])
def test_d1_division_by_zero_is_ieee_and_no_exception(zero: Any) -> None:
    for a in (1.0, -1.0, math.inf):
        quotient = Dual(a, 1.0) / zero
        assert math.isinf(quotient.value)
        assert not math.isfinite(quotient.tangent)
    assert math.isnan((Dual(0.0, 1.0) / zero).value)
    nested = Dual(Dual(1.0, 1.0), 1) / Dual(Dual(0.0, 1.0), 1)
    assert nested.value.value == math.inf


# the numbers beyond which a constant int cannot be meant as a float
def test_huge_ints_overflow_as_beside_floats() -> None:
    for operate in (operator.add, operator.sub, operator.mul, operator.truediv):
        for arguments in ((Dual(1.0, 1.0), 10**400), (10**400, Dual(1.0, 1.0))):
            with pytest.raises(OverflowError, match="int too large to convert to float"):
                operate(*arguments)
    assert (Dual(Fraction(1), 1) * 10**400).value == 10**400
    assert Dual(1e300, 1.0) < 10**400


def test_unary_plus_rounds_where_the_type_does() -> None:
    x = Dual(Decimal("1.23456"), Decimal("6.54321"))
    with decimal.localcontext() as context:
        context.prec = 3
        assert (+x).identical(Dual(Decimal("1.23"), Decimal("6.54")))
        assert (-x).identical(Dual(Decimal("-1.23"), Decimal("-6.54")))
    y = Dual(1.5, 2.5)
    assert +y is y
    assert y.conjugate() is y


def test_decimals_follow_the_ambient_context() -> None:
    x, y = Dual(Decimal(1), Decimal(1)), Dual(Decimal(3), Decimal(1))
    with decimal.localcontext() as context:
        context.prec = 5
        assert (x / y).identical(Dual(Decimal("0.33333"), Decimal("0.22222")))
        with pytest.raises(decimal.DivisionByZero):
            x / 0
    with pytest.raises(decimal.InvalidOperation):
        Dual(Decimal("sNaN"), 1) + 1


def test_everyday_functions_work_on_duals() -> None:
    x: Any = Dual(2.0, 1.0)
    y: Any = Dual(3.0, 0.5)
    assert sum([x, y]).identical(Dual(5.0, 1.5))
    assert sum([x, 1, 2.5, y], start=Dual(1.0, 1.0)).identical(Dual(9.5, 2.5))
    assert math.prod([x, y]).identical(Dual(6.0, 4.0))
    assert functools.reduce(operator.mul, [x, y, 2]).identical(Dual(12.0, 8.0))
    assert statistics.median([y, x]).identical(Dual(2.5, 0.75))
    assert statistics.median([y, x, 1.0]) is x
    assert statistics.median_high([y, x]) is y
    assert sorted([y, 2.5, x]) == [x, 2.5, y]
    assert max(x, y, 1.0) is y
    assert min([y, x]) is x


class Answering:
    """What is no number, but knows what to do beside one."""

    def __radd__(self, other: object) -> tuple[str, object]:
        return "radd", other

    def __rsub__(self, other: object) -> tuple[str, object]:
        return "rsub", other

    def __rmul__(self, other: object) -> tuple[str, object]:
        return "rmul", other

    def __rtruediv__(self, other: object) -> tuple[str, object]:
        return "rtruediv", other

    def __gt__(self, other: object) -> tuple[str, object]:
        return "gt", other

    def __eq__(self, other: object) -> Any:
        return "eq", other

    __hash__ = None  # type: ignore[assignment]


def test_other_types_may_answer() -> None:
    x: Any
    for x in (Dual(2.0, 1.0), Dual(Fraction(1), 1), Dual(Dual(2.0, 1.0), 1)):
        other: Any = Answering()
        assert x + other == ("radd", x)
        assert x - other == ("rsub", x)
        assert x * other == ("rmul", x)
        assert x / other == ("rtruediv", x)
        assert (x < other) == ("gt", x)
        assert (x == other) == ("eq", x)
