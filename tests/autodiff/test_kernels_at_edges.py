"""Law D14 by examples: kinks, jumps, poles, infinite arguments, results beyond the range."""

import math

import pytest
from tests.autodiff.exact import SLOPES, measure

from lunaflow.autodiff._kernels import BINARY, UNARY

NAN, INF = math.nan, math.inf
KERNELS = UNARY | BINARY

TROUBLES: dict[str, list[tuple[str, tuple[float, ...]]]] = {
    "no value": [
        *[("sqrt", (x,)) for x in (-5e-324, -1.0, -INF)],
        *[(log, (x,)) for log in ("log", "log2", "log10") for x in (0.0, -0.0, -1.0, -INF)],
        *[("log1p", (x,)) for x in (-1.0, -1.5, -INF)],
        *[(name, (x,)) for name in ("sin", "cos", "tan") for x in (INF, -INF)],
        *[(name, (x,)) for name in ("asin", "acos") for x in (1.0000000000000002, -2.0, INF)],
        *[("acosh", (x,)) for x in (0.9999999999999999, 0.0, -INF)],
        *[("atanh", (x,)) for x in (1.0, -1.0, 2.0, INF)],
        *[(name, (x,)) for name in ("gamma", "lgamma") for x in (0.0, -0.0, -1.0, -1e300, -INF)],
        *[("atan2", (y, x)) for y in (0.0, -0.0) for x in (0.0, -0.0)],
        *[(name, (1.5, 0.0)) for name in ("fmod", "remainder", "mod")],
        *[(name, (-INF, 2.0)) for name in ("fmod", "remainder", "mod")],
        *[("power_constant_exponent", (-2.0, y)) for y in (0.5, -1.5)],
        *[(name, (-2.0, 2.0)) for name in ("power", "power_constant_base")],
    ],
    "pole": [
        *[("power_constant_exponent", (x, y)) for x in (0.0, -0.0) for y in (-1.0, -0.5)],
        *[(name, (0.0, -2.0)) for name in ("power", "power_constant_base")],
    ],
    "infinite slope": [
        *[(name, (x,)) for name in ("sqrt", "cbrt") for x in (0.0, -0.0)],
        *[(name, (x,)) for name in ("asin", "acos") for x in (1.0, -1.0)],
        ("acosh", (1.0,)),
        *[(name, (0.0, 0.5)) for name in ("power", "power_constant_exponent")],
    ],
    "kink": [
        *[("fabs", (x,)) for x in (0.0, -0.0)],
        *[("hypot", (x, y)) for x in (0.0, -0.0) for y in (0.0, -0.0)],
        ("hypot", (INF, -INF)),
        *[("copysign", (0.0, y)) for y in (1.0, 0.0)],
    ],
    "jump": [
        *[(name, (x,)) for name in ("floor", "ceil") for x in (0.0, -0.0, 3.0, -2.0, 1e300, INF)],
        *[("trunc", (x,)) for x in (3.0, -2.0, 1e300, -INF)],
        *[("atan2", (y, x)) for y in (0.0, -0.0) for x in (-1.0, -5e-324, -INF)],
        *[("fmod", (x, y)) for x in (6.0, -6.0) for y in (2.0, -3.0)],
        *[("mod", (x, y)) for x in (6.0, -6.0, 0.0, -0.0) for y in (2.0, -3.0)],
        *[("remainder", (x, y)) for x in (1.0, -1.0, 3.0, 5.0) for y in (2.0, -2.0)],
        *[("copysign", (x, y)) for x in (2.0, -INF) for y in (0.0, -0.0)],
        *[(name, (0.0, 0.0)) for name in ("power", "power_constant_base")],
        *[(name, (INF, 0.0)) for name in ("power", "power_constant_base")],
        *[("power_constant_exponent", (x, INF)) for x in (1.0, -1.0)],
        ("power", (1.0, -INF)),
    ],
}

