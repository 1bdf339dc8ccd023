"""Sequences of calls: contexts are handed on, and an exception ends them."""

from types import SimpleNamespace
from typing import Any

from lunaflow.experiment import OperationResult, Value
from lunaflow.experiment.processes.standalone._steps import Stateless, payload_of, run_steps


def counting(given: str, step: int, context: int) -> Any:
    return SimpleNamespace(outcome=f"{given}{step}{context}", next_context=context + 10)


def test_each_step_gets_the_context_of_the_one_before() -> None:
    found = run_steps(counting, "x", 5, 3)
    assert [(raised, one.outcome) for raised, one in found] == [
        (False, "x05"), (False, "x115"), (False, "x225"),
    ]  # fmt: skip
    assert payload_of(counting, 3)(("x", 5)).outcome == "x225"


def test_what_hands_on_nothing_leaves_the_context() -> None:
    def seen(given: Any, step: int, context: Any) -> Any:
        return OperationResult(Value(0), "next") if step == 0 else context

    assert [one for _, one in run_steps(seen, 0, "first", 3)][1:] == ["next", "next"]


def test_an_exception_ends_the_sequence() -> None:
    def raising(given: Any, step: int, context: Any) -> int:
        return 1 // (2 - step)

    found = run_steps(raising, 0, None, 5)
    assert [raised for raised, _ in found] == [False, False, True]
    assert isinstance(found[-1][1], ZeroDivisionError)


def test_a_function_of_the_input_alone_is_a_step() -> None:
    assert run_steps(Stateless(len), [1, 2], None, 2) == [(False, 2), (False, 2)]
