"""Simpler numbers."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from lunaflow.experiment.candidates._kinds import wrong_kind

# a float of this many digits before the point is written out, a longer one with an exponent
_WRITTEN_OUT = 16
_SHORTEST_WRITTEN_OUT = -5


def integers(n: Any) -> Iterable[Any]:
    """Return simpler integers: 0, the positive one, then from the half towards `n` itself.

    Order: the smaller magnitude is simpler, and of two equal ones the positive. With a predicate
    ``n >= t`` a descent ends at exactly t.

    Parameters
    ----------
    n : int or NumPy integer
        The input; candidates are of its type, of a subclass of int plain ones. A bool is
        taken too: True has the candidate False.
    """
    if isinstance(n, np.timedelta64):  # an integer to NumPy
        raise wrong_kind(n, "an integer")
    if isinstance(n, (bool, np.bool_)):
        return [n ^ n] if n else []
    if not isinstance(n, (int, np.integer)):
        raise wrong_kind(n, "an integer")
    return _typed_integers(n)


def floats(x: Any) -> Iterable[Any]:
    """Return simpler floats: 0, 1, the positive one, integers, short decimals, smaller exponents.

    Order: finite before infinite before NaN; then fewer characters of the shortest decimal text
    (``7``, ``0.5``, ``1e+20``) that reads back as the number; then the exponent nearer to 0, the
    smaller magnitude, and the positive one. Zero, of either sign, has no candidates.

    Parameters
    ----------
    x : float or NumPy float
        The input; candidates are of its type. Of a subclass of either they are plain.
    """
    if not isinstance(x, (float, np.floating)):
        raise wrong_kind(x, "a float")
    x = _plain(x, float.__pos__)
    return _simpler(x, _float_proposals(x), float_order)


def complex_numbers(z: Any) -> Iterable[Any]:
    """Return simpler complex numbers: a simpler real or imaginary part, the other as it is.

    Zero comes first. Order: both parts at most as complex as before, one of them simpler. Of a
    subclass candidates are plain complex numbers.
    """
    if not isinstance(z, (complex, np.complexfloating)):
        raise wrong_kind(z, "a complex number")
    return _simpler_complex(_plain(z, complex.__pos__))


def float_order(x: Any) -> tuple[int, int, int, Any, bool]:
    """Return the key of a float in the order of `floats`."""
    if np.isnan(x):
        return 2, 0, 0, 0, False
    size = abs(x)
    negative = bool(np.signbit(x))
    if np.isinf(x):
        return 1, 0, 0, 0, negative
    digits, exponent = _decimal(size)
    return 0, _characters(len(digits), exponent), abs(exponent), size, negative


def towards_zero(n: int) -> Iterator[int]:
    """Yield 0, ``-n`` if it is positive, and integers from the half of `n` to its neighbour."""
    if n == 0:
        return
    yield 0
    if n < 0:
        yield -n
    cut = abs(n) // 2
    while cut:
        yield n - cut if n > 0 else n + cut
        cut //= 2


def _plain(x: Any, positive: Callable[[Any], Any]) -> Any:
    """Return a number of a subclass as one of its base, whose constructor is known.

    `positive` is the unary plus of Python's base, which makes no number of a subclass.
    """
    if isinstance(x, np.generic):
        return x if type(x) is x.dtype.type else x.dtype.type(x)
    return positive(x)


def _typed_integers(n: Any) -> Iterator[Any]:
    if isinstance(n, np.integer):
        kind = n.dtype.type
        # the positive twin of the lowest number does not fit
        info = np.iinfo(kind)
        yield from (kind(m) for m in towards_zero(int(n)) if info.min <= m <= info.max)
    else:
        yield from towards_zero(int(n))


def _simpler(x: Any, proposals: Iterable[Any], order: Any) -> Iterator[Any]:
    """Yield the proposals that are simpler than `x` and no zero of the other sign, each once."""
    limit, seen = order(x), set[Any]()
    for proposal in proposals:
        key = order(proposal)
        if key < limit and proposal != x and key not in seen:
            seen.add(key)
            yield proposal


def _float_proposals(x: Any) -> Iterator[Any]:
    kind = type(x)
    with np.errstate(all="ignore"):
        yield from (kind(0.0), kind(1.0))
        if np.isnan(x):
            yield kind(math.inf)
            return
        yield abs(x)
        if np.isinf(x):
            yield kind(np.copysign(np.finfo(np.asarray(x).dtype).max, x))
            return
        yield kind(np.trunc(x) + 0.0)
        if abs(x) < 2.0**53 and x == np.trunc(x):
            yield from (kind(n) for n in towards_zero(int(x)))
        for text in _shorter_texts(*_decimal(abs(x))):
            yield kind(np.copysign(kind(text), x))


def _shorter_texts(digits: str, exponent: int) -> Iterator[str]:
    """Yield decimals with fewer digits, and with exponents nearer to 0."""
    for count in range(1, len(digits)):
        yield f"{digits[0]}.{digits[1:count]}e{exponent}"
    for size in towards_zero(abs(exponent)):
        yield f"{digits[0]}.{digits[1:]}e{int(math.copysign(size, exponent))}"


def _decimal(size: Any) -> tuple[str, int]:
    """Return digits and exponent of the shortest decimal that reads back as `size`."""
    mantissa, _, exponent = np.format_float_scientific(size, unique=True, trim="-").partition("e")
    return mantissa.replace(".", ""), int(exponent)


def _characters(digits: int, exponent: int) -> int:
    """Return how many characters a decimal of so many digits takes."""
    if 0 <= exponent < _WRITTEN_OUT:
        return max(exponent + 1, digits + (digits > exponent + 1))
    if _SHORTEST_WRITTEN_OUT < exponent < 0:
        return 1 - exponent + digits
    return digits + (digits > 1) + len(f"e{exponent:+03d}")


def _simpler_complex(z: Any) -> Iterator[Any]:
    if z != 0:
        yield type(z)(0)
    parts = [_complex(z, part, z.imag) for part in floats(z.real)]
    parts += [_complex(z, z.real, part) for part in floats(z.imag)]
    for simpler in parts:
        # all that are NaN in a part count as equal
        if simpler != 0 and not (np.isnan(z) and np.isnan(simpler)):
            yield simpler


def _complex(z: Any, real: Any, imag: Any) -> Any:
    # by parts: an infinite imaginary part times the unit makes the real part NaN
    made = np.empty((), np.asarray(z).dtype)
    made.real, made.imag = real, imag
    return type(z)(made[()])
