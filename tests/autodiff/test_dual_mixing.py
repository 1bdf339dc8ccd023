"""Which constants mix with which duals, from both sides, in every operator."""

import math
import operator
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import gmpy2
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.duals import Kind, dual, fault_of, tree

from lunaflow.arithmetic import compare_checked, parse_checked, pow_int_checked, pow_nat_checked
from lunaflow.arithmetic import div_checked as scalar_div_checked
from lunaflow.arithmetic import sqrt_checked as scalar_sqrt_checked
from lunaflow.autodiff._dual import Dual, div_checked, sqrt_checked

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv]


class Two(IntEnum):
    TWO = 2


class MyInt(int):
    def __radd__(self, other: object) -> int:
        return -1

    __rmul__ = __rsub__ = __rtruediv__ = __radd__


class MyFloat(float):
    pass


INTS = [
    2,
    Two.TWO,
    MyInt(2),
    True,
    False,
    np.True_,
    np.False_,
    np.int8(2),
    np.uint64(2),
    np.int64(-3),
]
FLOATS = [2.5, MyFloat(2.5), np.float64(2.5), np.float32(2.5), np.float16(2.5), math.inf, -0.0]
OVER_FLOATS = [Dual(3.0, 5.0), Dual(Dual(3.0, 5.0), Dual(7.0, 0.5))]
OVER_FRACTIONS = [Dual(Fraction(3), 5), Dual(Dual(Fraction(3), 5), 7)]
OVER_DECIMALS = [Dual(Decimal(3), 5), Dual(Dual(Decimal(3), 5), 7)]
OVER_MPQ = [Dual(gmpy2.mpq(3), 5)]
OVER_MPF = [Dual(mpmath.mpf(3), 5)]

MIXING = [
    *((x, c, float) for x in OVER_FLOATS for c in [*INTS, *FLOATS]),
    *((x, c, Fraction) for x in OVER_FRACTIONS for c in [*INTS, Fraction(5, 2)]),
    *((x, c, Decimal) for x in OVER_DECIMALS for c in [*INTS, Decimal("2.5")]),
    *((x, c, gmpy2.mpq) for x in OVER_MPQ for c in [*INTS, gmpy2.mpq(5, 2)]),
    *((x, c, mpmath.mpf) for x in OVER_MPF for c in [*INTS, mpmath.mpf(2.5)]),
]
NUMBERS_APART = [
    *((x, c) for x in OVER_FLOATS for c in (Fraction(1), Decimal(1), gmpy2.mpq(1), mpmath.mpf(1))),
    *((x, c) for x in OVER_FRACTIONS for c in (1.0, np.float64(1), np.float16(1), Decimal(1))),
    *((x, c) for x in OVER_DECIMALS for c in (1.0, np.float32(1), Fraction(1), gmpy2.mpq(1))),
    *((x, c) for x in OVER_MPQ for c in (1.0, Decimal(1), np.float64(1))),
    *(
        (x, c)
        for x in (*OVER_FLOATS, *OVER_FRACTIONS, *OVER_DECIMALS, *OVER_MPQ)
        for c in (1j, np.complex64(1), np.complex128(1), np.longdouble(1), np.timedelta64(1, "s"))
    ),
    (OVER_FLOATS[0], OVER_FRACTIONS[0]),
    (OVER_FRACTIONS[0], OVER_DECIMALS[1]),
    (OVER_FLOATS[1], OVER_MPQ[0]),
]
NO_NUMBERS = ["a", b"a", None, [1.0], (1.0,), {}, object(), float, np.str_("a"), range(3)]


def exactly(c: Any, kind: Any) -> Any:
    """The constant as a number of that type."""
    plain = c.item() if isinstance(c, np.generic) else c
    return kind(int(plain)) if isinstance(plain, int) else kind(plain)


@pytest.mark.parametrize(("x", "c", "kind"), MIXING, ids=repr)
def test_constants_mix_from_both_sides(x: Any, c: Any, kind: Any) -> None:
    constant = exactly(c, kind)
    lifted = Dual(constant, 0)
    for operate in OPERATORS:
        for plain, expected in (((x, c), (x, lifted)), ((c, x), (lifted, x))):
            if (
                operate is operator.truediv
                and constant == 0
                and plain[1] is c
                and kind is not float
            ):
                with pytest.raises((ArithmeticError, ZeroDivisionError)):
                    operate(*plain)
                continue
            if operate is operator.mul and isinstance(constant, float) and math.isinf(constant):
                continue  # a constant has no tangent, which 0 * inf would see
            assert operate(*plain).identical(operate(*expected)), (operate, plain)


