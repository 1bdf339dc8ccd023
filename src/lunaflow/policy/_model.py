"""Deployment policies as frozen data: which implementation to use, and on what evidence."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lunaflow._arguments import as_integer, as_tuple, reject_type, require_text
from lunaflow.policy._scale import Scale, as_scale


class Basis(enum.Enum):
    """What a choice rests on."""

    MEASURED = "measured"
    UNDECIDED = "undecided"
    BETWEEN = "between"
    EXTRAPOLATED = "extrapolated"


@dataclass(frozen=True, slots=True)
class Choice:
    """An implementation and what the choice of it rests on.

    Parameters
    ----------
    choice : str
        Name of the implementation.
    basis : Basis
        MEASURED, UNDECIDED (measured, without a winner), BETWEEN (between measured scales), or
        EXTRAPOLATED (beyond them).

    Raises
    ------
    TypeError
        If a field has another type.
    """

    choice: str
    basis: Basis

    def __post_init__(self) -> None:
        require_text("choice", self.choice)
        if not isinstance(self.basis, Basis):
            raise reject_type("basis", self.basis, "a Basis")


@dataclass(frozen=True, slots=True)
class Region:
    """A range of scales over which one implementation won.

    Parameters
    ----------
    lower, upper : int, float, Fraction or None
        First and last measured scale, both included; None is open, in hand-made policies only.
    choice : str
        Name of the implementation.
    evidence_ids : iterable of str or int
        Identifiers of the observations behind the region; kept as a tuple.

    Raises
    ------
    TypeError
        If a field has another type.
    ValueError
        If a bound is NaN, or ``lower > upper``.
    """

    lower: Scale | None
    upper: Scale | None
    choice: str
    evidence_ids: tuple[str | int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            given = getattr(self, name)
            object.__setattr__(self, name, None if given is None else as_scale(name, given))
        require_text("choice", self.choice)
        ids = as_tuple("evidence_ids", self.evidence_ids)
        object.__setattr__(self, "evidence_ids", tuple(_as_id(one) for one in ids))
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"lower must be at most upper, but {self.lower} > {self.upper}")


@dataclass(frozen=True, slots=True)
class Global:
    """One implementation for every scale.

    Parameters
    ----------
    choice : str
        Name of the implementation.

    Raises
    ------
    TypeError
        If `choice` is not a str.
    """

    choice: str

    def __post_init__(self) -> None:
        require_text("choice", self.choice)


@dataclass(frozen=True, slots=True)
class Piecewise:
    """One implementation a region of scales.

    Parameters
    ----------
    regions : iterable of Region
        At least one, ascending, without overlap; only the outer ends may be open.
    undecided : iterable of int, float or Fraction
        Scales measured without a winner, strictly ascending.

    Raises
    ------
    TypeError
        If a field has another type.
    ValueError
        If there is no region, regions overlap or do not ascend, an inner end is open, or
        `undecided` does not strictly ascend.
    """

    regions: tuple[Region, ...]
    undecided: tuple[Scale, ...] = ()

    def __post_init__(self) -> None:
        regions = as_tuple("regions", self.regions)
        for region in regions:
            if not isinstance(region, Region):
                raise reject_type("a member of regions", region, "a Region")
        undecided = tuple(
            as_scale("a member of undecided", one) for one in as_tuple("undecided", self.undecided)
        )
        object.__setattr__(self, "regions", regions)
        object.__setattr__(self, "undecided", undecided)
        _check_regions(regions)
        for before, after in pairwise(undecided):
            if before >= after:
                raise ValueError(f"undecided must ascend, but {after} follows {before}")


@dataclass(frozen=True, slots=True)
class Lookup:
    """One implementation a key: numbers (the nearest lower one answers) or strings (exact only).

    Parameters
    ----------
    pairs : mapping, or iterable of (key, choice)
        Unique keys, all numbers or all strings; kept as a tuple of pairs in ascending order.

    Raises
    ------
    TypeError
        If a key or choice has another type, or numbers and strings are mixed.
    ValueError
        If there is no pair, a key is NaN, or a key occurs twice.
    """

    pairs: tuple[tuple[Scale | str, str], ...]

    def __post_init__(self) -> None:
        given = self.pairs.items() if isinstance(self.pairs, Mapping) else self.pairs
        pairs = [_as_pair("a member of pairs", pair) for pair in as_tuple("pairs", given)]
        if not pairs:
            raise ValueError("pairs must hold at least one (key, choice), not none")
        textual = isinstance(pairs[0][0], str)
        checked: list[tuple[Any, str]] = []
        for key, choice in pairs:
            if isinstance(key, str) != textual:
                raise reject_type(
                    "a key", key, f"{'a str' if textual else 'a number'} as the first"
                )
            require_text("a choice", choice)
            checked.append((key if textual else as_scale("a key", key), choice))
        checked.sort(key=lambda pair: pair[0])
        for (before, _), (after, _) in pairwise(checked):
            if before == after:
                raise ValueError(f"keys must be unique, but {after!r} occurs twice")
        object.__setattr__(self, "pairs", tuple(checked))


@dataclass(frozen=True, slots=True)
class ParetoPoint:
    """An implementation that no other one beats in every objective.

    Parameters
    ----------
    choice : str
        Name of the implementation.
    objectives : mapping, or iterable of (name, value)
        What was measured, by unique names; kept as a tuple of pairs in the order given.

    Raises
    ------
    TypeError
        If a name is not a str or a value no number.
    ValueError
        If there is no objective, a name occurs twice, or a value is NaN.
    """

    choice: str
    objectives: tuple[tuple[str, Scale], ...]

    def __post_init__(self) -> None:
        require_text("choice", self.choice)
        given = self.objectives
        items = given.items() if isinstance(given, Mapping) else given
        objectives = []
        for pair in as_tuple("objectives", items):
            name, value = _as_pair("a member of objectives", pair)
            require_text("the name of an objective", name)
            objectives.append((name, as_scale(f"objective {name!r}", value)))
        names = [name for name, _ in objectives]
        if not names:
            raise ValueError("objectives must hold at least one (name, value), not none")
        if len(set(names)) < len(names):
            raise ValueError(f"the names of objectives must be unique, not {names}")
        object.__setattr__(self, "objectives", tuple(objectives))


@dataclass(frozen=True, slots=True)
class Pareto:
    """Implementations that trade one objective for another; a person chooses, not a scale.

    Parameters
    ----------
    points : iterable of ParetoPoint
        At least one; all have objectives of the same names, in the same order.

    Raises
    ------
    TypeError
        If a point is no ParetoPoint.
    ValueError
        If there is no point, or the names of the objectives differ.
    """

    points: tuple[ParetoPoint, ...]

    def __post_init__(self) -> None:
        points = as_tuple("points", self.points)
        for point in points:
            if not isinstance(point, ParetoPoint):
                raise reject_type("a member of points", point, "a ParetoPoint")
        if not points:
            raise ValueError("points must hold at least one ParetoPoint, not none")
        first = [name for name, _ in points[0].objectives]
        for point in points[1:]:
            names = [name for name, _ in point.objectives]
            if names != first:
                raise ValueError(f"all points must have the objectives {first}, not {names}")
        object.__setattr__(self, "points", points)


@dataclass(frozen=True, slots=True)
class Fallback:
    """The implementation to use where the measurements decide nothing.

    Parameters
    ----------
    choice : str
        Name of the implementation.
    reason : str
        Why nothing was decided.

    Raises
    ------
    TypeError
        If a field is not a str.
    """

    choice: str
    reason: str

    def __post_init__(self) -> None:
        require_text("choice", self.choice)
        require_text("reason", self.reason)


DeploymentPolicy = Global | Piecewise | Lookup | Pareto | Fallback


def require_policy(name: str, given: object) -> None:
    """Raise TypeError unless `given` is a deployment policy."""
    if not isinstance(given, DeploymentPolicy):
        raise reject_type(name, given, "a Global, Piecewise, Lookup, Pareto or Fallback")


def _check_regions(regions: tuple[Region, ...]) -> None:
    if not regions:
        raise ValueError("regions must hold at least one Region, not none")
    for before, after in pairwise(regions):
        if before.upper is None or after.lower is None:
            raise ValueError(f"only the outer ends may be open, not between {before} and {after}")
        if before.upper >= after.lower:
            raise ValueError(f"regions must ascend without overlap, but {after} follows {before}")


def _as_id(given: object) -> str | int:
    return given if isinstance(given, str) else as_integer("a member of evidence_ids", given)


def _as_pair(name: str, given: object) -> tuple[Any, Any]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise reject_type(name, given, "a pair")
    return given[0], given[1]
