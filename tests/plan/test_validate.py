"""Validation: every issue, in the order of the table (P2), and what follows from it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

CASES = json.loads((Path(__file__).parents[1] / "data" / "plan_validation.json").read_text())
PRESERVE, RELAXED = OrderingGuarantee.PRESERVE_INPUT_ORDER, OrderingGuarantee.RELAXED_ORDER
REDUCING = (PlanKind.REDUCE, PlanKind.MAP_REDUCE)


def plan_of(case: dict[str, Any]) -> Plan:
    def named(text: str, members: Any, other: Any) -> Any:
        return other(text.partition(":")[2]) if ":" in text else members[text]

    policy = ExecutionPolicy(
        backend=BackendTarget[case["backend"]],
        mode=ExecutionMode[case["mode"]],
        worker_count=case["worker_count"],
        chunk_size=case["chunk_size"],
    )
    kernel = case["reduction"]
    return Plan(
        "case",
        PlanKind[case["kind"]],
        DataDomain(named(case["element_type"], ValueType, Opaque), case["input_length"]),
        policy,
        None if kernel is None else named(kernel, ReductionKernel, Custom),
        OrderingGuarantee[case["ordering"]],
    )


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["kind"])
def test_p2_cases_with_known_answers(case: dict[str, Any]) -> None:
    assert [type(issue).__name__ for issue in validate(plan_of(case))] == case["expect"]


def table(p: Plan) -> list[object]:
    """Every row of the design's table, one after the other, straight from its text."""
    n, c, w = p.domain.input_length, p.policy.chunk_size, p.policy.worker_count
    kind, kernel, scan = p.kind, p.reduction, p.kind is PlanKind.SCAN
    t, backend, mode = p.domain.element_type, p.policy.backend, p.policy.mode
    rows = [
        (n <= 0, lp.EmptyInput()),
        (t not in (ValueType.I32, ValueType.I64), lp.UnsupportedValueType(t)),
        (c <= 0, lp.ChunkSizeMustBePositive(c)),
        (c > n > 0, lp.ChunkSizeDoesNotFitInput(c, n)),
        (w <= 0, lp.WorkerCountMustBePositive(w)),
        (w > n > 0, lp.WorkerCountExceedsInput(w, n)),
        (backend is not BackendTarget.NATIVE, lp.UnsupportedBackend(backend)),
        (mode is not ExecutionMode.SYNCHRONOUS, lp.UnsupportedMode(mode)),
        (kind in REDUCING and kernel is None, lp.MissingReductionKernel()),
        (
            kind in REDUCING and isinstance(kernel, Custom),
            lp.UnsupportedReductionKernel(kernel or Custom("")),
        ),
        (scan and p.ordering is RELAXED, lp.UnsupportedOrdering(kind, p.ordering)),
        (scan and p.ordering is RELAXED, lp.ScanRequiresStableOrdering()),
    ]
    return [issue for reported, issue in rows if reported]


@given(st.data())
def test_p2_every_issue_in_order_with_its_numbers(
    plans: st.SearchStrategy[Plan], data: st.DataObject
) -> None:
    plan = data.draw(plans)
    assert validate(plan) == table(plan)
    assert validate(plan) == validate(plan, V1) == validate(plan, profile=V1)


@given(st.data())
def test_p2_only_the_fields_named_in_the_table_matter(
    plans: st.SearchStrategy[Plan], data: st.DataObject
) -> None:
    plan, label = data.draw(plans), data.draw(st.text())
    policy = ExecutionPolicy(
        backend=plan.policy.backend,
        mode=plan.policy.mode,
        worker_count=plan.policy.worker_count,
        chunk_size=plan.policy.chunk_size,
        ordering=data.draw(st.sampled_from(OrderingGuarantee)),
    )
    twin = Plan(label, plan.kind, plan.domain, policy, plan.reduction, plan.ordering)
    assert validate(twin) == validate(plan)


@given(st.data())
def test_p3_runnable_means_no_issue(plans: st.SearchStrategy[Plan], data: st.DataObject) -> None:
    plan = data.draw(plans)
    assert is_runnable(plan) == (validate(plan) == [])


@given(
    st.sampled_from(REDUCING),
    st.sampled_from([*ValueType, Opaque("I32")]),
    st.sampled_from([None, *ReductionKernel, Custom("SUM")]),
)
def test_p4_a_runnable_reduction_names_an_implemented_kernel(
    kind: PlanKind, element_type: Any, kernel: Any
) -> None:
    plan = Plan("p", kind, DataDomain(element_type, 8), ExecutionPolicy(), kernel)
    implemented = kernel in list(ReductionKernel) and element_type in (
        ValueType.I32,
        ValueType.I64,
    )
    assert is_runnable(plan) == implemented


@given(st.integers(1, 200), st.data())
def test_p6_the_cover_condition_is_not_validated(n: int, data: st.DataObject) -> None:
    c, w = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
    policy = ExecutionPolicy(worker_count=w, chunk_size=c)
    assert is_runnable(lp.map("p", ValueType.I32, n, policy=policy))


@pytest.mark.parametrize("kernel", [Custom("k"), *ReductionKernel])
@pytest.mark.parametrize("kind", [PlanKind.MAP, PlanKind.SCAN])
def test_p9_a_kernel_that_a_kind_cannot_use_is_valid_data(kind: PlanKind, kernel: Any) -> None:
    assert is_runnable(Plan("p", kind, DataDomain(ValueType.I32, 1), ExecutionPolicy(), kernel))


@pytest.mark.parametrize("verb", [validate, is_runnable])
def test_what_is_no_plan_raises_a_type_error(verb: Any) -> None:
    with pytest.raises(TypeError, match="plan must be a Plan"):
        verb({"kind": "MAP"})
    with pytest.raises(TypeError, match="profile must be a RuntimeProfile"):
        verb(lp.map("p", ValueType.I32, 8), profile="v1")
