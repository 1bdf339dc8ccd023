"""Judging implementations in pairs, and naming the one that disagrees with all others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from lunaflow._arguments import reject_type
from lunaflow.experiment._oracles import OUTCOME_MISMATCH, guarded_verdict, outcome_text
from lunaflow.experiment._outcomes import (
    ExpectedDifference,
    OperationResult,
    Outcome,
    outcome_in,
)
from lunaflow.experiment._relational import RelationalOracle
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Invalid,
    Skipped,
    Status,
    Valid,
    classify,
)


@dataclass(frozen=True, slots=True)
class PairJudged:
    """What a relational oracle says of two implementations."""

    a: str
    b: str
    status: Status

    @property
    def failing(self) -> bool:
        """Whether the two do not fit together."""
        return isinstance(self.status, Invalid)


@dataclass(frozen=True, slots=True)
class PairsJudged:
    """What a relational oracle says of some implementations.

    Parameters
    ----------
    pairs : tuple of PairJudged
        All unordered pairs of the implementations that gave a real result, in their order.
    classified : tuple of (str, Status)
        The implementations that gave none, which no oracle sees, with their statuses.
    judged : tuple of str
        The implementations that gave a real result.
    """

    pairs: tuple[PairJudged, ...]
    classified: tuple[tuple[str, Status], ...]
    judged: tuple[str, ...]

    @property
    def odd_one_out(self) -> str | None:
        """The implementation in all failing pairs, where the others agree; None if there is none.

        There are at least three then: of two that disagree nobody knows which one is wrong.
        """
        failing = [pair for pair in self.pairs if pair.failing]
        if len(self.judged) < 3 or len(failing) != len(self.judged) - 1:
            return None
        if any(isinstance(pair.status, InfrastructureFailure) for pair in self.pairs):
            return None
        odd = set(self.judged).intersection(*({pair.a, pair.b} for pair in failing))
        return odd.pop() if len(odd) == 1 else None

    def status_of(self, name: str, *, wrong: Iterable[str] = ()) -> Status:
        """Return the status of one implementation.

        Invalid if it is the odd one out, or if nobody is and it is in a failing pair; pairs with
        those known to be `wrong` do not count. InfrastructureFailure if a pair of it could not be
        judged, Skipped if there is no other to compare it with.
        """
        for one, status in self.classified:
            if one == name:
                return status
        if name not in self.judged:
            raise ValueError(f"name must be one of {', '.join(self._names())}, not {name!r}")
        odd = self.odd_one_out
        apart = {*wrong} if odd in (None, name) else {*wrong, odd}
        of_it = [pair for pair in self.pairs if name in (pair.a, pair.b)]
        if not of_it:
            return Skipped("there is no other result to compare it with")
        return _worst(name, [p for p in of_it if not {p.a, p.b} & (apart - {name})])

    def _names(self) -> tuple[str, ...]:
        return (*self.judged, *(name for name, _ in self.classified))

    def __str__(self) -> str:
        failing = [f"{pair.a} and {pair.b}" for pair in self.pairs if pair.failing]
        text = f"{len(failing)} of {len(self.pairs)} pairs fail"
        if self.odd_one_out is not None:
            return f"{text}: {self.odd_one_out} disagrees with all others, which agree"
        return f"{text}: {', '.join(failing)}" if failing else text


def judge_pairs(
    oracle: RelationalOracle,
    input: Any,  # noqa: A002
    step: int,
    results: Mapping[str, OperationResult | Outcome],
) -> PairsJudged:
    """Return what the oracle says of every unordered pair; never raises on its account.

    Parameters
    ----------
    oracle : RelationalOracle
        The relation.
    input : object
        What the implementations were given.
    step : int
        The step of a sequence, counted from 0.
    results : mapping of str to OperationResult or outcome
        One result an implementation. What `classify` decides never reaches the oracle.
    """
    if not isinstance(results, Mapping):
        raise reject_type("results", results, "a dict of names and results")
    outcomes = {name: outcome_in(result) for name, result in results.items()}
    statuses = {name: classify(outcome) for name, outcome in outcomes.items()}
    judged = tuple(name for name, status in statuses.items() if status is None)
    return PairsJudged(
        pairs=tuple(
            PairJudged(a, b, _judge_pair(oracle, input, step, (a, outcomes[a]), (b, outcomes[b])))
            for a, b in combinations(judged, 2)
        ),
        classified=tuple((name, s) for name, s in statuses.items() if s is not None),
        judged=judged,
    )


def _judge_pair(
    oracle: RelationalOracle,
    given: Any,
    step: int,
    first: tuple[str, Outcome],
    second: tuple[str, Outcome],
) -> Status:
    status = guarded_verdict(
        oracle, "validate_pair", lambda: oracle.validate_pair(given, step, *first, *second)
    )
    if status != Invalid(OUTCOME_MISMATCH):
        return status
    both = [f"{name} gave {outcome_text(outcome)}" for name, outcome in (first, second)]
    return Invalid(f"{OUTCOME_MISMATCH}: {', '.join(both)}")


def _worst(name: str, pairs: list[PairJudged]) -> Status:
    failing = [pair for pair in pairs if pair.failing]
    if failing:
        return Invalid(_reason(name, failing, len(pairs)))
    for kind in (InfrastructureFailure, ExpectedDifference):
        for pair in pairs:
            if isinstance(pair.status, kind):
                return pair.status
    other = [pair.status for pair in pairs if pair.status != Valid()]
    return other[0] if other else Valid()


def _reason(name: str, failing: list[PairJudged], count: int) -> str:
    others = [pair.b if pair.a == name else pair.a for pair in failing]
    kind, colon, details = getattr(failing[0].status, "reason", "").partition(":")
    against = f"against {', '.join(others)} ({len(failing)} of {count} pairs fail)"
    return f"{kind}: {against}{colon}{details}"
