"""What every package does with a wrong argument: say what was given and what is accepted."""

import operator

import numpy as np


def reject_type(name: str, given: object, accepted: str) -> TypeError:
    """Return the TypeError for an argument of a wrong type."""
    text = repr(given)
    if len(text) > 80:
        text = text[:77] + "..."
    return TypeError(f"{name} must be {accepted}, not {type(given).__name__} ({text})")


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
