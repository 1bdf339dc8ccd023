"""Tuning files: policies of serial and parallel, made for this machine and build."""

import os
from pathlib import Path

from lunaflow.policy import (
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Piecewise,
    PolicySet,
    choose,
    load,
)
from lunaflow.runtime._machine import machine

SERIAL = "serial"
PARALLEL = "parallel"


def parallel_wins(tuning: PolicySet, operation: str, element_type: str, length: int) -> bool | None:
    """Say what the tuning chooses; None if it does not speak of the operation."""
    policy = tuning.policies.get((operation, element_type))
    return None if policy is None else choose(policy, length).choice == PARALLEL


def read_tuning(path: str | os.PathLike[str]) -> PolicySet:
    """Return the tuning in a file; ValueError if it is none, or not for this machine and build."""
    tuning = load(Path(path))
    here = machine()
    differences = [
        f"{name} was {tuning.environment.get(name)!r} and is {value!r}"
        for name, value in here.items()
        if tuning.environment.get(name) != value
    ]
    if differences:
        raise ValueError(
            f"{os.fspath(path)} was made for another machine or build: {'; '.join(differences)}"
        )
    for key, policy in tuning.policies.items():
        if isinstance(policy, Lookup) and any(isinstance(at, str) for at, _ in policy.pairs):
            raise ValueError(
                f"{os.fspath(path)}: the policy of {key} goes by texts, not by lengths"
            )
        if unknown := _choices(policy) - {SERIAL, PARALLEL}:
            raise ValueError(
                f"{os.fspath(path)}: the policy of {key} chooses {sorted(unknown)}; "
                f"known are {SERIAL!r} and {PARALLEL!r}"
            )
    return tuning


def _choices(policy: DeploymentPolicy) -> set[str]:
    match policy:
        case Global(choice=choice) | Fallback(choice=choice):
            return {choice}
        case Piecewise(regions=regions):
            return {region.choice for region in regions}
        case Lookup(pairs=pairs):
            return {choice for _, choice in pairs}
        case _:
            return {type(policy).__name__}
