"""Walking through what a file holds, with the place at hand when something is missing or wrong."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lunaflow._texts import text_of


class ForeignFileError(ValueError):
    """A file of results that cannot be used; the message says which, where, and why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a file, and where it stands: ``benchmarks[3].stats``."""

    value: Any
    where: str = ""

    def __truediv__(self, name: str) -> "Place":
        """Return the value of a field that must be there."""
        found = self.get(name)
        if found is None:
            raise ForeignFileError(f"{self._below(name)} is missing")
        return found

    def get(self, name: str) -> "Place | None":
        """Return the value of a field, None if it is not there, or null."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        found = self.value.get(name)
        return None if found is None else Place(found, self._below(name))

    def items(self) -> Iterator["Place"]:
        """Yield the members of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        for position, one in enumerate(self.value):
            yield Place(one, f"{self.where}[{position}]")

    def fields(self) -> Iterator[tuple[str, "Place"]]:
        """Yield names and values of an object."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        for name, one in self.value.items():
            yield name, Place(one, self._below(name))

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        return self.value

    def seconds(self, unit: float = 1.0) -> float:
        """Return a time in seconds, given in so many seconds."""
        given = self.value
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise self.wrong("a number")
        try:
            number = float(given) * unit
        except OverflowError:
            number = math.inf
        if not (math.isfinite(number) and number >= 0):
            raise self.wrong("finite and at least 0")
        return number

    def wrong(self, accepted: str) -> ForeignFileError:
        """Return the error that the value is something else."""
        where = self.where or "the file"
        return ForeignFileError(f"{where} must be {accepted}, not {text_of(self.value)}")

    def without(self, what: str) -> ForeignFileError:
        """Return the error that something in the value is not there."""
        space = "" if not self.where or self.where.endswith(" ") else " "
        return ForeignFileError(f"{self.where}{space}has no {what}")

    def _below(self, name: str) -> str:
        dot = "." if self.where and not self.where.endswith(" ") else ""
        return f"{self.where}{dot}{name}"
