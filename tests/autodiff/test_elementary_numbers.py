"""Elementary functions of what is no dual: as `math` has them, or NumPy, or the type itself."""

import builtins
import decimal
import inspect
import math
import operator
import pickle
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import gmpy2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autodiff.calls import INF, NAN, RULES, function
from tests.autodiff.points import point

from lunaflow.arithmetic import ArithmeticError, register
from lunaflow.autodiff import Dual, derivative, gradient
from lunaflow.autodiff import elementary as el
from lunaflow.autodiff._documents import public_name, public_rules
from lunaflow.autodiff._functions import FUNCTIONS

IN_MATH = sorted(set(FUNCTIONS) & set(dir(math)))
UNARY = sorted(name for name in RULES if len(RULES[name].arguments) == 1)
BINARY = ("hypot", "atan2", "fmod", "remainder", "copysign", "pow", "mod", "maximum", "minimum")

NUMPY = {public_name(rule): rule.numpy for rule in public_rules()}


def outcome(f: Callable[..., Any], *args: Any) -> Any:
    """What a call returns, or the type and text of what it raises."""
    try:
        return repr(f(*args))
    except (TypeError, ValueError, builtins.ArithmeticError) as error:
        return type(error), str(error)


def points(name: str) -> list[Sequence[Any]]:
    edges: list[Any] = [0.0, -0.0, 1.0, -1.5, 2, 7, True, 10**400, 1e308, INF, -INF, NAN]
    edges += [np.float64(0.5), np.float32(0.1), np.int64(3), "1", None, [1.0], 1j]
    rng = Random(name)
    rule = "power" if name == "pow" else name
    if name in UNARY:
        return [*((x,) for x in edges), *(point(rng, rule) for _ in range(300))]
    return [*((x, y) for x in edges for y in edges), *(point(rng, rule) for _ in range(300))]


@pytest.mark.parametrize("name", IN_MATH)
def test_floats_and_ints_are_as_in_math(name: str) -> None:
    for at in points(name):
        assert outcome(getattr(el, name), *at) == outcome(getattr(math, name), *at), at


def test_names_are_those_of_math() -> None:
    names = {name for name in dir(math) if not name.startswith("_")}
    ours = set(el.__all__)
    assert names <= ours
    spelled = {name for name in ours - names if getattr(np, name, None) is not None}
    assert ours - names == spelled
    assert all(hasattr(el, name) for name in ours)
    assert (el.pi, el.e, el.tau, el.inf) == (math.pi, math.e, math.tau, math.inf)
    assert math.isnan(el.nan)


def test_functions_are_pickled_by_name_and_show_their_arguments() -> None:
    for name, call in FUNCTIONS.items():
        assert pickle.loads(pickle.dumps(call)) is call
        assert call.__name__ == name
        assert call.__module__ == "lunaflow.autodiff.elementary"
    assert str(inspect.signature(el.sin)) == "(x, /)"
    assert str(inspect.signature(el.atan2)) == "(y, x, /)"
    assert str(inspect.signature(el.log)) == "(x, base=2.718281828459045, /)"
    with pytest.raises(AttributeError):
        el.sin.__self__.cos  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("call", "args"),
    [(el.sin, ()), (el.sin, (1.0, 2.0)), (el.atan2, (1.0,)), (el.log, ()), (el.log, (1, 2, 3))],
)
def test_a_wrong_number_of_arguments_is_a_type_error(call: Any, args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"argument"):
        call(*args)


@given(st.floats() | st.integers(-5, 5), st.floats() | st.integers(-5, 5))
def test_maximum_and_minimum_are_numpys_of_plain_numbers(x: Any, y: Any) -> None:
    for ours, numpys in ((el.maximum, np.maximum), (el.minimum, np.minimum)):
        got: Any = ours(x, y)
        assert got is x or got is y
        assert got == numpys(x, y) or (got != got and numpys(x, y) != numpys(x, y))


def test_at_ties_the_first_argument_is_taken() -> None:
    assert math.copysign(1, el.maximum(-0.0, 0.0)) == -1
    assert math.copysign(1, el.minimum(0.0, -0.0)) == 1


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 9) | st.floats())
def test_mod_is_the_operator(x: float, y: Any) -> None:
    assert outcome(el.mod, x, y) == outcome(operator.mod, x, y)


def test_logarithms_to_a_base_are_as_in_math() -> None:
    for x in (8, 10**400, 0.5, 0, -1.0, INF, NAN, "8"):
        for base in (2, 10.0, 1, 0, -2.0, 10**400, NAN):
            assert outcome(el.log, x, base) == outcome(math.log, x, base)


# ---------------------------------------------------------------- arrays


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_arrays_are_as_numpy_has_them_or_elementwise(name: str, dtype: Any) -> None:
    numbers = [0, 1] if name in ("asin", "acos") else [0, 0] if name == "atanh" else [1, 4]
    x = np.array([numbers, numbers[::-1]], dtype=dtype)
    args = (x,) if name in UNARY else (x, np.asarray(2, dtype=dtype))
    got = getattr(el, name)(*args)
    numpy = NUMPY.get(name)
    if numpy is not None:
        expected = getattr(np, numpy)(*args)
    else:
        items = [getattr(math, name)(float(item), *map(float, args[1:])) for item in x.flat]
        expected = np.array(items, np.float32 if dtype is np.float32 else float).reshape(x.shape)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


