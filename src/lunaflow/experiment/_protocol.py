"""How much is measured: pairs, processes, batch time and thresholds."""

import enum
import math
from dataclasses import dataclass

from lunaflow._arguments import reject_type
from lunaflow.experiment._samples import (
    MOST_RESAMPLES,
    as_float,
    least_resamples,
    require_count,
)

_COUNTS = (
    ("pairs", 2, 1_000_000),
    ("processes", 1, 10_000),
    ("resamples", 1, MOST_RESAMPLES),
    ("inputs", 1, 10_000),
    ("exploratory_blocks", 0, 10_000),
)
_POSITIVE = (
    "batch_seconds",
    "practical_delta_pct",
    "confidence",
    "validation_seconds",
    "silence_seconds",
)


def _as_positive(name: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise reject_type(name, given, "a number")
    number = as_float(name, given)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} must be finite and greater than 0, not {number}")
    return number


@dataclass(frozen=True, slots=True)
class Protocol:
    """How an experiment measures.

    Parameters
    ----------
    name : str
        Name, as it stands in events and reports.
    pairs : int
        Blocks to measure at each size, over all processes, from 2 to 1,000,000; rounded up so that
        each process measures whole Williams squares.
    processes : int
        Fresh interpreters that the blocks are spread over, from 1 to 10,000.
    batch_seconds : float
        Target time of a timed batch, in seconds. The longer, the likelier another process gets the
        core in the middle of it.
    practical_delta_pct : float
        Smallest relative difference of interest, in percent.
    resamples : int
        Bootstrap resamples of an interval, from ``2 / (1 - confidence)`` to 1,000,000.
    confidence : float
        Confidence of an interval, between 0 and 1.
    validation_seconds : float
        A call that takes so many seconds when it is validated is given up.
    silence_seconds : float
        A measuring process that sends nothing for so many seconds, and for ten times what
        the calls of the slowest size took, is ended. It sends something after each block.
    inputs : int
        Inputs to draw at each size, from 1 to 10,000. Implementations are validated on all that
        differ, and each process times one of them, the first process the first and so on.
    exploratory_blocks : int
        Blocks that open each size in each process, from 0 to 10,000: they warm up what calibrating
        one implementation after the other has not, are recorded, and decide nothing.
    """

    name: str
    pairs: int
    processes: int
    batch_seconds: float = 0.0002
    practical_delta_pct: float = 3.0
    resamples: int = 2000
    confidence: float = 0.95
    validation_seconds: float = 60.0
    silence_seconds: float = 120.0
    inputs: int = 3
    exploratory_blocks: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise reject_type("name", self.name, "a str")
        for name, least, most in _COUNTS:
            count = require_count(name, getattr(self, name), least, most)
            object.__setattr__(self, name, count)
        for name in _POSITIVE:
            object.__setattr__(self, name, _as_positive(name, getattr(self, name)))
        if self.confidence >= 1:
            raise ValueError(f"confidence must be below 1, not {self.confidence}")
        least = least_resamples(self.confidence)
        require_count("resamples", self.resamples, least, MOST_RESAMPLES)

    def blocks_per_process(self, square_rows: int) -> int:
        """Return how many blocks each process measures, for a square of so many rows."""
        each = math.ceil(self.pairs / self.processes)
        return math.ceil(each / square_rows) * square_rows


class ProtocolPreset(enum.Enum):
    """Protocols for the usual occasions; the value is the `Protocol`."""

    QUICK_CHECK = Protocol("QUICK_CHECK", pairs=12, processes=1)
    DEVELOPMENT = Protocol("DEVELOPMENT", pairs=160, processes=10)
    REGRESSION_GATE = Protocol("REGRESSION_GATE", pairs=320, processes=20)


QUICK_CHECK = ProtocolPreset.QUICK_CHECK
DEVELOPMENT = ProtocolPreset.DEVELOPMENT
REGRESSION_GATE = ProtocolPreset.REGRESSION_GATE


def as_protocol(given: object) -> Protocol:
    """Return a `Protocol`, taking presets by their value."""
    if isinstance(given, ProtocolPreset):
        return given.value
    if isinstance(given, Protocol):
        return given
    raise reject_type("protocol", given, "a Protocol or a ProtocolPreset such as DEVELOPMENT")
