"""The data types of a plan: types are checked at once (P8), equality is structural (P5)."""

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.plan import (
    BackendTarget,
    Custom,
    DataDomain,
    ExecutionPolicy,
    Opaque,
    OrderingGuarantee,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
)

NOT_COUNTS = [True, np.True_, 1.0, np.float64(2), "3", None, [4], b"5"]


def example(**fields: Any) -> Plan:
    given: dict[str, Any] = {
        "label": "p",
        "kind": PlanKind.MAP,
        "domain": DataDomain(ValueType.I32, 8),
        "policy": ExecutionPolicy(),
    }
    return Plan(**(given | fields))


@pytest.mark.parametrize("bad", NOT_COUNTS, ids=repr)
@pytest.mark.parametrize("field", ["worker_count", "chunk_size"])
def test_p8_counts_of_another_type_raise_at_once(field: str, bad: Any) -> None:
    with pytest.raises(TypeError, match=field):
        ExecutionPolicy(**{field: bad})


@pytest.mark.parametrize("bad", NOT_COUNTS, ids=repr)
def test_p8_lengths_of_another_type_raise_at_once(bad: Any) -> None:
    with pytest.raises(TypeError, match="input_length"):
        DataDomain(ValueType.I32, bad)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint64])
def test_p8_numpy_integers_become_int(dtype: Any) -> None:
    assert type(DataDomain(ValueType.I32, dtype(7)).input_length) is int
    policy = ExecutionPolicy(worker_count=dtype(3), chunk_size=dtype(5))
    assert (type(policy.worker_count), type(policy.chunk_size)) == (int, int)
    assert policy == ExecutionPolicy(worker_count=3, chunk_size=5)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("label", b"p"),
        ("label", None),
        ("kind", "MAP"),
        ("kind", ValueType.I32),
        ("domain", (ValueType.I32, 8)),
        ("policy", None),
        ("reduction", "SUM"),
        ("reduction", Opaque("SUM")),
        ("ordering", "RELAXED_ORDER"),
        ("ordering", None),
    ],
)
def test_p8_fields_of_a_plan_of_another_type_raise(field: str, bad: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{field} must be .* not {type(bad).__name__}"):
        example(**{field: bad})


@pytest.mark.parametrize("field", ["backend", "mode", "ordering"])
def test_p8_fields_of_a_policy_of_another_type_raise(field: str) -> None:
    wrong: dict[str, Any] = {field: "NATIVE"}
    with pytest.raises(TypeError, match=field):
        ExecutionPolicy(**wrong)


@pytest.mark.parametrize("bad", ["I32", Custom("t"), int, np.int32])
def test_p8_an_element_type_of_another_type_raises(bad: Any) -> None:
    with pytest.raises(TypeError, match="element_type"):
        DataDomain(bad, 8)


@pytest.mark.parametrize("named", [Opaque, Custom])
def test_p8_names_must_be_text(named: Any) -> None:
    with pytest.raises(TypeError, match="name"):
        named(3)


def test_p8_values_out_of_range_are_no_exception() -> None:
    assert ExecutionPolicy(worker_count=-1, chunk_size=0).chunk_size == 0
    assert DataDomain(ValueType.BYTES, -(10**30)).input_length == -(10**30)


def test_a_policy_takes_its_fields_by_keyword_only() -> None:
    positional: Any = ExecutionPolicy
    with pytest.raises(TypeError, match="positional"):
        positional(BackendTarget.NATIVE)


@given(st.data())
def test_p5_equality_is_structural(plans: st.SearchStrategy[Plan], data: st.DataObject) -> None:
    plan, other = data.draw(plans), data.draw(plans)
    twin = Plan(*(getattr(plan, field.name) for field in dataclasses.fields(plan)))
    assert plan == twin
    assert hash(plan) == hash(twin)
    assert {plan: "found"}[twin] == "found"
    assert (plan == other) == (dataclasses.astuple(plan) == dataclasses.astuple(other))


@given(st.data())
def test_plans_survive_pickle_and_copy(plans: st.SearchStrategy[Plan], data: st.DataObject) -> None:
    plan = data.draw(plans)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert copy.deepcopy(plan) == plan


def test_p5_every_field_takes_part_in_equality() -> None:
    plan = example(reduction=ReductionKernel.SUM)
    others = [
        example(),
        dataclasses.replace(plan, label="q"),
        dataclasses.replace(plan, kind=PlanKind.SCAN),
        dataclasses.replace(plan, domain=DataDomain(ValueType.I64, 8)),
        dataclasses.replace(plan, policy=ExecutionPolicy(worker_count=2)),
        dataclasses.replace(plan, reduction=Custom("SUM")),
        dataclasses.replace(plan, ordering=OrderingGuarantee.RELAXED_ORDER),
    ]
    assert len({plan, *others}) == 1 + len(others)


def test_names_are_not_the_members_they_spell() -> None:
    assert len({Opaque("I32"), ValueType.I32, Custom("I32")}) == 3
    assert len({Custom("SUM"), ReductionKernel.SUM, Opaque("SUM")}) == 3


def test_plans_are_read_only_and_slotted() -> None:
    plan = example()
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.label = "q"  # type: ignore[misc]
    assert not hasattr(plan, "__dict__")
