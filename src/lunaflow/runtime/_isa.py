"""Which build of the block kernels this process uses: the widest that its CPU can run.

There is always the build that the compiler makes by itself, for every CPU of the platform. For
x86-64 there is one for each level besides, where the compiler can be told of levels.
"""

import os
from importlib import import_module
from importlib.util import find_spec

from lunaflow._texts import text_of
from lunaflow.runtime._cpu import cpu_level

VARIABLE = "LUNAFLOW_ISA"
_LEVELS = {"v2": 2, "v3": 3, "v4": 4}
_BASE = "base"


def built() -> list[str]:
    """Return the names of the builds there are, from narrow to wide."""
    return [name for name in (_BASE, *_LEVELS) if find_spec(_module(name)) is not None]


def runnable() -> list[str]:
    """Return the names of the builds that this CPU can run, from narrow to wide."""
    return [name for name in built() if name == _BASE or _LEVELS[name] <= cpu_level()]


def chosen() -> str:
    """Return the build in use: the widest, or what ``LUNAFLOW_ISA`` asks for.

    Raises
    ------
    ImportError
        If the variable asks for what the CPU cannot run or was not built, or for nonsense.
    """
    names = runnable()
    wanted = os.environ.get(VARIABLE, "").strip()
    if wanted and wanted not in names:
        raise ImportError(_refusal(wanted, names))
    return wanted or names[-1]


def _refusal(wanted: str, names: list[str]) -> str:
    if wanted in _LEVELS and wanted in built():
        reason = f"this CPU is of level v{cpu_level()} only"
    elif wanted in _LEVELS:
        reason = "this build has no kernels for it"
    else:
        reason = "that is no level"
    return (
        f"{VARIABLE} is {text_of(wanted)}, and {reason}; here it may be {', '.join(names)}, or "
        "unset for the widest"
    )


def _module(name: str) -> str:
    return f"lunaflow.runtime._blocks_{name}"


ISA = chosen()


def table() -> object:
    """Return the capsule of the block kernels in use."""
    capsule: object = import_module(_module(ISA)).table()
    return capsule


def instruction_set() -> str:
    """Return what the kernels in use were compiled for, in words."""
    return "the compiler's own choice" if ISA == _BASE else f"x86-64-{ISA}"
