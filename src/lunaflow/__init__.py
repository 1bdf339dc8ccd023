"""lunaflow: a result that is right, or an error that says what went wrong and where."""

from lunaflow._version import __version__
from lunaflow.runtime import cumsum, max, min, scan, sum

__all__ = ["__version__", "cumsum", "max", "min", "scan", "sum"]
