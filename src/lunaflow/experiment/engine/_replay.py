"""Running a recorded failure again."""

import pickle
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from lunaflow.experiment._event_values import status_from_event
from lunaflow.experiment._protocol import DEVELOPMENT
from lunaflow.experiment._spec import BenchSpec, ValidatedBenchPlan
from lunaflow.experiment._statuses import InfrastructureFailure, Status, Valid
from lunaflow.experiment.engine._calls import CallsApart, CallsOfWorkers
from lunaflow.experiment.engine._inputs import make_input
from lunaflow.experiment.engine._parcel import Parts, unpack_parts
from lunaflow.experiment.engine._replayable import Recipe, Timing
from lunaflow.experiment.engine._validation import examine, needed_to_judge
from lunaflow.experiment.events import Event
from lunaflow.experiment.processes._supervised import fresh_interpreter_with
from lunaflow.experiment.processes._transport import pack_job


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
    data = event.get("recipe")
    if data is None:
        raise CannotReplay(event.get("unreplayable") or "the event holds nothing that replays it")
    recipe = _unpickled(data)
    before = status_from_event(event["status"])
    if recipe.timing is not None:
        return _timed_again(recipe, recipe.timing, before)
    return _called_again(recipe, before)


def _called_again(found: Recipe, before: Status) -> Replayed:
    plan, argument = _unpacked(found)
    parts = unpack_parts(found.parcel)
    with ExitStack() as stack:
        apart = stack.enter_context(CallsApart(parts, found.parcel, DEVELOPMENT.value))
        calls = stack.enter_context(CallsOfWorkers(parts, apart))
        name = str(found.name)
        judged = examine(plan, calls, argument, needed_to_judge(plan, name)).judged[name]
    same = _kind(judged.status) == _kind(before)
    return Replayed(judged.status, judged.failure_kind is not None, same)


def _timed_again(recipe: Recipe, timing: Timing, before: Status) -> Replayed:
    """Time one scale in a fresh interpreter as it was, and tell who fails now."""
    with fresh_interpreter_with(pack_job((timing.task, recipe.parcel))) as child:
        messages = child.messages(timing.silence_seconds)
        found = [
            (message["implementation"], status_from_event(message["status"]))
            for message in messages
            if message["message"] == "failure"
        ]
    if child.failure is not None:
        found.append((child.was_timing, InfrastructureFailure(child.failure)))
    own = [status for name, status in found if name == recipe.name]
    others = [status for name, status in found if name != recipe.name]
    if not found:
        return Replayed(Valid(), fails=False, same=False)
    return Replayed(
        (own or others)[0], fails=True, same=bool(own) and _kind(own[0]) == _kind(before)
    )


def _unpickled(data: bytes) -> Recipe:
    try:
        recipe = pickle.loads(data)  # noqa: S301 (the user was asked)
        # modules beside the experiment are found as they were then
        sys.path += [entry for entry in recipe.path if entry not in sys.path]
    except Exception as error:
        raise CannotReplay(f"{type(error).__name__}: {error}") from error
    if not isinstance(recipe, Recipe):
        raise CannotReplay(f"the recipe is a {type(recipe).__name__}")
    return recipe


def _unpacked(recipe: Recipe) -> tuple[ValidatedBenchPlan, Any]:
    try:
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
        return spec.compile().unwrap(), _argument(recipe, parts)
    except Exception as error:
        raise CannotReplay(f"{type(error).__name__}: {error}") from error


def _argument(recipe: Recipe, parts: Parts) -> Any:
    if recipe.argument is not None:
        return pickle.loads(recipe.argument)  # noqa: S301
    seed, scale, draw = recipe.made
    return make_input(parts.fixture, seed, recipe.case, scale, draw)


def _kind(status: Status) -> tuple[str, str]:
    return type(status).__name__, getattr(status, "reason", "").partition(":")[0]
