"""Fresh interpreters that measure, and what becomes of them."""

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import IO, Self

from lunaflow.experiment._measure import Message
from lunaflow.experiment._tagged_json import loads
from lunaflow.experiment._transport import package_root

_POLL_SECONDS = 0.05
_GRACE_SECONDS = 1.0
_OUTPUT_SHOWN = 2000


class MeasuringProcess:
    """A fresh interpreter with a job; a context manager that leaves none of its group behind.

    Parameters
    ----------
    job : bytes
        What `pack_job` returned.
    silence_seconds : float
        How long it may send nothing before it is ended.
    """

    def __init__(self, job: bytes, *, silence_seconds: float) -> None:
        self._silence_seconds = silence_seconds
        self._failure: str | None = None
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed in __exit__)
        self._results, sender = os.pipe()
        try:
            with tempfile.TemporaryFile() as stdin:
                stdin.write(job)
                stdin.seek(0)
                self._process = self._start(stdin, sender)
        except BaseException:
            self._close()
            raise
        finally:
            os.close(sender)

    @property
    def failure(self) -> str | None:
        """Why the process did not come to its end, with the end of its output; None if it did."""
        return self._failure

    def messages(self) -> Iterator[Message]:
        """Yield what the process sends, until it is done or has failed."""
        for line in self._lines():
            message = _message(line)
            if message is None:
                self._failure = self._described(f"sent garbage: {line[:80]!r}")
                return
            if message == {"message": "done"}:
                return
            yield message
        if self._failure is None:
            self._failure = self._described(self._how_it_ended())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_exc: object) -> None:
        try:
            if kind is None and self._failure is None:
                self._wait(_GRACE_SECONDS)
            self._end_group()
        finally:
            self._close()

    def _start(self, stdin: IO[bytes], sender: int) -> subprocess.Popen[bytes]:
        paths = [package_root(), os.environ.get("PYTHONPATH")]
        return subprocess.Popen(
            [sys.executable, "-m", "lunaflow.experiment._child", str(sender)],
            stdin=stdin,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            pass_fds=(sender,),
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )

    def _lines(self) -> Iterator[bytes]:
        buffered = b""
        for data in self._chunks():
            *lines, buffered = (buffered + data).split(b"\n")
            yield from lines

    def _chunks(self) -> Iterator[bytes]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._results, selectors.EVENT_READ)
            deadline = time.monotonic() + self._silence_seconds
            while True:
                if selector.select(_POLL_SECONDS):
                    data = os.read(self._results, 2**16)
                    if not data:
                        return
                    yield data
                    deadline = time.monotonic() + self._silence_seconds
                elif self._has_ended():
                    # somebody it started may hold the pipe open; what it sent itself is all read
                    return
                elif time.monotonic() > deadline:
                    silence = f"sent nothing for {self._silence_seconds:g} s and was ended"
                    self._failure = self._described(silence)
                    return

    def _has_ended(self) -> bool:
        # without reaping: the number of its group stays taken until the group is ended
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, options) is not None

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self._has_ended() and time.monotonic() < deadline:
            time.sleep(0.002)

    def _how_it_ended(self) -> str:
        self._wait(_GRACE_SECONDS)
        self._end_group()
        code = self._process.returncode
        if code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def _described(self, what: str) -> str:
        self._output.seek(0, os.SEEK_END)
        length = self._output.tell()
        self._output.seek(max(0, length - _OUTPUT_SHOWN))
        text = self._output.read(_OUTPUT_SHOWN).decode("utf-8", "replace").strip()
        cut = "..." if length > _OUTPUT_SHOWN else ""
        said = f"; the end of its output:\n{cut}{text}" if text else ""
        return f"the measuring process {what}{said}"

    def _end_group(self) -> None:
        if self._process.returncode is not None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()  # the group is gone; ending one that ended is no error
        self._process.wait()

    def _close(self) -> None:
        os.close(self._results)
        self._output.close()


def _message(line: bytes) -> Message | None:
    try:
        found = loads(line.decode("ascii"))
    except ValueError:
        return None  # the caller shows the line
    return found if isinstance(found, dict) and "message" in found else None
