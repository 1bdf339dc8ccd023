"""R5: where results are written, and that an error leaves the data as it was."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.runtime.kit import Array, contiguous, every_third, reversed_view, unaligned

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime import InvalidInput, _outputs, double, native, plan_for, reference, run

WRITABLE: list[Callable[[Array], Array]] = [contiguous, reversed_view, every_third, unaligned]


@pytest.mark.parametrize("backend", [native, reference], ids=repr)
@pytest.mark.parametrize("place", WRITABLE, ids=lambda layout: layout.__name__)
@pytest.mark.parametrize("kind", [PlanKind.SCAN, PlanKind.MAP])
@pytest.mark.parametrize("workers", [1, 4])
def test_r5_out_may_have_any_layout(
    backend: Any, place: Callable[[Array], Array], kind: PlanKind, workers: int
) -> None:
    x = np.arange(-2000, 3000, dtype=np.int64)
    out = place(np.zeros_like(x))
    result = run(plan_for(x, kind, workers=workers), x, out=out, backend=backend)
    assert result is out
    expected = np.cumsum(x) if kind is PlanKind.SCAN else 2 * x
    assert np.array_equal(out, expected)


OVERFLOWING = [1, 1, 2**31 - 1, 1]


@settings(max_examples=100)
@example(OVERFLOWING, PlanKind.SCAN, None, contiguous, 1, native)
@example(OVERFLOWING, PlanKind.SCAN, None, contiguous, 2, native)
@example(OVERFLOWING, PlanKind.MAP, None, contiguous, 1, native)
@example(OVERFLOWING, PlanKind.MAP, None, contiguous, 2, native)
@given(
    st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=30),
    st.sampled_from([PlanKind.SCAN, PlanKind.MAP]),
    st.sampled_from([None, ReductionKernel.MIN, ReductionKernel.MAX]),
    st.sampled_from(WRITABLE),
    st.integers(1, 4),
    st.sampled_from([native, reference]),
)
def test_r5_in_place_gives_the_result_or_leaves_the_data(
    values: list[int],
    kind: PlanKind,
    reduction: ReductionKernel | None,
    place: Callable[[Array], Array],
    workers: int,
    backend: Any,
) -> None:
    x = place(np.array(values, np.int32))
    p = plan_for(x, kind, reduction if kind is PlanKind.SCAN else None, workers=workers)
    expected = run(p, np.array(values, np.int32), backend=reference, errors="result")
    result = run(p, x, out=x, backend=backend, errors="result")
    assert result == expected
    assert x.tolist() == (values if result.is_err() else expected.unwrap().tolist())


@pytest.mark.parametrize("kind", [PlanKind.SCAN, PlanKind.MAP])
@pytest.mark.parametrize("workers", [1, 2])
def test_r5_a_long_array_is_as_it_was_after_an_overflow_near_its_end(
    kind: PlanKind, workers: int
) -> None:
    x = np.ones(10_000, np.int32)
    x[9_990] = 2**31 - 1
    before = x.copy()
    assert run(plan_for(x, kind, workers=workers), x, out=x, errors="result").is_err()
    assert np.array_equal(x, before)


def test_r5_a_failed_call_with_a_separate_out_leaves_the_input() -> None:
    x = np.array([1, 2**31 - 1, 5], np.int32)
    before = x.copy()
    for kind in (PlanKind.SCAN, PlanKind.MAP):
        with pytest.raises(ArithmeticError):
            run(plan_for(x, kind), x, out=np.empty_like(x))
        assert np.array_equal(x, before)


def read_only_output() -> Array:
    out = np.zeros(4, np.int64)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "said"),
    [
        (read_only_output(), "read-only"),
        (np.zeros(3, np.int64), "shape \\(3,\\)"),
        (np.zeros((4, 1), np.int64), "shape \\(4, 1\\)"),
        (np.zeros(4, np.int32), "int32"),
        (np.zeros(4, ">i8"), ">i8"),
        (np.zeros(4, np.float64), "float64"),
        (np.ma.zeros(4, np.int64), "masked"),
        (np.lib.stride_tricks.as_strided(np.zeros(1, np.int64), (4,), (0,)), "overlaps itself"),
        (np.lib.stride_tricks.as_strided(np.zeros(4, np.int64), (4,), (4,)), "overlaps itself"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_r5_other_outputs_are_refused_before_anything_runs(out: Array, said: str) -> None:
    x = np.arange(4)
    for call in (lunaflow.scan, double):
        with pytest.raises(InvalidInput, match=said):
            call(x, out=out)
    assert not np.asarray(out).any()


def test_r5_partial_overlap_is_refused_and_interleaving_is_not() -> None:
    memory = np.arange(10)
    with pytest.raises(InvalidInput, match="overlaps the input"):
        lunaflow.scan(memory[:5], out=memory[2:7])
    with pytest.raises(InvalidInput, match="overlaps the input"):
        lunaflow.scan(memory[:5], out=memory[4::-1])
    lunaflow.scan(memory[::2], out=memory[1::2])
    assert memory.tolist() == [0, 0, 2, 2, 4, 6, 6, 12, 8, 20]


def test_r5_one_element_is_itself_whatever_its_stride() -> None:
    x = np.array([3, 4])
    assert double(x[::2][:1], out=x[:1]).tolist() == [6]
    assert x.tolist() == [6, 4]


def test_r5_a_widening_scan_may_not_share_memory() -> None:
    memory = np.arange(4, dtype=np.int64)
    with pytest.raises(InvalidInput, match="overlaps the input"):
        lunaflow.scan(memory.view(np.int32)[:4], out=memory)


def test_r5_an_output_that_is_no_array_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="out must be a NumPy array, not list"):
        lunaflow.scan(np.arange(3), out=[0, 0, 0])  # type: ignore[arg-type]


def test_r5_double_writes_into_any_layout_of_its_shape() -> None:
    x = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    for place in (np.zeros((2, 3, 4)), np.zeros((4, 3, 2)).T, np.zeros((4, 6, 4))[1:3, ::-2, ::-1]):
        out = place.astype(np.int64, order="K")
        assert double(x.T.T, out=out) is out
        assert np.array_equal(out, 2 * x.astype(np.int64))
    with pytest.raises(InvalidInput, match="shape") as caught:
        double(x, out=np.zeros(24, np.int64))
    assert "shape (2, 3, 4)" in caught.value.accepted


def test_r5_scans_of_more_dimensions_are_written_to_one() -> None:
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    out = np.zeros(6, np.int64)
    assert lunaflow.scan(x, out=out) is out
    assert out.tolist() == [0, 1, 3, 6, 10, 15]
    with pytest.raises(InvalidInput, match="shape \\(2, 3\\)"):
        lunaflow.scan(x, out=np.zeros((2, 3), np.int64))
    with pytest.raises(InvalidInput, match="dtype=object"):
        lunaflow.scan(x, dtype=object, out=np.zeros(6, object))


@pytest.mark.parametrize("order", ["C", "F"])
def test_r5_in_place_in_more_dimensions_gives_the_result_or_leaves_the_data(order: Any) -> None:
    x = np.array([[1, 2], [3, 4]], np.int64, order=order)
    assert double(x, out=x).tolist() == [[2, 4], [6, 8]]
    x[1, 0] = 2**62
    before = x.copy()
    with pytest.raises(ArithmeticError) as caught:
        double(x, out=x)
    assert caught.value.index == 2
    assert np.array_equal(x, before)
    flat = x.reshape(-1, order=order)
    if order == "C":
        x[1, 0] = 1
        assert lunaflow.scan(x, out=flat).tolist() == [2, 6, 7, 15]
    else:
        # the memory in another order is an overlap, not the input itself
        with pytest.raises(InvalidInput, match="overlaps the input"):
            lunaflow.scan(x, out=flat)
    with pytest.raises(InvalidInput, match="overlaps the input"):
        double(x, out=x.T)


def test_r5_an_output_whose_elements_meet_overlaps_itself() -> None:
    memory = np.zeros(64, np.int64)
    for strides in ((8, 8), (16, 8), (0, 8), (8, 0)):
        out = np.lib.stride_tricks.as_strided(memory, (3, 4), strides)
        with pytest.raises(InvalidInput, match="overlaps itself"):
            double(np.zeros((3, 4), np.int64), out=out)
    assert double(np.ones((2, 2), np.int8), out=memory[:32].reshape(4, 8)[::2, ::4]).all()


def test_r5_an_overlap_that_is_too_hard_to_rule_out_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = np.arange(64).reshape(4, 4, 4)
    x, out = memory[::2, :, ::2], memory[1::2, :, 1::2]
    expected = 2 * x
    assert np.array_equal(double(x, out=out), expected)
    monkeypatch.setattr(_outputs, "_WORK", 0)
    with pytest.raises(InvalidInput, match="overlaps the input"):
        double(x, out=out)
