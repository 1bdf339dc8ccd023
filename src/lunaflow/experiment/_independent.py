"""Comparing samples that were not taken in pairs, as those in other tools' files."""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lunaflow._arguments import as_count
from lunaflow.experiment._comparison import Comparison, Spread, decided
from lunaflow.experiment._resampling import group_numbers, resampled_medians, standard_error
from lunaflow.experiment._samples import (
    MOST_RESAMPLES,
    Floats,
    least_resamples,
    median_of,
    require_count,
    require_level,
    require_threshold,
    samples_of,
)


def compare_independent_with_bootstrap(
    a: ArrayLike,
    b: ArrayLike,
    practical_delta_pct: float = 3.0,
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
    groups_a: Sequence[Hashable] | None = None,
    groups_b: Sequence[Hashable] | None = None,
    grouping: str | None = None,
) -> Comparison:
    """Compare samples that belong to no pairs, with a bootstrap interval.

    The difference is that of the two medians. Each side is resampled by itself; with their standard
    errors s and t, made as in `compare_paired_with_bootstrap`, that of the difference is
    ``sqrt(s**2 + t**2)``, and the interval uses Student's t for one degree of freedom less than the
    side with fewer groups has groups, which is cautious. All else is as there.

    A machine that slowed down between the samples of a and those of b slowed one alone; nothing in
    the samples shows that, and no interval contains it. Where you can, measure in pairs.

    Parameters
    ----------
    a, b : array_like, shapes (n,) and (m,)
        Samples in one unit, at least two each.
    practical_delta_pct, seed, resamples, confidence
        As in `compare_paired_with_bootstrap`.
    groups_a, groups_b : sequence of hashable, optional
        The cluster of each sample, such as the process that it is of.
    grouping : str, optional
        What the clusters are; ``"samples"`` without clusters.

    Raises
    ------
    ValueError, TypeError
        As in `compare_paired_with_bootstrap`.
    """
    x, y = samples_of("a", a, at_least=2), samples_of("b", b, at_least=2)
    threshold, level = require_threshold(practical_delta_pct), require_level(confidence)
    count = require_count("resamples", resamples, least_resamples(level), MOST_RESAMPLES)
    rng = np.random.default_rng(as_count("seed", seed, 0))
    errors, sizes = [], []
    for samples, groups in ((x, groups_a), (y, groups_b)):
        group = group_numbers(groups, samples.size)
        medians = resampled_medians(samples, group, count, rng)
        sizes.append(int(group.max()) + 1)
        errors.append(standard_error(medians, sizes[-1]))
    spread = Spread(math.hypot(*errors), min(sizes) - 1, level)
    together = groups_a is None and groups_b is None
    word = grouping or ("samples" if together else "groups")
    return decided(x, y, _difference(x, y), threshold, spread, word)


def _difference(a: Floats, b: Floats) -> float:
    difference = median_of(a) - median_of(b)
    if not math.isfinite(difference):
        raise ValueError("the samples are so far apart that no float holds their difference")
    return difference
