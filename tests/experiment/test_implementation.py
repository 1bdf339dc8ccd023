"""Implementations are values: who they are, how they are called, equal if these are."""

import pickle
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import Implementation, OperationResult, Value, WorkerSpec


def counting(given: Any, step: int, context: int) -> OperationResult:
    return OperationResult(Value(given + step), context + 1)


def test_a_stateless_one_is_a_function_of_the_input_alone() -> None:
    one = Implementation.stateless("f", "2", abs)
    assert (one.id, one.version, one.function) == ("f", "2", abs)
    assert one.step(-3, 7, "any context") == 3


def test_one_with_a_context_gets_input_step_and_context() -> None:
    one = Implementation.in_process("f", "", counting, initial_context=5)
    assert one.function is None
    assert one.step(1, 2, 5) == OperationResult(Value(3), 6)


def test_what_works_on_elsewhere_is_waited_for_within_the_step() -> None:
    waited: list[Any] = []
    one = Implementation.in_process("f", "", lambda x, *_: x, synchronize=waited.append)
    assert one.step("returned", 0, None) == "returned"
    assert waited == ["returned"]
    assert one.function is None


def test_a_worker_does_not_run_in_this_process() -> None:
    one = Implementation.worker("w", "1", WorkerSpec(["true"]))
    assert one.spec == WorkerSpec(["true"])
    with pytest.raises(TypeError, match="w is a worker"):
        one.step(1, 0, None)


def test_they_are_equal_by_content_hashable_and_can_be_pickled() -> None:
    context = np.arange(3)
    one = Implementation.in_process("f", "", counting, initial_context=context)
    assert one == Implementation.in_process("f", "", counting, initial_context=context.copy())
    assert one != Implementation.in_process("f", "", counting, initial_context=context + 1)
    assert one != "f"
    assert pickle.loads(pickle.dumps(one)) == one
    stateless = Implementation.stateless("f", "", abs)
    assert hash(stateless) == hash(pickle.loads(pickle.dumps(stateless)))
    assert stateless != Implementation.stateless("f", "1", abs)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Implementation.stateless(3, "", abs), "id must be a str"),  # type: ignore[arg-type]
        (lambda: Implementation.stateless("f", None, abs), "version must be"),  # type: ignore[arg-type]
        (lambda: Implementation.stateless("f", "", 3), "f must be callable"),  # type: ignore[arg-type]
        (lambda: Implementation.in_process("f", "", 3), "run must be callable"),  # type: ignore[arg-type]
        (lambda: Implementation.worker("f", "", len), "spec must be a WorkerSpec"),  # type: ignore[arg-type]
    ],
)
def test_wrong_types_are_refused(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()
