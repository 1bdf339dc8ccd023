"""Where the faster one of two implementations changes, and the policy which that supports."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lunaflow._arguments import as_tuple, reject_type, require_text
from lunaflow.experiment._labels import Label
from lunaflow.policy import DeploymentPolicy, Fallback, Global, Piecewise, Region

ObservationId = str | int


@dataclass(frozen=True, slots=True)
class ScaleDomain:
    """The scales that were measured, in ascending order.

    Parameters
    ----------
    values : iterable
        The scales. They are taken as given and never sorted.
    compare : callable, optional
        Order of the scales, for callers who sort; crossover analysis does not use it.
    text : callable
        ``text(scale)`` is a scale in words.
    """

    values: tuple[Any, ...]
    compare: Callable[[Any, Any], int] | None = None
    text: Callable[[Any], str] = str

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", as_tuple("values", self.values))
        if self.compare is not None and not callable(self.compare):
            raise reject_type("compare", self.compare, "callable or None")
        if not callable(self.text):
            raise reject_type("text", self.text, "callable")


@dataclass(frozen=True, slots=True)
class ScaleBoundary:
    """Two measured scales between which the faster implementation changes."""

    below: Any
    at_or_above: Any


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a crossover result rests on.

    Parameters
    ----------
    scales : tuple
        The scales of the domain.
    labels : tuple of Label
        One a scale.
    observation_ids : tuple of tuple
        The ids of the observations behind each label; empty if they are not known.
    """

    scales: tuple[Any, ...]
    labels: tuple[Label, ...]
    observation_ids: tuple[tuple[ObservationId, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The faster implementation changes once, between the two scales of the boundary."""

    boundary: ScaleBoundary
    evidence: Evidence

    @property
    def undecided(self) -> tuple[Any, ...]:
        """The scales measured inside the boundary, without a winner; the band."""
        below, above = _positions(self)
        return self.evidence.scales[below + 1 : above]


@dataclass(frozen=True, slots=True)
class NoCrossover:
    """The faster implementation is not seen to change."""

    reason: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class NonMonotonic:
    """The faster implementation changes more than once: no single threshold expresses that."""

    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Inconclusive:
    """Scales and labels do not belong together, or there are none."""

    reason: str
    evidence: Evidence


CrossoverResult = Found | NoCrossover | NonMonotonic | Inconclusive


def crossover_from_labels(
    domain: ScaleDomain,
    labels: Iterable[Label | str],
    *,
    observation_ids: Iterable[Iterable[ObservationId]] = (),
) -> CrossoverResult:
    """Return where neighbouring labels change from one known label to the other.

    Exactly one change is Found, with the two measured scales it lies between; more are
    NonMonotonic, none is NoCrossover. A, UNKNOWN, B is no change (see `crossover_with_band`).

    Parameters
    ----------
    domain : ScaleDomain
        The scales, ascending; not sorted here.
    labels : iterable of Label or str
        One a scale.
    observation_ids : iterable of iterables, optional
        The ids of the observations behind each label, kept as evidence.

    Returns
    -------
    Found, NoCrossover, NonMonotonic or Inconclusive
        Inconclusive if there are no labels, or not one a scale.

    Raises
    ------
    ValueError
        If a label is none of "A", "B" and "Unknown", or `observation_ids` is not one a scale.
    """
    evidence = _evidence(domain, labels, observation_ids)
    return _crossover(evidence, list(pairwise(range(len(evidence.labels)))))


def crossover_with_band(
    domain: ScaleDomain,
    labels: Iterable[Label | str],
    *,
    observation_ids: Iterable[Iterable[ObservationId]] = (),
) -> CrossoverResult:
    """Return where known labels change, skipping the UNKNOWN ones between them.

    As `crossover_from_labels`, but A, UNKNOWN, B is one change, from the last known A to the first
    known B; what lies between is the undecided band. Nothing is interpolated, and UNKNOWN at either
    end counts nothing.
    """
    evidence = _evidence(domain, labels, observation_ids)
    known = [i for i, label in enumerate(evidence.labels) if label is not Label.UNKNOWN]
    return _crossover(evidence, list(pairwise(known)))


def policy_from_crossover(
    result: CrossoverResult, a: str, b: str, *, fallback: str
) -> DeploymentPolicy:
    """Return the deployment policy that a crossover result supports.

    Found gives Piecewise: a region from the first to the last scale of each label, with the
    UNKNOWN scales of the band as undecided. NoCrossover whose known labels are all alike gives
    Global. All else leaves it to the caller: ``Fallback(fallback, reason)``; so does a Found that a
    label outside the band contradicts, or whose scales are not numbers that strictly ascend.

    Parameters
    ----------
    result : Found, NoCrossover, NonMonotonic or Inconclusive
        What was found.
    a, b : str
        The implementations that the labels A and B stand for.
    fallback : str
        The implementation to use where nothing was decided.
    """
    for name, given in (("a", a), ("b", b), ("fallback", fallback)):
        require_text(name, given)
    choices = {Label.A: a, Label.B: b}
    match result:
        case Found():
            return _piecewise(result, choices, fallback)
        case NoCrossover(reason, evidence):
            known = set(evidence.labels) - {Label.UNKNOWN}
            return Global(choices[known.pop()]) if len(known) == 1 else Fallback(fallback, reason)
        case NonMonotonic():
            return Fallback(fallback, "the faster implementation changes more than once")
        case Inconclusive(reason, _):
            return Fallback(fallback, reason)
    raise reject_type("result", result, "a Found, NoCrossover, NonMonotonic or Inconclusive")


def _evidence(
    domain: ScaleDomain,
    labels: Iterable[Label | str],
    observation_ids: Iterable[Iterable[ObservationId]],
) -> Evidence:
    if not isinstance(domain, ScaleDomain):
        raise reject_type("domain", domain, "a ScaleDomain")
    given = as_tuple("labels", labels)
    ids = tuple(tuple(one) for one in observation_ids)
    if ids and len(ids) != len(domain.values):
        raise ValueError(
            f"observation_ids must be one a scale: {len(ids)} for {len(domain.values)} scales"
        )
    return Evidence(domain.values, tuple(_label(i, one) for i, one in enumerate(given)), ids)


def _label(position: int, given: Label | str) -> Label:
    try:
        return Label(given)
    except ValueError:
        message = f"labels[{position}] must be 'A', 'B' or 'Unknown', not {given!r}"
        raise ValueError(message) from None


def _crossover(evidence: Evidence, neighbours: list[tuple[int, int]]) -> CrossoverResult:
    scales, labels = evidence.scales, evidence.labels
    if not labels or len(labels) != len(scales):
        return Inconclusive(f"{len(labels)} labels for {len(scales)} scales", evidence)
    changes = [
        (i, j)
        for i, j in neighbours
        if labels[i] is not labels[j] and Label.UNKNOWN not in (labels[i], labels[j])
    ]
    if len(changes) > 1:
        return NonMonotonic(evidence)
    if not changes:
        return NoCrossover(_no_change(labels), evidence)
    ((below, above),) = changes
    return Found(ScaleBoundary(scales[below], scales[above]), evidence)


def _no_change(labels: Sequence[Label]) -> str:
    known = set(labels) - {Label.UNKNOWN}
    if not known:
        return "no implementation is known to be faster at any scale"
    if len(known) == 1:
        return f"{known.pop()} is faster at every decided scale"
    return "the faster implementation changes, but not between neighbouring decided scales"


def _positions(found: Found) -> tuple[int, int]:
    """Return the positions of the two scales of the boundary."""
    scales, labels = found.evidence.scales, found.evidence.labels
    known = [i for i, label in enumerate(labels) if label is not Label.UNKNOWN]
    boundary = (found.boundary.below, found.boundary.at_or_above)
    for i, j in pairwise(known):
        if labels[i] is not labels[j] and (scales[i], scales[j]) == boundary:
            return i, j
    raise ValueError(f"the evidence shows no change of labels at {found.boundary}")


def _piecewise(found: Found, choices: dict[Label, str], fallback: str) -> DeploymentPolicy:
    scales, labels = found.evidence.scales, found.evidence.labels
    below, above = _positions(found)
    first, last = labels.index(labels[below]), len(labels) - 1 - labels[::-1].index(labels[above])
    try:
        if (reason := _contradiction(found, below, above)) is not None:
            return Fallback(fallback, reason)
        regions = tuple(
            _region(found.evidence, start, stop, choices[labels[start]])
            for start, stop in ((first, below), (above, last))
        )
        return Piecewise(regions, tuple(scales[below + 1 : above]))
    except (TypeError, ValueError) as error:
        # scales that are no numbers, or cannot be compared, make no region
        return Fallback(fallback, str(error))


def _contradiction(found: Found, below: int, above: int) -> str | None:
    """Say why no single boundary holds: scales out of order, or a label on the wrong side."""
    scales, labels = found.evidence.scales, found.evidence.labels
    for lower, upper in pairwise(scales):
        if not lower < upper:
            return f"the scales do not ascend: {upper} follows {lower}"
    for position, label in enumerate(labels):
        wanted = labels[below] if position <= below else labels[above]
        if label not in (wanted, Label.UNKNOWN):
            return f"at scale {scales[position]} the label {label} contradicts the boundary"
    return None


def _region(evidence: Evidence, start: int, stop: int, choice: str) -> Region:
    ids = [one for many in evidence.observation_ids[start : stop + 1] for one in many]
    return Region(evidence.scales[start], evidence.scales[stop], choice, tuple(ids))
