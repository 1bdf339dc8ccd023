"""M7: the warden tells how its process ended, and ends it when it is told to or left alone."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment.processes._start import warden

SLEEPING = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import time; print('on', flush=True); time.sleep(600)",
]


class Watched:
    """A warden with its process."""

    def __init__(self, command: list[str], memory: int = 0) -> None:
        words, replies = os.pipe()
        its_input, requests = os.pipe()
        self.process = subprocess.Popen(
            [*warden(replies, its_input, (), memory), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(replies, its_input),
        )
        for descriptor in (replies, its_input, requests):
            os.close(descriptor)
        self._words = os.fdopen(words)

    def word(self) -> Any:
        line = self._words.readline()
        return json.loads(line) if line else None

    def close(self) -> None:
        self.process.communicate()
        self._words.close()


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("command", "code"),
    [("exit 0", 0), ("exit 7", 7), ("kill -SEGV $$", -signal.SIGSEGV), ("sleep 600 & exit 3", 3)],
)
def test_m7_how_the_process_ended_is_told(command: str, code: int) -> None:
    watched = Watched(["sh", "-c", command])
    started, ended = watched.word(), watched.word()
    watched.close()
    assert started["message"] == "started"
    assert ended["message"] == "ended"
    assert ended["code"] == code
    # it may be asked for its name before it has become what it starts
    assert len(ended["left"]) == ("sleep" in command)
    assert gone(started["pid"])


@pytest.mark.parametrize("how", ["closed", "told", "killed"])
def test_m7_the_process_ends_with_its_warden(how: str) -> None:
    watched = Watched(SLEEPING)
    pid = watched.word()["pid"]
    assert watched.process.stdout is not None
    watched.process.stdout.readline()
    if how == "closed":
        assert watched.process.stdin is not None
        watched.process.stdin.close()
        watched.process.stdin = None
    else:
        watched.process.send_signal(signal.SIGTERM if how == "told" else signal.SIGKILL)
    # what is ended by the warden did not end by itself
    assert watched.word() == (
        None if how == "killed" else {"message": "ended", "code": None, "left": []}
    )
    watched.close()
    assert gone(pid)


def test_m7_what_cannot_be_started_is_told_with_the_reason() -> None:
    watched = Watched(["/no/such/program"])
    word = watched.word()
    assert word["message"] == "unable"
    assert "No such file" in word["reason"]
    watched.close()


def test_m7_memory_is_limited() -> None:
    watched = Watched([sys.executable, "-I", "-S", "-c", "bytearray(2**32)"], memory=2**30)
    assert watched.word()["message"] == "started"
    assert watched.word()["code"] == 1
    watched.close()
