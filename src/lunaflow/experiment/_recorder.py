"""Where a run's events go, and the one place where a run begins and ends."""

import contextlib
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from lunaflow._arguments import as_integer
from lunaflow._texts import one_line
from lunaflow._version import __version__
from lunaflow.experiment._environment import environment as facts_of_machine
from lunaflow.experiment.events import Event, EventFileError, EventWriter, encoded_event

_LONGEST_COMMAND = 2000


class Sink(Protocol):
    """Takes events."""

    @property
    def run_open(self) -> bool:
        """Whether a run has begun and not ended."""
        ...

    def write(self, kind: str, /, **fields: Any) -> Event:
        """Take one event and return it as a reader will see it."""
        ...


class Recorder:
    """Keeps events, and passes them to a writer if there is one.

    Parameters
    ----------
    writer : EventWriter, optional
        Where they also go.
    earlier : iterable of events
        What has been written there before.
    """

    def __init__(self, writer: EventWriter | None = None, earlier: Iterable[Event] = ()) -> None:
        self._writer = writer
        self._run_open = writer is not None and writer.run_open
        self.events: list[Event] = [*earlier]

    @property
    def path(self) -> Path | None:
        """The file that they go to."""
        return None if self._writer is None else self._writer.path

    @property
    def run_open(self) -> bool:
        """Whether a run has begun and not ended."""
        return self._run_open

    def write(self, kind: str, /, **fields: Any) -> Event:
        """Keep one event as a reader will see it, and return it."""
        if self._writer is None:
            _, event = encoded_event(kind, fields)
        else:
            event = self._writer.write(kind, **fields)
        self.events.append(event)
        self._run_open = kind not in {"run_finished", "interrupted"}
        return event


@contextlib.contextmanager
def recorded_run(
    sink: Sink, *, seed: int = 0, environment: Mapping[str, Any] | None = None
) -> Iterator[None]:
    """Bracket several experiments as one run in one file.

    At the beginning ``run_started`` is written, with the facts of the machine and the command line
    of this process; at the end ``run_finished``, or ``interrupted`` with the reason if an exception
    ends the run, which is passed on. Inside another run it does nothing.

    Parameters
    ----------
    sink : EventWriter
        Where the events go.
    seed : int
        Kept in ``run_started``.
    environment : mapping, optional
        Facts of the machine; by default what this interpreter finds out.
    """
    number = as_integer("seed", seed)
    if sink.run_open:
        yield
        return
    sink.write(
        "run_started",
        library_version=__version__,
        seed=number,
        environment=facts_of_machine() if environment is None else dict(environment),
        started=_now(),
        command=_command(),
    )
    try:
        yield
    except BaseException as error:
        # a file that cannot be written to cannot take this event either
        if not isinstance(error, EventFileError):
            text = f"{type(error).__name__}: {error}".removesuffix(": ")
            sink.write("interrupted", ended=_now(), reason=text)
        raise
    sink.write("run_finished", ended=_now())


def _command() -> str:
    """Return the command line of this process, the program without its folder; empty if none."""
    program, *arguments = getattr(sys, "argv", None) or [""]
    if program in ("", "-", "-c"):
        return ""
    return one_line(shlex.join([Path(program).name, *arguments]), _LONGEST_COMMAND)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