@pytest.mark.parametrize(("x", "c"), NUMBERS_APART, ids=repr)
def test_other_numbers_are_refused(x: Any, c: Any) -> None:
    operations: list[Any] = [*OPERATORS, div_checked]
    for operate in operations:
        for arguments in ((x, c), (c, x)):
            with pytest.raises(TypeError, match=r"do not mix with|does not mix"):
                operate(*arguments)


@pytest.mark.parametrize("x", [OVER_FLOATS[0], OVER_FRACTIONS[0], OVER_FLOATS[1]], ids=repr)
@pytest.mark.parametrize("other", NO_NUMBERS, ids=repr)
def test_what_is_no_number_is_refused(x: Any, other: Any) -> None:
    for operate in OPERATORS:
        for arguments in ((x, other), (other, x)):
            with pytest.raises(TypeError):
                operate(*arguments)
    for arguments in ((x, other), (other, x)):
        with pytest.raises(TypeError, match="div_checked does not mix"):
            div_checked(*arguments)
    with pytest.raises(TypeError):
        sqrt_checked(other)


@pytest.mark.parametrize("truth", [True, np.True_])
def test_the_checked_division_takes_no_bool_as_the_scalars_does_not(truth: Any) -> None:
    for arguments in ((Dual(1.0, 1.0), truth), (truth, Dual(1.0, 1.0))):
        with pytest.raises(TypeError, match="div_checked does not mix"):
            div_checked(*arguments)
    with pytest.raises(TypeError):
        scalar_div_checked(1.0, truth)


@pytest.mark.parametrize(
    "scalar", [np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_]
)
def test_numpy_scalars_leave_their_operations_to_us(scalar: Any) -> None:
    x, c = Dual(3.0, 5.0), scalar(2)
    for operate in OPERATORS:
        for arguments in ((x, c), (c, x)):
            assert type(operate(*arguments)) is Dual
    for compare in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge):
        assert bool(compare(c, x)) is compare(float(c), 3.0)
        assert bool(compare(x, c)) is compare(3.0, float(c))


@given(st.integers(-(2**70), 2**70))
def test_int_constants_are_rounded_as_beside_floats(n: int) -> None:
    assert (Dual(1.0, 1.0) * n).value == (n * Dual(1.0, 1.0)).value == float(n)
    assert (Dual(1.0, 1.0) * np.float64(n)).tangent == float(n)


def test_the_scalars_functions_divide_duals_too() -> None:
    x: Any
    for x in (Dual(3.0, 5.0), Dual(Fraction(3), 5), Dual(Decimal(3), 5)):
        for arguments in ((x, x), (x, 2), (2, x)):
            assert (
                scalar_div_checked(*arguments).unwrap().identical(div_checked(*arguments).unwrap())
            )
    x = Dual(3.0, 5.0)
    assert tree(scalar_div_checked(2.5, x).unwrap()) == tree(2.5 / x)
    assert scalar_sqrt_checked(Dual(4.0, 1.0)).unwrap().identical(Dual(2.0, 0.25))
    with pytest.raises(TypeError, match="duals over float do not mix with Fraction"):
        scalar_div_checked(Fraction(1), Dual(3.0, 5.0))


def test_d9_other_checked_operations_are_unsupported() -> None:
    x = Dual(3.0, 5.0)
    outcomes: tuple[Any, ...] = (
        compare_checked(x, x),
        compare_checked(x, 1.0),
        compare_checked(1.0, x),
        pow_nat_checked(x, 2),
        pow_int_checked(x, 2),
        pow_int_checked(x, -2),
        parse_checked("1.5", Dual),
        pow_nat_checked(x, -2),
    )
    for outcome in outcomes[:-1]:
        assert outcome.error.kind is Kind.UNSUPPORTED_OPERATION
    assert outcomes[-1].error.kind is Kind.DOMAIN_ERROR


def test_duals_of_other_depth_mix_as_constants() -> None:
    x, nested = Dual(2.0, 1.0), dual(((3.0, 1.0), (1.0, 0.0)))
    assert (x * nested).identical(Dual(Dual(6.0, 5.0), Dual(2.0, 1.0)))
    assert (nested * x).identical(x * nested)
    assert (x - nested).identical(Dual(x - nested.value, -nested.tangent))
    assert (nested / x).identical(Dual(nested.value / x, nested.tangent / x))
    assert div_checked(nested, x).unwrap().identical(nested / x)
    assert div_checked(x, nested).unwrap().identical(x / nested)
    assert fault_of(div_checked(nested, Dual(0.0, 1.0))) == (Kind.DIVISION_BY_ZERO, "value.value.")
    assert nested * 2.5 == Dual(Dual(7.5, 2.5), Dual(2.5, 0.0))
    assert x < nested
    assert nested > x
