"""The builders: they fix what a kind fixes (P1), and validate nothing."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow import plan as lp
from lunaflow.plan import (
    Custom,
    ExecutionPolicy,
    Opaque,
    OrderingGuarantee,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
)

PRESERVE, RELAXED = OrderingGuarantee.PRESERVE_INPUT_ORDER, OrderingGuarantee.RELAXED_ORDER
KERNELS: list[ReductionKernel | Custom] = [*ReductionKernel, Custom("xor")]


@given(
    st.text(),
    st.sampled_from([*ValueType, Opaque("t")]),
    st.integers(),
    st.sampled_from(KERNELS),
    st.sampled_from(OrderingGuarantee),
)
def test_p1_builders_fix_the_kind(
    label: str, kind: Any, n: int, kernel: Any, ordering: OrderingGuarantee
) -> None:
    built = [
        lp.map(label, kind, n, ordering=ordering),
        lp.reduce(label, kind, n, kernel),
        lp.scan(label, kind, n, reduction=kernel),
        lp.map_reduce(label, kind, n, kernel, ordering=ordering),
    ]
    assert [p.kind for p in built] == list(PlanKind)
    assert [p.reduction for p in built] == [None, kernel, kernel, kernel]
    assert [p.ordering for p in built] == [ordering, PRESERVE, PRESERVE, ordering]
    assert all((p.label, p.domain) == (label, lp.DataDomain(kind, n)) for p in built)


@pytest.mark.parametrize("build", [lp.reduce, lp.map_reduce])
@pytest.mark.parametrize("missing", [None, "SUM", Opaque("SUM")])
def test_p1_reductions_always_carry_a_kernel(build: Any, missing: Any) -> None:
    with pytest.raises(TypeError, match=r"^reduction must be a ReductionKernel or a Custom"):
        build("p", ValueType.I32, 8, missing)


@pytest.mark.parametrize("build", [lp.reduce, lp.scan])
def test_p1_reduce_and_scan_take_no_ordering(build: Any) -> None:
    with pytest.raises(TypeError, match="ordering"):
        build("p", ValueType.I32, 8, reduction=ReductionKernel.SUM, ordering=RELAXED)


def test_p9_a_scan_without_a_kernel_and_a_map_in_relaxed_order_are_runnable() -> None:
    assert lp.scan("p", ValueType.I32, 8).reduction is None
    assert lp.is_runnable(lp.scan("p", ValueType.I32, 8))
    assert lp.is_runnable(lp.map("p", ValueType.I32, 8, ordering=RELAXED))


@given(st.integers(-5, 100) | st.integers())
def test_without_a_policy_one_worker_takes_one_chunk_of_everything(n: int) -> None:
    policy = lp.map("p", ValueType.I32, n).policy
    assert policy == ExecutionPolicy(worker_count=1, chunk_size=max(1, n))


@given(st.integers(1, 2**63))
def test_the_default_policy_is_always_runnable(n: int) -> None:
    assert lp.validate(lp.map_reduce("p", ValueType.I64, n, ReductionKernel.SUM)) == []


def test_a_given_policy_is_kept_as_it_is() -> None:
    policy = ExecutionPolicy(worker_count=-2, chunk_size=0, ordering=RELAXED)
    built = lp.scan("p", ValueType.I32, np.int64(8), policy=policy)  # type: ignore[arg-type]
    assert built.policy is policy
    assert (built.ordering, built.domain.input_length) == (PRESERVE, 8)


def test_p1_builders_do_not_validate() -> None:
    wrong = lp.map("", Opaque(""), -7, policy=ExecutionPolicy(worker_count=0, chunk_size=-1))
    assert len(lp.validate(wrong)) == 4
    assert isinstance(wrong, Plan)


@pytest.mark.parametrize("bad", [True, 2.0, "8", None])
def test_p8_builders_name_a_length_of_another_type(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"^input_length must be an integer"):
        lp.map("p", ValueType.I32, bad)


@pytest.mark.parametrize(
    ("field", "bad"), [("policy", 3), ("ordering", "RELAXED"), ("reduction", 1)]
)
def test_p8_builders_name_an_option_of_another_type(field: str, bad: Any) -> None:
    build: Any = lp.scan if field == "reduction" else lp.map
    with pytest.raises(TypeError, match=f"^{field} must be"):
        build("p", ValueType.I32, 8, **{field: bad})
