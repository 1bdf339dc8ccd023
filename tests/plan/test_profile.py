"""What a runtime accepts is one value (P7), and the predicates over the first of them."""

import dataclasses
import pickle
from typing import Any

import pytest

from lunaflow import plan as lp
from lunaflow.plan import (
    V1,
    BackendTarget,
    Custom,
    DataDomain,
    ExecutionMode,
    ExecutionPolicy,
    Opaque,
    OrderingGuarantee,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
    is_runnable,
    validate,
)

RELAXED = OrderingGuarantee.RELAXED_ORDER


def test_p7_a_grown_runtime_accepts_the_same_plans_and_more() -> None:
    grown = dataclasses.replace(
        V1,
        value_types=V1.value_types | {ValueType.F64, Opaque("rgba")},
        reductions=V1.reductions | {Custom("xor")},
        backends=frozenset(BackendTarget),
        modes=frozenset(ExecutionMode),
    )
    policy = ExecutionPolicy(backend=BackendTarget.JAVASCRIPT, mode=ExecutionMode.ASYNCHRONOUS)
    plan = lp.reduce("p", Opaque("rgba"), 8, Custom("xor"), policy=policy)
    assert len(validate(plan)) == 4
    assert validate(plan, grown) == []
    assert is_runnable(plan, grown)
    assert not is_runnable(plan)


def test_p7_a_runtime_may_relax_fewer_kinds() -> None:
    strict = dataclasses.replace(V1, relaxed_kinds=frozenset())
    plan = lp.map("p", ValueType.I32, 8, ordering=RELAXED)
    assert validate(plan, strict) == [lp.UnsupportedOrdering(PlanKind.MAP, RELAXED)]
    scan = Plan("p", PlanKind.SCAN, DataDomain(ValueType.I32, 8), ExecutionPolicy(), None, RELAXED)
    assert validate(scan, strict) == validate(scan, V1)


def test_p7_no_runtime_relaxes_a_scan() -> None:
    with pytest.raises(ValueError, match="SCAN"):
        dataclasses.replace(V1, relaxed_kinds=frozenset(PlanKind))


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("value_types", {ReductionKernel.SUM}),
        ("reductions", {"SUM"}),
        ("backends", BackendTarget.NATIVE),
        ("modes", "SYNCHRONOUS"),
        ("relaxed_kinds", [None]),
    ],
)
def test_a_profile_names_a_field_of_another_type(field: str, bad: Any) -> None:
    with pytest.raises(TypeError, match=field):
        dataclasses.replace(V1, **{field: bad})


def test_a_profile_is_a_value() -> None:
    twin = dataclasses.replace(V1, modes=[ExecutionMode.SYNCHRONOUS])  # type: ignore[arg-type]
    assert twin == V1 == pickle.loads(pickle.dumps(V1))
    assert hash(twin) == hash(V1)


def test_p4_types_and_kernels_supported_in_v1() -> None:
    types = [t for t in [*ValueType, Opaque("I32")] if lp.value_type_is_supported_in_v1(t)]
    assert types == [ValueType.I32, ValueType.I64]
    kernels = [
        k for k in [*ReductionKernel, Custom("SUM")] if lp.reduction_kernel_is_supported_in_v1(k)
    ]
    assert kernels == list(ReductionKernel)


def test_only_a_scan_refuses_an_ordering() -> None:
    refused = [
        (kind, ordering)
        for kind in PlanKind
        for ordering in OrderingGuarantee
        if not lp.ordering_is_valid_for_kind(kind, ordering)
    ]
    assert refused == [(PlanKind.SCAN, RELAXED)]


def test_predicates_name_what_is_of_another_type() -> None:
    wrong: Any = "I32"
    with pytest.raises(TypeError, match="t must be a ValueType"):
        lp.value_type_is_supported_in_v1(wrong)
    with pytest.raises(TypeError, match="k must be a ReductionKernel"):
        lp.reduction_kernel_is_supported_in_v1(wrong)
    with pytest.raises(TypeError, match="kind must be a PlanKind"):
        lp.ordering_is_valid_for_kind(wrong, RELAXED)
    with pytest.raises(TypeError, match="ordering must be an OrderingGuarantee"):
        lp.ordering_is_valid_for_kind(PlanKind.MAP, wrong)
