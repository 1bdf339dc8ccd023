"""Validating implementations before any is timed, and making failures small."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lunaflow._texts import one_line, text_of
from lunaflow.experiment._judging import judge_all, reference_of
from lunaflow.experiment._observations import Failure
from lunaflow.experiment._oracles import ReferenceOracle, reference_raised
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
from lunaflow.experiment._pairs import PairsJudged
from lunaflow.experiment._relational import Oracle
from lunaflow.experiment._sequences import expected_sequence, first_failing_step
from lunaflow.experiment._shrink import Shrinker, shrink
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Status, Valid, classify
from lunaflow.experiment.engine._calls import Called, Calls
from lunaflow.experiment.engine._payloads import CHANGED_INPUT
from lunaflow.experiment.engine._placement import duplicate

FailureKind = tuple[str, ...]
Expected = OperationResult | InfrastructureFailure
INPUT_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Judged:
    """What an oracle says of one implementation on one input.

    Parameters
    ----------
    outcome, status : Outcome, Status
        Those of the first step that failed, else of the one that says most.
    step : int
        Which step that is, counted from 0.
    steps : int
        How many there are.
    timed : bool
        Whether every step has a right value, so that the time means something.
    seconds : float
        How long the calls took.
    """

    outcome: Outcome
    status: Status
    step: int = 0
    steps: int = 1
    timed: bool = False
    seconds: float = field(default=0.0, compare=False)

    @property
    def failure_kind(self) -> FailureKind | None:
        """What identifies the failure: the same bug has the same kind. None if it is none."""
        if not isinstance(self.status, (Invalid, InfrastructureFailure)):
            return None
        kind = [type(self.status).__name__, self.status.reason.partition(":")[0]]
        if isinstance(self.outcome, Trapped):
            kind += [self.outcome.trap.type_name, self.outcome.trap.kind or ""]
        return tuple(kind)

    @property
    def is_of_the_oracle(self) -> bool:
        """Whether there is a result, and the oracle could not judge it."""
        return isinstance(self.status, InfrastructureFailure) and classify(self.outcome) is None


@dataclass(frozen=True, slots=True)
class Examined:
    """What an oracle says of some implementations on one input.

    Parameters
    ----------
    judged : dict of str to Judged
        By implementation.
    relations : tuple of (int, PairsJudged)
        The steps at which pairs do not fit together.
    """

    judged: dict[str, Judged]
    relations: tuple[tuple[int, PairsJudged], ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """A failure, with the input that shows it and the step at which it does."""

    failure: Failure
    argument: Any
    step: int
    is_original: bool = True


def examine(
    plan: ValidatedBenchPlan, calls: Calls, argument: Any, names: Iterable[str]
) -> Examined:
    """Call implementations on one input and judge what they did.

    Whoever changes an input that is shared is Invalid whatever it returns.
    """
    called = {name: calls(name, argument) for name in names}
    oracle = plan.oracle or ReferenceOracle.equal("equal", _reference_apart)
    expected = _expected_if_wanted(plan, calls, argument, called.values())
    statuses: dict[str, list[Status]] = {name: [] for name in called}
    relations = []
    for step in range(plan.sequence_length):
        at = {name: one.steps[step] for name, one in called.items() if step < len(one.steps)}
        if not at:
            break
        found = judge_all(oracle, argument, step, expected[step] if expected else None, at)
        for name, status in found.statuses.items():
            statuses[name].append(status)
        if found.pairs is not None and any(pair.failing for pair in found.pairs.pairs):
            relations.append((step, found.pairs))
    return Examined(
        {name: _judged(one, statuses[name], plan.sequence_length) for name, one in called.items()},
        tuple(relations),
    )


def needed_to_judge(plan: ValidatedBenchPlan, name: str) -> tuple[str, ...]:
    """Return the implementations that have to be called to judge one of them."""
    return (name,) if is_alone(plan.oracle) else plan.ids


def is_alone(oracle: Oracle | None) -> bool:
    """Say whether each implementation is judged by itself."""
    return oracle is None or isinstance(oracle, ReferenceOracle)


def explain(
    name: str,
    scale: int,
    found: Judged,
    argument: Any,
    check: Callable[[Any], Judged],
    shrinker: Shrinker | None,
    fingerprint: str,
) -> list[Explained]:
    """Return the failure with its input, made small if there is a shrinker.

    Parameters
    ----------
    name, scale : str, int
        Whose failure, and where.
    found : Judged
        The failure.
    argument : object
        The input that failed.
    check : callable
        ``check(argument)`` examines the same implementation on any input.
    shrinker : Shrinker, optional
        How inputs get simpler.
    fingerprint : str
        That of the input.

    Returns
    -------
    list of Explained
        The failure first; after it failures of other kinds that shrinking came across. A failure
        that does not repeat is flaky, and its input stays the original one. A call that took too
        long is not repeated.
    """
    text = _input_text(None if shrinker is None else shrinker.text)
    failure = Failure(name, scale, found.status, text(argument), fingerprint=fingerprint)
    original = Explained(failure, argument, found.step)
    if isinstance(found.outcome, Timeout):
        return [original]
    if check(argument).failure_kind != found.failure_kind:
        return [_flaky(original)]
    if shrinker is None:
        return [original]
    return _shrunk(original, found, check, replace(shrinker, text=text))


def _shrunk(
    original: Explained, found: Judged, check: Callable[[Any], Judged], shrinker: Shrinker
) -> list[Explained]:
    others: dict[FailureKind, Explained] = {}

    def told(judged: Judged, candidate: Any, path: Sequence[str] = ()) -> Explained:
        given = shrinker.text(candidate)
        failure = replace(
            original.failure, status=judged.status, input_text=given, path=tuple(path)
        )
        return Explained(failure, candidate, judged.step, candidate is original.argument)

    def still_fails(candidate: Any) -> bool:
        judged = check(candidate)
        kind = judged.failure_kind
        if kind is not None and kind != found.failure_kind and kind not in others:
            others[kind] = told(judged, candidate)
        return kind == found.failure_kind

    try:
        shrunk = shrink(original.argument, shrinker, still_fails)
        last = check(shrunk.result)
    except Exception as error:
        trap = outcome_of_exception(error).trap
        reason = f"the shrinker raised: {trap.type_name}: {one_line(trap.message)}"
        status = InfrastructureFailure(reason)
        return [original, replace(original, failure=replace(original.failure, status=status))]
    if last.failure_kind != found.failure_kind:
        return [_flaky(original), *others.values()]
    return [told(last, shrunk.result, shrunk.path), *others.values()]


def _flaky(one: Explained) -> Explained:
    return replace(one, failure=replace(one.failure, flaky=True))


def _expected_if_wanted(
    plan: ValidatedBenchPlan, calls: Calls, argument: Any, called: Iterable[Called]
) -> tuple[Expected, ...] | None:
    # a reference runs in this process: what has ended every implementation is not given to it
    if any(classify(result.outcome) is None for one in called for result in one.steps):
        return _expected(plan, calls, argument)
    return (InfrastructureFailure("no result to judge"),) * plan.sequence_length


def _expected(plan: ValidatedBenchPlan, calls: Calls, argument: Any) -> tuple[Expected, ...] | None:
    if plan.reference is not None:
        return _by_implementation(plan, calls, argument, plan.reference)
    reference = None if plan.oracle is None else reference_of(plan.oracle)
    if reference is None:
        return None
    return expected_sequence(reference, argument, plan.sequence_length, copied=duplicate)


def _by_implementation(
    plan: ValidatedBenchPlan, calls: Calls, argument: Any, reference: str
) -> tuple[Expected, ...]:
    # an implementation is the reference: what may end a process is not called in this one
    found: list[Expected] = []
    for result in calls(reference, argument).steps:
        status = classify(result.outcome)
        if isinstance(status, InfrastructureFailure):
            reason = f"the reference {reference}: {status.reason}"
            found.append(InfrastructureFailure(reason))
        elif isinstance(result.outcome, Trapped):
            function = plan.implementation(reference).function
            text = reference_raised(function, result.outcome.trap, reference)
            found.append(InfrastructureFailure(text))
        else:
            found.append(result)
    missing = plan.sequence_length - len(found)
    ended = InfrastructureFailure(f"the reference {reference} ended before this step")
    return (*found, *[ended] * missing)


def _judged(called: Called, statuses: Sequence[Status], steps: int) -> Judged:
    failing = first_failing_step(statuses)
    step = failing if failing is not None else _telling_step(statuses)
    status = statuses[step]
    outcomes = [result.outcome for result in called.steps]
    if called.changed_input:
        status = Invalid(CHANGED_INPUT)
    elif failing is not None and steps > 1 and isinstance(status, (Invalid, InfrastructureFailure)):
        kind, colon, details = status.reason.partition(":")
        where = f": at step {step}{colon}" if colon else f": at step {step}"
        status = type(status)(f"{kind}{where}{details}")
    right = all(isinstance(one, (Valid, ExpectedDifference)) for one in statuses)
    values = all(isinstance(one, (Value, RaisedFlags)) for one in outcomes)
    whole = len(outcomes) == steps and not called.changed_input
    timed = right and values and whole
    return Judged(outcomes[step], status, step, steps, timed, called.seconds)


def _telling_step(statuses: Sequence[Status]) -> int:
    """Return the first step that is more than Valid, else the last one."""
    for step, status in enumerate(statuses):
        if not isinstance(status, Valid):
            return step
    return len(statuses) - 1


def _reference_apart(_argument: Any) -> Any:
    raise TypeError("what an implementation expects is computed where it runs")


def _input_text(text: Callable[[Any], str] | None) -> Callable[[Any], str]:
    """Return a function that gives an input in words, whatever the user's does."""

    def guarded(argument: Any) -> str:
        if text is None or text is repr:
            return text_of(argument, INPUT_SHOWN)
        try:
            given: object = text(argument)
        except Exception as error:
            return f"<no text: the shrinker's text raised {type(error).__name__}>"
        return one_line(given, INPUT_SHOWN) if isinstance(given, str) else text_of(given)

    return guarded
