"""The engine: validates, measures and concludes; all that it finds goes into events.

`_run` is where to begin: it has `_validating` validate every scale and `_timing` measure those that
are right, process after process, each of which does what `_measure` says.
"""

from lunaflow.experiment.engine._run import RunContext, run

__all__ = ["RunContext", "run"]
