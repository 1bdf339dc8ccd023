"""The events of a run: JSON lines, appended and flushed one by one.

Every line is one JSON object that carries the schema's version (``"lunaflow": 1``) and the kind of
the event (``"event"``), then the fields of the kind, see `EVENT_FIELDS`. Values that JSON lacks
(NaN, infinities, integers beyond 2**53, bytes, arrays) are tagged. A run that is killed at any
moment leaves a file whose every complete line is readable.
"""

import errno
import importlib.resources
import io
import json
import os
import stat
import types
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from lunaflow._arguments import as_path
from lunaflow._stored import dumps, loads
from lunaflow._texts import text_of
from lunaflow.experiment._event_checks import FIELD_CHECKS, wrong_field

__all__ = [
    "EVENT_FIELDS",
    "EVENT_SCHEMA",
    "Event",
    "EventFileError",
    "EventLog",
    "EventWriter",
    "json_schema",
    "read_events",
]

EVENT_SCHEMA = 1
"""Version of the schema; it stands in every line."""

Event = dict[str, Any]
"""One event: ``event`` (its kind), ``lunaflow`` (the schema's version) and the kind's fields."""

EVENT_FIELDS: Mapping[str, tuple[str, ...]] = types.MappingProxyType(
    {kind: tuple(checks) for kind, checks in FIELD_CHECKS.items()}
)
"""The fields of each kind of event. A writer may add fields; a reader ignores what it does not
know."""


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of one line of a file of events.

    It is the file ``events.schema.json`` of this package. What it cannot say is in the words of its
    descriptions: that sizes ascend, and that the lists of a block are of one length.
    """
    text = importlib.resources.files("lunaflow.experiment").joinpath("events.schema.json")
    found: dict[str, Any] = json.loads(text.read_text("ascii"))
    return found


# what systems and network file systems answer that offer no locks
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


class EventFileError(OSError):
    """A file of events that cannot be read, opened or written; the message says which and why."""


@dataclass(frozen=True, slots=True)
class EventLog:
    """The events of a file, and what in it could not be read.

    Parameters
    ----------
    events : tuple of dict
        The readable events, in the order of the file.
    damaged_lines : tuple of int
        Numbers, counted from 1, of the lines that are no event.
    torn_tail : bool
        Whether the last line has no newline at its end: the writer was cut off.
    """

    events: tuple[Event, ...]
    damaged_lines: tuple[int, ...] = ()
    torn_tail: bool = False


def encoded_event(kind: str, fields: Mapping[str, Any]) -> tuple[str, Event]:
    """Return an event as a line of JSON, and as a reader will see it.

    An unknown kind, a missing field or one that holds what it may not is a ValueError.
    """
    if kind not in EVENT_FIELDS:
        raise ValueError(f"kind must be one of {', '.join(EVENT_FIELDS)}, not {kind!r}")
    missing = [name for name in EVENT_FIELDS[kind] if name not in fields]
    if missing:
        raise ValueError(f"a {kind} event also needs {', '.join(missing)}")
    line = dumps({"lunaflow": EVENT_SCHEMA, "event": kind, **fields})
    event: Event = loads(line)
    if (wrong := wrong_field(event)) is not None:
        raise ValueError(f"{wrong} of a {kind} event must not be {text_of(event[wrong])}")
    return line, event


def is_event(found: object) -> bool:
    """Say whether something is an event of this schema, with the fields of its kind, all right."""
    if not isinstance(found, dict) or not _has_schema(found):
        return False
    kind = found.get("event")
    if not isinstance(kind, str) or any(name not in found for name in EVENT_FIELDS.get(kind, ())):
        return False
    return wrong_field(found) is None


class EventWriter:
    """Appends events to a file, one line each, flushed one by one.

    A context manager. The file is locked against a second writer where the system offers such
    locks. If its last line is torn, the first event starts on a fresh line.

    Parameters
    ----------
    path : str or path-like
        File to append to; it is created if it does not exist.

    Raises
    ------
    EventFileError
        If the file cannot be opened, is no regular file (a folder, a pipe, a device), holds
        something else than events, or another writer has it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = as_path("path", path)
        self._run_open = False
        self._file = _open_for_appending(self._path)
        try:
            _lock(self._file, self._path)
            _require_events_or_nothing(self._path)
            self._starts_fresh = not _ends_inside_a_line(self._path)
        except BaseException:
            self._file.close()
            raise

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def run_open(self) -> bool:
        """Whether the last event written belongs to a run that has not ended yet."""
        return self._run_open

    def write(self, kind: str, /, **fields: Any) -> Event:
        """Append one event and return it as a reader will see it.

        Raises
        ------
        ValueError
            If the kind is unknown, a field is missing or holds what it may not, or the writer is
            closed.
        TypeError
            If a field holds something that cannot be stored.
        EventFileError
            If the system refuses (a full disk). What was written of the line is removed again, if
            the system lets us; the lines before it are intact.
        """
        if self._file.closed:
            raise ValueError(f"the writer of {self._path} is closed")
        line, event = encoded_event(kind, fields)
        start = "" if self._starts_fresh else "\n"
        self._append(f"{start}{line}\n".encode("ascii"))
        self._starts_fresh = True
        self._run_open = kind not in {"run_finished", "interrupted"}
        return event

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _append(self, data: bytes) -> None:
        before = os.fstat(self._file.fileno()).st_size
        try:
            written = _write_once(self._file.fileno(), data)
            while written < len(data):
                written += _write_once(self._file.fileno(), data[written:])
        except OSError as error:
            self._starts_fresh = self._cut_back(before)
            raise EventFileError(
                error.errno,
                f"could not write to the events file {self._path}: {error.strerror or error}; "
                "the lines before it are intact",
            ) from error

    def _cut_back(self, size: int) -> bool:
        # a half-written line would be reported as damaged for ever; True if the file ends a line
        try:
            self._file.truncate(size)
        except OSError:
            return False
        return size == 0 or not _ends_inside_a_line(self._path)


