"""M7: whatever a worker does is the outcome of that one call, and none of its processes stays."""

import sys
import types
import venv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
    Aborted,
    OperationResult,
    ParseFailure,
    Timeout,
    Trapped,
    Value,
    WorkerSpec,
)
from lunaflow.experiment._outcomes import Outcome
from lunaflow.experiment.processes._worker import Worker, WorkerFailed
from lunaflow.experiment.processes.standalone._descendants import descendants

PROGRAM = """
import json, os, sys
result = os.environ["LUNAFLOW_RESULT"]
given = json.load(sys.stdin)
{what}
with open(result, "w") as file:
    json.dump(sum(given), file)
"""


def command(what: str = "", **limits: Any) -> WorkerSpec:
    program = [sys.executable, "-I", "-S", "-c", PROGRAM.format(what=what)]
    return WorkerSpec(program, **{"time_limit": 20.0, **limits})


def result_of(spec: WorkerSpec, argument: Any = (1, 2, 3)) -> tuple[OperationResult, Worker]:
    with Worker(spec, 1) as worker:
        (result,), changed, _ = worker.call(list(argument))
    assert not changed
    return result, worker


def outcome_of(spec: WorkerSpec) -> Outcome:
    return result_of(spec)[0].outcome


FLOOD = "os.write(1, b'x' * 2**16)\nwhile True: os.write(1, b'x' * 2**16)"
SLEEPER = "import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)"


def test_m7_seven_ways_to_end_are_seven_outcomes_and_no_process_stays() -> None:
    before = descendants()
    found: dict[str, Outcome] = {
        "segfault": outcome_of(command("import ctypes; ctypes.string_at(0)")),
        "abort": outcome_of(
            command("print('last words', file=sys.stderr, flush=True); os.abort()")
        ),
        "exit 7": outcome_of(command("sys.exit(7)")),
        "flood": outcome_of(command(FLOOD)),
        "invalid UTF-8": outcome_of(
            command("open(result, 'wb').write(b'\\xff'); os._exit(0)", decode="text")
        ),
        "never ending": outcome_of(command("while True: pass", time_limit=1.0)),
    }
    assert found["segfault"] == Aborted(-11, "")
    assert found["abort"] == Aborted(-6, "last words")
    assert found["exit 7"] == Aborted(7, "")
    flood = found["flood"]
    assert isinstance(flood, Aborted)
    assert flood.exit_code is None
    assert "printed more than 268435456 bytes" in flood.stderr
    invalid = found["invalid UTF-8"]
    assert isinstance(invalid, ParseFailure)
    assert "UnicodeDecodeError" in invalid.reason
    assert found["never ending"] == Timeout(1000, "the call did not return")
    left, worker = result_of(command(SLEEPER))
    assert left.outcome == Value(6)
    assert worker.left_behind == ("sleep",)
    assert len({str(outcome) for outcome in (*found.values(), left.outcome)}) == 7
    assert descendants() == before


def test_m7_a_gigabyte_of_output_is_one_outcome_and_kept_cut() -> None:
    what = "block = b'x' * 2**20\nfor _ in range(1024): os.write(1, block)"
    whole, _ = result_of(command(what, output_limit=2**31, time_limit=60.0))
    assert whole.outcome == Value(6)
    assert len(whole.stdout) < 10_000
    assert "bytes left out" in whole.stdout


@pytest.mark.parametrize("waits", [True, False])
def test_m7_timeout_blocked_by_grandchild(waits: bool) -> None:
    # a grandchild that holds the pipes open keeps nobody waiting for its whole life, which is
    # longer than a test may take
    sleeper = "import subprocess; child = subprocess.Popen(['sleep', '1000'])"
    what = f"{sleeper}\nprint('so far', flush=True)\n" + ("child.wait()" if waits else "")
    before = descendants()
    result, worker = result_of(command(what, time_limit=1.0 if waits else 20.0))
    assert result.outcome == (Timeout(1000, "the call did not return") if waits else Value(6))
    assert result.stdout == "so far"
    assert worker.left_behind == (() if waits else ("sleep",))
    assert descendants() == before


def test_m7_what_is_printed_is_no_result_whatever_it_holds() -> None:
    result, _ = result_of(command("os.write(1, b'\\xff {\"no\": 1}\\n'); os.write(2, b'told')"))
    assert result.outcome == Value(6)
    assert result.stdout == '\ufffd {"no": 1}'
    assert result.stderr == "told"
    assert result.exit_code == 0


