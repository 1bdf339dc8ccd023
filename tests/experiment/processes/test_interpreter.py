"""M7: a measuring process that crashes, hangs or leaves others behind harms nothing else."""

import os
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment import Protocol
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.engine._measure import Task
from lunaflow.experiment.processes._interpreter import FreshInterpreter
from lunaflow.experiment.processes._transport import pack_callables, pack_job

PROTOCOL = Protocol("TEST", pairs=2, processes=1, batch_seconds=1e-6)


def job_of(functions: types.ModuleType, name: str, sizes: tuple[int, ...] = (4, 8)) -> bytes:
    prints = {size: fingerprint(make_input(functions.make, 0, "e", size)) for size in sizes}
    task = Task("e", dict.fromkeys(sizes, ("f",)), prints, PROTOCOL, 0, 0)
    return pack_job(task, pack_callables({"f": getattr(functions, name)}, functions.make))


def test_m7_who_was_being_timed_when_it_ended_is_known(functions: types.ModuleType) -> None:
    for name, silence, named in (
        ("aborting", 60.0, "f"),
        ("hanging", 1.0, "f"),
        ("writing_garbage", 60.0, None),  # into the note as well
        ("total", 60.0, None),
    ):
        with FreshInterpreter(job_of(functions, name, (4,))) as child:
            list(child.messages(silence))
        assert child.was_timing == named


def outcome(job: bytes, silence_seconds: float = 60.0) -> tuple[list[dict[str, Any]], str | None]:
    with FreshInterpreter(job) as child:
        messages = list(child.messages(silence_seconds))
    return messages, child.failure


def gone(pid: int) -> bool:
    """Say whether a process ended, waiting a moment for the system to notice."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_all_sizes_are_measured_and_sent(functions: types.ModuleType) -> None:
    messages, failure = outcome(job_of(functions, "total"))
    assert failure is None
    kinds = [(m["message"], m["size"]) for m in messages]
    assert kinds[:2] == [("size", 4), ("calibration", 4)]
    assert [kind for kind in kinds if kind[0] == "block"] == [("block", 4)] * 2 + [("block", 8)] * 2


def test_m7_a_crash_keeps_what_was_sent_and_says_how_it_ended(functions: types.ModuleType) -> None:
    messages, failure = outcome(job_of(functions, "exiting_at_eight"))
    assert sum(m["message"] == "block" for m in messages) == 2
    assert messages[-1] == {"message": "size", "size": 8}
    assert failure is not None
    assert "ended with exit code 7" in failure
    assert "last words \ufffd" in failure


def test_m7_a_signal_is_named(functions: types.ModuleType) -> None:
    _, failure = outcome(job_of(functions, "aborting"))
    assert failure is not None
    assert "was ended by SIGABRT" in failure


def test_m7_an_exception_ends_with_its_traceback_in_the_failure(
    functions: types.ModuleType,
) -> None:
    without_prints = Task("e", {4: ("f",)}, {}, PROTOCOL, 0, 0)
    callables = pack_callables({"f": functions.total}, functions.make)
    _, failure = outcome(pack_job(without_prints, callables))
    assert failure is not None
    assert "ended with exit code 1" in failure
    assert "KeyError: 4" in failure


def test_m7_a_silent_process_is_ended(functions: types.ModuleType) -> None:
    with FreshInterpreter(job_of(functions, "hanging")) as child:
        messages = list(child.messages(1.0))
        pid = child._process.pid
    assert messages == [{"message": "size", "size": 4}]
    assert child.failure is not None
    assert "sent nothing for 1 s and was ended" in child.failure
    assert gone(pid)


def test_m7_timeout_blocked_by_grandchild(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # it leaves a sleeper that holds the pipe of the results open
    file = tmp_path / "pid"
    monkeypatch.setenv("LUNAFLOW_TEST_PID_FILE", str(file))
    _, failure = outcome(job_of(functions, "leaving_a_sleeper"))
    assert failure is not None
    assert "ended with exit code 0" in failure
    assert gone(int(file.read_text()))


def test_an_interrupt_in_the_runner_ends_the_process(functions: types.ModuleType) -> None:
    pids: list[int] = []

    def interrupted() -> None:
        with FreshInterpreter(job_of(functions, "hanging")) as child:
            pids.append(child._process.pid)
            next(child.messages(60.0))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert gone(pids[0])


def test_no_descriptor_stays_open(functions: types.ModuleType) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    outcome(job_of(functions, "total", (1,)))
    outcome(job_of(functions, "aborting", (1,)))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_m7_garbage_on_the_pipe_is_a_failure(functions: types.ModuleType) -> None:
    messages, failure = outcome(job_of(functions, "writing_garbage"))
    assert messages == [{"message": "size", "size": 4}]
    assert failure is not None
    assert r"sent garbage: b'\xff garbage'" in failure


def test_m7_a_process_that_closes_its_pipe_and_lives_on_is_ended_and_that_is_said(
    functions: types.ModuleType,
) -> None:
    with FreshInterpreter(job_of(functions, "closing_everything", (8,))) as child:
        assert list(child.messages(60.0)) == [{"message": "size", "size": 8}]
        pid = child._process.pid
    assert child.failure is not None
    assert "closed the pipe of its results, lived on and was ended" in child.failure
    assert "SIGKILL" not in child.failure
    assert gone(pid)


def test_m7_of_a_long_output_the_beginning_and_the_end_are_kept(
    functions: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FreshInterpreter(job_of(functions, "talkative")) as child:
        assert [m["message"] for m in child.messages(60.0)][-1] == "block"
        assert child.failure is None
        kept = child._output.text()
    assert kept.startswith("first words")
    assert "bytes left out" in kept
    assert len(kept) < 10_000


def test_m7_a_flood_without_end_is_cut_off_with_the_reason(
    functions: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lunaflow.experiment.processes._interpreter.OUTPUT_LIMIT", 2**22)
    messages, failure = outcome(job_of(functions, "flooding", (8,)))
    assert messages == [{"message": "size", "size": 8}]
    assert failure is not None
    assert "printed more than 4194304 bytes and was ended" in failure
    assert len(failure) < 10_000


def test_m7_without_waitid_the_end_of_a_process_is_seen_too(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "waitid")
    test_m7_timeout_blocked_by_grandchild(functions, tmp_path, monkeypatch)
    test_m7_a_signal_is_named(functions)
    assert outcome(job_of(functions, "total", (4,)))[1] is None


RUNNER = """
import sys
sys.path.insert(0, sys.argv[1])
import measured_functions
from lunaflow.experiment import Protocol, compare
compare(measured_functions.total, measured_functions.looping, sizes=[8],
        make=measured_functions.make, processes=2)
"""


def test_m7_a_call_that_hangs_does_not_outlive_a_killed_runner(
    functions: types.ModuleType,
) -> None:
    helpers = str(Path(functions.__file__ or "").parent)
    runner = subprocess.Popen([sys.executable, "-c", RUNNER, helpers])
    try:
        child = hanging_child(runner)
    finally:
        runner.kill()
        runner.wait()
    assert gone(child)


def hanging_child(runner: "subprocess.Popen[bytes]") -> int:
    """Return the number of the runner's child once it has computed for a while."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        children = Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text().split()
        for child in children:
            times = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            if int(times[11]) > 100:
                return int(child)
        assert runner.poll() is None
        time.sleep(0.05)
    raise AssertionError("no child that computes")
