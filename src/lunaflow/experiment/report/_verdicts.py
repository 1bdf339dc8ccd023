"""What an experiment's comparisons come to, in words."""

from collections.abc import Sequence
from itertools import combinations

from lunaflow.experiment._correction import corrected_text, positions_taken_back
from lunaflow.experiment._crossover import (
    Found,
    Inconclusive,
    NoCrossover,
    NonMonotonic,
)
from lunaflow.experiment._labels import Label
from lunaflow.experiment._observations import SizeComparison
from lunaflow.experiment._results import ExperimentResult
from lunaflow.experiment.report._texts import size_text, sizes_text, words
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
        case Found(boundary, evidence):
            lower = evidence.labels[evidence.scales.index(boundary.below)]
            upper = names[Label.B if lower is Label.A else Label.A]
            below, above = size_text(boundary.below), size_text(boundary.at_or_above)
            change = f"{names[lower]} is faster up to {below}, {upper} from {above} on."
            return f"{change} {_band_text(found.undecided, timed)}"
        case NoCrossover(_, evidence):
            known = [label for label in evidence.labels if label is not Label.UNKNOWN]
            if known:
                return f"No crossover: {names[known[0]]} is faster {_where(len(known), timed)}"
            return f"No crossover: {_undecided_text(result, a, b, timed)}"
        case NonMonotonic():
            return "No threshold: the faster one changes more than once over the sizes measured."
        case Inconclusive(reason, _):
            return f"Inconclusive: {reason}."


def verdict_text(comparison: SizeComparison | None) -> str:
    """Return who is faster at a size, in words; empty where there is no comparison."""
    if comparison is None:
        return ""
    match comparison.decision:
        case Decision.FASTER:
            return f"{comparison.a} faster"
        case Decision.SLOWER:
            return f"{comparison.b} faster"
        case Decision.INVALID:
            return "no ratio"
        case Decision.EQUIVALENT:
            return "equivalent"
        case Decision.UNKNOWN:
            return "undecided"


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


def _band_text(band: Sequence[int], timed: Sequence[int]) -> str:
    parts = []
    if tied := [size for size in band if size in timed]:
        parts.append(f"Measured without a winner: {sizes_text(tied)}.")
    if missing := [size for size in band if size not in timed]:
        parts.append(f"Not compared: {sizes_text(missing)}.")
    return " ".join(parts) or "Between these two sizes nothing was measured."


def _where(known: int, timed: Sequence[int]) -> str:
    if known < len(timed):
        return f"at {known} of the {len(timed)} sizes compared, the others are undecided."
    return f"at {'the one size' if known == 1 else f'all {known} sizes'} compared."


def _undecided_text(result: ExperimentResult, a: str, b: str, timed: Sequence[int]) -> str:
    equivalent = [result.verdict(a, b, size) for size in timed].count(Decision.EQUIVALENT)
    if equivalent:
        return f"{a} and {b} are equivalent {_where(equivalent, timed)}"
    if len(timed) == 1:
        return "neither is known to be faster at the one size compared."
    return f"neither is known to be faster at any of the {len(timed)} sizes compared."
