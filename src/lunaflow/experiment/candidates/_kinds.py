"""What all candidate functions share: their type, and the refusal of an input of another kind."""

from collections.abc import Callable, Iterable
from typing import Any

from lunaflow._arguments import reject_type

Candidates = Callable[[Any], Iterable[Any]]
"""``candidates(input)`` gives simpler inputs, the biggest cuts first."""


class WrongKind(TypeError):
    """An input that a candidate function is not made for."""


def wrong_kind(given: object, accepted: str) -> WrongKind:
    """Return the error of an input of another kind."""
    return WrongKind(str(reject_type("input", given, accepted)))
