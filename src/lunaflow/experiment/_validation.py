"""Validating implementations before any is timed, and making failures small."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lunaflow._texts import one_line
from lunaflow.arithmetic import same_value
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._measure import CHANGED_INPUT
from lunaflow.experiment._oracles import ReferenceOracle, expected_result, judge
from lunaflow.experiment._outcomes import (
    ExpectedDifference,
    OperationResult,
    Outcome,
    RaisedFlags,
    Trapped,
    Value,
    outcome_of_exception,
)
from lunaflow.experiment._placement import duplicate
from lunaflow.experiment._results import Failure
from lunaflow.experiment._shrink import Shrinker, shrink
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Status, Valid

Implementation = Callable[[Any], Any]
FailureKind = tuple[str, ...]
_INPUT_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of one call, and what the oracle says of it."""

    outcome: Outcome
    status: Status

    @property
    def timed(self) -> bool:
        """Whether there is a right value, so that its time means something."""
        right = isinstance(self.status, (Valid, ExpectedDifference))
        return right and isinstance(self.outcome, (Value, RaisedFlags))

    @property
    def failure_kind(self) -> FailureKind | None:
        """What identifies the failure: the same bug has the same kind. None if it is none."""
        if not isinstance(self.status, (Invalid, InfrastructureFailure)):
            return None
        kind = [type(self.status).__name__, self.status.reason.partition(":")[0]]
        if isinstance(self.outcome, Trapped):
            kind += [self.outcome.trap.type_name, self.outcome.trap.kind or ""]
        return tuple(kind)


def expected_for(oracle: ReferenceOracle, argument: Any) -> OperationResult | InfrastructureFailure:
    """Return what the oracle expects for an argument, computed on a copy."""
    return expected_result(oracle, duplicate(argument), 0, oracle.initial_context)


def examine(
    implementation: Implementation,
    oracle: ReferenceOracle,
    argument: Any,
    expected: OperationResult | InfrastructureFailure,
) -> Judged:
    """Run an implementation once, on its own copy of the argument, and judge the outcome.

    An exception is the outcome `Trapped`; an `Outcome` that the implementation returns is taken as
    it is. Whoever changes its input is Invalid whatever it returns.
    """
    data = duplicate(argument)
    outcome = _outcome(implementation, data)
    if not same_value(data, argument):
        return Judged(outcome, Invalid(CHANGED_INPUT))
    return Judged(outcome, judge(oracle, argument, 0, expected, outcome))


def explain(
    name: str,
    size: int,
    found: Judged,
    argument: Any,
    check: Callable[[Any], Judged],
    shrinker: Shrinker | None,
) -> list[Failure]:
    """Return the failure with its input, made small if there is a shrinker.

    Parameters
    ----------
    name, size : str, int
        Whose failure, and where.
    found : Judged
        The failure.
    argument : object
        The input that failed.
    check : callable
        ``check(argument)`` examines the same implementation on any input.
    shrinker : Shrinker, optional
        How inputs get simpler.

    Returns
    -------
    list of Failure
        The failure first; after it failures of other kinds that shrinking came across. A failure
        that does not repeat is flaky, and its input stays the original one.
    """
    text = repr if shrinker is None else shrinker.text
    original = Failure(
        name,
        size,
        found.status,
        one_line(text(argument), _INPUT_SHOWN),
        fingerprint=fingerprint(argument),
    )
    if check(argument).failure_kind != found.failure_kind:
        return [replace(original, flaky=True)]
    if shrinker is None:
        return [original]
    return _shrunk(original, found, argument, check, shrinker)


def _shrunk(
    original: Failure,
    found: Judged,
    argument: Any,
    check: Callable[[Any], Judged],
    shrinker: Shrinker,
) -> list[Failure]:
    others: dict[FailureKind, Failure] = {}

    def still_fails(candidate: Any) -> bool:
        judged = check(candidate)
        kind = judged.failure_kind
        if kind is not None and kind != found.failure_kind and kind not in others:
            given = one_line(shrinker.text(candidate), _INPUT_SHOWN)
            others[kind] = replace(original, status=judged.status, input_text=given)
        return kind == found.failure_kind

    try:
        shrunk = shrink(argument, shrinker, still_fails)
        last = check(shrunk.result)
        given = one_line(shrinker.text(shrunk.result), _INPUT_SHOWN)
    except Exception as error:
        reason = f"the shrinker raised: {type(error).__name__}: {error}"
        return [original, replace(original, status=InfrastructureFailure(reason))]
    if last.failure_kind != found.failure_kind:
        return [replace(original, flaky=True), *others.values()]
    path = tuple(one_line(step, _INPUT_SHOWN) for step in shrunk.path)
    minimal = replace(original, status=last.status, input_text=given, path=path)
    return [minimal, *others.values()]


def _outcome(implementation: Implementation, data: Any) -> Outcome:
    try:
        given = implementation(data)
    except Exception as error:
        return outcome_of_exception(error)
    if isinstance(given, OperationResult):
        return given.outcome
    return given if isinstance(given, Outcome) else Value(given)
