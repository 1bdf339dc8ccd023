"""What the user gives: names of functions, and a limit in percent."""

import math
import re
from typing import Any

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of

_PERCENT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%\s*", re.ASCII)
_ACCEPTED = 'a text in percent, such as "5%" or "0.5%"'
_LARGEST = 1000.0


def as_percent(limit: object) -> float:
    """Return a limit in percent.

    A bare number is refused: 0.05 and 5 could both be meant as five percent.
    """
    if not isinstance(limit, str):
        raise reject_type("limit", limit, _ACCEPTED)
    found = _PERCENT.fullmatch(limit)
    number = math.nan if found is None else float(found[1])
    if not 0 < number <= _LARGEST:
        raise ValueError(
            f"limit must be {_ACCEPTED}, above 0 and up to {_LARGEST:g}%, not {text_of(limit)}"
        )
    return number


def names_of(f: object, g: object) -> tuple[str, str]:
    """Return two different names: of the functions, with their modules if need be, or f and g."""
    short = _short(f) or "f", _short(g) or "g"
    if short[0] != short[1]:
        return short
    long = _long(f), _long(g)
    return long if "" not in long and long[0] != long[1] else ("f", "g")


def _short(function: Any) -> str:
    return _plain(getattr(function, "__name__", ""))


def _long(function: Any) -> str:
    module, name = (getattr(function, name, "") for name in ("__module__", "__qualname__"))
    return _plain(f"{module}.{name}") if module and name else ""


def _plain(name: object) -> str:
    # <lambda> and <locals> say nothing
    return name if isinstance(name, str) and "<" not in name and name.strip() else ""
