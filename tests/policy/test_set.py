"""A policy set is a frozen, hashable, picklable value."""

import copy
import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.policy import Global, PolicySet


@given(st.data())
def test_equal_sets_hash_alike_and_survive_pickle_and_copy(
    policy_sets: st.SearchStrategy[PolicySet], data: st.DataObject
) -> None:
    one = data.draw(policy_sets)
    reordered = PolicySet(
        dict(reversed(list(one.policies.items()))), dict(reversed(list(one.environment.items())))
    )
    for twin in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one), reordered):
        assert twin == one
        assert hash(twin) == hash(one)


def test_sets_with_another_policy_or_environment_differ() -> None:
    one = PolicySet({("sum", "i32"): Global("a")}, {"cpus": 4})
    assert one != PolicySet({("sum", "i32"): Global("b")}, {"cpus": 4})
    assert one != PolicySet({("sum", "i64"): Global("a")}, {"cpus": 4})
    assert one != PolicySet({("sum", "i32"): Global("a")}, {"cpus": 8})


def test_what_was_given_may_change_afterwards() -> None:
    policies: Any = {("sum", "i32"): Global("a")}
    environment: Any = {"cpus": [0, 1], "python": {"version": "3.11"}}
    one = PolicySet(policies, environment)
    policies.clear()
    environment["cpus"].append(2)
    environment["python"]["version"] = "4"
    assert one.policies[("sum", "i32")] == Global("a")
    assert one.environment == {"cpus": (0, 1), "python": {"version": "3.11"}}


def test_nothing_in_a_set_can_be_changed() -> None:
    one: Any = PolicySet({("sum", "i32"): Global("a")}, {"python": {"version": "3.11"}})
    with pytest.raises(TypeError):
        one.policies[("sum", "i32")] = Global("b")
    with pytest.raises(TypeError):
        one.environment["python"]["version"] = "4"
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.policies = {}


def test_numpy_values_become_plain_ones() -> None:
    given_: Any = {"n": np.int64(3), "x": np.float32(0.5), "flag": np.True_}
    environment = PolicySet({}, given_).environment
    assert {name: type(value) for name, value in environment.items()} == {
        "n": int,
        "x": float,
        "flag": bool,
    }


@pytest.mark.parametrize("key", ["sum", ("sum",), ("sum", 32), ["sum", "i32"], ("a", "b", "c")])
def test_keys_are_pairs_of_names(key: Any) -> None:
    class Items(dict[Any, Any]):
        def items(self) -> Any:
            return [(key, Global("a"))]

    with pytest.raises(TypeError, match="key of policies must be"):
        PolicySet(Items(), {})


def test_wrong_types_raise() -> None:
    wrong: Any = "a"
    with pytest.raises(TypeError, match="policies must be a mapping"):
        PolicySet(wrong, {})
    with pytest.raises(TypeError, match="environment must be a mapping"):
        PolicySet({}, wrong)
    with pytest.raises(TypeError, match=r"the policy of \('sum', 'i32'\) must be"):
        PolicySet({("sum", "i32"): wrong}, {})


@pytest.mark.parametrize("bad", [{1}, b"x", 1j, object(), np.zeros(2)])
def test_an_environment_holds_plain_values(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"environment\['a'\]\[0\] must be"):
        PolicySet({}, {"a": [bad]})
    with pytest.raises(TypeError, match="key of environment must be a str"):
        PolicySet({}, {3: "x"})  # type: ignore[dict-item]


def test_nan_is_no_fact_about_an_environment() -> None:
    with pytest.raises(ValueError, match=r"environment\['a'\]\['b'\] must not be NaN"):
        PolicySet({}, {"a": {"b": math.nan}})
