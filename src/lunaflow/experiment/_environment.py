"""Facts of the machine that measured figures depend on."""

import os
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np

from lunaflow._version import __version__


def environment() -> dict[str, Any]:
    """Return facts of this interpreter and machine, as plain data.

    Returns
    -------
    dict
        ``python``, ``implementation``, ``numpy``, ``lunaflow``, ``platform``, ``machine``, ``cpu``
        (texts) and ``cpus`` (how many CPUs this process may use).
    """
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "numpy": np.__version__,
        "lunaflow": __version__,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpu": _cpu_model(),
        "cpus": _usable_cpus(),
    }


def _cpu_model() -> str:
    table = Path("/proc/cpuinfo")
    if sys.platform == "linux" and table.exists():
        for line in table.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown"


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
