"""Evidence for choosing between implementations: oracles, shrinking, paired timing, crossover."""

from lunaflow.experiment import stats
from lunaflow.experiment._crossover import (
    CrossoverResult,
    Evidence,
    Found,
    Inconclusive,
    NoCrossover,
    NonMonotonic,
    ScaleBoundary,
    ScaleDomain,
    crossover_from_labels,
    crossover_with_band,
    policy_from_crossover,
)
from lunaflow.experiment._environment import environment
from lunaflow.experiment._experiment import Experiment, compare
from lunaflow.experiment._labels import Label, comparator_label, label_from_comparison
from lunaflow.experiment._observations import (
    Block,
    Calibration,
    Failure,
    SizeComparison,
    Validation,
    ValidTrap,
)
from lunaflow.experiment._oracles import ReferenceOracle, expected_result, judge
from lunaflow.experiment._outcomes import (
    Aborted,
    ExpectedDifference,
    OperationResult,
    Outcome,
    ParseFailure,
    RaisedFlags,
    Timeout,
    Trap,
    Trapped,
    Unsupported,
    Value,
    outcome_of_exception,
)
from lunaflow.experiment._protocol import (
    DEVELOPMENT,
    QUICK_CHECK,
    REGRESSION_GATE,
    Protocol,
    ProtocolPreset,
)
from lunaflow.experiment._record import read_run
from lunaflow.experiment._recorder import recorded_run
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._shrink import Shrinker, Shrunk, shrink
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Invalid,
    Skipped,
    Status,
    Valid,
    classify,
)
from lunaflow.experiment._transport import CannotTravel
from lunaflow.experiment.events import EventFileError, EventLog, EventWriter, read_events

__all__ = [
    "DEVELOPMENT",
    "QUICK_CHECK",
    "REGRESSION_GATE",
    "Aborted",
    "Block",
    "Calibration",
    "CannotTravel",
    "CrossoverResult",
    "EventFileError",
    "EventLog",
    "EventWriter",
    "Evidence",
    "ExpectedDifference",
    "Experiment",
    "ExperimentResult",
    "Failure",
    "Found",
    "Inconclusive",
    "InfrastructureFailure",
    "Invalid",
    "Label",
    "NoCrossover",
    "NonMonotonic",
    "OperationResult",
    "Outcome",
    "ParseFailure",
    "Protocol",
    "ProtocolPreset",
    "RaisedFlags",
    "ReferenceOracle",
    "RunRecord",
    "ScaleBoundary",
    "ScaleDomain",
    "Shrinker",
    "Shrunk",
    "SizeComparison",
    "Skipped",
    "Status",
    "Timeout",
    "Trap",
    "Trapped",
    "Unsupported",
    "Valid",
    "ValidTrap",
    "Validation",
    "Value",
    "classify",
    "comparator_label",
    "compare",
    "crossover_from_labels",
    "crossover_with_band",
    "environment",
    "expected_result",
    "judge",
    "label_from_comparison",
    "outcome_of_exception",
    "policy_from_crossover",
    "read_events",
    "read_run",
    "recorded_run",
    "shrink",
    "stats",
]
