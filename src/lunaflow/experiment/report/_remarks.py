"""What is said beside the figures: failures, valid exceptions, and what the clock cannot tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from lunaflow._texts import one_line
from lunaflow.experiment._failure_groups import FailureGroup, failure_groups
from lunaflow.experiment._outcomes import ExpectedDifference
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._texts import counted, words
from lunaflow.experiment.report._texts import size_text, sizes_text


@dataclass(frozen=True, slots=True)
class FailureView:
    """Failures of one implementation and kind."""

    who: str
    sizes: str
    kind: str
    reason: str
    details: str
    input_text: str
    shrunk: bool
    notes: str


def failures_of(result: ExperimentResult) -> tuple[FailureView, ...]:
    """Return the failures with reason and input, those that are alike together."""
    return tuple(_failure_view(group) for group in failure_groups(result.failures))


def failures_in_short(result: ExperimentResult) -> tuple[str, ...]:
    """Return a line for failures that are alike: who failed, from which size on, and why."""
    lines = []
    for group in failure_groups(result.failures):
        where = f" {_from_or_at(group.sizes, result.sizes)}" if group.sizes else ""
        reason = one_line(group.reason.partition(":")[0], 80)
        lines.append(f"{group.who} failed{where}{f': {reason}' if reason else ''}")
    return tuple(lines)


def traps_in_short(result: ExperimentResult) -> tuple[str, ...]:
    """Return a line for valid exceptions that are alike, with names if only some raise them."""
    names: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (name, kind), at in _trap_sizes(result).items():
        names.setdefault((kind, at), []).append(name)
    lines = []
    for (kind, at), raising in names.items():
        text = f"{trap_verb(kind)} {_from_or_at(at, result.sizes)}"
        everyone = set(raising) == set(result.implementations)
        lines.append(text if everyone else f"{text} ({words(raising)})")
    return tuple(lines)


def notes_of(result: ExperimentResult) -> tuple[str, ...]:
    """Return in sentences what was not timed though nothing failed."""
    traps = [
        f"{name} {trap_verb(kind)} {_from_or_at(at, result.sizes)}, "
        "as the reference does; it is not timed there."
        for (name, kind), at in _trap_sizes(result).items()
    ]
    return (*traps, *_difference_notes(result), *_clock_notes(result))


def trap_verb(kind: str) -> str:
    """Return what an implementation does where it raises a valid exception of a kind."""
    return "overflows" if kind in ("OVERFLOW", "OverflowError") else f"raises {kind}"


def _failure_view(group: FailureGroup) -> FailureView:
    first, sizes = group.first, group.sizes
    headline, _, details = group.reason.partition("\n")
    notes = ["flaky: it did not repeat"] if group.flaky else []
    if first.path:
        notes.append(f"shrunk in {counted(len(first.path), 'step')}")
    return FailureView(
        who=group.who,
        sizes=f"at {'size' if len(sizes) == 1 else 'sizes'} {sizes_text(sizes)}" if sizes else "",
        kind=group.kind,
        reason=headline,
        details=details,
        input_text=first.input_text or "",
        shrunk=bool(first.path),
        notes=", ".join(notes),
    )


def _trap_sizes(result: ExperimentResult) -> dict[tuple[str, str], tuple[int, ...]]:
    sizes: dict[tuple[str, str], set[int]] = {}
    for trap in result.traps:
        sizes.setdefault((trap.implementation, trap.kind), set()).add(trap.size)
    return {key: tuple(sorted(at)) for key, at in sizes.items()}


def _from_or_at(at: Sequence[int], sizes: Sequence[int]) -> str:
    if len(at) > 1 and list(at) == [size for size in sizes if size >= at[0]]:
        return f"from n = {size_text(at[0])}"
    return f"at n = {sizes_text(at)}"


def _difference_notes(result: ExperimentResult) -> list[str]:
    sizes: dict[tuple[str, str], list[int]] = {}
    for one in result.validations:
        if isinstance(one.status, ExpectedDifference):
            sizes.setdefault((one.implementation, one.status.reason), []).append(one.size)
    return [
        f"{name} {_from_or_at(at, result.sizes)} differs as expected: {reason}."
        for (name, reason), at in sizes.items()
    ]


def _clock_notes(result: ExperimentResult) -> list[str]:
    sizes: dict[str, set[int]] = {}
    for one in result.calibrations:
        if one.below_resolution:
            sizes.setdefault(one.implementation, set()).add(one.size)
    return [
        f"{name} at n = {sizes_text(sorted(at))} is below the timer's resolution."
        for name, at in sizes.items()
    ]