def test_m7_the_result_has_a_limit_too() -> None:
    outcome = outcome_of(
        command("file = open(result, 'w')\nwhile True: file.write('1' * 2**16)", output_limit=2**20)
    )
    assert isinstance(outcome, Aborted)
    assert "its result had more than 1048576 bytes" in outcome.stderr


def test_m7_memory_has_a_limit() -> None:
    outcome = outcome_of(command("bytearray(2**32)", memory_limit=2**30))
    assert isinstance(outcome, Aborted)
    assert outcome.exit_code == 1
    assert "MemoryError" in outcome.stderr


def test_input_and_result_may_be_paths() -> None:
    spec = WorkerSpec(["cp", "{input}", "{result}"], encode="text", decode="text")
    with Worker(spec, 1) as worker:
        (result,), _, seconds = worker.call("as it is")
    assert result.outcome == Value("as it is")
    assert seconds > 0


def test_no_result_is_a_parse_failure() -> None:
    outcome = outcome_of(WorkerSpec(["true"]))
    assert isinstance(outcome, ParseFailure)
    assert "the result cannot be decoded" in outcome.reason


def test_an_input_that_cannot_be_encoded_is_told() -> None:
    with Worker(WorkerSpec(["true"]), 1) as worker:
        (result,), _, _ = worker.call({1, 2})
    assert isinstance(result.outcome, ParseFailure)
    assert "the input cannot be encoded: TypeError" in result.outcome.reason


def test_what_cannot_be_started_is_told_with_the_reason() -> None:
    outcome = outcome_of(WorkerSpec(["no such program"]))
    assert isinstance(outcome, Aborted)
    assert "No such file" in outcome.stderr
    python = WorkerSpec(call="math:fsum", python="/no/such/python")
    outcome = outcome_of(python)
    assert isinstance(outcome, Aborted)
    assert "No such file" in outcome.stderr


def test_m3_a_batch_of_a_command_counts_its_calls_alone() -> None:
    with Worker(command(), 1) as worker:
        worker.begin([1, 2])
        worker.place("slot", 1)
        once, thrice = (worker.seconds("slot", n, fresh=False) for n in (1, 3))
        assert 0 < once < thrice
        assert worker.change_in("slot") == (False, None)
    with Worker(command("sys.exit(7)"), 1) as worker:
        worker.begin([1, 2])
        worker.place("slot", 1)
        with pytest.raises(WorkerFailed) as caught:
            worker.seconds("slot", 2, fresh=False)
    assert caught.value.outcome == Aborted(7, "")


def test_m8_a_command_that_writes_to_its_input_is_found_out() -> None:
    with Worker(WorkerSpec(["sh", "-c", "echo 5 > {input}; echo 6 > {result}"]), 1) as worker:
        (result,), changed, _ = worker.call([1, 2])
    assert result.outcome == Value(6)
    assert changed


# Python functions in their own interpreters


def named(name: str, **limits: Any) -> WorkerSpec:
    return WorkerSpec(call=f"measured_functions:{name}", **limits)


def test_m7_a_function_has_an_interpreter_of_its_own(functions: types.ModuleType) -> None:
    with Worker(named("process_of"), 1) as worker:
        (first,), _, _ = worker.call(np.arange(3))
        (second,), _, _ = worker.call(np.arange(4))
    assert isinstance(first.outcome, Value)
    assert first == second
    assert first.outcome.value != functions.process_of(None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("segfaulting", Aborted(-11, "")),
        ("exiting", Aborted(7, "last words \ufffd")),
        ("leaving", Aborted(1, "enough")),
        ("looping", Timeout(1000, "the call did not return")),
    ],
)
def test_m7_a_function_that_ends_or_blocks_its_interpreter_costs_one_call(
    functions: types.ModuleType, name: str, expected: Outcome
) -> None:
    with Worker(named(name, time_limit=1.0), 1) as worker:
        assert worker.call(np.arange(4))[0][0].outcome == Value(6)
        assert worker.call(np.arange(8))[0][0].outcome == expected
        assert worker.call(np.arange(4))[0][0].outcome == Value(6)


