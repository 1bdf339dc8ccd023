"""What a crossover rests on: who is faster at each size, why nobody is, and the policy from it."""

import math
from collections.abc import Sequence
from itertools import groupby

from lunaflow._texts import one_line
from lunaflow.experiment._crossover import Found, Inconclusive, NoCrossover, NonMonotonic
from lunaflow.experiment._labels import Label
from lunaflow.experiment._observations import SizeComparison
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._texts import floor_text, words
from lunaflow.experiment.report._remarks import trap_verb
from lunaflow.experiment.report._texts import size_text, sizes_text
from lunaflow.experiment.stats import Decision
from lunaflow.policy import DeploymentPolicy, Fallback, Global, Piecewise


def reason_text(result: ExperimentResult, a: str, b: str, size: int) -> str:
    """Say where the interval of `a` against `b` at a size lies, or why there is none."""
    one = result.comparison(a, b, size)
    if one is None:
        return _missing_text(result, a, b, size)
    practical = f"\N{PLUS-MINUS SIGN}{floor_text(one.comparison.practical_delta_pct)}"
    match one.decision:
        case Decision.FASTER | Decision.SLOWER:
            return f"beyond {practical}"
        case Decision.EQUIVALENT:
            return f"within {practical}"
        case Decision.INVALID:
            return f"the median of {b} is zero"
        case Decision.UNKNOWN:
            return _unknown_text(one, practical)


def evidence_texts(result: ExperimentResult, a: str, b: str) -> tuple[str, ...]:
    """Return in sentences which labels the sizes have, and what follows from their order."""
    found, names = result.crossover(a, b), {Label.A: a, Label.B: b}
    labels = dict(zip(found.evidence.scales, found.evidence.labels, strict=False))
    sequence = f"Faster by size: {_labels_text(labels, names)}."
    match found:
        case Found(boundary, _):
            between = f"{size_text(boundary.below)} and {size_text(boundary.at_or_above)}"
            text = f"It changes once, between {between}; nothing is interpolated."
            if found.undecided:
                text += f" Undecided between them: {sizes_text(found.undecided)}."
        case NonMonotonic():
            text = "It changes more than once, which no single threshold expresses."
        case NoCrossover(_, evidence):
            known = set(evidence.labels) - {Label.UNKNOWN}
            text = "It is not seen to change: no crossover." if known else "No size has a winner."
        case Inconclusive(reason, _):
            text = f"Inconclusive: {reason}."
    return sequence, text


def policy_of(result: ExperimentResult, a: str, b: str) -> str:
    """Return in a sentence the policy that the crossover of `a` and `b` supports."""
    failed = {failure.implementation for failure in result.failures}
    right = [name for name in (a, b, *result.implementations) if name not in failed]
    if not right:
        return f"Policy: none, {words(result.implementations)} failed."
    return policy_text(result.policy(a, b, fallback=right[0]))


def policy_text(policy: DeploymentPolicy) -> str:
    """Return in a sentence the policy that a crossover supports."""
    match policy:
        case Global(choice):
            return f"Policy: {choice} at every size, as it is faster wherever that is decided."
        case Fallback(_, reason):
            return f"Policy: none follows, the choice is left to you ({one_line(reason)})."
        case Piecewise(regions, undecided):
            spans = [
                f"{region.choice} {_span(int(region.lower or 0), int(region.upper or 0))}"
                for region in regions
            ]
            left = f"; undecided at {_sizes(undecided)}" if undecided else ""
            return f"Policy: {words(spans)}{left}; nearest choice beyond, marked as extrapolated."
    raise TypeError(f"no crossover gives a {type(policy).__name__}")


def _missing_text(result: ExperimentResult, a: str, b: str, size: int) -> str:
    failed = [f.implementation for f in result.failures if f.size == size]
    if wrong := [name for name in (a, b) if name in failed]:
        return f"{words(wrong)} failed there"
    for trap in result.traps:
        if trap.size == size and trap.implementation in (a, b):
            return f"{trap.implementation} {trap_verb(trap.kind)} there"
    for one in result.calibrations:
        if one.below_resolution and one.size == size and one.implementation in (a, b):
            return f"{one.implementation} is below the timer's resolution"
    return "not both were timed"


def _unknown_text(one: SizeComparison, practical: str) -> str:
    if one.noise_floor_pct is None:
        return "no A/A control was measured"
    low, high = one.interval_pct or (-math.inf, math.inf)
    floor = f"the noise floor, \N{PLUS-MINUS SIGN}{floor_text(one.noise_floor_pct)}"
    limit = one.comparison.practical_delta_pct
    if low >= limit or high <= -limit:
        return f"the difference is within {floor}"
    if -limit < low and high < limit:
        return f"within {practical}, which is less than {floor}"
    return f"across {practical}"


def _labels_text(labels: dict[int, Label], names: dict[Label, str]) -> str:
    parts = []
    for label, run in groupby(labels.items(), key=lambda one: one[1]):
        sizes = [size for size, _ in run]
        parts.append(f"{names.get(label, 'nobody')} {_span(sizes[0], sizes[-1])}")
    return ", ".join(parts)


def _span(first: int, last: int) -> str:
    if first == last:
        return f"at {size_text(first)}"
    return f"from {size_text(first)} to {size_text(last)}"


def _sizes(given: Sequence[object]) -> str:
    return sizes_text([size for size in given if isinstance(size, int)])
