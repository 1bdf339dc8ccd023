"""The strict orders that the candidate functions state, written down once more for the tests."""

import string
from itertools import islice
from typing import Any

import numpy as np

from lunaflow.arithmetic import same_value

PLAIN = string.ascii_lowercase + string.digits + string.ascii_uppercase + " "


def integer_key(n: Any) -> Any:
    return abs(int(n)), int(n) < 0


def float_key(x: Any) -> Any:
    if np.isnan(x):
        return (2,)
    negative = bool(np.signbit(x))
    if np.isinf(x):
        return 1, negative
    size = abs(x)
    mantissa, _, power = np.format_float_scientific(size, unique=True, trim="-").partition("e")
    exponent = int(power)
    if -5 < exponent < 16:
        text = np.format_float_positional(size, unique=True, trim="-")
    else:
        text = f"{mantissa}e{exponent:+03d}"
    return 0, len(text), abs(exponent), size, negative


def character_key(c: str) -> Any:
    return (0, PLAIN.index(c)) if c in PLAIN else (1, ord(c))


def simpler(a: Any, b: Any) -> bool:
    """Say whether `a` is simpler than `b`, of the same type."""
    if isinstance(a, (bool, np.bool_, int, np.integer)):
        return bool(integer_key(a) < integer_key(b))
    if isinstance(a, (float, np.floating)):
        return bool(float_key(a) < float_key(b))
    if isinstance(a, (complex, np.complexfloating)):
        return everywhere([a.real, a.imag], [b.real, b.imag])
    if isinstance(a, str):
        return bool((len(a), [*map(character_key, a)]) < (len(b), [*map(character_key, b)]))
    if isinstance(a, np.ndarray):
        return sum(a.shape) < sum(b.shape) or (a.shape == b.shape and first(a.flat, b.flat))
    if isinstance(a, dict):
        return len(a) < len(b) or (a.keys() == b.keys() and everywhere(a.values(), b.values()))
    return len(a) < len(b) or (len(a) == len(b) and first(a, b))


def first(a: Any, b: Any) -> bool:
    """Say whether the first differing element is simpler."""
    for x, y in zip(a, b, strict=True):
        if not same(x, y):
            return simpler(x, y)
    return False


def everywhere(a: Any, b: Any) -> bool:
    """Say whether one element is simpler and none is less simple."""
    differing = [(x, y) for x, y in zip(a, b, strict=True) if not same(x, y)]
    return bool(differing) and all(simpler(x, y) for x, y in differing)


def same(a: Any, b: Any) -> bool:
    """Compare, with zeros of different signs as different."""
    if isinstance(a, (float, np.floating)) and a == 0 == b:
        return bool(np.signbit(a) == np.signbit(b))
    return same_value(a, b)


def check(candidates: Any, value: Any, *, most: int = 300) -> list[Any]:
    """Check the laws that hold for every candidate function, and return the candidates."""
    found = list(islice(candidates(value), most))
    for one in found:
        assert type(one) is type(value)
        assert not same_value(one, value), f"{one!r} is the input"
        assert simpler(one, value), f"{one!r} is not simpler than {value!r}"
        assert not simpler(value, one)
    return found