def test_a_number_beside_an_array_is_broadcast() -> None:
    x = np.array([3.0, 5.0])
    np.testing.assert_array_equal(el.hypot(x, 4), np.hypot(x, 4))
    np.testing.assert_array_equal(el.atan2(1.0, x), np.arctan2(1.0, x))
    np.testing.assert_array_equal(el.hypot(x, [4.0, 12.0]), [5.0, 13.0])
    np.testing.assert_array_equal(el.remainder(x, 4.0), [-1.0, 1.0])
    np.testing.assert_array_equal(el.log(np.array([8.0, 4.0]), 2), [3.0, 2.0])
    assert el.sin(np.array(0.0)) == 0.0


def test_arrays_of_other_functions_give_ieee_values_without_a_fuss() -> None:
    assert el.gamma(np.array([0.0, 200.0, INF])).tolist() == [INF, INF, INF]
    assert np.isnan(el.gamma(np.array([-1.0])))[0]
    assert el.erf(np.array([], dtype=float)).shape == (0,)
    assert type(el.erf(np.array(0.5))) is type(np.sin(np.array(0.5))) is np.float64


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_object_arrays_are_elementwise(name: str) -> None:
    a = 1.5 if name == "acosh" else 0.625
    items = [a, Dual(a, 2.0), Dual(Dual(a, 1.0), Dual(1.0, 0.0))]
    x = np.array([items, items[::-1]], dtype=object)
    more = () if name in UNARY else (0.75,)
    got = getattr(el, name)(x, *more)
    assert (got.shape, got.dtype) == (x.shape, object)
    for item, result in zip(x.flat, got.flat, strict=True):
        assert repr(result) == repr(getattr(el, name)(item, *more))


def test_a_dual_beside_an_array_of_floats_gives_objects() -> None:
    x = np.array([3.0, 5.0])
    for got in (el.hypot(x, Dual(4.0, 1.0)), el.hypot(Dual(4.0, 1.0), x)):
        assert got.dtype == object
        assert got[0].identical(Dual(5.0, 0.8))
    assert (Dual(2.0, 1.0) ** x)[0].identical(Dual(8.0, 12.0))
    assert (x ** Dual(1.0, 0.0))[1].identical(Dual(5.0, 0.0))


# ---------------------------------------------------------------- decimals, fractions, other types

TENTHS = st.decimals(-50, 50, allow_nan=False, places=3)


@given(TENTHS)
def test_decimals_obey_the_context_around_them(x: Decimal) -> None:
    for precision in (5, 40):
        with decimal.localcontext(decimal.Context(prec=precision)):
            assert el.exp(x) == x.exp()
            assert el.fabs(x) == abs(x)
            assert outcome(el.log, x) == outcome(Decimal.ln, x)
            assert outcome(el.log10, x) == outcome(Decimal.log10, x)
            assert outcome(el.sqrt, x) == outcome(Decimal.sqrt, x)
            assert outcome(el.pow, abs(x) or 1, x) == outcome(operator.pow, abs(x) or Decimal(1), x)
            assert outcome(el.mod, x, Decimal(3)) == outcome(operator.mod, x, 3)


def test_d14_zero_to_the_power_0_is_1_of_all_types() -> None:
    for zero in (0.0, 0, Fraction(0), Decimal(0)):
        assert el.pow(zero, 0) == 1
        assert el.pow(zero, type(zero)(0)) == 1


@given(TENTHS, TENTHS.filter(bool))
def test_remainders_and_signs_of_decimals_and_fractions_are_exact(x: Decimal, y: Decimal) -> None:
    p, q = Fraction(x), Fraction(y)
    with decimal.localcontext(decimal.Context(prec=50)):
        for call in (el.fmod, el.remainder, el.copysign, el.maximum, el.minimum):
            assert Fraction(call(x, y)) == call(p, q)
    assert el.fmod(p, q) == p - q * math.trunc(p / q)
    assert el.remainder(p, q) == p - q * round(p / q)
    assert el.mod(p, q) == p % q
    assert el.copysign(p, q) == (-abs(p) if q < 0 else abs(p))
    assert el.maximum(p, q) == max(p, q)
    assert type(el.fmod(p, q)) is Fraction
    assert type(el.fmod(x, 2)) is Decimal
    assert type(el.fmod(2, q)) is Fraction


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc"])
@given(x=TENTHS)
def test_rounding_decimals_and_fractions_gives_ints_as_in_math(name: str, x: Decimal) -> None:
    for number in (x, Fraction(x)):
        got = getattr(el, name)(number)
        assert type(got) is int
        assert got == getattr(math, name)(number)


@given(st.fractions(), st.integers(-9, 9))
def test_powers_and_roots_of_fractions_are_exact(x: Fraction, n: int) -> None:
    assert outcome(el.pow, x, n) == outcome(operator.pow, x, n)
    assert el.sqrt(x * x) == abs(x)
    assert type(el.sqrt(x * x)) is Fraction
    assert outcome(el.pow, x, Fraction(n)) == outcome(operator.pow, x, n)


