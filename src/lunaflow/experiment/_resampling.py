"""Medians of bootstrap resamples in which whole groups are drawn, vectorised."""

import math
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lunaflow._arguments import reject_type
from lunaflow.experiment._samples import Floats

# Cells of the matrix of resampled counts that are held at once: 16 MiB of int64.
_CELLS_AT_ONCE = 2_000_000


def resampled_medians(
    deltas: Floats, group: NDArray[np.intp], resamples: int, rng: np.random.Generator
) -> Floats:
    """Return the median of each resample, in which whole groups are drawn with replacement."""
    order = np.argsort(deltas, kind="stable")
    ascending, group = deltas[order], group[order]
    at_once = max(1, _CELLS_AT_ONCE // deltas.size)
    parts = []
    for start in range(0, resamples, at_once):
        counts = _group_counts(min(at_once, resamples - start), int(group.max()) + 1, rng)
        parts.append(_weighted_medians(ascending, counts[:, group]))
    return np.concatenate(parts)


def standard_error(medians: Floats, groups: int) -> float:
    """Return the standard error that medians of resamples show, as an unbiased variance would.

    It is infinite where no float holds it.
    """
    # by a power of two, so that no square overflows or vanishes, and equal medians stay equal
    exponent = int(np.frexp(np.abs(medians).max())[1])
    scaled = np.ldexp(medians, -exponent)
    spread = float(np.std(scaled - scaled[0]))
    try:
        return math.ldexp(spread * math.sqrt(groups / (groups - 1)), exponent)
    except OverflowError:
        return math.inf


def group_numbers(groups: Sequence[Hashable] | None, pairs: int) -> NDArray[np.intp]:
    """Return the number of each pair's group, counted from 0; without groups each is its own."""
    if groups is None:
        return np.arange(pairs)
    labels = _hashable("groups", groups)
    if len(labels) != pairs:
        raise ValueError(f"groups must give one label a pair: {len(labels)} for {pairs} pairs")
    numbers_of = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    if len(numbers_of) < 2:
        raise ValueError("groups must name at least 2 groups to resample, not 1")
    return np.array([numbers_of[label] for label in labels], dtype=np.intp)


def _hashable(name: str, given: Iterable[Hashable]) -> list[Hashable]:
    try:
        labels = list(given)
    except TypeError:
        raise reject_type(name, given, "a sequence of hashable labels") from None
    for i, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            raise reject_type(f"{name}[{i}]", label, "hashable") from None
    return labels


def _group_counts(rows: int, groups: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return how often each group is drawn in each of `rows` resamples."""
    drawn = rng.integers(0, groups, size=(rows, groups)) + groups * np.arange(rows)[:, None]
    return np.bincount(drawn.ravel(), minlength=rows * groups).reshape(rows, groups)


def _weighted_medians(ascending: Floats, counts: NDArray[np.intp]) -> Floats:
    """Return per row the median of `ascending`, each element taken as often as the row says."""
    reached = np.cumsum(counts, axis=1)
    total = reached[:, -1:]
    lower = ascending[np.argmax(reached > (total - 1) // 2, axis=1)]
    upper = ascending[np.argmax(reached > total // 2, axis=1)]
    # halves first, as in `median_of`
    return np.asarray(np.where(lower == upper, lower, lower / 2 + upper / 2))
