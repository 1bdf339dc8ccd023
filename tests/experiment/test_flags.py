"""capture_flags tells the IEEE 754 flags of a call, and leaves everything as it was."""

import math
import pickle
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
    ExpectedDifference,
    Invalid,
    OperationResult,
    RaisedFlags,
    ReferenceOracle,
    RelationalOracle,
    Trap,
    Trapped,
    Valid,
    Value,
    capture_flags,
)
from lunaflow.experiment._fenv import SHOWN
from lunaflow.experiment._oracles import judge

ONE, ZERO, TINY = np.array([1.0]), np.array([0.0]), np.array([1e-300])


def flags(f: Callable[..., Any], *arguments: Any) -> set[str]:
    found = capture_flags(f)(*arguments)
    assert isinstance(found, (RaisedFlags, Trapped))
    return set(found.flags)


def third(x: float) -> float:
    return x / 3.0


def square(x: float) -> float:
    return x * x


CASES: list[tuple[Callable[..., Any], tuple[Any, ...], set[str]]] = [
    (third, (3.0,), set()),
    (third, (1.0,), {"inexact"}),
    (square, (1e300,), {"overflow", "inexact"}),
    (square, (1e-300,), {"underflow", "inexact"}),
    (lambda x: x - x, (math.inf,), {"invalid"}),
    (np.divide, (ONE, ZERO), {"divide"}),
    (np.divide, (ZERO, ZERO), {"invalid"}),
    (np.multiply, (TINY, TINY), {"underflow", "inexact"}),
    (np.square, (np.float32(1e30),), {"overflow", "inexact"}),
    (np.floor_divide, (np.array([1]), np.array([0])), {"divide"}),
    (np.add, (ONE, ONE), set()),
]


@pytest.mark.parametrize(("f", "arguments", "wanted"), CASES)
def test_each_flag_is_seen(f: Callable[..., Any], arguments: Any, wanted: set[str]) -> None:
    assert flags(f, *arguments) == wanted & SHOWN


def test_every_platform_that_the_tests_run_on_shows_all_five() -> None:
    assert sorted(SHOWN) == ["divide", "inexact", "invalid", "overflow", "underflow"]


def test_a_flag_survives_later_numpy_functions_that_clear_it() -> None:
    def many() -> Any:
        np.divide(ONE, ZERO)
        np.divide(ONE, 3.0)
        return np.add(ONE, ONE)

    assert flags(many) == {"divide", "inexact"}


def test_the_value_is_handed_on() -> None:
    found = capture_flags(np.divide)(np.array([4.0, 1.0]), 2.0)
    assert found == RaisedFlags(np.array([2.0, 0.5]), frozenset())


def test_an_exception_is_a_trap_with_the_flags_raised_before_it() -> None:
    found = capture_flags(math.sqrt)(-1.0)
    trap = Trap("ValueError", str(found.trap.message))
    assert found == Trapped(trap, frozenset({"invalid"}))
    with np.errstate(all="raise"):
        trapped = capture_flags(np.divide)(ONE, ZERO)
    assert isinstance(trapped, Trapped)
    assert trapped.trap.type_name == "FloatingPointError"
    assert trapped.flags == {"divide"}


def test_outcomes_of_the_function_itself_are_kept() -> None:
    difference = ExpectedDifference("known")
    assert capture_flags(lambda: difference)() == difference
    assert capture_flags(lambda: OperationResult(difference))() == OperationResult(difference)
    assert capture_flags(lambda: Value(3))() == RaisedFlags(3, frozenset())
    result = OperationResult(Value(3), next_context=7)
    assert capture_flags(lambda: result)() == OperationResult(RaisedFlags(3, frozenset()), 7)


def stop() -> None:
    raise KeyboardInterrupt


def test_flags_and_handlers_are_left_as_they_were() -> None:
    def handler(name: str, flag: int) -> None:
        raise AssertionError("must not be called")

    def outer() -> set[str]:
        third(1.0)
        inner = flags(square, 1e300)
        with pytest.raises(KeyboardInterrupt):
            capture_flags(stop)()
        return inner

    with np.errstate(divide="call", over="ignore", under="print", call=handler):
        before = (np.geterr(), np.geterrcall())
        found = capture_flags(outer)()
        assert flags(np.divide, ONE, ZERO) == {"divide"}
        assert (np.geterr(), np.geterrcall()) == before
    assert found == RaisedFlags({"overflow", "inexact"}, frozenset({"inexact"}))


def test_no_warning_is_given_for_what_the_flags_tell() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert flags(np.divide, ONE, ZERO) == {"divide"}
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.divide(ONE, ZERO)


def test_threads_do_not_see_each_other() -> None:
    together = threading.Barrier(2, timeout=30)

    def run(f: Callable[[], Any]) -> Callable[[], Any]:
        def waiting() -> Any:
            together.wait()
            result = f()
            together.wait()
            return result

        return waiting

    found: dict[str, set[str]] = {}

    def collect(name: str, f: Callable[[], Any]) -> None:
        found[name] = flags(run(f))

    workers = [
        threading.Thread(target=collect, args=("divide", lambda: np.divide(ONE, ZERO))),
        threading.Thread(target=collect, args=("overflow", lambda: square(1e300))),
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    # the waiting itself computes with inexact times
    assert {name: raised - {"inexact"} for name, raised in found.items()} == {
        "divide": {"divide"},
        "overflow": {"overflow"},
    }


def test_a_captured_function_has_a_name_and_can_be_pickled() -> None:
    captured = capture_flags(third)
    assert captured.__name__ == "third"
    assert pickle.loads(pickle.dumps(captured))(1.0) == captured(1.0)
    with pytest.raises(TypeError, match="f must be callable"):
        capture_flags(3)  # type: ignore[arg-type]


def test_e3_oracles_can_compare_flags() -> None:
    def same(given: Any, step: int, expected: Any, actual: Any) -> Any:
        return Valid() if expected == actual else Invalid("flags differ")

    reference = ReferenceOracle("flags", None, 1, lambda x, *_: capture_flags(third)(x), same, str)
    expected = capture_flags(third)(1.0)
    assert judge(reference, 1.0, 0, expected, capture_flags(third)(1.0)) == Valid()
    assert judge(reference, 1.0, 0, expected, capture_flags(square)(1.0)) == Invalid("flags differ")
    pairs = RelationalOracle("flags", lambda x, k, a, p, b, q: same(x, k, p, q))
    assert pairs.validate_pair(1.0, 0, "a", expected, "b", expected) == Valid()
