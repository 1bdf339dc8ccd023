"""The table that a printed result shows."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from lunaflow._texts import one_line
from lunaflow.experiment._analysis import (
    compare_at,
    comparisons_of,
    largest_floor_pct,
    times_of,
)
from lunaflow.experiment._correction import corrected_text
from lunaflow.experiment._failure_groups import FailureGroup, failure_groups
from lunaflow.experiment._observations import Observations
from lunaflow.experiment._samples import median_of
from lunaflow.experiment._texts import counted, floor_text, seconds_text, words
from lunaflow.experiment._verdict_words import verdict_text

_NOT_TIMED = "-"
_INPUT_SHOWN = 80
_DIFFERENCES = (
    "differences: the median of those in each block, in percent of the second one's median"
)

_Key = TypeVar("_Key", str, tuple[str, str])


def table(result: Observations) -> str:
    """Return the result as text: a row a size, then failures, traps and what was not measurable."""
    first, *others = result.implementations
    heads = ["size", *result.implementations]
    for other in others:
        heads += [f"{first} against {other}", "noise floor"]
    # one alone has no verdicts, but still a noise floor
    heads += [] if others else ["noise floor"]
    rows = [_row(result, size, first, others) for size in result.sizes]
    state = "" if result.finished else " (not finished)"
    title = f"{result.name}{state}: median time of a call, protocol {result.protocol.name}"
    lines = [title, *aligned([heads, *rows])]
    lines += [_DIFFERENCES] if others else []
    lines += [*_coverage(result), *_notes(result)]
    if text := corrected_text(list(comparisons_of(result))):
        lines.append(text)
    return "\n".join(lines)


def _row(result: Observations, size: int, first: str, others: Sequence[str]) -> list[str]:
    medians = [_median(result, name, size) for name in result.implementations]
    if not others:
        return [str(size), *medians, _floor(largest_floor_pct(result, [first], size))]
    return [
        str(size),
        *medians,
        *chain.from_iterable(_verdict(result, first, other, size) for other in others),
    ]


def _median(result: Observations, name: str, size: int) -> str:
    times = times_of(result, name, size)
    return seconds_text(median_of(times)) if times.size else _NOT_TIMED


def _verdict(result: Observations, a: str, b: str, size: int) -> tuple[str, str]:
    """Return difference and verdict, and the noise floor that the verdict rests on."""
    found = compare_at(result, a, b, size)
    if found is None:
        return _NOT_TIMED, _NOT_TIMED
    floor = _floor(found.noise_floor_pct)
    if found.relative_delta_pct is None:
        return verdict_text(found), floor
    return f"{found.relative_delta_pct:+.1f} %, {verdict_text(found)}", floor


def _floor(percent: float | None) -> str:
    return _NOT_TIMED if percent is None else floor_text(percent)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines with columns flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _coverage(result: Observations) -> list[str]:
    """Say on how many inputs a size was validated: what is right on one may be wrong on others."""
    counts = [one.inputs for one in result.validations]
    if not counts:
        return []
    least, most = min(counts), max(counts)
    some = counted(most, "input") if least == most else f"{least} to {counted(most, 'input')}"
    return [f"validated on {some} a size"]


def _notes(result: Observations) -> list[str]:
    notes = [_failure_text(group) for group in failure_groups(result.failures)]
    traps = [((trap.implementation, trap.kind), trap.size) for trap in result.traps]
    notes += [
        f"not timed: {name}{_where(sizes)} traps ({kind})"
        for (name, kind), sizes in _sizes_by(traps).items()
    ]
    odd = [(one.odd_one_out, one.size) for one in result.relations if one.odd_one_out is not None]
    notes += [
        f"odd one out: {name}{_where(sizes)} disagrees with all others, which agree"
        for name, sizes in _sizes_by(odd).items()
    ]
    notes += [
        f"left behind: {one.implementation or 'an implementation'} left "
        f"{counted(len(one.names), 'process', 'processes')} running ({words(one.names)}), now ended"
        for one in result.left_behind
    ]
    unmeasurable = [
        (one.implementation, one.size) for one in result.calibrations if one.below_resolution
    ]
    notes += [
        f"not timed: {name}{_where(sizes)} is below the timer's resolution"
        for name, sizes in sorted(_sizes_by(unmeasurable).items())
    ]
    return notes


def _sizes_by(found: Iterable[tuple[_Key, int]]) -> dict[_Key, list[int]]:
    sizes: dict[_Key, set[int]] = {}
    for key, size in found:
        sizes.setdefault(key, set()).add(size)
    return {key: sorted(at) for key, at in sizes.items()}


def _where(sizes: Sequence[int]) -> str:
    if not sizes:
        return ""
    return f" at {'size' if len(sizes) == 1 else 'sizes'} {words([str(size) for size in sizes])}"


def _failure_text(group: FailureGroup) -> str:
    first = group.first
    who = f"{group.who}{_where(group.sizes)}"
    verdict = f"FAILED {who}: {group.kind}" if group.is_judged else f"NOT JUDGED {who}"
    text = f"{verdict}: {one_line(group.headline)}"
    flaky = " (flaky: it did not repeat)" if group.flaky else ""
    if first.input_text is None:
        return f"{text}{flaky}"
    # of several inputs the first is shown, and said to be that of its size
    of = "" if len(group.sizes) < 2 or first.size is None else f" at size {first.size}"
    shrunk = " shrunk to" if first.path else ""
    return f"{text}{flaky}; input{of}{shrunk} {one_line(first.input_text, _INPUT_SHOWN)}"
