"""What users of other libraries met: one report, one test (R1 to R10, P2, P8)."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.runtime.fresh import interpreter

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.plan import (
    DataDomain,
    ExecutionPolicy,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
    validate,
)
from lunaflow.runtime import InvalidInput, InvalidPlan, double, native, plan_for, reference, run

SUM = ReductionKernel.SUM
FOUR_KINDS = [
    (PlanKind.REDUCE, SUM),
    (PlanKind.SCAN, SUM),
    (PlanKind.MAP, None),
    (PlanKind.MAP_REDUCE, SUM),
]


def plan(kind: PlanKind, reduction: Any, x: Any, workers: int, chunk: int) -> Plan:
    element = ValueType.I32 if x.dtype.itemsize == 4 else ValueType.I64
    policy = ExecutionPolicy(worker_count=workers, chunk_size=chunk)
    return Plan("report", kind, DataDomain(element, len(x)), policy, reduction)


def seen(made: Plan, x: Any, backend: Any) -> tuple[Any, ...]:
    result: Any = run(made, x, backend=backend, errors="result")
    if result.is_err():
        return "overflow", result.error.index, result.error.exact
    value = result.value
    return "ok", value.tolist() if isinstance(value, np.ndarray) else value


def test_r1_sum_and_scan_wrap_silently() -> None:
    for values, total, index in (
        ([2**62, 2**62], 2**63, 1),
        ([-(2**62), -(2**62)], None, None),
        ([2**63 - 1, 1], 2**63, 1),
    ):
        x = np.array(values)
        for workers, chunk in ((1, 2), (2, 1)):
            for backend in (native, reference):
                summed = seen(plan(PlanKind.REDUCE, SUM, x, workers, chunk), x, backend)
                scanned = seen(plan(PlanKind.SCAN, SUM, x, workers, chunk), x, backend)
                if total is None:
                    assert summed == ("ok", -(2**63))
                    assert scanned == ("ok", [-(2**62), -(2**63)])
                else:
                    assert summed == ("overflow", None, total)
                    assert scanned == ("overflow", index, None)
    narrow = np.array([1073741833, 1073741833], np.int32)
    made = plan(PlanKind.REDUCE, SUM, narrow, 2, 1)
    assert seen(made, narrow, native) == ("overflow", None, 2147483666)
    assert lunaflow.sum(narrow) == 2147483666
    with pytest.raises(ArithmeticError):
        lunaflow.sum(narrow, dtype=np.int32)


def test_r2_overflow_only_when_partials_are_combined() -> None:
    two, four = np.array([6 * 10**18] * 2), np.array([3 * 10**18] * 4)
    for x, total, doubled, prefix in ((two, 12, 0, 1), (four, 12, None, 3)):
        n = len(x)
        for workers, chunk in ((n, 1), (1, n)):
            for backend in (native, reference):
                exact = total * 10**18
                made = plan(PlanKind.REDUCE, SUM, x, workers, chunk)
                assert seen(made, x, backend) == ("overflow", None, exact)
                made = plan(PlanKind.MAP_REDUCE, SUM, x, workers, chunk)
                assert seen(made, x, backend) == ("overflow", doubled, 2 * exact)
                made = plan(PlanKind.SCAN, SUM, x, workers, chunk)
                assert seen(made, x, backend) == ("overflow", prefix, None)


def test_r2_transient_overflow_depends_on_order() -> None:
    orders = [*itertools.permutations([2**63 - 1, 1, -1]), (-(2**63), -1, 1)]
    for values in orders:
        x = np.array(values)
        prefixes = list(itertools.accumulate(values))
        bad = next((i for i, p in enumerate(prefixes) if not -(2**63) <= p < 2**63), None)
        for chunk, workers in itertools.product([1, 2, 3], [1, 2, 3]):
            if -(-3 // chunk) > workers:
                continue
            for backend in (native, reference):
                made = plan(PlanKind.REDUCE, SUM, x, workers, chunk)
                assert seen(made, x, backend) == ("ok", sum(values))
                expected = ("ok", prefixes) if bad is None else ("overflow", bad, None)
                assert seen(plan(PlanKind.SCAN, SUM, x, workers, chunk), x, backend) == expected


def test_r2_scan_carry_added_once_per_chunk() -> None:
    x = np.array([1, 1, 2, 2, 3, 3, 4, 4])
    for ahead in (0, 100):
        x[0] = 1 + ahead
        expected = [ahead + p for p in (1, 2, 4, 6, 9, 12, 16, 20)]
        assert seen(plan(PlanKind.SCAN, SUM, x, 4, 2), x, native) == ("ok", expected)
    assert lunaflow.sum(np.array([5]), workers=8) == 5
    assert lunaflow.min(np.array([7]), workers=8) == 7


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize("workers", [1, 4])
def test_r9_min_of_empty_returns_identity(dtype: Any, workers: int) -> None:
    plans = [np.int32, np.int64]
    for x in (np.empty(0, dtype), np.zeros((4, 6), dtype)[::2, 3:3], np.ones(9, dtype)[::2][5:]):
        assert lunaflow.sum(x, workers=workers) == 0
        for extreme in (lunaflow.min, lunaflow.max):
            with pytest.raises(ValueError, match="empty"):
                extreme(x, workers=workers)
        assert lunaflow.scan(x, workers=workers).shape == (0,)
        assert double(x, workers=workers).shape == x.shape
        if dtype not in plans or x.ndim != 1:
            continue
        for kind, reduction in FOUR_KINDS:
            for backend in (native, reference):
                with pytest.raises(InvalidPlan, match="(?i)empty"):
                    run(plan_for(x, kind, reduction, workers=workers), x, backend=backend)


PROGRAM = """
import multiprocessing, sys
import numpy as np, lunaflow

