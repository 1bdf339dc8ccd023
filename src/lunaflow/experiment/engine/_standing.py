"""How far a run is: what was validated, who is timed where, and what is closed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lunaflow.experiment._closed import Cell, closed_cells, closed_sizes
from lunaflow.experiment.events import Event

Inputs = tuple[tuple[int, str], ...]
"""Numbers and fingerprints of the inputs of a scale that were validated."""

_TIMES_BEFORE_GIVING_UP = 2


@dataclass(slots=True)
class Standing:
    """What the engine knows of a run, from the events of an interrupted one or from its own.

    Parameters
    ----------
    validated : dict of int to Inputs
        The scales that were validated to the end.
    timed : dict of int to tuple of str
        The implementations that are right, and timed, at each scale.
    cells : set of (int, int)
        The scales, with the process, that were measured to the end.
    slowest : float
        Seconds that all calls of the slowest scale took.
    """

    validated: dict[int, Inputs] = field(default_factory=dict)
    timed: dict[int, tuple[str, ...]] = field(default_factory=dict)
    cells: set[Cell] = field(default_factory=set)
    slowest: float = 0.0
    _gave_up_at: Counter[int] = field(default_factory=Counter)

    @classmethod
    def after(cls, events: Sequence[Event], names: Sequence[str]) -> "Standing":
        """Return the standing of some implementations after the closed events of a run."""
        standing = cls(cells=closed_cells(events))
        closed = closed_sizes(events)
        for event in events:
            if event["event"] == "validated" and event["size"] in closed:
                inputs = tuple((number, mark) for number, mark in event["inputs"])
                timed = [name for name in names if name in event["timed"]]
                standing.close_scale(event["size"], inputs, timed, event["seconds"])
        for event in events:
            if event["event"] == "failure" and event["process"] is not None:
                standing.take_failure(event["implementation"], event["size"])
        return standing

    def close_scale(self, scale: int, inputs: Inputs, timed: Iterable[str], seconds: float) -> None:
        """Note that a scale was validated."""
        self.validated[scale] = inputs
        if names := tuple(timed):
            self.timed[scale] = names
        self.slowest = max(self.slowest, seconds)

    def take_failure(self, implementation: str | None, scale: int | None) -> None:
        """Note a failure while measuring: who fails is timed no more at that scale.

        A scale is given up if it has failed twice while nobody was timed: once may be bad luck, but
        one that ends every process would cost its time limit in each.
        """
        if scale not in self.timed:
            return
        if implementation is None:
            self._gave_up_at[scale] += 1
            if self._gave_up_at[scale] == _TIMES_BEFORE_GIVING_UP:
                del self.timed[scale]
            return
        self.timed[scale] = tuple(name for name in self.timed[scale] if name != implementation)
        if not self.timed[scale]:
            del self.timed[scale]

    def to_measure(self, process: int, scales: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Return who is to be timed at which of some scales, where a process has not yet."""
        return {
            scale: self.timed[scale]
            for scale in scales
            if scale in self.timed and (scale, process) not in self.cells
        }
