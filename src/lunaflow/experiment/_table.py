"""The table that a printed result shows."""

from collections.abc import Sequence

import numpy as np

from lunaflow.experiment._results import ExperimentResult, Failure

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_NOT_TIMED = "-"


def table(result: ExperimentResult) -> str:
    """Return the result as text: a row a size, then failures, traps and what was not measurable."""
    first, *others = result.implementations
    heads = ["size", *result.implementations]
    heads += [f"{other} against {first}" for other in others] + ["noise floor"]
    rows = [_row(result, size, first, others) for size in result.sizes]
    state = "" if result.finished else " (not finished)"
    title = f"{result.name}{state}: median time of a call, protocol {result.protocol.name}"
    lines = [title, *_aligned([heads, *rows]), *_notes(result)]
    return "\n".join(lines)


def seconds_text(seconds: float) -> str:
    """Return seconds with a unit that suits, three digits: ``"1.25 us"``."""
    for unit, name in _UNITS:
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"


def _row(result: ExperimentResult, size: int, first: str, others: Sequence[str]) -> list[str]:
    medians = [_median(result, name, size) for name in result.implementations]
    verdicts = [_verdict(result, other, first, size) for other in others]
    floor = result.noise_floor.get(size)
    return [str(size), *medians, *verdicts, _NOT_TIMED if floor is None else f"{floor:.2g} %"]


def _median(result: ExperimentResult, name: str, size: int) -> str:
    times = result.times(name, size)
    return seconds_text(float(np.median(times))) if times.size else _NOT_TIMED


def _verdict(result: ExperimentResult, a: str, b: str, size: int) -> str:
    found = result.comparison(a, b, size)
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


def _notes(result: ExperimentResult) -> list[str]:
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
