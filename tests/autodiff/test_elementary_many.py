"""Functions of many numbers, or of the parts of one, with duals among them."""

import math
import pickle
import sys
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.autodiff.calls import INF, NAN, Kind, checked, nth
from tests.autodiff.exact import MP, real, ulp
from tests.autodiff.points import any_float, short

from lunaflow.arithmetic import ArithmeticError
from lunaflow.autodiff import Dual, derivative, gradient, hessian
from lunaflow.autodiff import elementary as el

FINITE = st.floats(allow_nan=False, allow_infinity=False)
MANY = st.lists(st.tuples(FINITE, FINITE), min_size=1, max_size=6)


def kind_of(f: Any, *args: Any) -> tuple[Kind, str | None]:
    with pytest.raises(ArithmeticError) as raised:
        f(*args)
    return raised.value.kind, raised.value.component


def duals(pairs: Sequence[tuple[float, float]]) -> list[Any]:
    return [Dual(a, b) for a, b in pairs]


# ---------------------------------------------------------------- hypot, dist


def test_hypot_of_numbers_is_that_of_math() -> None:
    assert el.hypot() == math.hypot() == 0.0
    for at in ((3.0,), (-0.0,), (1, 2, 2), (INF, NAN), (1e308, 1e308, 1e308), (True, 1.5, 2)):
        assert repr(el.hypot(*at)) == repr(math.hypot(*at))
    with pytest.raises(TypeError):
        el.hypot(1.0, "2", 3.0)


@pytest.mark.parametrize("count", [1, 3, 4])
def test_d8_lengths_of_many_coordinates(count: int) -> None:
    rng = Random(count)
    for _ in range(300):
        scale = rng.choice((1.0, 1e-320, 1e-160, 1e150, 1e300))
        at = [rng.choice((any_float(rng), short(rng) * scale)) for _ in range(count)]
        along = [rng.uniform(-3, 3) for _ in at]
        if not any(at) or math.isinf(math.hypot(*at)):
            continue
        got = el.hypot(*duals(list(zip(at, along, strict=True))))
        assert got.value == math.hypot(*at)
        length = MP.sqrt(sum(real(a) ** 2 for a in at))
        terms = [real(a) / length * real(b) for a, b in zip(at, along, strict=True)]
        allowed = sum(
            4 * ulp(real(a) / length) * abs(real(b)) for a, b in zip(at, along, strict=True)
        )
        assert abs(real(got.tangent) - sum(terms)) <= allowed + ulp(sum(terms))


def test_lengths_take_constants_levels_and_infinities() -> None:
    assert el.hypot(Dual(2.0, 3.0), 3, 6.0).identical(Dual(7.0, 6.0 / 7.0))
    assert el.hypot(Dual(-2.0, 3.0)).identical(Dual(2.0, -3.0))
    assert el.hypot(Dual(1.0, 1.0), -INF, Dual(2.0, 5.0)).identical(Dual(INF, 0.0))
    assert el.hypot(Dual(-INF, 1.0), 1.0, 2.0).identical(Dual(INF, -1.0))
    assert math.isnan(el.hypot(Dual(NAN, 1.0), 1.0, 2.0).tangent)
    matrix = hessian(lambda p: el.hypot(*p), [1.0, 2.0, 2.0])
    u = np.array([1.0, 2.0, 2.0]) / 3
    np.testing.assert_allclose(matrix, (np.eye(3) - np.outer(u, u)) / 3, rtol=1e-14)
    with pytest.raises(TypeError, match="does not mix"):
        el.hypot(Dual(1.0, 1.0), "2", 3.0)


@pytest.mark.parametrize("at", [(0.0,), (0.0, -0.0, 0.0), (INF, -INF, 1.0)])
def test_d15_lengths_have_kinks(at: tuple[float, ...]) -> None:
    made = checked()
    assert kind_of(el.hypot, *[made(a, 0.0) for a in at]) == (Kind.DOMAIN_ERROR, "tangent")
    assert math.isnan(el.hypot(*[Dual(a, 1.0) for a in at]).tangent)
    nested = el.hypot(*[Dual(Dual(a, 1.0), Dual(1.0, 0.0)) for a in at])
    assert math.isnan(nested.value.tangent)
    assert math.isnan(nested.tangent.value)
    assert kind_of(el.hypot, *[made(1.7e308, 1.0)] * 3) == (Kind.OVERFLOW, "value")