def read_events(path: str | os.PathLike[str]) -> EventLog:
    """Read a file of events, whole, partial or damaged.

    Damaged lines (cut off, no JSON, not UTF-8, no event, a field that holds what it may not) are
    skipped and their numbers reported.
    Empty lines are skipped in silence.

    Raises
    ------
    EventFileError
        If the file is missing or empty, is no regular file (a folder, a pipe, a device), or its
        first readable line is not an event of this schema.
    """
    where = as_path("path", path)
    _require_regular(where)
    try:
        data = where.read_bytes()
    except OSError as error:
        raise EventFileError(
            error.errno, f"cannot read the events file {where}: {error.strerror or error}"
        ) from error
    if not data.strip():
        raise EventFileError(f"{where} is empty: it holds no events")
    return _parsed(data, where)


def _parsed(data: bytes, where: Path) -> EventLog:
    events: list[Event] = []
    damaged: list[int] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        found = _read_line(line)
        if isinstance(found, dict) and not events:
            _require_schema(found, where)
        if is_event(found):
            events.append(found)
        else:
            damaged.append(number)
    if not events:
        raise EventFileError(f"{where} is no events file: none of its lines is an event")
    return EventLog(tuple(events), tuple(damaged), torn_tail=not data.endswith(b"\n"))


def _read_line(line: bytes) -> Any:
    try:
        return loads(line.decode("utf-8"))
    except ValueError:
        return None  # the caller reports the line's number


def _has_schema(found: Event) -> bool:
    # an array in its place has no truth, and True equals 1
    return type(found.get("lunaflow")) is int and found["lunaflow"] == EVENT_SCHEMA


def _require_schema(found: Event, where: Path) -> None:
    if "lunaflow" not in found or "event" not in found:
        raise EventFileError(f"{where} is no events file: its first line is not an event")
    if not _has_schema(found):
        given = text_of(found["lunaflow"])
        raise EventFileError(
            f"{where} has events of schema {given}; this version of lunaflow reads schema "
            f"{EVENT_SCHEMA}"
        )


def _require_regular(path: Path) -> None:
    # a pipe would be waited for, and a device may never end
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # opening it says what is wrong, or makes it
    if not stat.S_ISREG(mode):
        raise EventFileError(f"{path} is no regular file: events are neither read nor kept there")


def _open_for_appending(path: Path) -> io.FileIO:
    _require_regular(path)
    try:
        return io.FileIO(path, "ab")
    except OSError as error:
        raise EventFileError(
            error.errno, f"cannot open the events file {path}: {error.strerror or error}"
        ) from error


def _lock(file: io.FileIO, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not a POSIX system: two writers are not told apart there
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise EventFileError(
            error.errno, f"another writer has the events file {path} open; give each its own file"
        ) from error
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise EventFileError(
                error.errno, f"cannot lock the events file {path}: {error.strerror or error}"
            ) from error


def _require_events_or_nothing(path: Path) -> None:
    # only the beginning is looked at: a file may be large, and a torn line is no reason to refuse
    with path.open("rb") as file:
        for line in file:
            found = _read_line(line)
            if found is not None:
                if not isinstance(found, dict):
                    raise EventFileError(f"{path} is no events file: it is not appended to")
                _require_schema(found, path)
                return


def _ends_inside_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _write_once(descriptor: int, data: bytes) -> int:
    return os.write(descriptor, data)
