"""The table that a printed result shows."""

from collections.abc import Sequence

from lunaflow.experiment._analysis import (
    compare_at,
    comparisons_of,
    largest_floor_pct,
    times_of,
)
from lunaflow.experiment._correction import corrected_text
from lunaflow.experiment._observations import Failure, Observations
from lunaflow.experiment._samples import median_of
from lunaflow.experiment._texts import seconds_text

_NOT_TIMED = "-"


def table(result: Observations) -> str:
    """Return the result as text: a row a size, then failures, traps and what was not measurable."""
    first, *others = result.implementations
    heads = ["size", *result.implementations]
    heads += [f"{other} against {first}" for other in others] + ["noise floor"]
    rows = [_row(result, size, first, others) for size in result.sizes]
    state = "" if result.finished else " (not finished)"
    title = f"{result.name}{state}: median time of a call, protocol {result.protocol.name}"
    lines = [title, *_aligned([heads, *rows]), *_notes(result)]
    if text := corrected_text(list(comparisons_of(result))):
        lines.append(text)
    return "\n".join(lines)


def _row(result: Observations, size: int, first: str, others: Sequence[str]) -> list[str]:
    medians = [_median(result, name, size) for name in result.implementations]
    verdicts = [_verdict(result, other, first, size) for other in others]
    floor = largest_floor_pct(result, result.implementations, size)
    return [str(size), *medians, *verdicts, _NOT_TIMED if floor is None else f"{floor:.2g} %"]


def _median(result: Observations, name: str, size: int) -> str:
    times = times_of(result, name, size)
    return seconds_text(median_of(times)) if times.size else _NOT_TIMED


def _verdict(result: Observations, a: str, b: str, size: int) -> str:
    found = compare_at(result, a, b, size)
    if found is None:
        return _NOT_TIMED
    if found.relative_delta_pct is None:
        return found.decision.value
    return f"{found.relative_delta_pct:+.1f} % {found.decision.value}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _notes(result: Observations) -> list[str]:
    notes = [f"FAILED {_failure_text(failure)}" for failure in result.failures]
    notes += [
        f"not timed: {t.implementation} at size {t.size} traps ({t.kind})" for t in result.traps
    ]
    unmeasurable = {
        (one.implementation, one.size) for one in result.calibrations if one.below_resolution
    }
    notes += [
        f"not timed: {name} at size {size} is below the timer's resolution"
        for name, size in sorted(unmeasurable)
    ]
    return notes


def _failure_text(failure: Failure) -> str:
    who = failure.implementation or "the measurement"
    where = "" if failure.size is None else f" at size {failure.size}"
    reason = getattr(failure.status, "reason", "")
    text = f"{who}{where}: {type(failure.status).__name__}: {' '.join(reason.split())[:200]}"
    flaky = " (flaky: it did not repeat)" if failure.flaky else ""
    given = "" if failure.input_text is None else f"; input {failure.input_text}"
    return f"{text}{flaky}{given}"
