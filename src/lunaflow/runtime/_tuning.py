"""The tuning in force: from which length on the parallel kernels win on this machine."""

import os
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np

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
from lunaflow.runtime._threads import SERIAL_BELOW, default_workers

SERIAL = "serial"
PARALLEL = "parallel"
VARIABLE = "LUNAFLOW_TUNING"


class _InForce:
    """The one tuning of this process; the environment is read once, at the first need."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.settled = False
        self.tuning: PolicySet | None = None
        self.path: str | None = None

    def set(self, tuning: PolicySet | None, path: str | None) -> None:
        self.tuning, self.path, self.settled = tuning, path, True


_in_force = _InForce()


def use_tuning(path: str | os.PathLike[str] | None) -> PolicySet | None:
    """Follow the tuning file at `path` from now on, in this process; None follows none.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no tuning file, or was made for another machine or build; names the difference.
    """
    tuning = None if path is None else _load(path)
    with _in_force.lock:
        _in_force.set(tuning, None if path is None else os.fspath(path))
    return tuning


def current_tuning() -> PolicySet | None:
    """Return the tuning in force, or None.

    That is the one given to `use_tuning`, else the file named by the environment variable
    ``LUNAFLOW_TUNING``. A file that is stale, foreign or unreadable is ignored with one warning.
    """
    if not _in_force.settled:
        with _in_force.lock:
            if not _in_force.settled:
                _read_environment()
    return _in_force.tuning


def tuning_source() -> str | None:
    """Return the path of the tuning in force, or None."""
    current_tuning()
    return _in_force.path


def workers_for(operation: str, dtype: np.dtype[Any], length: int) -> int:
    """Return how many workers a call uses that names none.

    Parameters
    ----------
    operation : str
        ``"sum"``, ``"min"``, ``"max"``, ``"scan"``, ``"double"`` or ``"map_reduce"``.
    dtype : numpy.dtype
        The input's element type, int32 or int64.
    length : int
        Number of elements.
    """
    tuning = current_tuning()
    if tuning is not None:
        policy = tuning.policies.get((operation, element_name(dtype)))
        if policy is not None:
            return default_workers() if choose(policy, length).choice == PARALLEL else 1
    return 1 if length < SERIAL_BELOW else default_workers()


def element_name(dtype: np.dtype[Any]) -> str:
    """Return the name that plans and tuning files have for a dtype: I32 or I64."""
    return "I32" if dtype.itemsize == 4 else "I64"


def _read_environment() -> None:
    path = os.environ.get(VARIABLE)
    if not path:
        _in_force.set(None, None)
        return
    try:
        _in_force.set(_load(path), path)
    except (OSError, ValueError) as reason:
        _in_force.set(None, None)
        warnings.warn(
            f"{VARIABLE} is ignored: {reason}", RuntimeWarning, stacklevel=_user_stacklevel()
        )


def _load(path: str | os.PathLike[str]) -> PolicySet:
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


def _user_stacklevel() -> int:
    # a warning points at the line outside the package that made the first call
    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("lunaflow"):
        frame = frame.f_back
        level += 1
    return level