def test_what_a_type_cannot_hold_is_a_type_error_and_never_a_float() -> None:
    for x in (Fraction(1, 2), Decimal("0.5")):
        for name in ("sin", "exp2", "erf", "gamma", "cbrt", "degrees", "tanh"):
            with pytest.raises(TypeError, match=f"{name}.*{type(x).__name__} has no {name}"):
                getattr(el, name)(x)
        with pytest.raises(TypeError, match="has no hypot"):
            el.hypot(x, x)
    cases: list[tuple[Any, tuple[Any, ...]]] = [
        (el.exp, (Fraction(1),)),
        (el.sqrt, (Fraction(2),)),
        (el.pow, (Fraction(2), Fraction(1, 2))),
        (el.pow, (2, Fraction(1, 2))),
        (el.hypot, (Fraction(3), 4, 0)),
        (el.fsum, ([Decimal(1)],)),
        (el.dist, ([Decimal(1)], [0])),
        (el.modf, (Fraction(1, 2),)),
    ]
    for call, args in cases:
        with pytest.raises(TypeError, match=r"has no|irrational"):
            call(*args)
    with pytest.raises(ArithmeticError, match="no real square root"):
        el.sqrt(Fraction(-1))


@pytest.mark.parametrize(
    ("x", "y"), [(Fraction(1), 1.5), (Decimal(1), 1.5), (Fraction(1), Decimal(1))]
)
def test_types_that_do_not_mix_do_not_mix_here(x: Any, y: Any) -> None:
    for call in (el.pow, el.mod, el.maximum, el.copysign):
        for pair in ((x, y), (y, x)):
            with pytest.raises(TypeError, match="mix"):
                call(*pair)


def test_registered_types_have_what_their_operators_give() -> None:
    root = {4: 2}
    register(gmpy2.mpq, sqrt=lambda x, ctx: gmpy2.mpq(root[int(x)]))
    x = gmpy2.mpq(-7, 2)
    assert el.fabs(x) == gmpy2.mpq(7, 2)
    assert el.pow(x, 3) == x**3
    assert el.mod(x, 2) == gmpy2.mpq(1, 2)
    assert el.sqrt(gmpy2.mpq(4)) == 2
    assert (el.floor(x), el.maximum(x, 1)) == (-4, 1)
    with pytest.raises(TypeError, match="mpq has no sin"):
        el.sin(x)


def test_long_doubles_are_not_cut() -> None:
    x = np.longdouble(1) / 3
    assert type(el.exp(x)) is np.longdouble
    assert el.exp(x) == np.exp(x)
    assert type(el.exp(np.float32(1))) is float


def test_functions_of_plain_numbers_alone_refuse_duals_in_words() -> None:
    d: Any = Dual(1.0, 1.0)
    for name in ("comb", "factorial", "gcd", "isqrt", "lcm", "perm"):
        with pytest.raises(TypeError, match=rf"{name} of Dual.* it takes integers"):
            getattr(el, name)(d)
    for name, args in (("ulp", (d,)), ("nextafter", (1.0, d))):
        with pytest.raises(TypeError, match=rf"{name} of Dual.*primal\(x\)"):
            getattr(el, name)(*args)
    assert (el.comb(5, 2), el.gcd(12, 18), el.isqrt(17)) == (10, 6, 4)
    assert el.ulp(1.0) == 2.0**-52
    assert function("sin") is el.sin


def test_an_int_to_the_power_of_a_dual_over_decimals() -> None:
    slope = derivative(lambda x: 2**x, Decimal(3))
    assert abs(slope - 8 * Decimal(2).ln()) < Decimal("1e-26")
    assert derivative(lambda x: sum(k**x for k in [0, 1]), Decimal(2)) == 0
    with pytest.raises(TypeError, match="Fraction has no log"):
        derivative(lambda x: 2**x, Fraction(3), errors="ieee")


def test_masks_are_refused_where_they_would_be_lost() -> None:
    masked = np.ma.array([1.5, 7.0], mask=[False, True])
    with pytest.raises(TypeError, match=r"lgamma of a masked array.*compressed"):
        el.lgamma(masked)
    with pytest.raises(TypeError, match=r"exp of a masked array.*compressed"):
        gradient(lambda p: el.exp(-masked * p[0]).sum(), [1.5])
    assert el.exp(masked).mask.tolist() == [False, True]


def test_hypot_of_more_than_two_arrays() -> None:
    hypot: Any = el.hypot
    lengths = hypot(np.array([1.0, 2.0]), 2.0, 3.0)
    assert lengths.dtype == float
    assert lengths.tolist() == [math.hypot(1.0, 2.0, 3.0), math.hypot(2.0, 2.0, 3.0)]
    slopes = gradient(lambda v: hypot(v, 2.0, 3.0).sum(), [1.0, 2.0])
    assert np.allclose(slopes, [1 / lengths[0], 2 / lengths[1]], rtol=1e-15)