TANGENTS: list[tuple[str, tuple[float, ...], float]] = [
    ("tanh", (20.0, 1.0), 1.6993417021166355e-17),
    *[("power_constant_exponent", (x, 1.0, 0.0, 9.0), 0.0) for x in (0.0, 2.0, -INF, NAN)],
    *[("power_constant_exponent", (0.0, 3.0, y, 9.0), 0.0) for y in (1.5, 2.0, 3.0, INF)],
    ("power_constant_exponent", (0.0, 3.0, 1.0, 9.0), 3.0),
    ("power_constant_exponent", (-2.0, 1.0, 3.0, 9.0), 12.0),
    ("power_constant_exponent", (-2.0, 1.0, -1.0, 9.0), -0.25),
    ("power_constant_exponent", (-8.0, 1.0, 2.0**60, 0.0), -INF),
    ("power_constant_exponent", (0.5, 1.0, INF, 0.0), 0.0),
    ("power_constant_exponent", (2.0, 1.0, -INF, 0.0), 0.0),
    ("power_constant_base", (0.0, 1.0, 2.5, 3.0), 0.0),
    ("power_constant_base", (1.0, 1.0, 2.5, 3.0), 0.0),
    ("power_constant_base", (math.inf, 1.0, -2.0, 3.0), 0.0),
    ("power", (0.0, 3.0, 1.0, 7.0), 3.0),
    ("power", (0.0, 3.0, 2.0, 7.0), 0.0),
    ("power", (INF, 1.0, -2.0, 1.0), 0.0),
    *[("trunc", (x, 2.0), 0.0) for x in (0.0, -0.0, 0.5, -0.5, 2.5)],
    *[("floor", (x, 2.0), 0.0) for x in (0.5, -0.5)],
    ("fabs", (-2.0, 3.0), -3.0),
    ("fabs", (INF, 3.0), 3.0),
    ("hypot", (3.0, 1.0, 4.0, 1.0), 1.4),
    ("hypot", (0.0, 1.0, -4.0, 2.0), -2.0),
    ("hypot", (-INF, 2.0, 1.0, 5.0), -2.0),
    ("hypot", (1.7e308, 1.0, 0.0, 5.0), 1.0),
    ("hypot", (5e-324, 1.0, 0.0, 5.0), 1.0),
    *[("atan2", (y, 5.0, x, 2.0), (5 * x - 2 * y) / 2) for y in (1.0, -1.0) for x in (1.0, -1.0)],
    ("atan2", (0.0, 3.0, 2.0, 1.0), 1.5),
    ("atan2", (2.0, 3.0, 0.0, 1.0), -0.5),
    ("atan2", (INF, 3.0, 2.0, 1.0), 0.0),
    ("atan2", (1.0, 3.0, -INF, 1.0), 0.0),
    ("mod", (5.5, 1.0, 2.0, 1.0), -1.0),
    ("mod", (-5.5, 1.0, 2.0, 1.0), 4.0),
    ("mod", (-1e-20, 1.0, 1.0, 1.0), 2.0),
    ("mod", (-5.0, 1.0, INF, 1.0), 2.0),
    ("fmod", (-5.5, 1.0, 2.0, 1.0), 3.0),
    ("fmod", (0.0, 1.0, 2.0, 1.0), 1.0),
    ("remainder", (5.5, 1.0, 2.0, 1.0), -2.0),
    ("remainder", (4.0, 1.0, 2.0, 1.0), -1.0),
    ("remainder", (1.7e308, 1.0, 1.2e308, 1.0), 0.0),
    ("remainder", (1.7e308, 2.0, INF, 1.0), 2.0),
    ("remainder", (0.0, 2.0, 5e-324, 1.0), 2.0),
    ("copysign", (-2.0, 3.0, 5.0, 7.0), -3.0),
    ("copysign", (-2.0, 3.0, -5.0, 7.0), 3.0),
    *[("exp2", (x, 1.0), 0.0) for x in (-INF, -1e300)],
    *[(name, (-INF, 1.0), 0.0) for name in ("exp", "expm1")],
    *[(name, (INF, 1.0), 0.0) for name in ("sqrt", "cbrt", "log", "log2", "log10", "log1p")],
    *[(name, (INF, 1.0), 0.0) for name in ("atan", "tanh", "asinh", "acosh", "erf", "erfc")],
    *[(name, (-INF, 1.0), 0.0) for name in ("cbrt", "atan", "tanh", "asinh", "erf", "erfc")],
    *[(name, (INF, 1.0), INF) for name in ("exp", "exp2", "expm1", "sinh", "cosh", "gamma")],
    ("lgamma", (INF, 1.0), INF),
    ("cosh", (-INF, 1.0), -INF),
    ("sqrt", (0.0, -2.0), -INF),
    ("log", (0.0, 2.0), INF),
    ("asin", (-1.0, 2.0), INF),
    ("acos", (1.0, 2.0), -INF),
    ("power_constant_exponent", (0.0, 2.0, -1.0, 0.0), -INF),
    ("power_constant_exponent", (0.0, 2.0, 0.5, 0.0), INF),
]

