"""What validation says of an outcome, and which outcomes need no oracle to be judged."""

import signal
from dataclasses import dataclass

from lunaflow._arguments import reject_type, require_text
from lunaflow.experiment._outcomes import (
    Aborted,
    ExpectedDifference,
    Outcome,
    ParseFailure,
    Timeout,
    Unsupported,
)


@dataclass(frozen=True, slots=True)
class Valid:
    """The outcome is right."""


@dataclass(frozen=True, slots=True)
class Invalid:
    """The outcome is wrong; `reason` starts with the class of failure, then a colon and details."""

    reason: str

    def __post_init__(self) -> None:
        require_text("reason", self.reason)


@dataclass(frozen=True, slots=True)
class Skipped:
    """The outcome was not judged."""

    reason: str

    def __post_init__(self) -> None:
        require_text("reason", self.reason)


@dataclass(frozen=True, slots=True)
class InfrastructureFailure:
    """Nothing can be said of the outcome, since what should have judged or carried it failed."""

    reason: str

    def __post_init__(self) -> None:
        require_text("reason", self.reason)


Status = Valid | Invalid | Skipped | ExpectedDifference | Unsupported | InfrastructureFailure


def classify(outcome: Outcome) -> Status | None:
    """Return the status of an outcome that no oracle is to see, else None.

    Unsupported stays Unsupported; ParseFailure, Aborted and Timeout are InfrastructureFailure with
    what happened in the reason. Value, RaisedFlags, Trapped and ExpectedDifference are for the
    oracle to judge: None.

    Raises
    ------
    TypeError
        If `outcome` is not an outcome.
    """
    match outcome:
        case Unsupported():
            return outcome
        case ParseFailure(reason):
            return InfrastructureFailure(f"parse failure: {reason}")
        case Aborted(exit_code, stderr):
            return InfrastructureFailure(_aborted_text(exit_code, stderr))
        case Timeout(milliseconds, reason):
            return InfrastructureFailure(f"timeout after {milliseconds} ms: {reason}")
    if not isinstance(outcome, Outcome):
        raise reject_type("outcome", outcome, "an outcome such as Value or Trapped")
    return None


def _aborted_text(exit_code: int | None, stderr: str) -> str:
    ending = "aborted" if exit_code is None else f"aborted with exit code {exit_code}"
    if exit_code is not None and exit_code < 0:
        ending += f" ({signal_name(-exit_code)})"
    last = stderr.strip().splitlines()[-1:]
    return ": ".join([ending, *last])


def signal_name(number: int) -> str:
    """Return the name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
