"""Evidence for choosing between implementations: oracles, shrinking, paired timing, crossover."""

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
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Invalid,
    Skipped,
    Status,
    Valid,
    classify,
)

__all__ = [
    "Aborted",
    "ExpectedDifference",
    "InfrastructureFailure",
    "Invalid",
    "OperationResult",
    "Outcome",
    "ParseFailure",
    "RaisedFlags",
    "ReferenceOracle",
    "Skipped",
    "Status",
    "Timeout",
    "Trap",
    "Trapped",
    "Unsupported",
    "Valid",
    "Value",
    "classify",
    "expected_result",
    "judge",
    "outcome_of_exception",
]
