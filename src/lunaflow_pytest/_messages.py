"""What a failing test says."""

from collections.abc import Iterator, Sequence

from lunaflow.experiment import ExperimentResult, Skipped, Unsupported
from lunaflow.experiment._failure_groups import failure_groups, failure_lines
from lunaflow.experiment._observations import Validation
from lunaflow.experiment._table import aligned
from lunaflow.experiment._texts import floor_text, seconds_text
from lunaflow_pytest._judging import BaselineRow, Judged, Row

_NOTHING = "-"


def what_is_wrong(result: ExperimentResult) -> str:
    """Return what was found wrong, with the smallest inputs; empty if all is right."""
    groups = failure_groups(result.failures)
    lines = [f"  {line}" for group in groups for line in failure_lines(group)]
    lines += [line for one in result.validations for line in _not_judged(one)]
    return "\n".join(lines)


def _not_judged(one: Validation) -> Iterator[str]:
    # failures have events of their own; this is what nobody could call right
    if isinstance(one.status, (Unsupported, Skipped)):
        kind = type(one.status).__name__
        yield f"  {one.implementation} at size {one.size}: {kind}: {one.status.reason}"


def times_text(result: ExperimentResult, f: str, g: str, rows: Sequence[Row]) -> str:
    """Return the table of `f` against `g`."""
    heads = ["size", f, g, "difference", "interval", "noise floor", ""]
    cells = [[str(row.size), *_cells(row.judged), row.judged.standing.value] for row in rows]
    compared = [row.judged.comparison for row in rows]
    grouping = next((one.grouping for one in compared if one is not None), "")
    return "\n".join([*_indented([heads, *cells]), _how(result, grouping)])


def baseline_text(f: str, g: str, rows: Sequence[BaselineRow], stored: str) -> str:
    """Return the table of `f` against the stored run."""
    heads = ["size", "now", "stored", "difference", "interval", "noise floor", f"against {g}", ""]
    cells = [
        [str(row.size), *_cells(row.seconds), _interval(row.ratio), row.standing.value]
        for row in rows
    ]
    return "\n".join([f"{f} against the stored run of {stored}:", *_indented([heads, *cells])])


def row_text(judged: Judged) -> str:
    """Return one comparison on a line: difference, interval, noise floor."""
    _, _, difference, interval, floor = _cells(judged)
    if judged.comparison is None:
        return judged.why
    told = f"{difference} ({interval}), noise floor {floor}"
    return f"{told}: {judged.why}" if judged.why else told


def _cells(judged: Judged) -> list[str]:
    compared = judged.comparison
    floor = _NOTHING if judged.noise_floor_pct is None else floor_text(judged.noise_floor_pct)
    if compared is None:
        return [_NOTHING] * 4 + [floor]
    delta = compared.relative_delta_pct
    percent = _NOTHING if delta is None else f"{delta:+.1f} %"
    times = [seconds_text(compared.a_median), seconds_text(compared.b_median)]
    return [*times, percent, _interval(judged), floor]


def _interval(judged: Judged) -> str:
    if judged.interval_pct is None:
        return _NOTHING
    return "{:+.1f} to {:+.1f} %".format(*judged.interval_pct)


def _indented(rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"  {line}" for line in aligned(rows)]


def _how(result: ExperimentResult, grouping: str) -> str:
    protocol = result.protocol
    over = f", intervals of {100 * protocol.confidence:g} % over {grouping}" if grouping else ""
    return f"medians of calls, protocol {protocol.name}{over}"
