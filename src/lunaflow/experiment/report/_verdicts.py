"""What an experiment's comparisons come to, in words."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from lunaflow.experiment._correction import corrected_text, positions_taken_back
from lunaflow.experiment._crossover import (
    Found,
    Inconclusive,
    NoCrossover,
    NonMonotonic,
)
from lunaflow.experiment._labels import Label
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment._texts import words
from lunaflow.experiment._verdict_words import verdict_text
from lunaflow.experiment.report._texts import runs_text, size_text
from lunaflow.experiment.stats import Decision


def pairs_of(result: ExperimentResult) -> list[tuple[str, str]]:
    """Return the pairs of implementations, in the order of the comparisons."""
    return list(combinations(result.implementations, 2))


def crossover_text(result: ExperimentResult, a: str, b: str) -> str:
    """Return in words where the faster one of `a` and `b` changes, or why it does not.

    What failed anywhere is said first: being fast where it happens to be right recommends nothing.
    """
    failed = {failure.implementation for failure in result.failures}
    wrong = [name for name in (a, b) if name in failed]
    timed = [size for size in result.sizes if result.comparison(a, b, size) is not None]
    speed = _speed_text(result, a, b, timed) if timed else "At no size were both timed."
    if not wrong:
        return speed
    warning = f"{words(wrong)} failed, so nothing is recommended."
    return f"{warning} Where both were right: {speed}" if timed else f"{warning} {speed}"


def _speed_text(result: ExperimentResult, a: str, b: str, timed: Sequence[int]) -> str:
    found, names = result.crossover(a, b), {Label.A: a, Label.B: b}
    match found:
        case Found():
            text = _change_text(found, names)
        case NoCrossover(_, evidence):
            known = [label for label in evidence.labels if label is not Label.UNKNOWN]
            if known:
                text = f"No crossover: {names[known[0]]} is faster {_where(len(known), timed)}"
            else:
                text = f"No crossover: {_undecided_text(result, a, b, timed)}"
        case NonMonotonic():
            text = "No threshold: the faster one changes more than once"
        case Inconclusive(reason, _):
            text = f"Inconclusive: {reason}"
    return f"{'; '.join([text, *_sizes_without_a_winner(result, a, b, timed)])}."


def _change_text(found: Found, names: Mapping[Label, str]) -> str:
    """Say up to where the one is faster and from where the other, as far as each is known to be."""
    scales = found.evidence.scales
    labels = dict(zip(scales, found.evidence.labels, strict=True))
    known = [size for size in scales if labels[size] is not Label.UNKNOWN]
    below, above = found.boundary.below, found.boundary.at_or_above
    lower, upper = f"up to {size_text(below)}", f"from {size_text(above)} on"
    if known[0] != scales[0]:
        lower = _span_text(known[0], below)
    if known[-1] != scales[-1]:
        upper = _span_text(above, known[-1])
    return f"{names[labels[below]]} is faster {lower}, {names[labels[above]]} {upper}"


def _span_text(first: int, last: int) -> str:
    if first == last:
        return f"at {size_text(first)}"
    return f"from {size_text(first)} to {size_text(last)}"


def _sizes_without_a_winner(
    result: ExperimentResult, a: str, b: str, timed: Sequence[int]
) -> list[str]:
    """Name every size that has no winner, by what it has instead, unless all sizes have that."""
    found: dict[str, list[int]] = {}
    for size in result.sizes:
        one = result.comparison(a, b, size)
        if one is None or one.label is Label.UNKNOWN:
            found.setdefault("not compared" if one is None else verdict_text(one), []).append(size)
    return [
        f"{word} at {runs_text(sizes, result.sizes)}"
        for word, sizes in found.items()
        if sizes != list(timed)
    ]


def many_comparisons(results: Sequence[ExperimentResult]) -> tuple[str, tuple[str, ...]]:
    """Return how many comparisons a run makes, and which verdicts Holm's correction takes back.

    The text is empty for a single comparison, which needs no correction.
    """
    found = [(result.name, one) for result in results for one in result.comparisons()]
    compared = [one for _, one in found]
    weak = [found[i] for i in positions_taken_back(compared)]
    return corrected_text(compared), tuple(
        f"{name}, {one.a} against {one.b} at size {size_text(one.size)}" for name, one in weak
    )


def taken_back(results: Sequence[ExperimentResult]) -> tuple[frozenset[str], ...]:
    """Return for each experiment the ids of the comparisons that Holm's correction takes back."""
    found = [(i, one) for i, result in enumerate(results) for one in result.comparisons()]
    weak = [found[i] for i in positions_taken_back([one for _, one in found])]
    return tuple(
        frozenset(one.id for i, one in weak if i == number) for number in range(len(results))
    )


def _where(known: int, timed: Sequence[int]) -> str:
    if known < len(timed):
        return f"at {known} of the {len(timed)} sizes compared"
    return f"at {'the one size' if known == 1 else f'all {known} sizes'} compared"


def _undecided_text(result: ExperimentResult, a: str, b: str, timed: Sequence[int]) -> str:
    if all(result.verdict(a, b, size) is Decision.EQUIVALENT for size in timed):
        return f"{a} and {b} are equivalent {_where(len(timed), timed)}"
    if len(timed) == 1:
        return "neither is known to be faster at the one size compared"
    return f"neither is known to be faster at any of the {len(timed)} sizes compared"
