"""Several comparisons at once: which verdicts stand when all of them are taken together."""

from collections.abc import Sequence

from lunaflow.experiment._observations import SizeComparison
from lunaflow.experiment._texts import counted
from lunaflow.experiment.stats import Decision, holm

_FAMILY_LEVEL = 0.05


def positions_taken_back(found: Sequence[SizeComparison]) -> list[int]:
    """Return the positions of the verdicts that do not stand after Holm's correction.

    The p-values are those of the comparisons, against their thresholds. One without a verdict that
    one is faster counts with a p-value of 1: it claims nothing.
    """
    adjusted = holm([_p_value(one) for one in found])
    return [i for i, p in enumerate(adjusted) if _decides(found[i]) and p > _FAMILY_LEVEL]


def corrected_text(found: Sequence[SizeComparison]) -> str:
    """Return in one sentence how many comparisons there are, and how many verdicts stand.

    The text is empty for a single comparison, which needs no correction.
    """
    if len(found) < 2:
        return ""
    decided, weak = sum(map(_decides, found)), len(positions_taken_back(found))
    if not decided:
        return f"{len(found)} comparisons: none decides that one is faster."
    stand = "all stand" if not weak else f"{weak} of them would not stand"
    return (
        f"{len(found)} comparisons: of the {counted(decided, 'verdict')} that one is faster, "
        f"{stand} after Holm's correction for all of them ({100 * _FAMILY_LEVEL:g} % in total)."
    )


def _decides(one: SizeComparison) -> bool:
    return one.decision in (Decision.FASTER, Decision.SLOWER)


def _p_value(one: SizeComparison) -> float:
    p = one.comparison.p_value
    return p if p is not None and _decides(one) else 1.0
