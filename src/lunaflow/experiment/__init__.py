"""Evidence for choosing between implementations: oracles, shrinking, paired timing, crossover."""

from lunaflow.experiment import candidates, stats
from lunaflow.experiment._changes import Change, RunChanges, compare_runs
from lunaflow.experiment._check import check
from lunaflow.experiment._crossover import (
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
from lunaflow.experiment._experiment import Experiment, compare
from lunaflow.experiment._fixture import Fixture, SetupPolicy
from lunaflow.experiment._flags import capture_flags
from lunaflow.experiment._hypothesis import from_hypothesis
from lunaflow.experiment._implementation import Implementation
from lunaflow.experiment._labels import Label, comparator_label, label_from_comparison
from lunaflow.experiment._oracles import ReferenceOracle
from lunaflow.experiment._outcomes import (
    Aborted,
    ExpectedDifference,
    OperationResult,
    ParseFailure,
    RaisedFlags,
    Timeout,
    Trap,
    Trapped,
    Unsupported,
    Value,
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
from lunaflow.experiment._relational import ReferenceAndRelational, RelationalOracle
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment._shrink import Shrinker, Shrunk, shrink
from lunaflow.experiment._source import NoSource
from lunaflow.experiment._spec import (
    BenchSpec,
    InvalidBenchSpec,
    SpecIssue,
    ValidatedBenchPlan,
)
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Invalid,
    Skipped,
    Valid,
)
from lunaflow.experiment._summary import Coverage, RunSummary
from lunaflow.experiment._to_pytest import to_pytest
from lunaflow.experiment._worker_spec import WorkerSpec
from lunaflow.experiment.engine import RunContext, run
from lunaflow.experiment.engine._inputs import UnusableInput
from lunaflow.experiment.engine._resume import CannotResume
from lunaflow.experiment.events import EventFileError, EventWriter, read_events
from lunaflow.experiment.processes._transport import CannotTravel

__all__ = [
    "DEVELOPMENT",
    "QUICK_CHECK",
    "REGRESSION_GATE",
    "Aborted",
    "BenchSpec",
    "CannotResume",
    "CannotTravel",
    "Change",
    "Coverage",
    "EventFileError",
    "EventWriter",
    "ExpectedDifference",
    "Experiment",
    "ExperimentResult",
    "Fixture",
    "Found",
    "Implementation",
    "Inconclusive",
    "InfrastructureFailure",
    "Invalid",
    "InvalidBenchSpec",
    "Label",
    "NoCrossover",
    "NoSource",
    "NonMonotonic",
    "OperationResult",
    "ParseFailure",
    "Protocol",
    "ProtocolPreset",
    "RaisedFlags",
    "ReferenceAndRelational",
    "ReferenceOracle",
    "RelationalOracle",
    "RunChanges",
    "RunContext",
    "RunRecord",
    "RunSummary",
    "ScaleBoundary",
    "ScaleDomain",
    "SetupPolicy",
    "Shrinker",
    "Shrunk",
    "Skipped",
    "SpecIssue",
    "Timeout",
    "Trap",
    "Trapped",
    "Unsupported",
    "UnusableInput",
    "Valid",
    "ValidatedBenchPlan",
    "Value",
    "WorkerSpec",
    "candidates",
    "capture_flags",
    "check",
    "comparator_label",
    "compare",
    "compare_runs",
    "crossover_from_labels",
    "crossover_with_band",
    "from_hypothesis",
    "label_from_comparison",
    "policy_from_crossover",
    "read_events",
    "read_run",
    "recorded_run",
    "run",
    "shrink",
    "stats",
    "to_pytest",
]
