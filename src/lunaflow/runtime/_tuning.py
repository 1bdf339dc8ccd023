"""The tuning in force: from which length on the parallel kernels win on this machine."""

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from lunaflow._user_code import user_stacklevel
from lunaflow.runtime._threads import SERIAL_BELOW, default_workers

if TYPE_CHECKING:
    from lunaflow.policy import PolicySet

VARIABLE = "LUNAFLOW_TUNING"
_ALWAYS_SERIAL = 4096  # elements, read in less time than it takes to wake a thread

_Choice = tuple["PolicySet | None", str | None]

# What is followed, under the key "now". A dict's own operations are atomic: a lock, were it held by
# another thread at the moment of a fork, would stay locked in the child for ever.
_in_force: dict[str, _Choice] = {}


def use_tuning(path: str | os.PathLike[str] | None) -> "PolicySet | None":
    """Follow the tuning file at `path` from now on, in this process; None follows none.

    Parameters
    ----------
    path : str or path, or None
        A file that ``lunaflow tune`` wrote on this machine.

    Returns
    -------
    PolicySet or None
        What is followed now.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no tuning file, or was made for another machine or build; names the difference.
    """
    tuning = None if path is None else _read(path)
    _in_force["now"] = (tuning, None if path is None else os.fspath(path))
    return tuning


def current_tuning() -> "PolicySet | None":
    """Return the tuning in force, or None.

    That is the one given to `use_tuning`, else the file named by the environment variable
    ``LUNAFLOW_TUNING``. A file that is stale, foreign or unreadable is ignored with one warning.
    """
    return _followed()[0]


def tuning_source() -> str | None:
    """Return the path of the tuning in force, or None."""
    return _followed()[1]


def _followed() -> _Choice:
    now = _in_force.get("now")
    return _settled_by_environment() if now is None else now


def _settled_by_environment() -> _Choice:
    path = os.environ.get(VARIABLE)
    found: _Choice = (None, None)
    problem: Exception | None = None
    if path:
        try:
            found = (_read(path), path)
        except (OSError, ValueError) as reason:
            problem = reason
    now = _in_force.setdefault("now", found)
    if problem is not None and now is found:
        warnings.warn(
            f"{VARIABLE} is ignored: {problem}", RuntimeWarning, stacklevel=user_stacklevel()
        )
    return now


def workers_for(operation: str, dtype: np.dtype[Any], length: int) -> int:
    """Return how many workers a call uses that names none.

    Parameters
    ----------
    operation : str
        ``"sum"``, ``"min"``, ``"max"``, ``"scan"``, ``"double"`` or ``"map_reduce"``.
    dtype : numpy.dtype
        The input's element type: bool, or an integer that int64 holds.
    length : int
        Number of elements.
    """
    tuning = current_tuning()
    if tuning is not None:
        from lunaflow.runtime._tuning_file import parallel_wins

        wins = parallel_wins(tuning, operation, element_name(dtype), length)
        if wins is not None:
            return default_workers() if wins else 1
    if length < SERIAL_BELOW:
        return 1
    count = default_workers()
    # scans are bound by memory, and shared ones read it twice: two threads take longer than one
    return 1 if operation == "scan" and count == 2 else count


def longest_on_one_thread(workers: int | None) -> int:
    """Return up to which length a call with so many workers uses one thread, whatever it computes.

    It may be more; a tuning is asked for lengths on which two threads could gain.
    """
    if workers is None:
        return SERIAL_BELOW - 1 if current_tuning() is None else _ALWAYS_SERIAL
    return sys.maxsize if type(workers) is int and workers == 1 else 0


def element_name(dtype: np.dtype[Any]) -> str:
    """Return the name that tuning files have for what holds a dtype's elements: I32 or I64."""
    return "I32" if np.can_cast(dtype, np.int32) else "I64"


def _read(path: str | os.PathLike[str]) -> "PolicySet":
    # imported here: only a process that follows a tuning pays for the import of policies
    from lunaflow.runtime._tuning_file import read_tuning

    return read_tuning(path)
