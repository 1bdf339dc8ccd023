"""Relational oracles: no reference, but every two implementations must fit together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lunaflow._arguments import require, require_callable, require_text
from lunaflow.arithmetic import same_value
from lunaflow.experiment._oracles import ReferenceOracle, validate_by_comparator
from lunaflow.experiment._outcomes import ExpectedDifference, Outcome
from lunaflow.experiment._statuses import Status

ValidatePair = Callable[[Any, int, str, Outcome, str, Outcome], Status]
"""``validate_pair(input, step, id_i, outcome_i, id_j, outcome_j)``."""


@dataclass(frozen=True, slots=True)
class RelationalOracle:
    """Judges results against each other.

    It needs no reference, and it can see disagreement only: a bug that all implementations share
    satisfies every relation.

    Parameters
    ----------
    id : str
        Stands in every validation event.
    validate_pair : callable
        ``validate_pair(input, step, id_i, outcome_i, id_j, outcome_j)`` returns a status. It is
        asked once for each unordered pair, i before j in the order of the implementations, and sees
        only what `classify` leaves to oracles: Value, RaisedFlags, Trapped and ExpectedDifference.
    """

    id: str
    validate_pair: ValidatePair

    def __post_init__(self) -> None:
        require_text("id", self.id)
        require_callable("validate_pair", self.validate_pair)

    @classmethod
    def equal(
        cls,
        id: str,  # noqa: A002
        comparator: Callable[[Any, Any], bool] = same_value,
    ) -> "RelationalOracle":
        """Return the oracle that wants any two implementations to give equal values.

        The statuses are those of `ReferenceOracle.equal`, with the first of the two as the expected
        one; an ExpectedDifference of either side is the status ExpectedDifference.
        """
        require_callable("comparator", comparator)
        return cls(id, _EqualPair(comparator))


@dataclass(frozen=True, slots=True)
class ReferenceAndRelational:
    """Judges results against expected ones, and against each other.

    A result that the reference calls wrong says nothing against another one that disagrees with it.

    Parameters
    ----------
    reference : ReferenceOracle
        Judges each result alone.
    relational : RelationalOracle
        Judges them in pairs.
    """

    reference: ReferenceOracle
    relational: RelationalOracle

    def __post_init__(self) -> None:
        require("reference", self.reference, ReferenceOracle, "a ReferenceOracle")
        require("relational", self.relational, RelationalOracle, "a RelationalOracle")

    @property
    def id(self) -> str:
        """Both ids."""
        return f"{self.reference.id} and {self.relational.id}"


Oracle = ReferenceOracle | RelationalOracle | ReferenceAndRelational


@dataclass(frozen=True, slots=True)
class _EqualPair:
    """`validate_pair` by equality."""

    comparator: Callable[[Any, Any], bool]

    def __call__(
        self,
        given: Any,
        step: int,
        id_i: str,  # noqa: ARG002
        first: Outcome,
        id_j: str,  # noqa: ARG002
        second: Outcome,
    ) -> Status:
        if isinstance(first, ExpectedDifference):
            return first
        return validate_by_comparator(self.comparator)(given, step, first, second)
