"""What this machine and this build are, as far as measured times depend on them."""

import platform
import sys
from typing import Any

import numpy as np

from lunaflow._host import cgroup_quota, cpu_model, usable_cpus
from lunaflow._version import __version__
from lunaflow.runtime._isa import instruction_set
from lunaflow.runtime._openmp import openmp_library, openmp_version


def machine() -> dict[str, Any]:
    """Return the facts that a tuning file must share with the process that follows it."""
    return {
        "lunaflow": __version__,
        "machine": platform.machine(),
        "cpu": cpu_model(),
        "cpus": usable_cpus(),
        "openmp": openmp_version() > 0,
        "instruction_set": instruction_set(),
    }


def build_info() -> dict[str, Any]:
    """Return versions, OpenMP as compiled and as loaded, instruction set and CPUs.

    Returns
    -------
    dict
        ``openmp`` (bool), ``openmp_version`` (the specification's date, 0 without),
        ``openmp_library`` (the file loaded, or None), ``instruction_set``, ``cpu``, ``cpus``
        (usable by affinity and quota), ``cpu_quota`` (CPUs, or None), ``machine``, ``platform``,
        and the versions ``lunaflow``, ``python``, ``numpy``.
    """
    return {
        **machine(),
        "openmp_version": openmp_version(),
        "openmp_library": openmp_library(),
        "cpu_quota": cgroup_quota(),
        "platform": platform.platform(),
        "python": sys.version.split()[0],
        "numpy": np.__version__,
    }
