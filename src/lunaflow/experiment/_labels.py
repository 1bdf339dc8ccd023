"""Labels: which of two implementations is the faster one at a scale, if that is known."""

import enum

from lunaflow._arguments import reject_type
from lunaflow.experiment._samples import require_real, require_threshold
from lunaflow.experiment.stats import Comparison, Decision


class Label(enum.StrEnum):
    """The faster one of two implementations, or that neither is known to be."""

    A = "A"
    B = "B"
    UNKNOWN = "Unknown"


def comparator_label(relative_delta_pct: float, practical_delta_pct: float) -> Label:
    """Return the label of a relative difference.

    Parameters
    ----------
    relative_delta_pct : float
        Difference of A against B in percent of B; negative means that A is faster.
    practical_delta_pct : float
        The threshold t in percent, above 0.

    Returns
    -------
    Label
        A up to and including -t, B from t on, else UNKNOWN (for NaN too).

    Raises
    ------
    ValueError
        If the threshold is not above 0.
    """
    require_real("relative_delta_pct", relative_delta_pct)
    require_threshold(practical_delta_pct)
    if relative_delta_pct <= -practical_delta_pct:
        return Label.A
    return Label.B if relative_delta_pct >= practical_delta_pct else Label.UNKNOWN


def label_from_comparison(comparison: Comparison) -> Label:
    """Return the label of a comparison of A against B.

    It is that of `comparator_label`, but UNKNOWN where the interval of the comparison, if it has
    one, reaches across the threshold, or where the comparison is INVALID.
    """
    if not isinstance(comparison, Comparison):
        raise reject_type("comparison", comparison, "a Comparison")
    if comparison.relative_delta_pct is None:
        return Label.UNKNOWN
    label = comparator_label(comparison.relative_delta_pct, comparison.practical_delta_pct)
    decided = {Decision.FASTER: Label.A, Decision.SLOWER: Label.B}.get(comparison.decision)
    return label if label is decided else Label.UNKNOWN
