"""What stored formats share: exact integers in JSON, and records with exactly their fields."""

import re
from collections.abc import Mapping
from typing import Any

# Other JSON readers keep integers as binary64: beyond 2**53 neighbours become the same number.
_EXACT_IN_JSON = 2**53
_DECIMAL = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)


def write_integer(n: int) -> int | str:
    """Return `n`, as a decimal string where other JSON readers would round it."""
    return n if abs(n) <= _EXACT_IN_JSON else str(n)


def read_integer(where: str, given: object) -> int:
    """Return the integer that `write_integer` wrote; ValueError for anything else."""
    if type(given) is int:
        return given
    if isinstance(given, str) and _DECIMAL.fullmatch(given):
        return int(given)
    raise ValueError(f"{where} must be an integer or its decimal digits, not {given!r:.80}")


def read_record(where: str, given: object, names: tuple[str, ...]) -> Mapping[str, Any]:
    """Return `given` if it is a mapping with exactly the fields `names`; else ValueError."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{where} must be an object with {', '.join(names)}, not {given!r:.80}")
    for name in names:
        if name not in given:
            raise ValueError(f"{where} lacks the field {name!r}")
    for name in given:
        if name not in names:
            raise ValueError(
                f"{where} has the unknown field {name!r:.80}; known: {', '.join(names)}"
            )
    return given


def check_format(given: Mapping[str, Any], expected: str, version: int) -> None:
    """Raise ValueError unless `given` says it is of this format and version."""
    if given.get("format") != expected:
        raise ValueError(f"format must be {expected!r}, not {given.get('format')!r:.80}")
    found = given.get("version")
    if type(found) is not int or found != version:
        raise ValueError(f"version must be {version}, not {found!r:.80}")
