"""The policies: what their constructors refuse, and that they are values."""

import math
import pickle
from decimal import Decimal
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
)

A, B, C = Region(1, 4, "a"), Region(8, 16, "b"), Region(32, 64, "c")
NO_SCALES = [True, np.True_, "3", 1j, Decimal(1), [1], np.array([1])]


@pytest.mark.parametrize("bad", NO_SCALES, ids=repr)
def test_bounds_of_another_type_raise(bad: Any) -> None:
    with pytest.raises(TypeError, match="lower must be"):
        Region(bad, 4, "a")
    with pytest.raises(TypeError, match="upper must be"):
        Region(1, bad, "a")
    with pytest.raises(TypeError, match="undecided must be"):
        Piecewise((A,), (bad,))


@pytest.mark.parametrize("nan", [math.nan, np.float32("nan"), np.float64("nan")])
def test_nan_is_no_scale(nan: Any) -> None:
    with pytest.raises(ValueError, match="lower must be a number, not NaN"):
        Region(nan, None, "a")
    with pytest.raises(ValueError, match="undecided must be a number, not NaN"):
        Piecewise((A,), (nan,))
    with pytest.raises(ValueError, match="key must be a number, not NaN"):
        Lookup(((nan, "a"),))
    with pytest.raises(ValueError, match="objective 'time' must be a number, not NaN"):
        ParetoPoint("a", (("time", nan),))


@pytest.mark.parametrize(
    ("numpy", "plain"),
    [
        (np.int64(3), int),
        (np.uint8(3), int),
        (np.float32(0.1), float),
        (np.float64(2.5), float),
        (Fraction(1, 3), Fraction),
    ],
)
def test_numpy_numbers_become_plain_ones_of_the_same_value(numpy: Any, plain: type) -> None:
    region = Region(numpy, None, "a")
    assert type(region.lower) is plain
    assert region.lower == numpy


def test_a_region_has_its_ends_in_order() -> None:
    with pytest.raises(ValueError, match="lower must be at most upper, but 5 > 4"):
        Region(5, 4, "a")
    assert Region(4, 4, "a").lower == 4
    assert Region(None, None, "a").upper is None


@pytest.mark.parametrize("bad", [None, 3, b"a"])
def test_a_choice_is_a_name(bad: Any) -> None:
    for make in (
        lambda: Global(bad),
        lambda: Region(1, 2, bad),
        lambda: Fallback(bad, "why"),
        lambda: Lookup(((1, bad),)),
        lambda: ParetoPoint(bad, (("time", 1),)),
        lambda: Choice(bad, Basis.MEASURED),
    ):
        with pytest.raises(TypeError, match="choice must be a str"):
            make()


@pytest.mark.parametrize("bad", ["abc", 3, [1.5], [True], None])
def test_evidence_is_a_sequence_of_identifiers(bad: Any) -> None:
    with pytest.raises(TypeError, match="evidence_ids"):
        Region(1, 2, "a", bad)
    assert Region(1, 2, "a", ["x", np.int64(3)]).evidence_ids == ("x", 3)  # type: ignore[arg-type]


def test_regions_are_there_and_ascend_without_overlap() -> None:
    with pytest.raises(ValueError, match="at least one Region"):
        Piecewise(())
    for bad in [(B, A), (A, A), (A, Region(4, 8, "b")), (Region(0, 9, "x"), B)]:
        with pytest.raises(ValueError, match="without overlap"):
            Piecewise(bad)
    assert Piecewise([A, B, C]).regions == (A, B, C)  # type: ignore[arg-type]


def test_only_the_outer_ends_of_regions_may_be_open() -> None:
    open_below, open_above = Region(None, 4, "a"), Region(8, None, "b")
    assert len(Piecewise((open_below, open_above)).regions) == 2
    for bad in [(A, Region(None, 16, "b")), (Region(1, None, "a"), B)]:
        with pytest.raises(ValueError, match="only the outer ends may be open"):
            Piecewise(bad)


@pytest.mark.parametrize("bad", [(6, 5), (5, 5), (5, 5.0)])
def test_undecided_scales_ascend(bad: Any) -> None:
    with pytest.raises(ValueError, match="undecided must ascend"):
        Piecewise((A, B), bad)


@pytest.mark.parametrize("bad", [A, "ab", None, [("a", 1)]])
def test_regions_of_another_type_raise(bad: Any) -> None:
    with pytest.raises(TypeError, match="regions must be"):
        Piecewise(bad)


def test_keys_are_unique_and_of_one_sort() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Lookup(())
    for twice in [((1, "a"), (1.0, "b")), ((Fraction(2), "a"), (1, "a"), (2, "a"))]:
        with pytest.raises(ValueError, match="occurs twice"):
            Lookup(twice)
    with pytest.raises(ValueError, match="'x' occurs twice"):
        Lookup((("x", "a"), ("x", "a")))
    mixed: Any
    for mixed in [((1, "a"), ("x", "b")), (("x", "b"), (1, "a"))]:
        with pytest.raises(TypeError, match="key must be"):
            Lookup(mixed)


def test_the_order_in_which_keys_were_given_does_not_matter() -> None:
    assert Lookup(((8, "b"), (2.5, "a"))) == Lookup(((2.5, "a"), (8, "b")))
    mapping: Any = {"y": "b", "x": "a"}
    assert Lookup(mapping).pairs == (("x", "a"), ("y", "b"))


@pytest.mark.parametrize("bad", ["ab", 3, [(1,)], ["ab"], [(1, "a", "b")]])
def test_pairs_of_another_type_raise(bad: Any) -> None:
    with pytest.raises(TypeError, match="pairs must be"):
        Lookup(bad)


def test_points_have_the_same_objectives() -> None:
    fast, small = (ParetoPoint(n, (("time", 1), ("memory", 2))) for n in ("fast", "small"))
    assert Pareto((fast, small)).points == (fast, small)
    with pytest.raises(ValueError, match="at least one ParetoPoint"):
        Pareto(())
    with pytest.raises(ValueError, match=r"must have the objectives \['time', 'memory'\]"):
        Pareto((fast, ParetoPoint("other", (("time", 1),))))
    with pytest.raises(ValueError, match="unique"):
        ParetoPoint("a", (("time", 1), ("time", 2)))
    with pytest.raises(ValueError, match="at least one"):
        ParetoPoint("a", ())
    objectives: Any = {"time": 1, "memory": 2}
    assert ParetoPoint("fast", objectives) == fast


def test_other_wrong_types_raise() -> None:
    wrong: Any = "a"
    with pytest.raises(TypeError, match="points must be"):
        Pareto((wrong,))
    with pytest.raises(TypeError, match="reason must be a str"):
        Fallback("a", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="basis must be a Basis"):
        Choice("a", wrong)
    with pytest.raises(TypeError, match="name of an objective must be a str"):
        ParetoPoint("a", ((1, 2),))  # type: ignore[arg-type]


@given(st.data())
def test_policies_are_values(
    policies_by_scale: st.SearchStrategy[DeploymentPolicy], data: st.DataObject
) -> None:
    policy = data.draw(policies_by_scale)
    twin = pickle.loads(pickle.dumps(policy))
    assert twin == policy
    assert hash(twin) == hash(policy)
    assert {policy: "found"}[twin] == "found"
    assert not hasattr(policy, "__dict__")