def test_distances() -> None:
    assert el.dist([1, 2.0], (4, 6)) == math.dist([1, 2.0], (4, 6)) == 5.0
    slopes = gradient(lambda p: el.dist(p, [1.0, 2.0]), [4.0, 6.0])
    np.testing.assert_allclose(slopes, [0.6, 0.8], rtol=1e-15)
    assert el.dist([Dual(1.0, 1.0)], [3.0]).identical(Dual(2.0, -1.0))
    with pytest.raises(ValueError, match="2 and 1"):
        el.dist([Dual(1.0, 1.0), 2.0], [3.0])
    with pytest.raises(ValueError, match="same number of dimensions"):
        el.dist([1.0, 2.0], [3.0])
    assert kind_of(gradient, lambda p: el.dist(p, [1.0, 2.0]), [1.0, 2.0])[0] is Kind.DOMAIN_ERROR


# ---------------------------------------------------------------- sums and products


def sum_or_infinity(numbers: Sequence[float]) -> float:
    try:
        return math.fsum(numbers)
    except OverflowError:
        return INF


@given(MANY)
def test_sums_are_rounded_once_in_value_and_tangent(pairs: list[tuple[float, float]]) -> None:
    sums = [sum_or_infinity(numbers) for numbers in zip(*pairs, strict=True)]
    made = checked()
    judged = [made(a, b) for a, b in pairs]
    if all(map(math.isfinite, sums)):
        assert el.fsum(iter(duals(pairs))).identical(Dual(*sums))
        assert el.fsum(judged).identical(Dual(*sums))
    else:
        assert kind_of(el.fsum, judged)[0] is Kind.OVERFLOW


def test_sums_take_constants_levels_infinities_and_fractions() -> None:
    assert el.fsum([]) == 0.0
    assert el.fsum([0.1] * 10) == 1.0
    assert el.fsum([1e100, Dual(1.0, 2.0), -1e100]).identical(Dual(1.0, 2.0))
    assert nth(lambda x: el.fsum([x, x * x, 1]), 2)(3.0) == 2.0
    assert math.isnan(el.fsum([Dual(INF, 1.0), -INF]).value)
    assert el.fsum([Dual(INF, 1.0), 1.0]).identical(Dual(INF, 1.0))
    assert el.fsum([Dual(1e308, 1.0), 1e308]).value == INF
    with pytest.raises(TypeError, match="Fraction has no fsum"):
        el.fsum([Dual(Fraction(1), 1)])
    with pytest.raises(TypeError, match="does not mix"):
        el.fsum([Dual(1.0, 1.0), "1"])


def test_products_of_any_numbers() -> None:
    assert el.prod([2, 3]) == 6
    assert el.prod([Fraction(1, 2), 3], start=4) == 6
    assert el.prod([2.0, Dual(3.0, 1.0), Dual(5.0, 1.0)]).identical(Dual(30.0, 16.0))
    assert derivative(lambda x: el.prod([x] * 5), 2.0) == 80.0


# ---------------------------------------------------------------- parts of a number


@given(FINITE, FINITE)
@settings(max_examples=200)
def test_parts_have_the_values_of_math(a: float, b: float) -> None:
    x = Dual(a, b)
    mantissa, exponent = el.frexp(x)
    assert (mantissa.value, exponent) == math.frexp(a)
    assert type(exponent) is int
    fraction, whole = el.modf(x)
    assert repr((fraction.value, whole.value)) == repr(math.modf(a))
    if not a.is_integer():
        assert fraction.identical(Dual(math.modf(a)[0], b))
        assert whole.identical(Dual(math.modf(a)[1], 0.0))
        if abs(math.frexp(a)[0]) != 0.5:
            assert mantissa.tangent == el.ldexp(Dual(b, 0.0), -exponent).value


def test_parts_at_their_jumps_and_beyond() -> None:
    made = checked()
    for x in (0.0, -0.0, 1.0, -4.0, 5e-324):
        assert kind_of(el.frexp, made(x, 0.0)) == (Kind.DOMAIN_ERROR, "tangent")
        assert math.isnan(el.frexp(Dual(x, 1.0))[0].tangent)
    for x in (1.0, -4.0, INF):
        assert kind_of(el.modf, made(x, 0.0)) == (Kind.DOMAIN_ERROR, "tangent")
        assert all(math.isnan(part.tangent) for part in el.modf(Dual(x, 1.0)))
    assert el.modf(Dual(0.0, 2.0))[0].identical(Dual(0.0, 2.0))
    assert el.modf(Dual(INF, 2.0))[1].value == INF
    assert kind_of(el.frexp, made(1.5e-310, 1.0)) == (Kind.OVERFLOW, "tangent")
    assert nth(lambda x: el.frexp(x)[0] ** 2, 2)(3.0) == 2 / 16
    assert nth(lambda x: el.modf(x)[0] ** 2, 2)(2.5) == 2.0


