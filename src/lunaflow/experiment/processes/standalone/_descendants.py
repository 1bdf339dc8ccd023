"""The processes that descend from this one, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_SECONDS_TO_END = 10.0
_LEAST_ATTEMPTS = 100  # the time may run out while the machine sleeps


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, where the system has that.

    Elsewhere a process that leaves its group and outlives its parent is not found.
    """
    _prctl(_SET_CHILD_SUBREAPER, 1)


def end_with_parent(parent: int, number: int) -> None:
    """Let the system send this process a signal when its parent ends, at once if it is gone.

    Only Linux can; elsewhere nothing happens.
    """
    if _prctl(_SET_PARENT_DEATH_SIGNAL, number) and os.getppid() != parent:
        os.kill(os.getpid(), number)


def reap() -> dict[int, int]:
    """Return the children that have ended, with their wait statuses, by their numbers."""
    ended = {}
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            ended[pid] = status
    return ended


def end_all(group: int | None = None) -> dict[int, int]:
    """End a process group and all descendants; return the wait statuses of our children."""
    deadline = time.monotonic() + _SECONDS_TO_END
    attempts = 0
    ended: dict[int, int] = {}
    if group is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    while True:
        ended.update(reap())
        left = descendants()
        if not left or (attempts >= _LEAST_ATTEMPTS and time.monotonic() > deadline):
            return ended
        attempts += 1
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def descendants(of: int | None = None) -> list[int]:
    """Return the numbers of all that descend from a process, by default this one, and live."""
    found: list[int] = []
    parents = [os.getpid() if of is None else of]
    by_parent = None
    while parents:
        parent = parents.pop()
        children = _children_listed(parent)
        if children is None:
            by_parent = _parents_and_children() if by_parent is None else by_parent
            children = by_parent.get(parent, [])
        found += children
        parents += children
    return [pid for pid in found if not _has_ended(pid)]


def names_of(pids: list[int]) -> list[str]:
    """Return the names that processes go by, without those that ended meanwhile."""
    texts = [_read(f"/proc/{pid}/comm") for pid in pids]
    return [text.strip() for text in texts if text]


def _children_listed(pid: int) -> list[int] | None:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    children: list[int] = []
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
        except FileNotFoundError:
            # the thread has ended, or this kernel keeps no such lists
            if os.path.exists(f"/proc/{pid}/task/{thread}"):
                return None
        except OSError:
            continue
    return children


def _parents_and_children() -> dict[int, list[int]]:
    by_parent: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := _stat(int(name))):
            by_parent.setdefault(int(fields[1]), []).append(int(name))
    return by_parent


def _has_ended(pid: int) -> bool:
    fields = _stat(pid)
    return not fields or fields[0] in "ZX"


def _stat(pid: int) -> list[str]:
    """Return the fields after the name: state, parent and so on; empty if there is no process."""
    return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def _read(path: str) -> str:
    """Return what a file of the system says, nothing if it is gone."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _prctl(option: int, argument: int) -> bool:
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(option, argument, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False  # a Linux without prctl
