"""How duals are made, shown, stored and told apart."""

import collections.abc
import copy
import math
import pickle
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
from tests.arithmetic.kit import BIG_INTS
from tests.autodiff.duals import FLOATS, dual, same, tree, trees

from lunaflow.autodiff._dual import Dual, div_checked, fresh_level, primal, seed

NAMES = {
    "Dual": Dual,
    "Fraction": Fraction,
    "Decimal": Decimal,
    "inf": math.inf,
    "nan": math.nan,
    "mpq": gmpy2.mpq,
    "mpf": mpmath.mpf,
}
EVERY_TYPE = [
    Dual(2.0, 1.0),
    Dual(-0.0, math.inf),
    Dual(Fraction(1, 3), Fraction(2)),
    Dual(Decimal("1.50"), Decimal("NaN")),
    Dual(Dual(2.0, 1.0), Dual(1.0, 0.0)),
    Dual(Dual(Fraction(1, 3), 1), Dual(Fraction(0), 1)),
    Dual(Dual(Dual(2.0, 1.0), 0), 1),
    Dual(gmpy2.mpq(1, 3), gmpy2.mpq(2)),
    Dual(mpmath.mpf(0.5), mpmath.mpf(2)),
]


class Colour(IntEnum):
    RED = 3


class Metres(float):
    pass


@given(FLOATS, FLOATS)
def test_floats_are_kept_to_the_bit(a: float, b: float) -> None:
    x = Dual(a, b)
    assert same((x.value, x.tangent), (a, b))
    assert type(x.value) is type(x.tangent) is float


@pytest.mark.parametrize(
    ("value", "tangent", "expected"),
    [
        (2, 1, (2.0, 1.0)),
        (2.5, 1, (2.5, 1.0)),
        (2, 1.5, (2.0, 1.5)),
        (2**53, -(2**60), (2.0**53, -(2.0**60))),
        (Colour.RED, 0, (3.0, 0.0)),
        (Metres(2.5), Metres(1), (2.5, 1.0)),
        (np.float64(2.5), np.float32(0.5), (2.5, 0.5)),
        (np.float16(0.5), np.int8(-3), (0.5, -3.0)),
        (np.uint64(2**60), 1, (2.0**60, 1.0)),
        (Fraction(1, 3), 1, (Fraction(1, 3), Fraction(1))),
        (2, Fraction(1, 3), (Fraction(2), Fraction(1, 3))),
        (Fraction(1, 3), np.int64(4), (Fraction(1, 3), Fraction(4))),
        (Decimal("0.1"), 10**40, (Decimal("0.1"), Decimal(10**40))),
        (Dual(1.0, 2.0), 1, ((1.0, 2.0), (1.0, 0.0))),
        (1, Dual(1.0, 2.0), ((1.0, 0.0), (1.0, 2.0))),
        (Dual(1.0, 2.0), 0.5, ((1.0, 2.0), (0.5, 0.0))),
        (Dual(Fraction(1), 2), 3, ((Fraction(1), Fraction(2)), (Fraction(3), Fraction(0)))),
        (
            Dual(Dual(1.0, 2.0), 3),
            Dual(4.0, 5.0),
            (((1.0, 2.0), (3.0, 0.0)), ((4.0, 5.0), (0.0, 0.0))),
        ),
    ],
)
def test_components_become_of_one_type(value: Any, tangent: Any, expected: Any) -> None:
    assert same(tree(Dual(value, tangent)), expected)


@pytest.mark.parametrize(
    "wrong",
    [
        True,
        np.True_,
        1j,
        np.complex64(1),
        mpmath.mpc(1, 2),
        "1.5",
        b"1",
        None,
        [1.0],
        np.array(1.0),
        np.array([1.0]),
        np.longdouble(1),
        np.timedelta64(5, "s"),
        np.datetime64(5, "s"),
        object(),
        float,
    ],
)
def test_what_is_no_real_number_is_refused(wrong: Any) -> None:
    for name, arguments in (
        ("value", (wrong, 1.0)),
        ("tangent", (1.0, wrong)),
        ("value", (wrong, wrong)),
    ):
        with pytest.raises(
            TypeError, match=f"^{name} must be a real number: .*{type(wrong).__name__}"
        ):
            Dual(*arguments)
    for make in (Dual.constant, Dual.variable):
        with pytest.raises(TypeError, match="value must be a real number"):
            make(wrong)


