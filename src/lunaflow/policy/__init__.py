"""Deployment policies: which implementation to use at which scale, as data with its evidence."""

from lunaflow.policy._bind import bind
from lunaflow.policy._choose import choose
from lunaflow.policy._model import (
    Basis,
    Choice,
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    ParetoPoint,
    Piecewise,
    Region,
)
from lunaflow.policy._set import PolicySet
from lunaflow.policy._store import load, save

__all__ = [
    "Basis",
    "Choice",
    "DeploymentPolicy",
    "Fallback",
    "Global",
    "Lookup",
    "Pareto",
    "ParetoPoint",
    "Piecewise",
    "PolicySet",
    "Region",
    "bind",
    "choose",
    "load",
    "save",
]
