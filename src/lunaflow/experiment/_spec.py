"""A benchmark as data: what is compared, on what, and what is right; checked as a whole."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import Any

from lunaflow._arguments import as_integer, reject_type, require, require_text
from lunaflow._texts import text_of
from lunaflow.arithmetic import Err, Ok
from lunaflow.experiment._crossover import ScaleDomain
from lunaflow.experiment._fixture import Fixture
from lunaflow.experiment._implementation import Implementation
from lunaflow.experiment._judging import reference_of
from lunaflow.experiment._observations import CONTROL_SUFFIX
from lunaflow.experiment._relational import Oracle
from lunaflow.experiment._shrink import Shrinker

_LARGEST_SCALE = 2**63 - 1
_LONGEST_SEQUENCE = 10**6


@dataclass(frozen=True, slots=True)
class SpecIssue:
    """What is wrong with one field of a `BenchSpec`, in words."""

    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field} {self.reason}"


class InvalidBenchSpec(ValueError):
    """A benchmark that cannot be run.

    Parameters
    ----------
    issues : iterable of SpecIssue
        All that is wrong with it; at least one.
    """

    def __init__(self, issues: Iterable[SpecIssue]) -> None:
        self.issues = tuple(issues)
        super().__init__("; ".join(map(str, self.issues)))

    def __reduce__(self) -> tuple[Any, ...]:
        return InvalidBenchSpec, (self.issues,)


@dataclass(frozen=True, slots=True)
class ValidatedBenchPlan:
    """A benchmark that can be run; made by `BenchSpec.compile` alone, with its fields."""

    case_id: str
    fixture: Fixture
    implementations: tuple[Implementation, ...]
    oracle: Oracle | None
    scales: tuple[int, ...]
    sequence_length: int
    shrinker: Shrinker | None
    reference: str | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The implementations' ids, in their order."""
        return tuple(one.id for one in self.implementations)

    @property
    def oracle_id(self) -> str:
        """What stands in validation events."""
        return "equal" if self.oracle is None else self.oracle.id

    def implementation(self, id: str) -> Implementation:  # noqa: A002
        """Return the implementation of an id."""
        return next(one for one in self.implementations if one.id == id)


@dataclass(frozen=True, slots=True)
class BenchSpec:
    """A benchmark: implementations that should compute the same, on inputs of several scales.

    Parameters
    ----------
    case_id : str
        Its name; with seed and scale it determines the inputs.
    fixture : Fixture
        Makes the inputs.
    implementations : iterable of Implementation
        At least one; the A/A control of each goes by its id with ``" (control)"`` behind.
    oracle : ReferenceOracle, RelationalOracle, ReferenceAndRelational or None
        Says what is right. None: equal to what the implementation `reference` gives.
    scales : iterable of int or ScaleDomain
        The scales, not negative, strictly ascending.
    sequence_length : int
        Steps of a sequence: how often an implementation is called on one input, each time with the
        context that the step before has handed on. What is timed is the whole sequence.
    shrinker : Shrinker, optional
        Makes failing inputs small. Default: by their type, as `Experiment` says, unless the
        fixture has a `clone` or `prepare`.
    reference : str, optional
        The id of the implementation that is right where there is no oracle; by default the first.

    Raises
    ------
    TypeError
        If a field is of a wrong type. Wrong values are what `compile` tells.
    """

    case_id: str
    fixture: Fixture
    implementations: Iterable[Implementation]
    oracle: Oracle | None
    scales: Iterable[int] | ScaleDomain
    _: KW_ONLY
    sequence_length: int = 1
    shrinker: Shrinker | None = None
    reference: str | None = None

    def __post_init__(self) -> None:
        require_text("case_id", self.case_id)
        require("fixture", self.fixture, Fixture, "a Fixture")
        object.__setattr__(self, "implementations", _as_implementations(self.implementations))
        if self.oracle is not None:
            reference_of(self.oracle)
        object.__setattr__(self, "scales", as_scales("scales", self.scales))
        length = as_integer("sequence_length", self.sequence_length)
        object.__setattr__(self, "sequence_length", length)
        if self.shrinker is not None:
            require("shrinker", self.shrinker, Shrinker, "a Shrinker or None")
        if self.reference is not None:
            require_text("reference", self.reference)

    def compile(self) -> "Ok[ValidatedBenchPlan] | Err[InvalidBenchSpec]":
        """Return the plan, or all that is wrong."""
        issues = tuple(_issues(self))
        if issues:
            return Err(InvalidBenchSpec(issues))
        implementations: Any = self.implementations
        first = None if self.oracle is not None else implementations[0].id
        return Ok(
            ValidatedBenchPlan(
                case_id=self.case_id,
                fixture=self.fixture,
                implementations=implementations,
                oracle=self.oracle,
                scales=self.scales,  # type: ignore[arg-type]
                sequence_length=self.sequence_length,
                shrinker=self.shrinker,
                reference=first if self.reference is None else self.reference,
            )
        )


