"""Simpler texts."""

import string
from collections.abc import Iterable, Iterator
from typing import Any

from lunaflow.experiment.candidates._containers import sequences, simpler_elements
from lunaflow.experiment.candidates._kinds import wrong_kind
from lunaflow.experiment.candidates._numbers import towards_zero

_PLAIN = string.ascii_lowercase + string.digits + string.ascii_uppercase + " "
_PLAIN_RANKS = {character: rank for rank, character in enumerate(_PLAIN)}


def strings(text: Any) -> Iterable[Any]:
    """Return simpler texts: parts cut out as `sequences` cuts them, then simpler characters.

    Order: the shorter one is simpler; of equal lengths the one whose first differing character is.
    The simplest character is ``a``, then the other lower-case letters of English, digits, capital
    letters and the space, then all others by their code point. No candidate has a surrogate that
    the input does not have.

    Parameters
    ----------
    text : str
        The input. Of a subclass, `numpy.str_` say, candidates are plain str.
    """
    if not isinstance(text, str):
        raise wrong_kind(text, "a str")
    # a subclass may show itself otherwise
    return _shorter(str.__str__(text))


def character_rank(character: str) -> int:
    """Return the place of a character in the order of `strings`."""
    return _PLAIN_RANKS.get(character, len(_PLAIN) + ord(character))


def _shorter(text: str) -> Iterator[str]:
    characters = list(text)
    for fewer in sequences(characters, elements=_none):
        yield "".join(fewer)
    for simpler in simpler_elements(characters, _characters):
        yield "".join(simpler)


def _none(_element: Any) -> list[Any]:
    return []


def _characters(character: str) -> Iterator[str]:
    for rank in towards_zero(character_rank(character)):
        if rank < len(_PLAIN):
            yield _PLAIN[rank]
        elif not 0xD800 <= (code := rank - len(_PLAIN)) < 0xE000:
            candidate = chr(code)
            # a plain character of this code has been ranked lower
            if candidate not in _PLAIN_RANKS:
                yield candidate
