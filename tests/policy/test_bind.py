"""The dispatcher agrees with `choose` at every scale."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.policy import (
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    ParetoPoint,
    Piecewise,
    Region,
    bind,
    choose,
)

TWO = Piecewise((Region(1, 4, "serial"), Region(8, 16, "parallel")))


class EveryName(dict[str, Any]):
    """An implementation for every name: it returns the name."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        return lambda *_args: name


def first(x: Any, *_rest: Any) -> Any:
    return x


@given(st.data())
def test_the_dispatcher_agrees_with_choose(
    policies_by_scale: st.SearchStrategy[DeploymentPolicy], scales: Any, data: st.DataObject
) -> None:
    policy = data.draw(policies_by_scale)
    call = bind(policy, EveryName(), first)
    for scale in data.draw(st.lists(scales, min_size=1, max_size=5)):
        assert call(scale) == choose(policy, scale).choice


def test_the_dispatcher_agrees_with_choose_at_and_around_every_bound() -> None:
    call = bind(TWO, {"serial": lambda _: "serial", "parallel": lambda _: "parallel"}, first)
    for bound in (1, 4, 8, 16):
        for scale in (bound, float(bound), math.nextafter(bound, 0), math.nextafter(bound, 99)):
            assert call(scale) == choose(TWO, scale).choice


def test_strings_are_looked_up_exactly() -> None:
    policy = Lookup((("dense", "a"), ("sparse", "b")))
    call = bind(policy, {"a": lambda _: "A", "b": lambda _: "B"}, first)
    assert (call("dense"), call("sparse")) == ("A", "B")
    with pytest.raises(ValueError, match="one of 'dense', 'sparse', not 'ragged'"):
        call("ragged")
    with pytest.raises(TypeError, match="scale must be a str"):
        call(3)


def test_arguments_and_results_pass_through_and_the_scale_is_asked_once() -> None:
    asked = []

    def scale(x: Any, *, axis: int) -> int:
        asked.append((x, axis))
        return len(x)

    table = {"serial": lambda x, *, axis: ("serial", x, axis), "parallel": lambda x, *, axis: x}
    call = bind(TWO, table, scale)
    assert call([1, 2], axis=1) == ("serial", [1, 2], 1)
    assert asked == [([1, 2], 1)]


@pytest.mark.parametrize("policy", [Global("serial"), Fallback("serial", "why")])
def test_where_the_scale_does_not_matter_the_implementation_is_returned(
    policy: DeploymentPolicy,
) -> None:
    assert bind(policy, {"serial": first, "other": len}, len) is first


@pytest.mark.parametrize(
    "policy", [TWO, Global("parallel"), Fallback("parallel", "x"), Lookup(((1, "parallel"),))]
)
def test_missing_implementations_are_named_when_bound(policy: DeploymentPolicy) -> None:
    with pytest.raises(ValueError, match="must hold 'parallel', not only 'serial'"):
        bind(policy, {"serial": first}, first)


def test_all_missing_implementations_are_named() -> None:
    with pytest.raises(ValueError, match="must hold 'parallel', 'serial', not only none"):
        bind(TWO, {}, first)


def test_scales_that_are_none_are_refused() -> None:
    call = bind(TWO, {"serial": first, "parallel": first}, first)
    with pytest.raises(ValueError, match="scale must be a number, not NaN"):
        call(math.nan)
    for bad in (True, "3", None):
        with pytest.raises(TypeError, match="scale must be"):
            call(bad)


def test_wrong_arguments_raise() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="policy must be"):
        bind(wrong, {}, first)
    with pytest.raises(TypeError, match="implementations must be a mapping"):
        bind(Global("a"), wrong, first)
    with pytest.raises(TypeError, match="implementation 'a' must be a callable"):
        bind(Global("a"), {"a": wrong}, first)
    with pytest.raises(TypeError, match="scale must be a callable"):
        bind(Global("a"), {"a": first}, wrong)
    with pytest.raises(ValueError, match="not chosen from by scale"):
        bind(Pareto((ParetoPoint("a", (("time", 1),)),)), {"a": first}, first)
