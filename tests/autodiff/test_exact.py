"""The references themselves: slopes against differences of the values, at high precision."""

import math
from random import Random

import pytest
from mpmath import libmp
from tests.autodiff.exact import BEYOND, LEAST, MP, SLOPES, VALUES, bound, measure, ulp

from lunaflow.autodiff._kernels import BINARY, UNARY


def test_mpmath_works_with_gmpy2() -> None:
    assert libmp.BACKEND == "gmpy"


@pytest.mark.parametrize("rule", sorted(SLOPES))
def test_slopes_are_limits_of_differences_of_values(rule: str) -> None:
    rng = Random(rule)
    step = 2.0**-30
    for _ in range(20):
        low = 1.0 if rule == "acosh" else 0.05
        at = [low + rng.uniform(0, 0.9) for _ in range(1 if rule in UNARY else 2)]
        for position, slope in enumerate(SLOPES[rule](*at)):
            if not _is_constant(rule, position):
                ahead, behind = list(at), list(at)
                ahead[position] += step
                behind[position] -= step
                difference = VALUES[rule](*ahead) - VALUES[rule](*behind)
                run = MP.mpf(ahead[position]) - MP.mpf(behind[position])
                assert abs(difference / run - slope) <= 1e-8 * (1 + abs(slope)) ** 3


def _is_constant(rule: str, position: int) -> bool:
    return (rule, position) in {("power_constant_exponent", 1), ("power_constant_base", 0)}


def test_every_rule_has_both_references() -> None:
    assert set(VALUES) == set(SLOPES) == {*UNARY, *BINARY, "division"}


@pytest.mark.parametrize("x", [1.0, 1.5, -0.3, 1e-310, 5e-324, 1.7976931348623157e308])
def test_ulp_of_a_double_is_that_of_math(x: float) -> None:
    assert ulp(MP.mpf(x)) == math.ulp(x)


def test_ulp_has_no_upper_end_and_a_lower_one() -> None:
    assert ulp(MP.ldexp(1, 5000)) == MP.ldexp(1, 4948)
    assert ulp(MP.ldexp(1, -5000)) == ulp(MP.mpf(0)) == LEAST


def test_the_bound_of_d8_counts_slope_and_result() -> None:
    assert bound("exp", (0.0,), (MP.mpf(1),), (8.0,)) == (4 * 8 + 8) * 2.0**-52
    assert bound("lgamma", (9.0,), (MP.mpf(2),), (1.0,)) == (32 * 3 + 4) * 2.0**-53
    assert bound("hypot", (3.0, 4.0), (MP.mpf(1), MP.mpf(1)), (1.0, -1.0)) == 2.0**-49 + LEAST


def test_an_error_is_measured_against_the_bound() -> None:
    one = (MP.mpf(1),)
    assert measure("exp", (0.0,), one, (1.0,), 1 + 2.0**-52).share == pytest.approx(0.2)
    assert measure("exp", (0.0,), one, (1.0,), 1 + 2.0**-49).ulps == 8
    assert measure("exp", (0.0,), one, (1.0,), math.nan).share == math.inf
    assert measure("exp", (0.0,), one, (1.0,), math.inf).share == math.inf


def test_an_infinite_tangent_fits_what_no_double_reaches() -> None:
    slopes = (BEYOND,)
    assert measure("exp", (709.79,), slopes, (1.0,), math.inf).share == 0
    assert measure("exp", (709.79,), slopes, (1.0,), -math.inf).share == math.inf
    assert measure("exp", (709.79,), slopes, (0.5,), math.inf).share == math.inf
