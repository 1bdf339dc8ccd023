"""Running a recorded failure again."""

import pickle
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment._event_values import status_from_event
from lunaflow.experiment._protocol import DEVELOPMENT
from lunaflow.experiment._spec import BenchSpec, ValidatedBenchPlan
from lunaflow.experiment._statuses import Status
from lunaflow.experiment.engine._calls import CallsApart, CallsOfWorkers
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.engine._parcel import Parts, unpack_parts
from lunaflow.experiment.engine._replayable import Recipe
from lunaflow.experiment.engine._validation import examine, needed_to_judge
from lunaflow.experiment.events import Event


class CannotReplay(ValueError):
    """A failure of which the event does not hold enough, or that this interpreter cannot read."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of a failure.

    Parameters
    ----------
    status : Status
        What the oracle says now.
    fails : bool
        Whether that is a failure.
    same : bool
        Whether it is one of the same kind.
    """

    status: Status
    fails: bool
    same: bool


def replay_failure(event: Event) -> Replayed:
    """Call the implementation of a failure event on its input again, and judge it.

    It runs in a fresh interpreter, which it may end. The recipe of the event is a pickle: reading
    it runs what it says.

    Raises
    ------
    CannotReplay
        If the event has no recipe, or what it names cannot be found any more.
    """
    recipe = event.get("recipe")
    if recipe is None:
        raise CannotReplay("what failed could not be sent to another interpreter")
    found, plan, argument = _unpacked(recipe)
    parts = unpack_parts(found.parcel)
    with ExitStack() as stack:
        apart = stack.enter_context(CallsApart(parts, found.parcel, DEVELOPMENT.value))
        calls = stack.enter_context(CallsOfWorkers(parts, apart))
        judged = examine(plan, calls, argument, needed_to_judge(plan, found.name)).judged[
            found.name
        ]
    before = status_from_event(event["status"])
    same = _kind(judged.status) == _kind(before)
    return Replayed(judged.status, judged.failure_kind is not None, same)


def _unpacked(data: bytes) -> tuple[Recipe, ValidatedBenchPlan, Any]:
    path = list(sys.path)
    try:
        recipe = pickle.loads(data)  # noqa: S301 (the user was asked)
        # modules beside the experiment are found as they were then
        sys.path += [entry for entry in recipe.path if entry not in path]
        parts = unpack_parts(recipe.parcel)
        oracle = None if recipe.oracle is None else pickle.loads(recipe.oracle)  # noqa: S301
        spec = BenchSpec(
            recipe.case,
            parts.fixture,
            parts.implementations,
            oracle,
            (0,),
            sequence_length=parts.steps,
            reference=recipe.reference,
        )
        return recipe, spec.compile().unwrap(), _argument(recipe, parts)
    except Exception as error:
        raise CannotReplay(f"{type(error).__name__}: {error}") from error


def _argument(recipe: Recipe, parts: Parts) -> Any:
    if recipe.argument is not None:
        return pickle.loads(recipe.argument)  # noqa: S301
    seed, scale, draw = recipe.made
    return make_input(parts.fixture, seed, recipe.case, scale, draw)


def _kind(status: Status) -> tuple[str, str]:
    return type(status).__name__, getattr(status, "reason", "").partition(":")[0]