def test_m7_what_a_function_leaves_behind_is_ended_and_told(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUNAFLOW_TEST_PID_FILE", str(tmp_path / "pid"))
    before = descendants()
    with Worker(named("beside_a_daemon"), 1) as worker:
        assert worker.call(np.arange(4))[0][0].outcome == Value(6)
    assert worker.left_behind == ("sleep",)
    assert descendants() == before


def test_an_exception_is_a_trap(functions: types.ModuleType) -> None:
    with Worker(named("overflowing"), 1) as worker:
        (result,), changed, _ = worker.call(np.arange(4))
    assert isinstance(result.outcome, Trapped)
    assert (result.outcome.trap.type_name, result.outcome.trap.message) == (
        "OverflowError", "too much at 4",
    )  # fmt: skip
    assert not changed


def test_functions_without_a_name_travel_by_value_and_big_arrays_whole() -> None:
    with Worker(WorkerSpec(call=lambda x: 2 * x), 1) as worker:
        (result,), changed, _ = worker.call(np.arange(2**18))
    assert isinstance(result.outcome, Value)
    assert np.array_equal(result.outcome.value, 2 * np.arange(2**18))
    assert not changed


def test_read_only_arrays_stay_so_and_a_changed_input_is_found(functions: types.ModuleType) -> None:
    array = np.array([3, 1, 2])
    with Worker(named("sorting_in_place"), 1) as worker:
        assert worker.call(array)[1]
        array.flags.writeable = False
        (result,), _, _ = worker.call(array)
    assert isinstance(result.outcome, Trapped)
    assert "read-only" in result.outcome.trap.message


def test_m14_a_placed_copy_lies_where_the_seed_says(functions: types.ModuleType) -> None:
    with Worker(WorkerSpec(call=address_in_page), 1) as worker:
        worker.begin(np.arange(1000))
        for seed in range(8):
            worker.place(f"slot {seed}", seed)
            assert worker.seconds(f"slot {seed}", 5, fresh=False) > 0
        offsets = set()
        for _ in range(2):
            (result,), _, _ = worker.call(np.arange(1000))
            offsets.add(result.outcome.value)  # type: ignore[union-attr]
    assert len(offsets) == 1
    assert offsets.pop() % 64 == 0


def address_in_page(x: Any) -> int:
    return int(x.ctypes.data) % 4096


def counting(given: Any, step: int, context: list[int]) -> Any:
    context.append(step)
    return types.SimpleNamespace(outcome=given + len(context), next_context=context)


def test_a_function_with_a_context_runs_a_sequence() -> None:
    spec = WorkerSpec(call=counting, stateful=True, initial_context=[9])
    with Worker(spec, 3) as worker:
        for _ in range(2):
            results, _, _ = worker.call(100)
            assert [one.outcome for one in results] == [Value(102), Value(103), Value(104)]
        worker.begin(100)
        worker.place("slot", 0)
        assert worker.seconds("slot", 4, fresh=True) > 0


@pytest.mark.parametrize(
    ("call", "argument", "reason"),
    [
        ("no_such_module:f", 1, "the function cannot be loaded: ModuleNotFoundError"),
        ("math:no_such_name", 1, "the function cannot be loaded: AttributeError"),
        ("builtins:memoryview", b"x", "what it returned cannot be pickled: TypeError"),
        ("builtins:len", lambda: 0, "the input cannot be pickled: "),
    ],
)
def test_what_cannot_be_loaded_or_sent_is_a_parse_failure(
    call: str, argument: Any, reason: str
) -> None:
    with Worker(WorkerSpec(call=call), 1) as worker:
        (result,), _, _ = worker.call(argument)
    assert isinstance(result.outcome, ParseFailure)
    assert result.outcome.reason.startswith(reason)


def environment_with_package(folder: Path, version: str) -> str:
    """Make a virtual environment with a package of a version; return its interpreter."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "subject.py").write_text(f"def version(x):\n    return [x, {version!r}]\n")
    return str(folder / "bin" / "python")


def test_two_versions_of_a_package_lie_in_two_environments(tmp_path: Path) -> None:
    found = []
    for version in ("1.0", "2.0"):
        python = environment_with_package(tmp_path / version, version)
        with Worker(WorkerSpec(call="subject:version", python=python), 1) as worker:
            found.append(worker.call("given")[0][0].outcome)
    assert found == [Value(["given", "1.0"]), Value(["given", "2.0"])]


def test_an_environment_without_lunaflow_and_numpy_is_enough(tmp_path: Path) -> None:
    python = environment_with_package(tmp_path / "bare", "1.0")
    spec = WorkerSpec(call="builtins:sum", python=python)
    with Worker(spec, 1) as worker:
        worker.begin([1, 2, 3])
        worker.place("slot", 5)
        assert worker.seconds("slot", 10, fresh=False) > 0
        assert worker.change_in("slot") == (False, None)
        (result,), _, _ = worker.call(np.arange(3))
    # arrays cannot be made there, and that is said
    assert isinstance(result.outcome, ParseFailure)
    assert "the input cannot be unpickled: ModuleNotFoundError" in result.outcome.reason
