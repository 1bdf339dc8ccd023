"""What runs in other processes without lunaflow: the standard library of Python 3.9 is enough.

These modules are imported under another name there, without the packages around them, so they
import each other relatively. See `lunaflow.experiment.processes._start`.
"""

from __future__ import annotations

__all__: list[str] = []
