"""Verdicts in words: the same in a printed table and in a report."""

from lunaflow.experiment._observations import SizeComparison
from lunaflow.experiment.stats import Decision


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
