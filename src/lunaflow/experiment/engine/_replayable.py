"""What a failure event carries so that the failure can be replayed."""

import pickle
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lunaflow._stored import dumps
from lunaflow.experiment._relational import Oracle, ReferenceAndRelational, RelationalOracle
from lunaflow.experiment._spec import ValidatedBenchPlan
from lunaflow.experiment.engine._parcel import Parcel, Parts, pack_parts
from lunaflow.experiment.engine._setup import bytes_of
from lunaflow.experiment.processes._transport import CannotTravel, pack
from lunaflow.experiment.processes.standalone._batch import Clock

_LONGEST_MINIMAL = 2**16
_LONGEST_RECIPE = 2**22


@dataclass(frozen=True, slots=True)
class Recipe:
    """What replays one failure; pickled in its event, and unpickled only when it is replayed.

    Parameters
    ----------
    case, name : str
        Names of the case and of the implementation that failed.
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
    """

    case: str
    name: str
    path: tuple[str, ...]
    parcel: Parcel
    oracle: bytes | None
    reference: str | None
    argument: bytes | None
    made: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Replayable:
    """One failure on one input.

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
        recipe = self._recipe()
        command = None
        if recipe is not None and file is not None:
            command = f"lunaflow replay {shlex.quote(str(file))} --id {identity} --yes"
        return {
            "draw": self.draw,
            "step": self.step,
            "minimal": _stored(self.argument),
            "recipe": recipe,
            "command": command,
        }

    def _recipe(self) -> bytes | None:
        plan = self.plan
        try:
            recipe = Recipe(
                case=plan.case_id,
                name=self.name,
                path=tuple(sys.path),
                parcel=self._parcel(),
                oracle=None if plan.oracle is None else _packed_oracle(plan.oracle),
                reference=plan.reference,
                argument=self._packed_argument(),
                made=(self.seed, self.scale, self.draw),
            )
        except CannotTravel:
            return None
        data = pickle.dumps(recipe)
        return data if len(data) <= _LONGEST_RECIPE else None

    def _packed_argument(self) -> bytes | None:
        if self.is_original and bytes_of(self.argument) > _LONGEST_RECIPE:
            return None
        return pack("the input", self.argument)

    def _parcel(self) -> Parcel:
        names = {*self.needed, self.plan.reference}
        chosen = tuple(one for one in self.plan.implementations if one.id in names)
        return pack_parts(Parts(chosen, self.plan.fixture, self.plan.sequence_length, self.clock))


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
