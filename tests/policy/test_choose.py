"""What a policy answers at a scale, and on what basis."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.policy import (
    Basis,
    Choice,
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    ParetoPoint,
    Piecewise,
    Region,
    choose,
)

THREE = Piecewise((Region(1, 4, "a"), Region(16, 64, "b"), Region(65, 100, "c")), undecided=(6, 8))
SIZES = Lookup(((10, "small"), (100, "medium"), (1000, "large")))


@pytest.mark.parametrize(
    ("scale", "choice", "basis"),
    [
        (-math.inf, "a", Basis.EXTRAPOLATED),
        (Fraction(999, 1000), "a", Basis.EXTRAPOLATED),
        (1, "a", Basis.MEASURED),
        (2.5, "a", Basis.MEASURED),
        (4, "a", Basis.MEASURED),
        (5, "a", Basis.BETWEEN),
        (6, "a", Basis.UNDECIDED),
        (7, "a", Basis.UNDECIDED),
        (8.0, "a", Basis.UNDECIDED),
        (np.nextafter(8.0, 9.0), "a", Basis.BETWEEN),
        (15, "a", Basis.BETWEEN),
        (16, "b", Basis.MEASURED),
        (64, "b", Basis.MEASURED),
        (64.5, "b", Basis.BETWEEN),
        (65, "c", Basis.MEASURED),
        (100, "c", Basis.MEASURED),
        (101, "c", Basis.EXTRAPOLATED),
        (10**400, "c", Basis.EXTRAPOLATED),
    ],
)
def test_piecewise(scale: Any, choice: str, basis: Basis) -> None:
    assert choose(THREE, scale) == Choice(choice, basis)


def test_piecewise_without_undecided_scales_is_between_in_every_gap() -> None:
    gap = Piecewise((Region(1, 4, "a"), Region(16, 64, "b")))
    assert {choose(gap, scale) for scale in (5, 8, 15)} == {Choice("a", Basis.BETWEEN)}


def test_undecided_scales_count_in_gaps_only() -> None:
    policy = Piecewise((Region(2, 4, "a"), Region(8, 9, "b")), undecided=(1, 3, 10))
    found = [choose(policy, scale).basis for scale in (1, 3, 6, 8, 10)]
    assert found == [
        Basis.EXTRAPOLATED,
        Basis.MEASURED,
        Basis.UNDECIDED,
        Basis.MEASURED,
        Basis.EXTRAPOLATED,
    ]


def test_open_ends_are_never_extrapolated() -> None:
    policy = Piecewise((Region(None, 4, "a"), Region(8, None, "b")))
    assert choose(policy, -math.inf) == Choice("a", Basis.MEASURED)
    assert choose(policy, math.inf) == Choice("b", Basis.MEASURED)
    assert choose(policy, 5) == Choice("a", Basis.BETWEEN)
    assert choose(Piecewise((Region(None, None, "a"),)), 3) == Choice("a", Basis.MEASURED)


@pytest.mark.parametrize(
    ("scale", "choice", "basis"),
    [
        (9, "small", Basis.EXTRAPOLATED),
        (10.0, "small", Basis.MEASURED),
        (99, "small", Basis.BETWEEN),
        (Fraction(100), "medium", Basis.MEASURED),
        (np.int32(1000), "large", Basis.MEASURED),
        (1001, "large", Basis.BETWEEN),
        (math.inf, "large", Basis.BETWEEN),
    ],
)
def test_lookup(scale: Any, choice: str, basis: Basis) -> None:
    assert choose(SIZES, scale) == Choice(choice, basis)


def test_lookup_of_strings_is_exact() -> None:
    policy = Lookup((("dense", "a"), ("sparse", "b")))
    assert choose(policy, "sparse") == Choice("b", Basis.MEASURED)
    with pytest.raises(ValueError, match=r"one of 'dense', 'sparse', not 'ragged'"):
        choose(policy, "ragged")
    with pytest.raises(TypeError, match="scale must be a str"):
        choose(policy, 3)


@given(st.data())
def test_global_and_fallback_do_not_ask_the_scale(scales: Any, data: st.DataObject) -> None:
    scale = data.draw(scales)
    assert choose(Global("a"), scale) == Choice("a", Basis.MEASURED)
    assert choose(Fallback("a", "why"), scale) == Choice("a", Basis.UNDECIDED)


def test_pareto_is_not_chosen_from_by_scale() -> None:
    points = tuple(ParetoPoint(name, (("time", 1),)) for name in ("fast", "small"))
    with pytest.raises(ValueError, match=r"not chosen from by scale.*'fast', 'small'"):
        choose(Pareto(points), 3)


@pytest.mark.parametrize("policy", [Global("a"), Fallback("a", "why"), THREE, SIZES])
def test_scales_that_are_none_are_refused(policy: DeploymentPolicy) -> None:
    for nan in (math.nan, np.float64("nan")):
        with pytest.raises(ValueError, match="scale must be a number, not NaN"):
            choose(policy, nan)
    bad: Any
    for bad in (True, "3", None, 1j, [3]):
        with pytest.raises(TypeError, match="scale must be"):
            choose(policy, bad)


def test_what_is_no_policy_raises() -> None:
    wrong: Any = "a"
    with pytest.raises(TypeError, match="policy must be a Global"):
        choose(wrong, 3)


@given(st.data())
def test_the_choice_follows_the_paragraph_of_the_design(
    policies_by_scale: st.SearchStrategy[DeploymentPolicy], scales: Any, data: st.DataObject
) -> None:
    policy, x = data.draw(policies_by_scale), data.draw(scales)
    found = choose(policy, x)
    if isinstance(policy, Piecewise):
        assert found == _by_the_letter(policy, x)
    elif isinstance(policy, Lookup):
        below: Any = [(key, choice) for key, choice in policy.pairs if key <= x]
        key, choice = max(below, default=policy.pairs[0], key=lambda pair: pair[0])
        assert found.choice == choice
        assert (found.basis is Basis.MEASURED) == (key == x)
        assert (found.basis is Basis.EXTRAPOLATED) == (not below)


def _by_the_letter(policy: Piecewise, x: Any) -> Choice:
    """The answer found without relying on the order of regions."""
    low = [-math.inf if r.lower is None else r.lower for r in policy.regions]
    high = [math.inf if r.upper is None else r.upper for r in policy.regions]
    inside = [r.choice for r, a, b in zip(policy.regions, low, high, strict=True) if a <= x <= b]
    if inside:
        return Choice(inside[0], Basis.MEASURED)
    if x < min(low):
        return Choice(policy.regions[0].choice, Basis.EXTRAPOLATED)
    if x > max(high):
        return Choice(policy.regions[-1].choice, Basis.EXTRAPOLATED)
    lower = max((b, r.choice) for r, b in zip(policy.regions, high, strict=True) if b < x)[1]
    tied = any(u <= x for u in policy.undecided) and any(u >= x for u in policy.undecided)
    return Choice(lower, Basis.UNDECIDED if tied else Basis.BETWEEN)
