"""Doing what plans say: exact integer kernels on all cores, and their reference."""

from lunaflow.runtime._accumulator import Accumulator
from lunaflow.runtime._cover import cover_policy
from lunaflow.runtime._errors import (
    CoverConditionViolated,
    InvalidInput,
    InvalidPlan,
    UnsupportedPlan,
)
from lunaflow.runtime._everyday import cumsum, double, max, min, scan, sum
from lunaflow.runtime._machine import build_info
from lunaflow.runtime._native import native
from lunaflow.runtime._reference import reference
from lunaflow.runtime._run import plan_for, run
from lunaflow.runtime._tuning import current_tuning, use_tuning

__all__ = [
    "Accumulator",
    "CoverConditionViolated",
    "InvalidInput",
    "InvalidPlan",
    "UnsupportedPlan",
    "build_info",
    "cover_policy",
    "cumsum",
    "current_tuning",
    "double",
    "max",
    "min",
    "native",
    "plan_for",
    "reference",
    "run",
    "scan",
    "sum",
    "use_tuning",
]
