"""M7: a measuring process that crashes, hangs or leaves others behind harms nothing else."""

import os
import time
import types
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment import Protocol
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._inputs import make_input
from lunaflow.experiment._measure import Task
from lunaflow.experiment._processes import MeasuringProcess
from lunaflow.experiment._transport import pack_callables, pack_job

PROTOCOL = Protocol("TEST", pairs=2, processes=1, batch_seconds=1e-6)


def job_of(functions: types.ModuleType, name: str, sizes: tuple[int, ...] = (4, 8)) -> bytes:
    prints = {size: fingerprint(make_input(functions.make, 0, "e", size)) for size in sizes}
    task = Task("e", dict.fromkeys(sizes, ("f",)), prints, PROTOCOL, 0, 0)
    return pack_job(task, pack_callables({"f": getattr(functions, name)}, functions.make))


def outcome(job: bytes, silence_seconds: float = 60.0) -> tuple[list[dict[str, Any]], str | None]:
    with MeasuringProcess(job, silence_seconds=silence_seconds) as child:
        messages = list(child.messages())
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
    with MeasuringProcess(job_of(functions, "hanging"), silence_seconds=1.0) as child:
        messages = list(child.messages())
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
        with MeasuringProcess(job_of(functions, "hanging"), silence_seconds=60.0) as child:
            pids.append(child._process.pid)
            next(child.messages())
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
    with MeasuringProcess(job_of(functions, "hanging"), silence_seconds=60.0) as child:
        reader, writer = os.pipe()
        os.write(writer, b'{"message":"size","size":4}\n\xff garbage\n')
        os.close(writer)
        os.dup2(reader, child._results)
        os.close(reader)
        messages = list(child.messages())
    assert messages == [{"message": "size", "size": 4}]
    assert child.failure is not None
    assert "sent garbage" in child.failure
