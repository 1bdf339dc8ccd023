"""Capturing the IEEE 754 flags that a function raises."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lunaflow._arguments import require_callable
from lunaflow._compiled import not_built
from lunaflow.experiment._outcomes import (
    OperationResult,
    Outcome,
    RaisedFlags,
    Trapped,
    Value,
    outcome_of_exception,
)

try:
    from lunaflow.experiment._fenv import call_watched
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

# what NumPy tells a handler, and what the flag is called here
_OF_NUMPY = {
    "divide by zero": "divide",
    "overflow": "overflow",
    "underflow": "underflow",
    "invalid value": "invalid",
}


def capture_flags(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `f` and tells which IEEE 754 flags that raised.

    Parameters
    ----------
    f : callable
        An implementation, of any arguments.

    Returns
    -------
    callable
        Its result is ``RaisedFlags(value, flags)``, with the names of the flags raised:
        ``"divide"``, ``"overflow"``, ``"underflow"``, ``"invalid"``, ``"inexact"``. An exception of
        `f` is ``Trapped(trap, flags)``. Where `f` itself returns an outcome, a `Value` becomes
        RaisedFlags and every other is handed on. It can be pickled if `f` can.

    Notes
    -----
    The flags are those of the C environment (``fenv.h``) when `f` returns, together with what NumPy
    reports during the call, since its functions clear the flags when they begin (inexact apart,
    which stays). They belong to the calling thread: what `f` computes in threads of its own is not
    seen, nor what it asks NumPy to keep to itself with an `errstate` of its own. During the call
    NumPy gives no warnings, as the flags tell the same; a mode ``"raise"`` stays in force. A
    platform without one of the flags never shows it. Flags and handlers are afterwards as they
    were before.

    Flags are a property of the way of computing: compiled code may raise inexact or underflow on
    the way to an exact result, and vector instructions may suppress inexact. Compare them where
    they are specified, as for one operation or a correctly rounded function.
    """
    require_callable("f", f)
    return _Captured(f)


@dataclass(frozen=True, slots=True)
class _Captured:
    function: Callable[..., Any]

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> OperationResult | Outcome:
        reported = set[str]()

        def note(name: str, _flag: int) -> None:
            reported.add(_OF_NUMPY[name])

        modes: dict[str, Any] = {
            kind: mode if mode == "raise" else "call" for kind, mode in np.geterr().items()
        }
        with np.errstate(call=note, **modes):
            result, error, raised = call_watched(self.function, args, kwargs)
        flags = raised | reported
        if error is not None:
            return Trapped(outcome_of_exception(error).trap, flags)
        return _flagged(result, flags)


def _flagged(result: Any, flags: frozenset[str]) -> OperationResult | Outcome:
    match result:
        case OperationResult(Value(value)):
            return replace(result, outcome=RaisedFlags(value, flags))
        case Value(value):
            return RaisedFlags(value, flags)
    if isinstance(result, (OperationResult, Outcome)):
        return result
    return RaisedFlags(result, flags)