@pytest.mark.parametrize(
    ("value", "tangent"),
    [
        (1.0, Fraction(1)),
        (Fraction(1), Decimal(1)),
        (Decimal(1), 1.0),
        (Dual(1.0, 1.0), Fraction(1)),
        (Fraction(1), Dual(Decimal(1), 1)),
        (gmpy2.mpq(1), 1.0),
        (np.float32(1), Fraction(1)),
    ],
)
def test_types_that_do_not_mix_are_refused(value: Any, tangent: Any) -> None:
    for arguments in ((value, tangent), (tangent, value)):
        with pytest.raises(TypeError, match="value and tangent must be numbers of one type, not"):
            Dual(*arguments)


@given(BIG_INTS)
def test_ints_become_floats_only_without_loss(n: int) -> None:
    try:
        exact = float(n) == n
    except OverflowError:
        exact = False
    for name, arguments in (("value", (n, 0.5)), ("tangent", (0.5, n)), ("value", (n, 1))):
        if exact:
            assert float(n) in (Dual(*arguments).value, Dual(*arguments).tangent)
        else:
            with pytest.raises(ValueError, match=f"{name} has to become a float, and the int"):
                Dual(*arguments)
    assert Dual(Fraction(1), n).tangent == n


def test_constants_and_variables() -> None:
    for x, kind in (
        (2, float),
        (2.5, float),
        (Fraction(1, 3), Fraction),
        (Decimal("0.1"), Decimal),
    ):
        for made, tangent in ((Dual.constant(x), 0), (Dual.variable(x), 1)):
            assert made.identical(Dual(x, tangent))
            assert type(made.tangent) is kind
    nested = Dual.variable(Dual(2.0, 1.0))
    assert same(tree(nested), ((2.0, 1.0), (1.0, 0.0)))


@pytest.mark.parametrize("arguments", [(), (1.0,), (1.0, 2.0, 3.0)])
def test_there_are_two_arguments(arguments: Any) -> None:
    with pytest.raises(TypeError, match="exactly 2 positional arguments"):
        Dual(*arguments)
    assert Dual(tangent=2.0, value=1.0).identical(Dual(1.0, 2.0))


def test_duals_are_immutable() -> None:
    x: Any = Dual(1.0, 2.0)
    for name in ("value", "tangent", "other"):
        with pytest.raises(AttributeError):
            setattr(x, name, 3.0)
        with pytest.raises(AttributeError):
            delattr(x, name)
    with pytest.raises(TypeError, match="immutable"):
        x.__init__(3.0, 4.0)
    with pytest.raises(TypeError):
        Dual.value = 3  # type: ignore[assignment, method-assign]
    before = y = x
    y += 1
    y *= Dual(2.0, 1.0)
    y -= 1
    y /= 2
    assert y.identical((x + 1) * Dual(2.0, 1.0) / 2 - 0.5)
    assert before is x
    assert x.identical(Dual(1.0, 2.0))


def test_methods_refuse_to_run_on_other_types() -> None:
    dual_type: Any = Dual
    for name in ("conjugate", "sqrt_checked", "__copy__", "__reduce__", "__trunc__"):
        with pytest.raises(TypeError, match="doesn't apply to a 'float' object"):
            getattr(dual_type, name)(2.0)
    for name in ("identical", "div_checked", "__deepcopy__", "__add__", "__lt__"):
        with pytest.raises(TypeError, match="doesn't apply to|requires a"):
            getattr(dual_type, name)(2.0, Dual(1.0, 1.0))


def test_it_cannot_be_subclassed() -> None:
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (Dual,), {})


def test_what_only_new_made_is_zero() -> None:
    zero = Dual.__new__(Dual)
    assert zero.identical(Dual(0.0, 0.0))
    other = Dual(2.0, 1.0)
    for mixed, expected in (
        (zero + other, other),
        (other * zero, Dual(0.0, 0.0)),
        (zero + np.int64(1), Dual(1.0, 0.0)),
        (Dual(other, 1) + zero, Dual(other, 1)),
        (Dual(zero, 1), Dual(Dual(0.0, 0.0), 1)),
        (div_checked(zero, other).unwrap(), zero),
        (pickle.loads(pickle.dumps(zero)), zero),
        (-zero, zero),
    ):
        assert mixed.identical(expected)
    with pytest.raises(TypeError, match="not safe"):
        object.__new__(Dual)


