"""What every package does with a wrong argument: say what was given and what is accepted."""

import operator
import reprlib

import numpy as np

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 80
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = _REPR.maxset = _REPR.maxarray = 12


def reject_type(name: str, given: object, accepted: str) -> TypeError:
    """Return the TypeError for an argument of a wrong type."""
    return TypeError(f"{name} must be {accepted}, not {type(given).__name__} ({shorten(given)})")


def shorten(given: object) -> str:
    """Return the repr of `given` in at most 80 characters, without writing out what is long."""
    if isinstance(given, int) and given.bit_length() > 1000:
        return f"an integer of {given.bit_length()} bits"
    text = _REPR.repr(given)
    return text if len(text) <= 80 else text[:77] + "..."


def as_integer(name: str, given: object) -> int:
    """Return `given` as an int: Python and NumPy integers pass, bool and all else is refused."""
    if type(given) is int:
        return given
    if isinstance(given, (bool, np.bool_)):
        raise reject_type(name, given, "an integer (a bool is not a count)")
    try:
        return operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        raise reject_type(name, given, "an integer") from None
