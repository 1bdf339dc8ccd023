"""Failures that are alike, told together: one implementation, one kind of reason, many sizes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lunaflow._texts import one_line
from lunaflow.experiment._observations import Failure
from lunaflow.experiment._statuses import InfrastructureFailure
from lunaflow.experiment._texts import path_text, words

_REASON_SHOWN = 500


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
    def headline(self) -> str:
        """The reason without the traceback that may follow it."""
        return self.reason.partition("\nTraceback")[0]

    @property
    def is_judged(self) -> bool:
        """Whether the implementation is to blame, and not the reference that it is judged by."""
        if not isinstance(self.first.status, InfrastructureFailure):
            return True
        own = tuple(f"the reference {self.who}{end}" for end in (" ", ":"))
        others = ("the reference ", "compute_expected of the oracle ")
        return self.reason.startswith(own) or not self.reason.startswith(others)

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


def failure_lines(group: FailureGroup) -> Iterator[str]:
    """Yield in lines what failed and where, its smallest input, and the command that replays it."""
    first = group.first
    sizes = words([str(size) for size in group.sizes])
    where = f" at size{'s' * (len(group.sizes) > 1)} {sizes}" if sizes else ""
    kind = group.kind if group.is_judged else "not judged"
    yield f"{group.who}{where}: {kind}: {one_line(group.headline, _REASON_SHOWN)}"
    if first.input_text is not None:
        of = f", of size {first.size}" if len(group.sizes) > 1 else ""
        yield f"  {'shrunk to' if first.path else 'input'}{of}: {first.input_text}"
    if first.path:
        yield f"  by way of: {path_text(first.path)}"
    if group.flaky:
        yield "  flaky: called once more on that input, it did not fail"
    if first.command is not None:
        yield f"  run it again: {first.command}"
    elif first.input_text is not None:
        yield "  no command runs it again: what failed cannot be sent to another interpreter"


def reason_of(failure: Failure) -> str:
    """Return the reason in a failure's status; empty if it has none."""
    return getattr(failure.status, "reason", "")
