"""R11 and R3: the order of checks, what each refusal says, and the arguments of `run`."""

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from lunaflow.arithmetic import ArithmeticError, Err, Ok
from lunaflow.plan import (
    Custom,
    DataDomain,
    ExecutionPolicy,
    OrderingGuarantee,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
)
from lunaflow.plan import map as plan_map
from lunaflow.plan import scan as plan_scan
from lunaflow.runtime import (
    CoverConditionViolated,
    InvalidInput,
    InvalidPlan,
    UnsupportedPlan,
    cover_policy,
    native,
    plan_for,
    reference,
    run,
)

X = np.arange(1, 9, dtype=np.int64)
OUT = np.zeros(8, np.int64)


def plan(kind: PlanKind, reduction: Any = None, **policy: int) -> Plan:
    whole = ExecutionPolicy(worker_count=1, chunk_size=8)
    chosen = dataclasses.replace(whole, **policy)  # type: ignore[arg-type]
    return Plan("p", kind, DataDomain(ValueType.I64, 8), chosen, reduction)


# each case has this fault and every later one
FAULTS: list[tuple[type[Exception], Plan, Any, Any]] = [
    (
        InvalidPlan,
        plan(PlanKind.SCAN, Custom("k"), worker_count=0, chunk_size=1),
        np.zeros(3),
        np.zeros(2),
    ),
    (UnsupportedPlan, plan(PlanKind.SCAN, Custom("k"), chunk_size=1), np.zeros(3), np.zeros(2)),
    (CoverConditionViolated, plan(PlanKind.SCAN, chunk_size=1), np.zeros(3), np.zeros(2)),
    (InvalidInput, plan(PlanKind.SCAN), np.zeros(3), np.zeros(2)),
    (InvalidInput, plan(PlanKind.SCAN), X, np.zeros(2)),
]


@pytest.mark.parametrize(("error", "faulty", "data", "out"), FAULTS, ids=range(len(FAULTS)))
def test_r11_the_first_check_that_fails_is_the_error(
    error: type[Exception], faulty: Plan, data: Any, out: Any
) -> None:
    with pytest.raises(error):
        run(faulty, data, out=out)
    result = run(faulty, data, out=out, errors="result")
    assert isinstance(result, Err)
    assert type(result.error) is error


def test_r11_input_is_checked_before_output() -> None:
    too_short: Any = np.zeros(2)
    with pytest.raises(InvalidInput, match="^data"):
        run(plan(PlanKind.SCAN), np.zeros(3), out=too_short)
    with pytest.raises(InvalidInput, match="^out"):
        run(plan(PlanKind.SCAN), X, out=too_short)


@pytest.mark.parametrize("kind", [PlanKind.REDUCE, PlanKind.MAP_REDUCE])
def test_r11_out_on_a_reduction_is_invalid_input(kind: PlanKind) -> None:
    with pytest.raises(InvalidInput, match="result is an int"):
        run(plan(kind, ReductionKernel.SUM), X, out=OUT)


def test_r11_cover_policy_of_nothing_is_one_worker_with_chunk_one() -> None:
    assert cover_policy(0) == ExecutionPolicy(worker_count=1, chunk_size=1)
    for workers in (0, -1):
        with pytest.raises(ValueError, match=f"not {workers}"):
            cover_policy(10, workers)
    with pytest.raises(ValueError, match="input_length"):
        cover_policy(-1)
    with pytest.raises(TypeError, match="workers"):
        cover_policy(10, 2.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [1, 2, 7, 100, 2**40])
