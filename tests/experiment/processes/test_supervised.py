"""M7: a measuring process that crashes, hangs or leaves others behind harms nothing else."""

import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import pytest
from tests.experiment.kit import parts_with

from lunaflow.experiment import Protocol
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.engine._measure import Task
from lunaflow.experiment.engine._parcel import pack_parts
from lunaflow.experiment.processes._supervised import fresh_interpreter_with
from lunaflow.experiment.processes._transport import pack_job
from lunaflow.experiment.processes.standalone._descendants import descendants

PROTOCOL = Protocol("TEST", pairs=2, processes=1, batch_seconds=1e-6, exploratory_blocks=0)


def job_of(functions: types.ModuleType, name: str, sizes: tuple[int, ...] = (4, 8)) -> bytes:
    parts = parts_with({"f": getattr(functions, name)}, functions.make)
    made = {size: make_input(parts.fixture, 0, "e", size) for size in sizes}
    inputs = {size: ((0, fingerprint(value)),) for size, value in made.items()}
    task = Task("e", dict.fromkeys(sizes, ("f",)), inputs, PROTOCOL, 0, 0)
    return pack_job((task, pack_parts(parts)))


def test_m7_who_was_being_timed_when_it_ended_is_known(functions: types.ModuleType) -> None:
    for name, silence, named in (
        ("aborting", 60.0, "f"),
        ("hanging", 1.0, "f"),
        ("total", 60.0, None),
    ):
        with fresh_interpreter_with(job_of(functions, name, (4,))) as child:
            list(child.messages(silence))
        assert child.was_timing == named


def outcome(job: bytes, silence_seconds: float = 60.0) -> tuple[list[dict[str, Any]], str | None]:
    with fresh_interpreter_with(job) as child:
        messages = list(child.messages(silence_seconds))
    return messages, child.failure


def gone(pid: int | None) -> bool:
    """Say whether a process ended, waiting a moment for the system to notice."""
    assert pid is not None
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
    parcel = pack_parts(parts_with({"f": functions.total}, functions.make))
    _, failure = outcome(pack_job((without_prints, parcel)))
    assert failure is not None
    assert "ended with exit code 1" in failure
    assert "KeyError: 4" in failure


def test_m7_a_silent_process_is_ended(functions: types.ModuleType) -> None:
    with fresh_interpreter_with(job_of(functions, "hanging")) as child:
        messages = list(child.messages(1.0))
        pid = child.pid
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
    with fresh_interpreter_with(job_of(functions, "leaving_a_sleeper")) as child:
        list(child.messages(60.0))
    assert child.failure is not None
    assert "ended with exit code 0" in child.failure
    assert len(child.left_behind) == 2
    assert gone(int(file.read_text()))


def test_m7_who_has_left_the_group_and_the_session_is_found_too(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pid"
    monkeypatch.setenv("LUNAFLOW_TEST_PID_FILE", str(file))
    with fresh_interpreter_with(job_of(functions, "beside_a_daemon", (4,))) as child:
        list(child.messages(60.0))
    assert child.failure is None
    assert child.left_behind == ("sleep",)
    assert gone(int(file.read_text()))


def test_an_interrupt_in_the_runner_ends_the_process(functions: types.ModuleType) -> None:
    pids: list[int | None] = []

    def interrupted() -> None:
        with fresh_interpreter_with(job_of(functions, "hanging")) as child:
            next(child.messages(60.0))
            pids.append(child.pid)
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
    with fresh_interpreter_with(job_of(functions, "closing_everything", (8,))) as child:
        assert list(child.messages(60.0)) == [{"message": "size", "size": 8}]
        pid = child.pid
    assert child.failure is not None
    assert "closed the pipe of its results, lived on and was ended" in child.failure
    assert "SIGKILL" not in child.failure
    assert gone(pid)


def test_m7_of_a_long_output_the_beginning_and_the_end_are_kept(
    functions: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh_interpreter_with(job_of(functions, "talkative")) as child:
        assert [m["message"] for m in child.messages(60.0)][-1] == "size_done"
        assert child.failure is None
        kept = child.printed()[0]
    assert kept.startswith("first words")
    assert "bytes left out" in kept
    assert len(kept) < 10_000


def test_m7_a_flood_without_end_is_cut_off_with_the_reason(
    functions: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lunaflow.experiment.processes._supervised.OUTPUT_LIMIT", 2**22)
    messages, failure = outcome(job_of(functions, "flooding", (8,)))
    assert messages == [{"message": "size", "size": 8}]
    assert failure is not None
    assert "printed more than 4194304 bytes and was ended" in failure
    assert len(failure) < 10_000


RUNNER = """
import sys
sys.path.insert(0, sys.argv[1])
import measured_functions
from lunaflow.experiment import Protocol, compare
compare(measured_functions.total, measured_functions.hanging_beside_a_daemon, sizes=[8],
        make=measured_functions.make, processes=2)
"""


def test_m7_a_call_that_hangs_does_not_outlive_a_killed_runner(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # nor does a process that it has started and that has left its group
    file = tmp_path / "pid"
    monkeypatch.setenv("LUNAFLOW_TEST_PID_FILE", str(file))
    helpers = str(Path(functions.__file__ or "").parent)
    runner = subprocess.Popen([sys.executable, "-c", RUNNER, helpers])
    try:
        wait_for(file)
        below = descendants(runner.pid)
    finally:
        runner.kill()
        runner.wait()
    # the warden, the interpreter that hangs, and what it has started
    assert len(below) == 3
    assert int(file.read_text()) in below
    assert all(map(gone, below))


def wait_for(file: Path) -> None:
    deadline = time.monotonic() + 60
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