@pytest.mark.parametrize("x", EVERY_TYPE, ids=repr)
def test_repr_pickle_and_copies_give_the_same_dual(x: Any) -> None:
    assert eval(repr(x), NAMES).identical(x)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(x, protocol)).identical(x)
    assert copy.copy(x) is x
    assert copy.deepcopy([x])[0] is x


@given(trees(FLOATS, 1) | trees(FLOATS, 2) | trees(st.fractions(), 2))
def test_trees_round_trip(x: Any) -> None:
    assert same(tree(dual(x)), x)
    assert same(tree(pickle.loads(pickle.dumps(dual(x)))), x)
    assert same(tree(eval(repr(dual(x)), NAMES)), x)


def test_what_a_derivative_runs_on_cannot_be_pickled() -> None:
    for checked in (False, True):
        x = seed(2.0, 1.0, fresh_level(), checked)
        for y in (x, x * 2, Dual(x, 1)):
            with pytest.raises(pickle.PicklingError, match=r"pickle the plain number: primal\(x\)"):
                pickle.dumps(y)
            assert copy.deepcopy(y) is y


def test_text_and_formats() -> None:
    assert str(Dual(2.0, 1.0)) == f"{Dual(2.0, 1.0)}" == "Dual(2.0, 1.0)"
    third = Dual(Fraction(1, 3), 1)
    assert f"{third}" == str(third) == "Dual(Fraction(1, 3), Fraction(1, 1))"
    assert f"{Dual(2.0, 1.0):.3f}" == "Dual(2.000, 1.000)"
    assert (
        f"{Dual(Dual(2.0, 1.0), 1):.1e}" == "Dual(Dual(2.0e+00, 1.0e+00), Dual(1.0e+00, 0.0e+00))"
    )
    with pytest.raises(ValueError, match="Unknown format code"):
        format(Dual(2.0, 1.0), "x")


def test_d3_a_dual_is_not_hashable() -> None:
    x: Any = Dual(2.0, 1.0)
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    with pytest.raises(TypeError, match="unhashable"):
        {x}.clear()
    assert not isinstance(x, collections.abc.Hashable)


def test_identical_compares_value_and_tangent() -> None:
    x = Dual(2.0, 1.0)
    assert x.identical(Dual(2, 1))
    assert Dual(math.nan, math.nan).identical(Dual(math.nan, math.nan))
    assert Dual(0.0, -0.0).identical(Dual(-0.0, 0.0))
    assert Dual(Decimal("sNaN"), 1).identical(Dual(Decimal("sNaN"), 1))
    for other in (
        Dual(2.0, 2.0),
        Dual(3.0, 1.0),
        Dual(2.0, math.nan),
        Dual(Fraction(2), 1),
        Dual(x, 1),
        2.0,
        None,
        "Dual(2.0, 1.0)",
        (2.0, 1.0),
    ):
        assert x.identical(other) is False
    assert not Dual(Decimal(1), 1).identical(Dual(Decimal("sNaN"), 1))
    assert not Dual(Dual(1.0, 2.0), 1).identical(Dual(Dual(1.0, 3.0), 1))


def test_patterns_and_generic_aliases() -> None:
    match Dual(2.0, 1.0):
        case Dual(value, tangent):
            assert (value, tangent) == (2.0, 1.0)
    assert Dual[float].__origin__ is Dual  # type: ignore[attr-defined]
    assert "float" in repr(Dual[float])


def test_duals_made_by_hand_nest_only_so_deep() -> None:
    x: Any = Dual(1.0, 1.0)
    for _ in range(19):
        x = Dual(x, 0)
    with pytest.raises(ValueError, match="at most 20 deep"):
        Dual(x, 0)


@pytest.mark.parametrize("x", [2.0, 3, Fraction(1, 2), "text", None])
def test_primal_strips_duals_and_passes_all_else_through(x: Any) -> None:
    assert primal(x) is x
    if not isinstance(x, (str, int, type(None))):
        assert primal(Dual(Dual.variable(x), Dual.constant(x))) == x
