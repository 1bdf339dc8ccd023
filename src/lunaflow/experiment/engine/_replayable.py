"""What a failure event carries so that the failure can be replayed, or says why it cannot be."""

import pickle
import shlex
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from lunaflow._stored import dumps
from lunaflow.experiment._relational import Oracle, ReferenceAndRelational, RelationalOracle
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment.engine._measure import Task
from lunaflow.experiment.engine._parcel import Parcel, Parts, pack_parts
from lunaflow.experiment.engine._setup import bytes_of
from lunaflow.experiment.processes._transport import CannotTravel, pack
from lunaflow.experiment.processes.standalone._batch import Clock

_LONGEST_MINIMAL = 2**16
_LONGEST_RECIPE = 2**22


@dataclass(frozen=True, slots=True)
class Timing:
    """How something is timed again that has failed while it was timed.

    Parameters
    ----------
    task : Task
        One scale of one process, with all that were timed there.
    silence_seconds : float
        For how long its process may send nothing.
    """

    task: Task
    silence_seconds: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """What replays one failure; pickled in its event, and unpickled only when it is replayed.

    Parameters
    ----------
    case, name : str, str or None
        Names of the case and of the implementation that failed, None if no single one did.
    path : tuple of str
        `sys.path` of the interpreter that found it.
    parcel : Parcel
        The implementations that are needed to judge it, and the fixture.
    oracle : bytes or None
        The oracle; None if an implementation is the reference.
    reference : str or None
        Which one that is.
    argument : bytes or None
        The input; None if it is too long to be kept and `made` makes it again.
    made : tuple of int
        Seed, scale and number of the input that it comes from.
    timing : Timing or None
        How it is timed again; None if a single call fails.
    """

    case: str
    name: str | None
    path: tuple[str, ...]
    parcel: Parcel
    oracle: bytes | None
    reference: str | None
    argument: bytes | None
    made: tuple[int, int, int]
    timing: Timing | None = None


class Replayable(Protocol):
    """A failure, with what its event says of replaying it."""

    def fields(self, file: Path | None, identity: str) -> dict[str, Any]:
        """Return fields of the event; what cannot be stored is None."""
        ...


@dataclass(frozen=True, slots=True)
class Unreplayable:
    """A failure that nothing replays, and the reason."""

    reason: str

    def fields(self, _file: Path | None, _identity: str) -> dict[str, Any]:
        """Return fields of the event."""
        return {"recipe": None, "command": None, "unreplayable": self.reason}


@dataclass(frozen=True, slots=True)
class ReplayableCall:
    """A failure of one call on one input.

    Parameters
    ----------
    plan : ValidatedBenchPlan
        The case.
    name : str
        Who has failed.
    needed : tuple of str
        The implementations that have to be called to judge it.
    argument : object
        The (minimal) input.
    is_original : bool
        Whether that is the input as it was made.
    seed, scale, draw : int
        What it was made from.
    step : int
        The step that fails.
    clock : callable
        What the case is timed with.
    """

    plan: ValidatedBenchPlan
    name: str
    needed: tuple[str, ...]
    argument: Any
    is_original: bool
    seed: int
    scale: int
    draw: int
    step: int
    clock: Clock

    def fields(self, file: Path | None, identity: str) -> dict[str, Any]:
        """Return the fields of the event; what cannot be stored is None."""
        recipe = _fields_of_recipe(self._recipe, file, identity)
        return {"draw": self.draw, "step": self.step, "minimal": _stored(self.argument), **recipe}

    def _recipe(self) -> Recipe:
        plan = self.plan
        return Recipe(
            case=plan.case_id,
            name=self.name,
            path=tuple(sys.path),
            parcel=_parcel(plan, {*self.needed, plan.reference}, self.clock),
            oracle=None if plan.oracle is None else _packed_oracle(plan.oracle),
            reference=plan.reference,
            argument=self._packed_argument(),
            made=(self.seed, self.scale, self.draw),
        )

    def _packed_argument(self) -> bytes | None:
        if self.is_original and bytes_of(self.argument) > _LONGEST_RECIPE:
            return None
        return pack("the input", self.argument)


@dataclass(frozen=True, slots=True)
class ReplayableTiming:
    """A failure while one scale was timed in one process.

    Parameters
    ----------
    plan : ValidatedBenchPlan
        The case.
    name : str or None
        Who has failed.
    timing : Timing
        What was timed.
    draw : int
        The number of the input.
    argument : object
        The input; None if it could not be made again.
    clock : callable
        What the case is timed with.
    """

    plan: ValidatedBenchPlan
    name: str | None
    timing: Timing
    draw: int
    argument: Any
    clock: Clock

    def fields(self, file: Path | None, identity: str) -> dict[str, Any]:
        """Return the fields of the event; what cannot be stored is None."""
        recipe = _fields_of_recipe(self._recipe, file, identity)
        return {"draw": self.draw, "minimal": _stored(self.argument), **recipe}

    def _recipe(self) -> Recipe:
        task = self.timing.task
        ((scale, names),) = task.timed.items()
        return Recipe(
            case=self.plan.case_id,
            name=self.name,
            path=tuple(sys.path),
            parcel=_parcel(self.plan, {*names}, self.clock),
            oracle=None,
            reference=None,
            argument=None,
            made=(task.seed, scale, self.draw),
            timing=self.timing,
        )


def _fields_of_recipe(
    made: Callable[[], Recipe], file: Path | None, identity: str
) -> dict[str, Any]:
    try:
        data = pickle.dumps(made())
    except CannotTravel as error:
        return Unreplayable(error.reason).fields(file, identity)
    if len(data) > _LONGEST_RECIPE:
        reason = f"it would take {len(data)} bytes, more than {_LONGEST_RECIPE}"
        return Unreplayable(reason).fields(file, identity)
    command = None
    if file is not None:
        command = f"lunaflow replay {shlex.quote(str(file))} --id {identity} --yes"
    return {"recipe": data, "command": command, "unreplayable": None}


def _parcel(plan: ValidatedBenchPlan, names: Collection[str | None], clock: Clock) -> Parcel:
    chosen = tuple(one for one in plan.implementations if one.id in names)
    return pack_parts(Parts(chosen, plan.fixture, plan.sequence_length, clock))


def _packed_oracle(oracle: Oracle) -> bytes:
    return pack("the oracle", oracle, _functions(oracle))


def _functions(oracle: Oracle) -> Iterator[Any]:
    if isinstance(oracle, ReferenceAndRelational):
        yield from _functions(oracle.reference)
        yield from _functions(oracle.relational)
    elif isinstance(oracle, RelationalOracle):
        yield oracle.validate_pair
    else:
        yield from (oracle.compute_expected, oracle.validate, oracle.expected_text)
        yield getattr(oracle.compute_expected, "reference", None)


def _stored(argument: Any) -> Any:
    """Return an input that JSON can hold as it is, None if it cannot or is too long."""
    if bytes_of(argument) > _LONGEST_MINIMAL:
        return None
    try:
        return argument if len(dumps(argument)) <= 2 * _LONGEST_MINIMAL else None
    except TypeError:
        return None
