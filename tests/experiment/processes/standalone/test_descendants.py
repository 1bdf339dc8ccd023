"""M7: every descendant is found, whatever lists the system keeps, and ended."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lunaflow.experiment.processes.standalone import _descendants
from lunaflow.experiment.processes.standalone._descendants import descendants, names_of

# a parent whose child is in another session, and whose grandchild too
TREE = """
import subprocess, sys
script = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid, flush=True); input()"
child = subprocess.Popen([sys.executable, "-c", script], start_new_session=True, stdin=0)
print(child.pid, flush=True)
input()
"""

WARDEN = """
import os, subprocess, sys
from lunaflow.experiment.processes.standalone._descendants import *
adopt_orphans()
sh = 'setsid sh -c "sleep 600 & sleep 600 & echo ready; wait" & (sleep 600 &) ; sleep 600 & wait'
child = subprocess.Popen(["sh", "-c", sh], stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
while len(descendants()) < 6:
    pass
print(*descendants(), flush=True)
end_all(child.pid)
print(descendants(), flush=True)
"""


@pytest.fixture
def tree() -> Iterator[tuple[int, set[int]]]:
    """Yield a process and all that descends from it."""
    process = subprocess.Popen(
        [sys.executable, "-c", TREE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    below = {int(process.stdout.readline()) for _ in range(2)}
    try:
        yield process.pid, below
    finally:
        for pid in below:
            os.kill(pid, 9)
        process.communicate()


def test_m7_children_of_children_are_found(tree: tuple[int, set[int]]) -> None:
    top, below = tree
    assert set(descendants(top)) == below
    assert names_of(sorted(below))[-1:] != []
    assert "sleep" in names_of(list(below))
    assert set(descendants()) >= {top, *below}


def test_m7_where_the_system_lists_no_children_all_processes_are_looked_at(
    tree: tuple[int, set[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    top, below = tree
    monkeypatch.setattr(_descendants, "_children_listed", lambda _: None)
    assert set(descendants(top)) == below


def test_m7_all_that_has_left_its_parents_and_groups_is_ended() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WARDEN], capture_output=True, text=True, check=True, timeout=60
    )
    pids, left = done.stdout.splitlines()
    assert len(pids.split()) >= 6
    assert left == "[]"
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids.split())


def test_who_is_gone_has_no_name_and_no_descendants() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert names_of([process.pid]) == []
    assert descendants(process.pid) == []
