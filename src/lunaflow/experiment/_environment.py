"""Facts of the machine that measured figures depend on."""

import platform
from typing import Any

import numpy as np

from lunaflow._host import cpu_model, usable_cpus
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
        "cpu": cpu_model(),
        "cpus": usable_cpus(),
    }