# value or slope leaves the range, the tangent does not
COME_BACK: list[tuple[str, tuple[float, ...], tuple[float, ...]]] = [
    ("log", (1e-310,), (1e-10,)),
    ("log10", (5e-324,), (1e-320,)),
    ("atan", (1e300,), (1e308,)),
    *[(name, (1000.0,), (-1e-300,)) for name in ("exp", "expm1", "sinh", "cosh")],
    *[(name, (-740.0,), (1e300,)) for name in ("exp", "expm1")],
    *[(name, (-1450.0,), (5e-324,)) for name in ("sinh", "cosh")],
    *[("exp2", (x,), (b,)) for x, b in ((1500.5, 1e-300), (-1500.5, 1e300))],
    ("tanh", (400.0,), (1e300,)),
    *[(name, (-27.5,), (1e300,)) for name in ("erf", "erfc")],
    *[("gamma", (x,), (1e-300,)) for x in (172.5, 250.25, 1e-200, -1e-300)],
    *[("gamma", (x,), (1e300,)) for x in (-180.5, -250.25, -170.00000000000003)],
    ("lgamma", (5e-324,), (-1e-300,)),
    ("atan2", (1e-310, 1e-310), (1e-305, -1e-306)),
    ("atan2", (1e-320, 1e-315), (1e-10, 1e-10)),
    ("hypot", (5e-324, 5e-324), (1.0, 1.0)),
    ("hypot", (1.7e308, 1.7e308), (1.0, 1.0)),
    ("fmod", (1e300, 3e-300), (1.0, 1e-310)),
    ("power_constant_exponent", (1e200, 3.0), (1e-300, 0.0)),
    ("power_constant_exponent", (-1e-200, 3.0), (1e300, 0.0)),
    ("power_constant_exponent", (1.5, -2000.3), (1e300, 0.0)),
    ("power_constant_base", (1e200, 2.5), (0.0, 1e-300)),
    ("power", (1e200, 2.5), (1e-305, 1e-300)),
    ("power", (1e298, 9.5), (0.0, 0.0)),
]


@pytest.mark.parametrize(
    ("trouble", "rule", "at"),
    [(trouble, *row) for trouble, rows in TROUBLES.items() for row in rows],
)
def test_d14_d15_what_there_is_not_is_said_and_no_direction_hides_it(
    trouble: str, rule: str, at: tuple[float, ...]
) -> None:
    assert KERNELS[rule].trouble_at(*at) == trouble
    for b in (0.0, -0.0, 1.0, -1e300):
        along = [x for pair in zip(at, (b,) * len(at), strict=True) for x in pair]
        assert not math.isfinite(KERNELS[rule].evaluate_at(*along)[1])


@pytest.mark.parametrize(("rule", "arguments", "expected"), TANGENTS)
def test_d14_rules_are_right_at_their_edges(
    rule: str, arguments: tuple[float, ...], expected: float
) -> None:
    tangent = KERNELS[rule].evaluate_at(*arguments)[1]
    assert tangent == pytest.approx(expected, rel=3e-16, abs=0)
    if math.isfinite(expected):
        assert KERNELS[rule].trouble_at(*arguments[::2]) == "fine"


@pytest.mark.parametrize(("rule", "at", "along"), COME_BACK)
def test_d8_what_leaves_the_range_on_the_way_comes_back(
    rule: str, at: tuple[float, ...], along: tuple[float, ...]
) -> None:
    pairs = zip(at, along, strict=True)
    tangent = KERNELS[rule].evaluate_at(*(x for pair in pairs for x in pair))[1]
    assert math.isfinite(tangent)
    assert (tangent == 0) == (not any(along))
    assert measure(rule, at, SLOPES[rule](*at), along, tangent).share <= 1


@pytest.mark.parametrize("rule", ["exp", "expm1", "exp2", "sinh", "cosh", "gamma"])
def test_a_zero_direction_stays_zero_where_the_slope_is_beyond_all_doubles(rule: str) -> None:
    assert UNARY[rule].evaluate_at(1e300, 0.0)[1] == 0
    assert UNARY[rule].evaluate_at(1e300, -1e-300)[1] == -INF


@pytest.mark.parametrize(("a", "c"), [(1e300, 1e300), (0.5, -1e6)])
def test_a_zero_direction_stays_zero_where_the_power_is_beyond_all_doubles(
    a: float, c: float
) -> None:
    for rule in ("power", "power_constant_base", "power_constant_exponent"):
        assert BINARY[rule].evaluate_at(a, 0.0, c, 0.0)[1] == 0
