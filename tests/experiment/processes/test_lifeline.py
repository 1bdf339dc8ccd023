"""M7: a fresh interpreter ends with its runner, whatever it is doing and however that ended."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

CHILD = """
import sys
from lunaflow.experiment.processes import _lifeline
if sys.argv[2] == "thread":
    _lifeline._asked_the_system = lambda: False
_lifeline._POLL_SECONDS = 0.05
_lifeline.end_with(int(sys.argv[1]))
print("alive", flush=True)
while True:
    pass
"""

PARENT = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", sys.argv[1], str(os.getpid()), sys.argv[2]],
                         stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(600)
"""


def ended(pid: int) -> bool:
    """Say whether a process ended, waiting a moment for the system to notice."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("how", ["system", "thread"])
def test_m7_it_ends_with_its_parent(how: str) -> None:
    command = [sys.executable, "-c", PARENT, CHILD, how]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert ended(child)


def test_m7_it_ends_at_once_if_its_parent_is_gone() -> None:
    not_its_parent = str(os.getppid())
    command = [sys.executable, "-c", CHILD, not_its_parent, "system"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == -9
    assert done.stdout == b""
