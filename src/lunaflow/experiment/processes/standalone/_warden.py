"""The warden: starts one process, watches it, and leaves none of its descendants behind.

Arguments: a descriptor for replies, that of the process's standard input, those that it inherits
besides (separated by commas), the bytes of memory it may take (0: no limit), and its command. It is
ended, with all that it has started, when it ends by itself, when the warden's standard input is
closed, when the warden gets SIGTERM, and when the warden's parent ends.

Replies: ``started`` with its ``pid``, or ``unable`` with the ``reason``. Then ``ended`` with the
``code`` as `subprocess` gives it, None if it did not end by itself, and in ``left`` the names of
the processes that it left behind.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
from collections.abc import Callable
from typing import Any

from ._descendants import adopt_orphans, descendants, end_all, end_with_parent, names_of, reap
from ._frames import reply

UNABLE = (OSError, ValueError, subprocess.SubprocessError)
"""What a command that cannot be started raises."""

_CHUNK = 2**16


def main(arguments: list[str]) -> None:
    """Watch the process that the arguments name."""
    replies, its_input = int(arguments[0]), int(arguments[1])
    inherited = tuple(int(text) for text in arguments[2].split(",") if text)
    woken = prepare()
    try:
        process = start(arguments[4:], int(arguments[3]), pass_fds=inherited, stdin=its_input)
    except UNABLE as error:
        reply(replies, {"message": "unable", "reason": str(error)})
        return
    reply(replies, {"message": "started", "pid": process.pid})
    # a pipe of which the process holds one end closes when the process closes it
    for descriptor in (its_input, *inherited):
        os.close(descriptor)
    status = _wait(process.pid, woken)
    left = names_of(descendants()) if status is not None else []
    end_all(process.pid)
    code = None if status is None else return_code(status)
    reply(replies, {"message": "ended", "code": code, "left": left})


def prepare() -> int:
    """Make this process a warden; return the descriptor that signals can be read from."""
    adopt_orphans()
    reading, writing = os.pipe()
    for descriptor in (reading, writing):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(writing)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, _nothing)
    end_with_parent(os.getppid(), signal.SIGTERM)
    return reading


def start(
    command: list[str], memory: int, *, pass_fds: tuple[int, ...] = (), **streams: Any
) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, which ends with this process."""
    return subprocess.Popen(
        command,
        pass_fds=pass_fds,
        start_new_session=True,
        preexec_fn=_limited(memory),  # noqa: PLW1509 (there is one thread here)
        **streams,
    )


def was_told_to_end(woken: int) -> bool:
    """Read the signals that came; say whether one was SIGTERM."""
    try:
        return signal.SIGTERM in os.read(woken, _CHUNK)
    except BlockingIOError:
        return False


def return_code(status: int) -> int:
    """Return a wait status as `subprocess` does: a signal is a negative number."""
    if os.WIFSIGNALED(status):
        return -os.WTERMSIG(status)
    return os.WEXITSTATUS(status)


def _wait(pid: int, woken: int) -> int | None:
    """Return the wait status of the process, None if the warden is to end it."""
    while True:
        readable = select.select([0, woken], [], [])[0]
        ends = woken in readable and was_told_to_end(woken)
        ended = reap()
        if pid in ended:
            return ended[pid]
        if ends or (0 in readable and not os.read(0, _CHUNK)):
            return None


def _limited(memory: int) -> Callable[[], None]:
    warden = os.getpid()

    def prepare_child() -> None:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        end_with_parent(warden, signal.SIGKILL)

    return prepare_child


def _nothing(_number: int, _frame: object) -> None:
    """Take a signal: it is read from the descriptor that `prepare` returns."""
