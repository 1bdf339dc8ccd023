"""What is said beside the figures: failures, valid exceptions, and what the clock cannot tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from lunaflow._texts import one_line
from lunaflow.experiment._failure_groups import FailureGroup, failure_groups
from lunaflow.experiment._outcomes import ExpectedDifference
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._texts import counted, words
from lunaflow.experiment.report._texts import size_text, sizes_text

_OTHERS_NAMED = 8


@dataclass(frozen=True, slots=True)
class FailureView:
    """Failures of one implementation and kind.

    `path` holds the inputs that shrinking went through, `command` replays the first of them, and
    `others` says how to replay the rest.
    """

    who: str
    sizes: str
    kind: str
    reason: str
    details: str
    input_text: str
    input_of: str
    shrunk: bool
    notes: str
    flaky: bool
    path: tuple[str, ...]
    fingerprint: str
    command: str
    unreplayable: str
    others: str


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
    """Return in sentences what was not timed though nothing failed, and who stands alone."""
    traps = [
        f"{name} {trap_verb(kind)} {_from_or_at(at, result.sizes)}, "
        "as the reference does; it is not timed there."
        for (name, kind), at in _trap_sizes(result).items()
    ]
    others = (*_difference_notes(result), *_clock_notes(result), *_left_notes(result))
    return (*_odd_notes(result), *traps, *others)


def trap_verb(kind: str) -> str:
    """Return what an implementation does where it raises a valid exception of a kind."""
    return "overflows" if kind in ("OVERFLOW", "OverflowError") else f"raises {kind}"


def _failure_view(group: FailureGroup) -> FailureView:
    first, sizes = group.first, group.sizes
    headline, _, details = group.reason.partition("\n")
    notes = ["it did not repeat, so the input is the original one"] if group.flaky else []
    if first.path:
        notes.append(f"shrunk in {counted(len(first.path), 'step')}")
    several = len(sizes) > 1 and first.size is not None
    return FailureView(
        who=group.who,
        sizes=f"at {'size' if len(sizes) == 1 else 'sizes'} {sizes_text(sizes)}" if sizes else "",
        kind=group.kind,
        reason=headline,
        details=details,
        input_text=first.input_text or "",
        input_of=f", at size {size_text(first.size or 0)}" if several else "",
        shrunk=bool(first.path),
        notes=", ".join(notes),
        flaky=group.flaky,
        path=first.path,
        fingerprint=first.fingerprint or "",
        command=first.command or "",
        unreplayable=first.unreplayable or "",
        others=_others_text(group),
    )


def _others_text(group: FailureGroup) -> str:
    """Name the other failures of a group, by what `lunaflow replay` calls them."""
    others = [one for one in group.failures[1:] if one.command and one.id]
    named = [
        f"{one.id} (n = {size_text(one.size)})" if one.size is not None else one.id
        for one in others[:_OTHERS_NAMED]
    ]
    if len(others) > _OTHERS_NAMED:
        named.append(f"{len(others) - _OTHERS_NAMED} more")
    return words(named)


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


def _odd_notes(result: ExperimentResult) -> list[str]:
    sizes: dict[str, set[int]] = {}
    for one in result.relations:
        if one.odd_one_out is not None:
            sizes.setdefault(one.odd_one_out, set()).add(one.size)
    return [
        f"{name} disagrees with all others, which agree, at n = {sizes_text(sorted(at))}."
        for name, at in sizes.items()
    ]


def _left_notes(result: ExperimentResult) -> list[str]:
    return [
        f"{one.implementation or 'An implementation'} left "
        f"{counted(len(one.names), 'process', 'processes')} running, which have been ended: "
        f"{words(one.names)}."
        for one in result.left_behind
    ]
