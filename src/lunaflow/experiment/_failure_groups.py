"""Failures that are alike, told together: one implementation, one kind of reason, many sizes."""

from collections.abc import Iterable
from dataclasses import dataclass

from lunaflow.experiment._observations import Failure


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Failures of one implementation whose reasons begin alike; there is at least one."""

    who: str
    failures: tuple[Failure, ...]

    @property
    def first(self) -> Failure:
        """The one that speaks for all: whose reason and input are shown."""
        return self.failures[0]

    @property
    def kind(self) -> str:
        """Name of the status's class."""
        return type(self.first.status).__name__

    @property
    def reason(self) -> str:
        """The first one's reason, of any length; empty if its status has none."""
        return reason_of(self.first)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes, ascending; none if it happened outside any."""
        return tuple(sorted({f.size for f in self.failures if f.size is not None}))

    @property
    def flaky(self) -> bool:
        """Whether one of them did not repeat."""
        return any(failure.flaky for failure in self.failures)


def failure_groups(failures: Iterable[Failure]) -> tuple[FailureGroup, ...]:
    """Return failures by implementation, status and what their reason says before a colon."""
    groups: dict[tuple[str, str, str], list[Failure]] = {}
    for failure in failures:
        who = failure.implementation or "the measurement"
        alike = reason_of(failure).partition(":")[0]
        groups.setdefault((who, type(failure.status).__name__, alike), []).append(failure)
    return tuple(FailureGroup(who, tuple(found)) for (who, _, _), found in groups.items())


def reason_of(failure: Failure) -> str:
    """Return the reason in a failure's status; empty if it has none."""
    return getattr(failure.status, "reason", "")