@pytest.mark.parametrize("workers", [None, 1, 2, 3, 7, 8, 10**6, 2**63])
def test_r3_cover_policy_always_covers(length: int, workers: int | None) -> None:
    policy = cover_policy(length, workers)
    assert 1 <= policy.worker_count <= length
    assert 1 <= policy.chunk_size <= length
    assert policy.worker_count >= -(-length // policy.chunk_size)


def test_r3_a_cover_violation_names_its_numbers_and_a_policy_that_would_do() -> None:
    faulty = plan(PlanKind.SCAN, worker_count=3, chunk_size=2)
    with pytest.raises(CoverConditionViolated) as caught:
        run(faulty, X)
    error = caught.value
    assert (error.input_length, error.worker_count, error.chunk_size) == (8, 3, 2)
    for number in ("8 elements", "chunks of 2", "3 workers", "chunk_size=3"):
        assert number in str(error)
    mended = dataclasses.replace(faulty, policy=error.suggestion)
    assert run(mended, X).tolist() == np.cumsum(X).tolist()  # type: ignore[union-attr]
    # the condition belongs to the native backend
    assert run(faulty, X, backend=reference).tolist() == np.cumsum(X).tolist()  # type: ignore[union-attr]


@pytest.mark.parametrize("backend", [native, reference], ids=repr)
def test_r11_numbers_of_thousands_of_digits_are_refused_as_others_are(backend: Any) -> None:
    huge = 10**5000
    long = DataDomain(ValueType.I64, huge)
    for chunk, kind in ((1, CoverConditionViolated), (huge, InvalidInput)):
        faulty = dataclasses.replace(plan(PlanKind.SCAN, chunk_size=chunk), domain=long)
        refused = run(faulty, X, backend=backend, errors="result")
        assert isinstance(refused, Err)
        expected = InvalidInput if backend is reference else kind
        assert isinstance(refused.error, expected)
        assert len(str(refused.error)) < 1000


@pytest.mark.parametrize("backend", [native, reference], ids=repr)
def test_p9_a_kernel_its_kind_cannot_use_is_refused_never_ignored(backend: Any) -> None:
    for faulty in (
        plan(PlanKind.MAP, ReductionKernel.SUM),
        plan(PlanKind.MAP, Custom("k")),
        plan(PlanKind.SCAN, Custom("k")),
    ):
        with pytest.raises(UnsupportedPlan, match=faulty.kind.name):
            run(faulty, X, backend=backend)


def test_p9_relaxed_order_keeps_positions() -> None:
    p = plan_map("m", ValueType.I64, 8, ordering=OrderingGuarantee.RELAXED_ORDER)
    assert run(p, X).tolist() == (2 * X).tolist()  # type: ignore[union-attr]


def test_p9_scans_without_kernel_are_running_sums() -> None:
    default = run(plan_scan("s", ValueType.I64, 8), X)
    explicit = run(plan_scan("s", ValueType.I64, 8, reduction=ReductionKernel.SUM), X)
    assert default.tolist() == explicit.tolist() == np.cumsum(X).tolist()  # type: ignore[union-attr]


def test_invalid_plan_carries_every_issue() -> None:
    faulty = plan(PlanKind.REDUCE, None, worker_count=0, chunk_size=0)
    with pytest.raises(InvalidPlan) as caught:
        run(faulty, X)
    names = [type(issue).__name__ for issue in caught.value.issues]
    assert names == [
        "ChunkSizeMustBePositive",
        "WorkerCountMustBePositive",
        "MissingReductionKernel",
    ]


def test_wrong_arguments_are_type_or_value_errors() -> None:
    with pytest.raises(TypeError, match="plan must be"):
        run("sum", X)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="backend must be"):
        run(plan(PlanKind.SCAN), X, backend="native")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match='"raise" or "result"'):
        run(plan(PlanKind.SCAN), X, errors="ignore")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="kind must be a PlanKind"):
        plan_for(X, "SCAN")  # type: ignore[arg-type]


def test_a_result_is_ok_or_err_and_equal_by_value() -> None:
    assert run(plan(PlanKind.SCAN), X, errors="result") == Ok(np.cumsum(X))


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("out", "is read-only", "a writable array"),
        UnsupportedPlan("a MAP takes no kernel"),
        CoverConditionViolated(8, 3, 2, cover_policy(8, 3)),
        InvalidPlan([]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_refusals_compare_by_their_fields_and_pickle(error: Exception) -> None:
    error.add_note("called somewhere")
    clone = pickle.loads(pickle.dumps(error))
    assert clone.__notes__ == ["called somewhere"]
    assert clone == error
    assert hash(clone) == hash(error)
    assert isinstance(error, ValueError)
    assert error != ValueError(str(error))


def test_an_err_can_be_raised_later() -> None:
    result = run(plan(PlanKind.MAP), np.full(8, 2**62), errors="result")
    assert isinstance(result, Err)
    with pytest.raises(ArithmeticError) as caught:
        result.unwrap()
    assert caught.value is result.error
