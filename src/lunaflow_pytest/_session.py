"""What the comparisons of one test run share: options, the stored runs, what is to be told."""

import errno
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from lunaflow.experiment import (
    DEVELOPMENT,
    QUICK_CHECK,
    REGRESSION_GATE,
    EventFileError,
    EventWriter,
    Protocol,
    ProtocolPreset,
    RunRecord,
    read_events,
    read_run,
)
from lunaflow.experiment._texts import counted
from lunaflow.experiment.events import Event

_PROTOCOLS = {
    "quick-check": QUICK_CHECK,
    "development": DEVELOPMENT,
    "regression-gate": REGRESSION_GATE,
}
_LOCKED = (errno.EAGAIN, errno.EWOULDBLOCK)
_WAIT_SECONDS = 10.0
_POLL_SECONDS = 0.02


@dataclass
class Session:
    """One test run.

    Parameters
    ----------
    forced_protocol : str or None
        The protocol of the command line, which goes before that of a test.
    protocol : str
        The protocol of tests that name none.
    baseline, save : Path or None
        The file to compare with, and the file to store in.
    under_xdist : bool
        Whether this is one of several workers that share the cores.
    undecided : list of str
        What the summary tells.
    saved : int
        How many runs were stored.
    """

    forced_protocol: str | None
    protocol: str
    baseline: Path | None
    save: Path | None
    under_xdist: bool
    undecided: list[str] = field(default_factory=list)
    saved: int = 0
    _counted: tuple[int, int] | None = field(default=None, init=False, repr=False)

    def protocol_for(self, given: Protocol | ProtocolPreset | None) -> Protocol | ProtocolPreset:
        """Return the protocol of a test that names one, or none."""
        if self.forced_protocol is not None:
            return _PROTOCOLS[self.forced_protocol]
        return _PROTOCOLS[self.protocol] if given is None else given

    @cached_property
    def stored(self) -> dict[str, RunRecord]:
        """The last run of each experiment in the baseline.

        A file that cannot be read, whole, ends the test that needs it, and each that follows.
        """
        try:
            log = read_events(self.baseline or "")
        except EventFileError as error:
            pytest.fail(f"--lunaflow-baseline: {error.strerror or error}", pytrace=False)
        if log.damaged_lines:
            first = log.damaged_lines[0]
            pytest.fail(
                f"--lunaflow-baseline: line {first} of {self.baseline} is damaged, so that figures "
                "may be missing; store it anew",
                pytrace=False,
            )
        return {name: read_run(events) for name, events in _last_runs(log.events).items()}

    def require_usable_save(self) -> None:
        """Fail, before anything is measured, if the file to store in is of no use."""
        if self.save is None or not self.save.exists():
            return
        try:
            with _opened(self.save):
                _failures_in(self.save)
        except EventFileError as error:
            pytest.fail(f"--lunaflow-save: {error.strerror or error}", pytrace=False)

    def keep(self, path: Path) -> None:
        """Append the events of a file to the one to store in; the test fails if that is refused."""
        if self.save is None:
            return
        try:
            self._append(path, self.save)
        except EventFileError as error:
            pytest.fail(
                f"--lunaflow-save: {error.strerror or error}; what this test measured is in {path}",
                pytrace=False,
            )
        self.saved += 1

    def _append(self, path: Path, save: Path) -> None:
        with _opened(save) as writer:
            # counted while no other process writes; what another has added since has numbers too
            size, failures = self._counted or (-1, 0)
            if size != save.stat().st_size:
                failures = _failures_in(save)
            for event in read_events(path).events:
                fields = {k: v for k, v in event.items() if k not in ("lunaflow", "event")}
                if event["event"] == "failure":
                    # its number is that of its file
                    failures += 1
                    fields.update(id=f"f{failures}", command=None)
                writer.write(event["event"], **fields)
            self._counted = save.stat().st_size, failures

    @property
    def saved_text(self) -> str:
        """What was stored, in words."""
        return f"lunaflow: {counted(self.saved, 'run')} appended to {self.save}"


def _last_runs(events: tuple[Event, ...]) -> dict[str, list[Event]]:
    """Return for each experiment the events of the last run that it is in."""
    runs: list[list[Event]] = [[]]
    for event in events:
        if event["event"] == "run_started":
            runs.append([])
        runs[-1].append(event)
    started = ((e["experiment"], run) for run in runs for e in run if _starts(e))
    return dict(started)


def _starts(event: Event) -> bool:
    return bool(event["event"] == "experiment_started")


def _opened(path: Path) -> EventWriter:
    """Return the writer of a file; another process that stores a run there is waited for."""
    last = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            return EventWriter(path)
        except EventFileError as error:
            if error.errno not in _LOCKED or time.monotonic() >= last:
                raise
        time.sleep(_POLL_SECONDS)


def _failures_in(path: Path) -> int:
    if path.stat().st_size == 0:
        return 0
    return sum(event["event"] == "failure" for event in read_events(path).events)
