"""What every package does with a wrong argument: say what was given and what is accepted."""

import operator
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from lunaflow._texts import text_of

if TYPE_CHECKING:
    from pathlib import Path


def reject_type(name: str, given: object, accepted: str) -> TypeError:
    """Return the TypeError for an argument of a wrong type."""
    return TypeError(f"{name} must be {accepted}, not {type(given).__name__} ({text_of(given)})")


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


def as_count(name: str, given: object, least: int) -> int:
    """Return `given` as an int; ValueError if it is below `least`."""
    number = as_integer(name, given)
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {text_of(number)}")
    return number


def as_tuple(name: str, given: object) -> tuple[Any, ...]:
    """Return the members of a collection that is no text."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise reject_type(name, given, "a collection")
    return tuple(given)


def as_path(name: str, given: object) -> "Path":
    """Return `given` as a path."""
    if not isinstance(given, (str, os.PathLike)):
        raise reject_type(name, given, "a str or a path")
    from pathlib import Path  # imported where it is used: import lunaflow needs none of it

    return Path(given)


def require(name: str, given: object, types: type | tuple[type, ...], accepted: str) -> None:
    """Raise TypeError unless `given` is an instance of `types`."""
    if not isinstance(given, types):
        raise reject_type(name, given, accepted)


def require_text(name: str, given: object) -> None:
    """Raise TypeError unless `given` is a str."""
    require(name, given, str, "a str")


def require_callable(name: str, given: object) -> None:
    """Raise TypeError unless `given` can be called."""
    if not callable(given):
        raise reject_type(name, given, "callable")
