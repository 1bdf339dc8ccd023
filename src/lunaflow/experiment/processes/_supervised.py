"""A process under a warden: requests go to it, replies come from it, and how it ended is known."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

from lunaflow.experiment._outcomes import Aborted, ParseFailure, Timeout
from lunaflow.experiment._statuses import signal_name
from lunaflow.experiment.processes._pipes import Excerpt, Garbage, Inbox, Message, read_note
from lunaflow.experiment.processes._start import (
    environment_with_lunaflow,
    fresh_interpreter,
    warden,
)
from lunaflow.experiment.processes.standalone._frames import frame

Ending = Aborted | ParseFailure | Timeout
"""How a process ended that did not come to its end."""

OUTPUT_LIMIT = 2**28
"""Bytes that a process may print between two messages."""

START_SECONDS = 60.0
"""Seconds that an interpreter may take to start and to import what it needs."""

_GRACE_SECONDS = 1.0
_WARDEN_SECONDS = 20.0
_CHUNK = 2**18
_DRAINED = 2**24


class Supervised:
    """A process that answers; a context manager that leaves none of its descendants behind.

    A warden between this process and that one ends it, and all that it has started, when it ends
    by itself, when the block is left, and when this process ends, however it does.

    Parameters
    ----------
    command : sequence of str
        What to start. The numbers of two descriptors come behind: a pipe for its messages, and a
        file for the note of what it is timing.
    environment : mapping, optional
        Its environment; by default that of this process.
    folder : str, optional
        Its working directory; by default that of this process.
    memory_limit : int
        Bytes of address space that it may take; 0 for no limit.
    output_limit : int, optional
        Bytes that it may print between two messages.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
        memory_limit: int = 0,
        output_limit: int | None = None,
    ) -> None:
        self._limit = OUTPUT_LIMIT if output_limit is None else output_limit
        self._ending: Ending | None = None
        self._was_timing: str | None = None
        self._what = ""
        self._left: tuple[str, ...] = ()
        self._inbox, self._word = Inbox(), Inbox()
        self._printed = 0
        self._prints, self._errors = Excerpt(), Excerpt()
        self._unsent: deque[memoryview] = deque()
        self._pid: int | None = None
        self._last_word: Message | None = None
        self._note = tempfile.TemporaryFile()  # noqa: SIM115
        self._selector = selectors.DefaultSelector()
        try:
            self._warden = self._start(command, memory_limit, environment, folder)
        except BaseException:
            self._close()
            raise

    @property
    def ending(self) -> Ending | None:
        """How it ended, None as long as it did what it was told."""
        return self._ending

    @property
    def pid(self) -> int | None:
        """Its number; None as long as the warden has not told it."""
        return self._pid

    @property
    def was_timing(self) -> str | None:
        """Name of the implementation that was being timed when it failed, None if none was."""
        return self._was_timing

    @property
    def left_behind(self) -> tuple[str, ...]:
        """Names of the processes that it had left running when it ended; they are ended too."""
        return self._left

    @property
    def failure(self) -> str | None:
        """How it ended, in words, with its output; None as long as it did what it was told."""
        if self._ending is None:
            return None
        printed = self._all_printed()
        said = f"; its output:\n{printed}" if printed else ""
        return f"the measuring process {self._what}{said}"

    def printed(self) -> tuple[str, str]:
        """Return what it wrote to standard output and to standard error since `new_output`, cut."""
        self._drain()
        return self._prints.text(), self._errors.text()

    def new_output(self) -> None:
        """Forget what it printed: what follows belongs to another call."""
        self._drain()
        self._prints, self._errors = Excerpt(), Excerpt()

    def send(self, data: bytes | memoryview) -> None:
        """Queue a frame; `receive` and `messages` send it."""
        self._unsent += map(memoryview, frame(data))
        if "requests" in self._ends and self._ends["requests"] not in self._selector.get_map():
            self._selector.register(
                self._ends["requests"], selectors.EVENT_WRITE, self._give_requests
            )

    def messages(self, silence_seconds: float) -> Iterator[Message]:
        """Yield what it sends, until it is done or has failed.

        Before the first message it may take `START_SECONDS` longer.
        """
        message = self.receive(START_SECONDS + silence_seconds)
        while message is not None and message["message"] != "done":
            yield message
            message = self.receive(silence_seconds)

    def receive(self, seconds: float) -> Message | None:
        """Return its next message; None if it failed, or neither sent nor took anything so long."""
        self._printed = 0
        deadline = time.monotonic() + seconds
        while self._ending is None:
            try:
                if (message := self._inbox.next()) is not None:
                    return message
            except Garbage as error:
                self._end_it(f"sent garbage: {error}", ParseFailure(f"it sent garbage: {error}"))
                break
            # looked at before the pipe is: what it sent before it ended is all read
            over = self._last_word is not None or "results" not in self._ends
            if self._pump(0 if over else max(0.0, deadline - time.monotonic())):
                deadline = time.monotonic() + seconds
            elif over:
                self._explain_end()
            elif self._printed > self._limit:
                what = f"printed more than {self._limit} bytes and was ended"
                self._end_it(what)
            elif time.monotonic() >= deadline:
                what = f"sent nothing for {seconds:g} s and was ended"
                self._end_it(what, Timeout(round(1000 * seconds), "the call did not return"))
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_exc: object) -> None:
        try:
            self._close_end("requests")
            if kind is None and self._ending is None:
                self._wait_for_last_word(_GRACE_SECONDS)
            self._dismiss_warden()
        finally:
            self._close()

    def _start(
        self,
        command: Sequence[str],
        memory_limit: int,
        environment: Mapping[str, str] | None,
        folder: str | None,
    ) -> subprocess.Popen[bytes]:
        """Start the warden; of each pipe one end is kept, the other one goes there."""
        self._ends: dict[str, int] = {}
        theirs: dict[str, int] = {}
        try:
            for name in ("requests", "control"):
                theirs[name], self._ends[name] = os.pipe()
            for name in ("results", "words", "prints", "errors"):
                self._ends[name], theirs[name] = os.pipe()
            inherited = (theirs["results"], self._note.fileno())
            process = subprocess.Popen(
                [
                    *warden(theirs["words"], theirs["requests"], inherited, memory_limit),
                    *command,
                    *map(str, inherited),
                ],
                stdin=theirs["control"],
                stdout=theirs["prints"],
                stderr=theirs["errors"],
                pass_fds=(theirs["words"], theirs["requests"], *inherited),
                start_new_session=True,
                env=environment,
                cwd=folder,
            )
        finally:
            for descriptor in theirs.values():
                os.close(descriptor)
        for name in ("results", "words", "prints", "errors"):
            os.set_blocking(self._ends[name], False)
            self._selector.register(self._ends[name], selectors.EVENT_READ, self._taker_of(name))
        os.set_blocking(self._ends["requests"], False)
        return process

    def _taker_of(self, name: str) -> Callable[[], bool]:
        def take() -> bool:
            data = os.read(self._ends[name], _CHUNK)
            self._take(name, data)
            if not data:
                self._close_end(name)
            return bool(data) and name == "results"

        return take

    def _take(self, name: str, data: bytes) -> None:
        if name == "results":
            self._inbox.add(data)
        elif name == "words":
            self._word.add(data)
            while (word := self._word.next()) is not None:
                if word["message"] == "started":
                    self._pid = word["pid"]
                else:
                    self._last_word = word
        else:
            (self._prints if name == "prints" else self._errors).add(data)
            self._printed += len(data)

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved; say whether it sent or took anything."""
        moved = False
        for key, _ in self._selector.select(seconds):
            if key.fd in self._ends.values():  # not closed by what came before it
                moved |= key.data()
        return moved

    def _drain(self) -> None:
        # a process may print faster than this one reads
        start = self._printed
        while self._printed - start < _DRAINED:
            before = self._printed
            self._pump(0)
            if self._printed == before:
                return

    def _give_requests(self) -> bool:
        try:
            written = os.write(self._ends["requests"], self._unsent[0][:_CHUNK])
        except BrokenPipeError:
            self._close_end("requests")  # how it ended shows at the other pipes
            return False
        self._unsent[0] = self._unsent[0][written:]
        if not self._unsent[0]:
            self._unsent.popleft()
        if not self._unsent:
            self._selector.unregister(self._ends["requests"])
        return True

    def _wait_for_last_word(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._last_word is None and "words" in self._ends:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return
            # what it prints at its end must not keep it from ending
            self._pump(remaining)

    def _explain_end(self) -> None:
        self._wait_for_last_word(_GRACE_SECONDS)
        word = self._last_word
        if word is None:
            self._end_it("closed the pipe of its results, lived on and was ended")
            return
        self._dismiss_warden()
        if word["message"] == "unable":
            self._fail(f"could not be started: {word['reason']}", Aborted(None, word["reason"]))
            return
        code = word["code"]
        if code is None:
            self._end_it("was ended from outside")
            return
        what = f"was ended by {signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        self._fail(what, Aborted(code, self._all_printed()))

    def _end_it(self, what: str, ending: Ending | None = None) -> None:
        self._dismiss_warden()
        self._fail(what, ending or Aborted(None, f"{self._all_printed()}\nit {what}"))

    def _fail(self, what: str, ending: Ending) -> None:
        self._what, self._ending = what, ending
        self._was_timing = read_note(self._note.fileno())

    def _dismiss_warden(self) -> None:
        """Let the warden end the process with all that descends from it, and wait until it has."""
        self._close_end("control")
        self._wait_for_last_word(_WARDEN_SECONDS)
        if self._last_word is None:
            # it was ended itself: what it watched ends with it, where the system sees to that
            self._warden.kill()
            if self._pid is not None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._pid, signal.SIGKILL)
        else:
            self._left = tuple(self._last_word.get("left", ()))
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._warden.wait(_WARDEN_SECONDS)
        self._drain()

    def _all_printed(self) -> str:
        return "\n".join(filter(None, (self._prints.text(), self._errors.text())))

    def _close_end(self, name: str) -> None:
        if name in self._ends:
            descriptor = self._ends.pop(name)
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
            os.close(descriptor)

    def _close(self) -> None:
        for name in list(self._ends):
            self._close_end(name)
        self._selector.close()
        self._note.close()


def fresh_interpreter_with(job: bytes) -> Supervised:
    """Return a fresh interpreter with a job, as `pack_job` returned it."""
    started = Supervised(fresh_interpreter(), environment=environment_with_lunaflow())
    started.send(job)
    return started