def work(results):
    results.put(lunaflow.sum(np.ones(100_000, np.int64), workers=4))

if __name__ == "__main__":
    method, warm = sys.argv[1:]
    if warm == "warm":
        lunaflow.sum(np.ones(100_000, np.int64), workers=4)
    context = multiprocessing.get_context(method)
    results = context.Queue()
    child = context.Process(target=work, args=(results,))
    child.start()
    print(results.get(timeout=20))
    child.join(20)
    assert child.exitcode == 0
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("parent", ["warm", "fresh"])
def test_r6_hang_after_fork(method: str, parent: str, tmp_path: Path) -> None:
    # a spawned child imports the file that it was started from
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    assert interpreter(str(path), method, parent) == "100000"


def test_r4_byte_swapped_input_misread() -> None:
    for dtype in (">i4", ">i8"):
        x = np.ones(10, dtype)
        for workers in (1, 4):
            assert lunaflow.sum(x, workers=workers) == 10
            assert (lunaflow.min(x, workers=workers), lunaflow.max(x, workers=workers)) == (1, 1)
            assert lunaflow.scan(x, workers=workers).tolist() == list(range(1, 11))
            assert double(x, workers=workers).tolist() == [2] * 10
        for kind, reduction in FOUR_KINDS:
            made = plan_for(x, kind, reduction, workers=3)
            assert seen(made, x, native) == seen(made, x, reference)


def test_r4_read_only_input_refused() -> None:
    stored = np.array([7, -3, 12], np.int32).tobytes()
    x = np.frombuffer(stored, np.int32)
    assert not x.flags.writeable
    assert (lunaflow.min(x), lunaflow.max(x), lunaflow.sum(x)) == (-3, 12, 16)
    assert lunaflow.scan(x).tolist() == [7, 4, 16]
    assert double(x).tolist() == [14, -6, 24]
    for kind, reduction in FOUR_KINDS:
        made = plan_for(x, kind, reduction)
        assert seen(made, x, native) == seen(made, x, reference)
    with pytest.raises(InvalidInput, match="read-only"):
        double(x, out=x)
    assert x.tobytes() == stored == np.array([7, -3, 12], np.int32).tobytes()


@pytest.mark.parametrize("count", [-1, 0, 2**63])
def test_p2_invalid_party_counts_are_issues(count: int) -> None:
    def issues(length: int, workers: int, chunk: int) -> str:
        policy = ExecutionPolicy(worker_count=workers, chunk_size=chunk)
        made = Plan("report", PlanKind.MAP, DataDomain(ValueType.I32, length), policy)
        x = np.zeros(4, np.int32)
        with pytest.raises(InvalidPlan):
            run(made, x)
        return " ".join(type(issue).__name__ + str(issue) for issue in validate(made))

    assert "WorkerCount" in issues(4, count, 4)
    assert str(count) in issues(4, count, 4)
    assert "ChunkSize" in issues(4, 1, count)
    if count <= 0:
        assert "EmptyInput" in issues(count, 1, 1)


@pytest.mark.parametrize("wrong", [0.5, "3", True, float("nan"), None])
def test_p8_invalid_party_counts_of_another_type_are_named(wrong: Any) -> None:
    for field in ("worker_count", "chunk_size"):
        with pytest.raises(TypeError, match=field):
            ExecutionPolicy(**{field: wrong})
    with pytest.raises(TypeError, match="input_length"):
        DataDomain(ValueType.I32, wrong)
    assert ExecutionPolicy(worker_count=np.int64(3)).worker_count == 3  # type: ignore[arg-type]
