"""Judging the results of all implementations at once, by an oracle of whatever kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lunaflow._arguments import reject_type
from lunaflow.experiment._oracles import ReferenceOracle, judge
from lunaflow.experiment._outcomes import ExpectedDifference, OperationResult, Outcome
from lunaflow.experiment._pairs import PairsJudged, judge_pairs
from lunaflow.experiment._relational import Oracle, ReferenceAndRelational, RelationalOracle
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Skipped,
    Status,
    Valid,
)

Expected = OperationResult | Outcome | InfrastructureFailure


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an oracle says of the results of some implementations.

    Parameters
    ----------
    statuses : dict of str to Status
        One an implementation, in their order.
    pairs : PairsJudged or None
        What a relational oracle said of each pair; None if there is no relational oracle.
    """

    statuses: dict[str, Status]
    pairs: PairsJudged | None = None

    @property
    def odd_one_out(self) -> str | None:
        """The implementation that disagrees with all others, which agree; None if none does."""
        return None if self.pairs is None else self.pairs.odd_one_out


def reference_of(oracle: object) -> ReferenceOracle | None:
    """Return the part of an oracle that has expected results, None if it has none."""
    match oracle:
        case ReferenceOracle():
            return oracle
        case ReferenceAndRelational(reference, _):
            return reference
        case RelationalOracle():
            return None
    accepted = "a ReferenceOracle, RelationalOracle or ReferenceAndRelational"
    raise reject_type("oracle", oracle, accepted)


def judge_all(
    oracle: Oracle,
    input: Any,  # noqa: A002
    step: int,
    expected: Expected | None,
    results: Mapping[str, OperationResult | Outcome],
) -> Judgement:
    """Return the status of every implementation at one step; never raises on the oracle's account.

    Parameters
    ----------
    oracle : ReferenceOracle, RelationalOracle or ReferenceAndRelational
        Says which results are right.
    input : object
        What the implementations were given.
    step : int
        The step of a sequence, counted from 0.
    expected : OperationResult, outcome or InfrastructureFailure
        What the reference expects; None for an oracle without a reference.
    results : mapping of str to OperationResult or outcome
        One result an implementation.

    Raises
    ------
    ValueError
        If `expected` is None and the oracle has a reference.
    """
    reference = reference_of(oracle)
    statuses: dict[str, Status] = {}
    if reference is not None:
        if expected is None:
            raise ValueError(f"the oracle {oracle.id!r} has a reference: give what it expects")
        statuses = {
            name: judge(reference, input, step, expected, one) for name, one in results.items()
        }
    if isinstance(oracle, ReferenceOracle):
        return Judgement(statuses)
    relational = oracle.relational if isinstance(oracle, ReferenceAndRelational) else oracle
    pairs = judge_pairs(relational, input, step, results)
    wrong = {name for name, status in statuses.items() if not _is_right(status)}
    return Judgement(
        {name: _combined(name, statuses.get(name), pairs, wrong) for name in results}, pairs
    )


def _is_right(status: Status) -> bool:
    return isinstance(status, (Valid, ExpectedDifference))


def _combined(name: str, alone: Status | None, pairs: PairsJudged, wrong: set[str]) -> Status:
    """Return the status by the reference, if that finds nothing wrong that by the pairs."""
    if alone is None:
        return pairs.status_of(name)
    if not _is_right(alone):
        return alone
    together = pairs.status_of(name, wrong=wrong)
    # the reference has judged it: that there is nobody to compare it with takes nothing away
    return alone if isinstance(together, (Valid, Skipped)) else together
