"""Fresh interpreters that call what the user wrote, and what becomes of them."""

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from typing import Self

from lunaflow.experiment._outcomes import Aborted, ParseFailure, Timeout
from lunaflow.experiment._statuses import signal_name
from lunaflow.experiment.processes._pipes import (
    Excerpt,
    Garbage,
    Inbox,
    Message,
    frame,
    read_note,
)
from lunaflow.experiment.processes._transport import package_root

Ending = Aborted | ParseFailure | Timeout
"""How an interpreter ended that did not come to its end."""

OUTPUT_LIMIT = 2**28
"""Bytes that an interpreter may print between two messages."""

_POLL_SECONDS = 0.05
_GRACE_SECONDS = 1.0
_CHUNK = 2**18
_DRAINED = 2**24


class FreshInterpreter:
    """A fresh interpreter with a job; a context manager that leaves none of its group behind.

    Parameters
    ----------
    job : bytes
        What `pack_job` returned.
    """

    def __init__(self, job: bytes) -> None:
        self._ending: Ending | None = None
        self._was_timing: str | None = None
        self._what = ""
        self._inbox = Inbox()
        self._output = Excerpt()
        self._printed = 0
        self._unsent: deque[memoryview] = deque()
        self._seen_ended = False
        self._looked_at = 0.0
        self._note = tempfile.TemporaryFile()  # noqa: SIM115
        self._selector = selectors.DefaultSelector()
        self._results, results = os.pipe()
        self._prints, prints = os.pipe()
        requests, self._requests = os.pipe()
        self._may_ask = True
        try:
            self._process = self._start(requests, prints, results)
            for descriptor in (self._results, self._prints, self._requests):
                os.set_blocking(descriptor, False)
            self._selector.register(self._results, selectors.EVENT_READ, self._take_results)
            self._selector.register(self._prints, selectors.EVENT_READ, self._take_output)
        except BaseException:
            self._close()
            raise
        finally:
            for descriptor in (requests, prints, results):
                os.close(descriptor)
        self.send(job)

    @property
    def ending(self) -> Ending | None:
        """How it ended, None as long as it did what it was told."""
        return self._ending

    @property
    def was_timing(self) -> str | None:
        """Name of the implementation that was being timed when it failed, None if none was."""
        return self._was_timing

    @property
    def failure(self) -> str | None:
        """How it ended, in words, with its output; None as long as it did what it was told."""
        if self._ending is None:
            return None
        printed = self._output.text()
        said = f"; its output:\n{printed}" if printed else ""
        return f"the measuring process {self._what}{said}"

    def send(self, data: bytes) -> None:
        """Queue a frame; `receive` and `messages` send it."""
        self._unsent += map(memoryview, frame(data))
        if self._may_ask and self._requests not in self._selector.get_map():
            self._selector.register(self._requests, selectors.EVENT_WRITE, self._give_requests)

    def messages(self, silence_seconds: float) -> Iterator[Message]:
        """Yield what it sends, until it is done or has failed."""
        while (message := self.receive(silence_seconds)) is not None:
            if message["message"] == "done":
                return
            yield message

    def receive(self, seconds: float) -> Message | None:
        """Return its next message; None if it failed, or neither sent nor took anything so long."""
        self._printed = 0
        deadline = time.monotonic() + seconds
        while self._ending is None:
            try:
                if (message := self._inbox.next()) is not None:
                    return message
            except Garbage as error:
                self._fail(f"sent garbage: {error}", ParseFailure(f"it sent garbage: {error}"))
                break
            # looked at before the pipe is: what it sent before it ended is all read
            over = self._results not in self._selector.get_map() or self._has_ended()
            if self._pump(0 if over else _POLL_SECONDS):
                deadline = time.monotonic() + seconds
            elif over:
                self._explain_end()
            elif self._printed > OUTPUT_LIMIT:
                self._end_it(f"printed more than {OUTPUT_LIMIT} bytes and was ended")
            elif time.monotonic() > deadline:
                reason = f"sent nothing for {seconds:g} s and was ended"
                self._fail(reason, Timeout(round(1000 * seconds), "the call did not return"))
        return None

    def new_output(self) -> None:
        """Forget what it printed: what follows belongs to another call."""
        while self._pump(0):
            pass
        self._output = Excerpt()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_exc: object) -> None:
        try:
            self._close_requests()
            if kind is None and self._ending is None:
                self._wait(_GRACE_SECONDS)
            self._end_group()
        finally:
            self._close()

    def _start(self, requests: int, prints: int, results: int) -> subprocess.Popen[bytes]:
        paths = [package_root(), os.environ.get("PYTHONPATH")]
        note = self._note.fileno()
        arguments = map(str, (results, note, os.getpid()))
        return subprocess.Popen(
            [sys.executable, "-m", "lunaflow.experiment.engine._child", *arguments],
            stdin=requests,
            stdout=prints,
            stderr=subprocess.STDOUT,
            pass_fds=(results, note),
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved; say whether it sent or took anything."""
        moved = False
        for key, _ in self._selector.select(seconds):
            moved |= key.data()
        return moved

    def _take_results(self) -> bool:
        data = os.read(self._results, _CHUNK)
        if not data:
            self._selector.unregister(self._results)
        self._inbox.add(data)
        return bool(data)

    def _take_output(self) -> bool:
        data = os.read(self._prints, _CHUNK)
        if not data:
            self._selector.unregister(self._prints)
        self._output.add(data)
        self._printed += len(data)
        return False

    def _give_requests(self) -> bool:
        try:
            written = os.write(self._requests, self._unsent[0][:_CHUNK])
        except BrokenPipeError:
            self._close_requests()  # how it ended shows at the other pipe
            return False
        self._unsent[0] = self._unsent[0][written:]
        if not self._unsent[0]:
            self._unsent.popleft()
        if not self._unsent:
            self._selector.unregister(self._requests)
        return True

    def _has_ended(self) -> bool:
        # without reaping: the number of its group stays taken until the group is ended
        if not self._seen_ended:
            if hasattr(os, "waitid"):
                options = os.WEXITED | os.WNOHANG | os.WNOWAIT
                found = os.waitid(os.P_PID, self._process.pid, options)
                self._seen_ended = found is not None
            elif time.monotonic() > self._looked_at + _POLL_SECONDS:
                # macOS has no waitid before Python 3.13, and starting ps costs more than a look
                self._seen_ended = _is_zombie(self._process.pid)
                self._looked_at = time.monotonic()
        return self._seen_ended

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self._has_ended() and time.monotonic() < deadline:
            # what it prints at its end must not keep it from ending
            self._pump(0.002)
            time.sleep(0.001)

    def _explain_end(self) -> None:
        self._wait(_GRACE_SECONDS)
        if not self._has_ended():
            self._end_it("closed the pipe of its results, lived on and was ended")
            return
        self._end_group()
        code = self._process.returncode
        what = f"was ended by {signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        self._drain()
        self._fail(what, Aborted(code, self._output.text()))

    def _end_it(self, what: str) -> None:
        self._end_group()
        self._drain()
        self._fail(what, Aborted(None, f"{self._output.text()}\nit {what}"))

    def _fail(self, what: str, ending: Ending) -> None:
        self._what, self._ending = what, ending
        self._was_timing = read_note(self._note.fileno())

    def _drain(self) -> None:
        # who left the group may go on printing
        start = self._printed
        while self._prints in self._selector.get_map() and self._printed - start < _DRAINED:
            before = self._printed
            self._pump(0)
            if self._printed == before:
                return

    def _end_group(self) -> None:
        if self._process.returncode is not None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()  # the group is gone; ending one that ended is no error
        self._process.wait()

    def _close_requests(self) -> None:
        if self._may_ask:
            if self._requests in self._selector.get_map():
                self._selector.unregister(self._requests)
            os.close(self._requests)
            self._may_ask = False

    def _close(self) -> None:
        self._close_requests()
        self._selector.close()
        self._note.close()
        os.close(self._results)
        os.close(self._prints)


def _is_zombie(pid: int) -> bool:
    ps = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(ps, capture_output=True, check=False).stdout.strip()
    return not state or state.startswith(b"Z")
