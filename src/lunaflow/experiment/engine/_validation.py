"""Validating implementations before any is timed, and making failures small."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from lunaflow._texts import one_line, text_of
from lunaflow.experiment._fingerprint import fingerprint
from lunaflow.experiment._observations import Failure
from lunaflow.experiment._oracles import ReferenceOracle, expected_result, judge
from lunaflow.experiment._outcomes import (
    ExpectedDifference,
    OperationResult,
    Outcome,
    RaisedFlags,
    Timeout,
    Trapped,
    Value,
    outcome_of_exception,
)
from lunaflow.experiment._shrink import Shrinker, shrink
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Status, Valid
from lunaflow.experiment.engine._calls import Called
from lunaflow.experiment.engine._measure import CHANGED_INPUT
from lunaflow.experiment.engine._placement import duplicate

FailureKind = tuple[str, ...]
_INPUT_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of one call, what the oracle says of it, and the seconds that it took."""

    outcome: Outcome
    status: Status
    seconds: float = field(default=0.0, compare=False)

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
    call: Callable[[Any], Called],
    oracle: ReferenceOracle,
    argument: Any,
    expected: OperationResult | InfrastructureFailure,
) -> Judged:
    """Call an implementation once and judge the outcome.

    Whoever changes its input is Invalid whatever it returns.
    """
    called = call(argument)
    status: Status = Invalid(CHANGED_INPUT)
    if not called.changed_input:
        status = judge(oracle, argument, 0, expected, called.outcome)
    return Judged(called.outcome, status, called.seconds)


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
        that does not repeat is flaky, and its input stays the original one. A call that took too
        long is not repeated.
    """
    text = _input_text(None if shrinker is None else shrinker.text)
    given = text(argument)
    original = Failure(name, size, found.status, given, fingerprint=fingerprint(argument))
    if isinstance(found.outcome, Timeout):
        return [original]
    if check(argument).failure_kind != found.failure_kind:
        return [replace(original, flaky=True)]
    if shrinker is None:
        return [original]
    return _shrunk(original, found, argument, check, replace(shrinker, text=text))


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
            given = shrinker.text(candidate)
            others[kind] = replace(original, status=judged.status, input_text=given)
        return kind == found.failure_kind

    try:
        shrunk = shrink(argument, shrinker, still_fails)
        last = check(shrunk.result)
    except Exception as error:
        trap = outcome_of_exception(error).trap
        reason = f"the shrinker raised: {trap.type_name}: {one_line(trap.message)}"
        return [original, replace(original, status=InfrastructureFailure(reason))]
    if last.failure_kind != found.failure_kind:
        return [replace(original, flaky=True), *others.values()]
    given = shrinker.text(shrunk.result)
    minimal = replace(original, status=last.status, input_text=given, path=shrunk.path)
    return [minimal, *others.values()]


def _input_text(text: Callable[[Any], str] | None) -> Callable[[Any], str]:
    """Return a function that gives an input in words, whatever the user's does."""

    def guarded(argument: Any) -> str:
        if text is None or text is repr:
            return text_of(argument, _INPUT_SHOWN)
        try:
            given: object = text(argument)
        except Exception as error:
            return f"<no text: the shrinker's text raised {type(error).__name__}>"
        return one_line(given, _INPUT_SHOWN) if isinstance(given, str) else text_of(given)

    return guarded