def test_scaling_by_powers_of_two_is_linear() -> None:
    assert el.ldexp(1.5, 3) == 12.0
    assert el.ldexp(Dual(1.5, -2.0), 3).identical(Dual(12.0, -16.0))
    assert el.ldexp(Dual(1.5, -2.0), 2000).identical(Dual(INF, -INF))
    assert kind_of(el.ldexp, checked()(1.5, 1.0), 2000) == (Kind.OVERFLOW, "value")
    assert nth(lambda x: el.ldexp(x, 3) ** 2, 2)(3.0) == 128.0
    for wrong in (1.0, Dual(1.0, 0.0)):
        with pytest.raises(TypeError, match="int"):
            el.ldexp(Dual(1.5, 1.0), wrong)  # type: ignore[arg-type]


def test_parts_of_arrays_are_those_of_numpy() -> None:
    x = np.array([1.5, -4.25])
    for name, args in (("frexp", ()), ("modf", ()), ("ldexp", (3,))):
        got = getattr(el, name)(x, *args)
        np.testing.assert_array_equal(np.array(got), np.array(getattr(np, name)(x, *args)))
    with pytest.raises(OverflowError):
        el.ldexp(1.5, 2000)


# ---------------------------------------------------------------- questions


def test_questions_are_asked_of_values() -> None:
    for x in (1.0, INF, -INF, NAN):
        for depth in (Dual(x, NAN), Dual(Dual(x, INF), Dual(1.0, NAN))):
            assert el.isnan(depth) is math.isnan(x)
            assert el.isinf(depth) is math.isinf(x)
            assert el.isfinite(depth) is math.isfinite(x)
    assert el.isclose(Dual(1.0, 5.0), 1.0 + 1e-12) is True
    assert el.isclose(1.0, Dual(1.1, 0.0), rel_tol=0.01) is False
    assert el.isclose(1.0, 1.1, abs_tol=0.2) is True
    array = np.array([1.0, NAN, INF])
    assert el.isnan(array).tolist() == [False, True, False]
    objects = np.array([Dual(NAN, 1.0), 1.0], dtype=object)
    assert el.isnan(objects).tolist() == [True, False]
    assert el.isclose(objects, 1.0).tolist() == [False, True]
    assert el.isclose(array, [1.0, 1.0, INF]).dtype == bool


def test_wrapped_functions_keep_their_names() -> None:
    assert el.comb.__name__ == "comb"
    assert pickle.loads(pickle.dumps(el.fsum)) is el.fsum


# ---------------------------------------------------------------- of later versions of Python


def test_later_functions_are_there_if_python_has_them() -> None:
    assert hasattr(el, "sumprod") == hasattr(math, "sumprod") == (sys.version_info >= (3, 12))
    assert hasattr(el, "fma") == hasattr(math, "fma") == (sys.version_info >= (3, 13))
    checks = {"sumprod": check_sumprod, "fma": check_fma}
    for name in checks.keys() & set(el.__all__):
        checks[name](getattr(el, name))


def check_sumprod(sumprod: Any) -> None:
    x, y = Dual(3.0, 1.0), Dual(5.0, 2.0)
    assert sumprod([1.0, 2.0], [3.0, 4.0]) == 11.0
    assert sumprod([x, 2.0], [y, x]).identical(Dual(21.0, 13.0))
    assert sumprod([1e100, x, -1e100], [1.0, 1.0, 1.0]).identical(Dual(3.0, 1.0))
    assert nth(lambda t: sumprod([t, t], [t, 1.0]), 2)(3.0) == 2.0
    assert sumprod([Dual(Fraction(1, 3), 1)], [3]).identical(Dual(Fraction(1), Fraction(3)))
    assert kind_of(sumprod, [checked()(1e200, 1.0)], [1e200]) == (Kind.OVERFLOW, "value")
    for p, q in (([x], []), ([1.0], [])):
        with pytest.raises(ValueError, match="length"):
            sumprod(p, q)


def check_fma(fma: Any) -> None:
    x, y, z = Dual(3.0, 1.0), Dual(5.0, 2.0), Dual(7.0, 4.0)
    assert fma(3.0, 5.0, 7.0) == 22.0
    assert fma(x, y, z).identical(Dual(22.0, 15.0))
    assert fma(x, 5.0, 7.0).identical(Dual(22.0, 5.0))
    assert fma(3.0, 5.0, z).identical(Dual(22.0, 4.0))
    assert nth(lambda t: fma(t, t, t), 2)(3.0) == 2.0
    tiny = 2.0**-30
    assert fma(Dual(1 + tiny, 1.0), 1 - tiny, -1.0).value == -(2.0**-60)
    assert fma(Dual(1e200, 1.0), 1e200, -INF).value == -INF
    assert fma(Dual(1e200, 1.0), 1e200, 0.0).value == INF
    assert math.isnan(fma(Dual(INF, 1.0), 0.0, 0.0).value)
    assert kind_of(fma, checked()(1e200, 1.0), 1e200, 0.0) == (Kind.OVERFLOW, "value")
    with pytest.raises(TypeError, match="has no fma"):
        fma(Fraction(1), 2, 3)
