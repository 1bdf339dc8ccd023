"""Results of other tools: read, compared, and turned into a crossover and a policy."""

from lunaflow.experiment.foreign._crossover import (
    ForeignCrossover,
    SizeFigures,
    crossover_of_results,
)
from lunaflow.experiment.foreign._place import ForeignFileError
from lunaflow.experiment.foreign._read import read_results
from lunaflow.experiment.foreign._timings import ForeignResults, Timing

__all__ = [
    "ForeignCrossover",
    "ForeignFileError",
    "ForeignResults",
    "SizeFigures",
    "Timing",
    "crossover_of_results",
    "read_results",
]