def as_scales(name: str, given: object) -> tuple[int, ...]:
    """Return scales as a tuple of int; TypeError for what are none."""
    values = given.values if isinstance(given, ScaleDomain) else given
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise reject_type(name, given, "an iterable of integers")
    return tuple(as_integer(f"{name}[{i}]", value) for i, value in enumerate(values))


def scale_issues(name: str, scales: Sequence[int]) -> Iterator[SpecIssue]:
    """Yield what is wrong with scales."""
    if not scales:
        yield SpecIssue(name, "must hold at least one, not none")
    for position, scale in enumerate(scales):
        if not 0 <= scale <= _LARGEST_SCALE:
            reason = f"must be at least 0 and at most {_LARGEST_SCALE}, not {text_of(scale)}"
            yield SpecIssue(f"{name}[{position}]", reason)
    for position, (lower, upper) in enumerate(pairwise(scales), start=1):
        if not lower < upper:
            follows = f"{name}[{position}] = {text_of(upper)} follows {text_of(lower)}"
            yield SpecIssue(name, f"must ascend strictly, but {follows}")


def name_issue(field: str, name: str) -> SpecIssue | None:
    """Return what is wrong with the name of an implementation, or None."""
    if not name.strip():
        return SpecIssue(field, f"must not be empty or blank, not {name!r}")
    if name.endswith(CONTROL_SUFFIX):
        reason = f"must not end with {CONTROL_SUFFIX!r}, as {name!r} does: the A/A control does"
        return SpecIssue(field, reason)
    return None


def _as_implementations(given: object) -> tuple[Implementation, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise reject_type("implementations", given, "an iterable of Implementation")
    found = tuple(given)
    for position, one in enumerate(found):
        name = f"implementations[{position}]"
        require(name, one, Implementation, "an Implementation")
    return found


def _issues(spec: BenchSpec) -> Iterator[SpecIssue]:
    implementations: Any = spec.implementations
    ids = [one.id for one in implementations]
    if not spec.case_id.strip():
        yield SpecIssue("case_id", f"must not be empty or blank, not {spec.case_id!r}")
    if not ids:
        yield SpecIssue("implementations", "must hold at least one, not none")
    for position, name in enumerate(ids):
        if (issue := name_issue(f"implementations[{position}].id", name)) is not None:
            yield issue
    for name, count in Counter(ids).items():
        if count > 1:
            yield SpecIssue("implementations", f"must have ids of their own; {name!r} comes twice")
    yield from scale_issues("scales", spec.scales)  # type: ignore[arg-type]
    if not 1 <= spec.sequence_length <= _LONGEST_SEQUENCE:
        reason = f"must be from 1 to {_LONGEST_SEQUENCE}, not {text_of(spec.sequence_length)}"
        yield SpecIssue("sequence_length", reason)
    yield from _reference_issues(spec, ids)
    yield from _worker_issues(spec, implementations)


def _reference_issues(spec: BenchSpec, ids: Sequence[str]) -> Iterator[SpecIssue]:
    if spec.reference is None:
        return
    if spec.oracle is not None:
        yield SpecIssue("reference", "must be None beside an oracle, which says what is right")
    elif spec.reference not in ids:
        known = ", ".join(ids) or "none"
        yield SpecIssue("reference", f"must be one of the ids ({known}), not {spec.reference!r}")


def _worker_issues(
    spec: BenchSpec, implementations: Sequence[Implementation]
) -> Iterator[SpecIssue]:
    for position, one in enumerate(implementations):
        if one.spec is None:
            continue
        where = f"implementations[{position}].spec"
        if not one.spec.is_there:
            yield SpecIssue(where, f"names the program {one.spec.program!r}, which is not there")
        if hidden := spec.fixture.hidden_from_workers:
            functions = " and ".join(hidden)
            yield SpecIssue(where, f"is of a worker, which cannot see the fixture's {functions}")
