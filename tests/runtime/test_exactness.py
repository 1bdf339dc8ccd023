"""R1, R2, R3: values and overflow positions, for every chunking, worker count and backend."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import load_cases
from tests.runtime.kit import Array, exact, integer_arrays

import lunaflow
from lunaflow.arithmetic import ArithmeticErrorKind, Err, Ok
from lunaflow.plan import DataDomain, ExecutionPolicy, Plan, PlanKind, ReductionKernel, ValueType
from lunaflow.runtime import native, plan_for, reference, run

KINDS = [
    ("REDUCE", "SUM"),
    ("REDUCE", "MIN"),
    ("REDUCE", "MAX"),
    ("SCAN", None),
    ("SCAN", "SUM"),
    ("SCAN", "MIN"),
    ("SCAN", "MAX"),
    ("MAP", None),
    ("MAP_REDUCE", "SUM"),
    ("MAP_REDUCE", "MIN"),
    ("MAP_REDUCE", "MAX"),
]


def plan(kind: str, reduction: str | None, x: Array, workers: int, chunk: int) -> Plan:
    return Plan(
        "test",
        PlanKind[kind],
        DataDomain(ValueType.I32 if x.dtype.itemsize == 4 else ValueType.I64, len(x)),
        ExecutionPolicy(worker_count=workers, chunk_size=chunk),
        None if reduction is None else ReductionKernel[reduction],
    )


def coverings(n: int) -> list[tuple[int, int]]:
    """Every (workers, chunk size) that covers n elements, with the fewest and the most workers."""
    fewest = [(-(-n // chunk), chunk) for chunk in range(1, n + 1)]
    return fewest + [(n, chunk) for _, chunk in fewest]


def seen(result: Any) -> tuple[Any, ...]:
    if isinstance(result, Err):
        assert result.error.kind is ArithmeticErrorKind.OVERFLOW
        return "overflow", result.error.index, result.error.exact
    assert isinstance(result, Ok)
    value = result.value
    if isinstance(value, np.ndarray):
        assert value.dtype.isnative
        return "ok", value.tolist()
    assert type(value) is int
    return "ok", value


@pytest.mark.parametrize("case", load_cases("kernels"), ids=lambda case: str(case["data"])[:40])
def test_r1_r2_every_case_with_every_covering_and_backend(case: dict[str, Any]) -> None:
    dtype = np.int32 if case["element_type"] == "I32" else np.int64
    x = np.array(case["data"], dtype)
    for workers, chunk in coverings(len(x)):
        for backend in (native, reference):
            p = plan(case["kind"], case["reduction"], x, workers, chunk)
            result = seen(run(p, x, backend=backend, errors="result"))
            if "ok" in case["expect"]:
                assert result == ("ok", case["expect"]["ok"])
            else:
                assert result[:2] == ("overflow", case["expect"]["overflow_index"])


@settings(max_examples=400)
@given(integer_arrays(), st.sampled_from(KINDS), st.data())
def test_r1_native_and_reference_agree_with_python_integers(
    x: Array, kind: tuple[str, str | None], data: st.DataObject
) -> None:
    workers, chunk = data.draw(st.sampled_from(coverings(len(x))))
    p = plan(*kind, x, workers, chunk)
    expected = exact(*kind, x.tolist(), x.dtype)
    assert seen(run(p, x, errors="result")) == expected
    assert seen(run(p, x, backend=reference, errors="result")) == expected


@settings(max_examples=100)
@given(integer_arrays(24), st.sampled_from(KINDS))
def test_r2_backends_give_equal_errors_for_every_covering(
    x: Array, kind: tuple[str, str | None]
) -> None:
    expected = run(plan(*kind, x, 1, len(x)), x, backend=reference, errors="result")
    for workers, chunk in coverings(len(x)):
        assert run(plan(*kind, x, workers, chunk), x, errors="result") == expected


@pytest.mark.parametrize("n", [1535, 1536, 1537, 3072, 3073, 10_000, 65_535, 65_537, 131_100])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_r2_lengths_around_the_block_size(n: int, dtype: Any, kind: tuple[str, str | None]) -> None:
    rng = np.random.default_rng(n)
    x = rng.integers(-(2**19), 2**19, n).astype(dtype)
    expected = exact(*kind, x.tolist(), dtype)
    for workers in (1, 2, 3, 7, 8):
        chunk = -(-n // workers)
        assert seen(run(plan(*kind, x, workers, chunk), x, errors="result")) == expected


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("position", [0, 1, 1535, 1536, 4000, 4999])
@pytest.mark.parametrize("kind", ["SCAN", "MAP", "MAP_REDUCE"])
def test_r1_a_single_overflow_is_found_at_its_position(
    dtype: Any, position: int, kind: str
) -> None:
    x = np.zeros(5000, dtype)
    x[0] = 1
    x[position] = np.iinfo(dtype).max
    reduction = "SUM" if kind == "MAP_REDUCE" else None
    expected = exact(kind, reduction, x.tolist(), dtype)
    assert expected[0] == ("ok" if (kind, position) == ("SCAN", 0) else "overflow")
    for workers in (1, 2, 5, 8):
        p = plan(kind, reduction, x, workers, -(-5000 // workers))
        assert seen(run(p, x, errors="result")) == expected


def test_r1_an_error_names_index_operands_and_the_line_of_the_call() -> None:
    x = np.array([2**31 - 1, 1], np.int32)
    result = run(plan_for(x, PlanKind.SCAN), x, errors="result")
    assert isinstance(result, Err)
    notes = "\n".join(result.error.__notes__)
    assert "2147483647 + 1" in notes
    assert "test_exactness.py:" in notes


def test_r1_the_errors_are_the_builtin_kinds_and_carry_the_exact_total() -> None:
    x = np.array([2**62, 2**62], np.int64)
    with pytest.raises(OverflowError) as caught:
        lunaflow.sum(x)
    assert caught.value.exact == 2**63  # type: ignore[attr-defined]


ORDERS = [
    [2**63 - 1, 1, -1],
    [2**63 - 1, -1, 1],
    [1, 2**63 - 1, -1],
    [1, -1, 2**63 - 1],
    [-1, 1, 2**63 - 1],
    [-1, 2**63 - 1, 1],
]


@pytest.mark.parametrize("values", [*ORDERS, [-(2**63), -1, 1]], ids=str)
def test_r2_a_transient_overflow_never_decides_a_sum(values: list[int]) -> None:
    x = np.array(values)
    for workers, chunk in coverings(3):
        p = plan("REDUCE", "SUM", x, workers, chunk)
        for backend in (native, reference):
            assert run(p, x, backend=backend) == sum(values)
        p = plan("SCAN", None, x, workers, chunk)
        assert seen(run(p, x, errors="result")) == exact("SCAN", None, values, np.int64)


def test_r2_partial_sums_that_fit_may_still_overflow_together() -> None:
    big = 6 * 10**18
    x = np.array([big, big])
    for workers, chunk in [(2, 1), (1, 2), (2, 2)]:
        reduced = run(plan("REDUCE", "SUM", x, workers, chunk), x, errors="result")
        assert seen(reduced) == ("overflow", None, 2 * big)
        mapped = run(plan("MAP_REDUCE", "SUM", x, workers, chunk), x, errors="result")
        assert seen(mapped) == ("overflow", 0, 4 * big)
        scanned = run(plan("SCAN", None, x, workers, chunk), x, errors="result")
        assert seen(scanned) == ("overflow", 1, None)
    four = np.full(4, 3 * 10**18)
    total = run(plan("REDUCE", "SUM", four, 4, 1), four, errors="result")
    assert seen(total) == ("overflow", None, 12 * 10**18)


def test_r2_a_carry_or_an_identity_is_never_counted_twice() -> None:
    x = np.array([1, 1, 2, 2, 3, 3, 4, 4])
    assert run(plan("SCAN", None, x, 4, 2), x).tolist() == [1, 2, 4, 6, 9, 12, 16, 20]  # type: ignore[union-attr]
    x[0] += 100
    expected = [101, 102, 104, 106, 109, 112, 116, 120]
    assert run(plan("SCAN", None, x, 4, 2), x).tolist() == expected  # type: ignore[union-attr]
    assert lunaflow.sum(np.array([5]), workers=8) == 5
    assert lunaflow.min(np.array([7]), workers=8) == 7
