"""R9, R10: the everyday forms, empty input, result types, and agreement with plans."""

from typing import Any

import numpy as np
import pytest

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime import InvalidPlan, double, plan_for, reference, run

EMPTY: list[Any] = [
    np.empty(0, np.int32),
    np.empty(0, np.int64),
    np.arange(10)[::2][5:],
    np.empty(0, ">i8"),
]


@pytest.mark.parametrize("x", EMPTY, ids=lambda x: x.dtype.str)
@pytest.mark.parametrize("workers", [None, 1, 4])
def test_r9_empty_input_follows_numpy(x: Any, workers: int | None) -> None:
    assert lunaflow.sum(x, workers=workers) == 0
    for extreme in (lunaflow.min, lunaflow.max):
        with pytest.raises(ValueError, match="empty"):
            extreme(x, workers=workers)
    scanned = lunaflow.scan(x, workers=workers)
    assert scanned.shape == (0,)
    assert scanned.dtype == np.int64
    assert lunaflow.scan(x, dtype=np.int32).dtype == np.int32
    doubled = double(x, workers=workers)
    assert (doubled.shape, doubled.dtype) == ((0,), x.dtype.newbyteorder("="))


@pytest.mark.parametrize("kind", list(PlanKind))
@pytest.mark.parametrize("backend", [None, reference])
def test_r9_a_plan_over_nothing_is_empty_input(kind: PlanKind, backend: Any) -> None:
    x = np.empty(0, np.int32)
    reduction = None if kind is PlanKind.MAP else ReductionKernel.MIN
    with pytest.raises(InvalidPlan, match="(?i)empty"):
        run(plan_for(x, kind, reduction), x, **({} if backend is None else {"backend": backend}))


def test_r10_int32_sums_accumulate_in_int64_unless_asked() -> None:
    x = np.array([1073741833, 1073741833], np.int32)
    assert lunaflow.sum(x) == 2147483666
    assert lunaflow.sum(x, dtype=np.int64) == 2147483666
    with pytest.raises(ArithmeticError) as caught:
        lunaflow.sum(x, dtype=np.int32)
    assert caught.value.exact == 2147483666
    assert lunaflow.scan(x).tolist() == [1073741833, 2147483666]
    with pytest.raises(ArithmeticError) as caught:
        lunaflow.scan(x, dtype="int32")
    assert caught.value.index == 1


def test_r10_dtype_object_has_no_limit() -> None:
    x = np.array([2**63 - 1, 2**63 - 1])
    assert lunaflow.sum(x, dtype=object) == 2**64 - 2
    assert lunaflow.scan(x, dtype=object).tolist() == [2**63 - 1, 2**64 - 2]
    assert lunaflow.sum(-x - 1, dtype=object) == -(2**64)


def test_r10_a_narrower_dtype_checks_every_prefix_of_int64_input() -> None:
    x = np.array([2**40, -(2**40), 7])
    assert lunaflow.sum(x, dtype=np.int32) == 7
    with pytest.raises(ArithmeticError) as caught:
        lunaflow.scan(x, dtype=np.int32)
    assert caught.value.index == 0
    fits = np.array([5, -7, 2**31 - 1])
    assert lunaflow.scan(fits, dtype=np.int32).tolist() == [5, -2, 2**31 - 3]
    with pytest.raises(ArithmeticError):
        lunaflow.max(x, dtype=np.int32)


@pytest.mark.parametrize("dtype", [np.float64, np.uint8, ">i4", "M8[s]"])
def test_r10_other_result_dtypes_are_refused_by_name(dtype: Any) -> None:
    with pytest.raises(ValueError, match="int32, int64 or object"):
        lunaflow.sum(np.arange(3), dtype=dtype)


def test_r10_wrong_options_are_named() -> None:
    with pytest.raises(ValueError, match="nulls"):
        lunaflow.sum(np.arange(3), nulls="drop")  # type: ignore[arg-type]
    for workers in (0, -1):
        with pytest.raises(ValueError, match=f"workers must be at least 1, not {workers}"):
            lunaflow.sum(np.arange(3), workers=workers)
        with pytest.raises(ValueError, match="workers must be at least 1"):
            lunaflow.sum(np.arange(0), workers=workers)
    for wrong in (True, 1.5, "2"):
        with pytest.raises(TypeError, match="workers must be an integer"):
            lunaflow.scan(np.arange(3), workers=wrong)  # type: ignore[arg-type]
    assert lunaflow.sum(np.arange(3), workers=np.int64(2)) == 3  # type: ignore[arg-type]


def test_cumsum_is_scan() -> None:
    assert lunaflow.cumsum is lunaflow.scan


def test_everyday_and_plan_errors_are_equal() -> None:
    x = np.array([2**62, 2**62, 1])
    by_plan = run(plan_for(x, PlanKind.REDUCE, ReductionKernel.SUM), x, errors="result")
    with pytest.raises(ArithmeticError) as caught:
        lunaflow.sum(x)
    assert by_plan.error == caught.value  # type: ignore[union-attr]
    assert any("test_everyday.py" in note for note in caught.value.__notes__)
