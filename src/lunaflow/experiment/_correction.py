"""Several comparisons at once: which verdicts stand when all of them are taken together."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from lunaflow.experiment._comparison import Comparison
from lunaflow.experiment._texts import counted
from lunaflow.experiment.stats import Decision, holm


class Compared(Protocol):
    """Two implementations at one size, or one implementation in two runs."""

    @property
    def comparison(self) -> Comparison | None:
        """The comparison; None where there was nothing to compare."""
        ...

    @property
    def decision(self) -> Decision:
        """The verdict."""
        ...


def positions_taken_back(found: Sequence[Compared]) -> list[int]:
    """Return the positions of the verdicts that do not stand after Holm's correction.

    The p-values are those of the comparisons, against their thresholds. One without a verdict that
    one is faster counts with a p-value of 1: it claims nothing. The chance that is shared out is
    that of a single verdict, 1 minus the confidence of the protocol; the smallest, if several.
    """
    level = _level(found)
    adjusted = holm([_p_value(one) for one in found])
    return [i for i, p in enumerate(adjusted) if _decides(found[i]) and p > level]


def corrected_text(found: Sequence[Compared]) -> str:
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
        f"{stand} after Holm's correction for all of them ({100 * _level(found):g} % in total)."
    )


def _level(found: Sequence[Compared]) -> float:
    # in decimals: 1 - 0.95 is a little more than 0.05 in binary
    compared = [one.comparison for one in found if one.comparison is not None]
    confidences = [one.confidence for one in compared if one.confidence is not None]
    levels = [1 - Fraction(repr(given)) for given in confidences]
    return float(min(levels, default=Fraction(0)))


def _decides(one: Compared) -> bool:
    return one.decision in (Decision.FASTER, Decision.SLOWER)


def _p_value(one: Compared) -> float:
    p = None if one.comparison is None else one.comparison.p_value
    return p if p is not None and _decides(one) else 1.0
