"""Sequences of operations: what an oracle expects of each step, its contexts handed on."""

from collections.abc import Callable, Sequence
from typing import Any

from lunaflow._arguments import as_count
from lunaflow.experiment._oracles import ReferenceOracle, expected_result
from lunaflow.experiment._outcomes import OperationResult
from lunaflow.experiment._statuses import InfrastructureFailure, Invalid, Status

Expected = OperationResult | InfrastructureFailure


def expected_sequence(
    oracle: ReferenceOracle,
    input: Any,  # noqa: A002
    length: int,
    *,
    copied: Callable[[Any], Any] = lambda value: value,
) -> tuple[Expected, ...]:
    """Return what the oracle expects of each step of a sequence.

    The first step starts from ``oracle.initial_context``, each later one from the ``next_context``
    of the result before. After a step that the oracle cannot answer no later one is asked: each is
    an InfrastructureFailure that names it.

    Parameters
    ----------
    oracle : ReferenceOracle
        The oracle; its own ``sequence_length`` is not used.
    input : object
        The input, the same at every step.
    length : int
        The number of steps, at least 1.
    copied : callable
        Makes the copy of input and context that each step gets, so that none can change another's.
    """
    context, expected = oracle.initial_context, list[Expected]()
    for step in range(as_count("length", length, 1)):
        found = expected_result(oracle, copied(input), step, copied(context))
        expected.append(found)
        if isinstance(found, InfrastructureFailure):
            rest = InfrastructureFailure(f"the oracle already failed at step {step}")
            return (*expected, *[rest] * (length - step - 1))
        context = found.next_context
    return tuple(expected)


def first_failing_step(statuses: Sequence[Status]) -> int | None:
    """Return the number of the first step that is Invalid or could not be judged, None if none."""
    for step, status in enumerate(statuses):
        if isinstance(status, (Invalid, InfrastructureFailure)):
            return step
    return None
