"""When are two results close: decided exactly, with the worst place in the reason."""

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lunaflow._arguments import reject_type
from lunaflow._texts import text_of
from lunaflow.arithmetic._same_value import (
    compared_fields,
    compares_by_fields,
    first_difference,
)

# How many times the tolerance two things are apart, squared, and where, in words.
_Excess = tuple[Fraction | float, str]


@dataclass(frozen=True, slots=True)
class Closeness:
    """Where two values are further apart than the tolerance allows, or None.

    Calling it with an actual and an expected value gives a text that names the worst place. Two
    numbers are close if they are equal, both NaN, or both finite with
    ``|actual - expected| <= max(rel * |expected|, abs)``.
    """

    rel: float
    abs: float

    def __post_init__(self) -> None:
        for name in ("rel", "abs"):
            given = getattr(self, name)
            if isinstance(given, (bool, np.bool_)) or not isinstance(given, numbers.Real):
                raise reject_type(name, given, "a real number")
            number = float(given)
            if not (math.isfinite(number) and number >= 0):
                raise ValueError(f"{name} must be finite and at least 0, not {given}")
            object.__setattr__(self, name, number)

    def __call__(self, actual: Any, expected: Any) -> str | None:
        worst = self._excess(actual, expected, "")
        return None if worst is None else worst[1]

    def score(self, actual: Any, expected: Any) -> Fraction | float:
        """Return how many times the tolerance two numbers are apart, squared; close is <= 1."""
        a, e = _parts(actual), _parts(expected)
        if not all(map(_is_finite, a + e)):
            both_nan = any(x != x for x in a) and any(x != x for x in e)
            return 0.0 if both_nan or a == e else math.inf
        distance = _norm(_exact(x) - _exact(y) for x, y in zip(a, e, strict=True))
        allowed = max(Fraction(self.rel) ** 2 * _norm(map(_exact, e)), Fraction(self.abs) ** 2)
        return distance / allowed if allowed else (math.inf if distance else 0.0)

    def _excess(self, actual: Any, expected: Any, where: str) -> _Excess | None:
        if isinstance(actual, np.ndarray) and isinstance(expected, np.ndarray):
            return self._array_excess(actual, expected, where)
        if _is_number(actual) and _is_number(expected):
            score = self.score(actual, expected)
            return None if score <= 1 else (score, self._text(actual, expected, where))
        if _same_keys(actual, expected):
            return self._worst((f"{where}[{text_of(k)}]", actual[k], expected[k]) for k in expected)
        if _same_length_sequences(actual, expected):
            return self._worst(_items(actual, expected, where))
        if _same_fields(actual, expected):
            return self._worst(_fields(actual, expected, where))
        return _difference(actual, expected, where)

    def _worst(self, items: Iterable[tuple[str, Any, Any]]) -> _Excess | None:
        found = [self._excess(actual, expected, where) for where, actual, expected in items]
        return max((one for one in found if one is not None), key=lambda e: e[0], default=None)

    def _array_excess(self, actual: Any, expected: Any, where: str) -> _Excess | None:
        if actual.shape != expected.shape:
            return _difference(actual, expected, where)
        masks = np.ma.getmaskarray(actual), np.ma.getmaskarray(expected)
        if not np.array_equal(*masks):
            return (math.inf, f"the masks differ{f' at {where}' if where else ''}")
        actual, expected = _unmasked(actual), _unmasked(expected)
        if actual.dtype.names is not None and actual.dtype.names == expected.dtype.names:
            return self._worst(
                (f"{where}[{name!r}]", actual[name], expected[name]) for name in actual.dtype.names
            )
        if object in (actual.dtype, expected.dtype):
            return self._worst(_elements(actual, expected, where))
        if not (_is_numeric(actual) and _is_numeric(expected)):
            return _difference(actual, expected, where)
        return self._numeric_excess(actual, expected, where)

    def _numeric_excess(self, actual: Any, expected: Any, where: str) -> _Excess | None:
        far, ratio = self._far(actual, expected)
        if not far.any():
            return None
        worst = np.unravel_index(int(np.argmax(np.where(far, ratio, -1.0))), actual.shape)
        a, e = actual[worst], expected[worst]
        text = self._text(a, e, f"{where}[{', '.join(map(str, map(int, worst)))}]")
        count = f"{np.count_nonzero(far)} of {far.size} elements are too far, this one the most"
        return self.score(a, e), f"{text} ({count})"

    def _far(self, actual: Any, expected: Any) -> tuple[Any, Any]:
        """Return which elements are too far, and by how many times the tolerance.

        Floating point decides wherever its rounding cannot matter, exact arithmetic the rest.
        """
        wide = np.result_type(actual, expected, np.float64)
        a, e = actual.astype(wide), expected.astype(wide)
        integers = "i" in _kinds(actual, expected) or "u" in _kinds(actual, expected)
        with np.errstate(all="ignore"):
            distance, size = np.abs(a - e), np.abs(e)
            allowed = np.maximum(self.rel * size, self.abs)
            scale = distance + allowed + (np.abs(a) + size if integers else 0.0)
            margin = 16 * np.finfo(wide).eps * scale + np.finfo(wide).tiny
            finite = np.isfinite(a) & np.isfinite(e)
            far = ~finite | ~(distance + margin <= allowed)
            unsure = finite & far & ~(distance - margin > allowed)
            ratio = np.where(finite & (allowed > 0), distance / allowed, np.inf)
        same = np.isnan(a) & np.isnan(e) | _exactly_equal(actual, expected, size)
        for place in zip(*np.nonzero(unsure & ~same), strict=True):
            far[place] = self.score(actual[place], expected[place]) > 1
        return far & ~same, np.nan_to_num(ratio, nan=np.inf, posinf=np.inf)

    def _text(self, actual: Any, expected: Any, where: str) -> str:
        at = f" at {where}" if where else ""
        return f"{actual} is not within rel={self.rel}, abs={self.abs} of {expected}{at}"


def _same_keys(a: Any, b: Any) -> bool:
    return isinstance(a, Mapping) and isinstance(b, Mapping) and a.keys() == b.keys()


def _same_length_sequences(a: Any, b: Any) -> bool:
    return isinstance(a, (list, tuple)) and type(a) is type(b) and len(a) == len(b)


def _items(actual: Any, expected: Any, where: str) -> Iterable[tuple[str, Any, Any]]:
    for i, (a, e) in enumerate(zip(actual, expected, strict=True)):
        yield f"{where}[{i}]", a, e


def _same_fields(a: Any, b: Any) -> bool:
    return type(a) is type(b) and compares_by_fields(a)


def _fields(actual: Any, expected: Any, where: str) -> Iterable[tuple[str, Any, Any]]:
    for name in compared_fields(expected):
        yield f"{where}.{name}", getattr(actual, name), getattr(expected, name)


def _elements(actual: Any, expected: Any, where: str) -> Iterable[tuple[str, Any, Any]]:
    for position in np.ndindex(actual.shape):
        place = f"{where}[{', '.join(map(str, position))}]"
        yield place, actual[position], expected[position]


def _difference(actual: Any, expected: Any, where: str) -> _Excess | None:
    text = first_difference(actual, expected, where)
    return None if text is None else (math.inf, text)


def _exactly_equal(actual: Any, expected: Any, size: Any) -> Any:
    equal = actual == expected
    mixed = len({"i" if kind in "iu" else "f" for kind in _kinds(actual, expected)}) > 1
    # an integer beyond 2**53 is rounded before it is compared with a float
    return equal & (size < 2.0**53) if mixed else equal


def _kinds(a: Any, b: Any) -> str:
    return str(a.dtype.kind + b.dtype.kind)


def _is_numeric(array: Any) -> bool:
    return array.dtype.kind in "iufc"


def _unmasked(array: Any) -> Any:
    return np.ma.filled(array, array.dtype.type(0)) if np.ma.isMaskedArray(array) else array


def _is_number(x: object) -> bool:
    if isinstance(x, (bool, np.bool_, np.timedelta64)):
        return False
    return isinstance(x, (int, float, complex, Fraction, np.number))


def _parts(x: Any) -> tuple[Any, Any]:
    return x.real, x.imag


def _is_finite(x: Any) -> bool:
    return isinstance(x, (int, Fraction, np.integer)) or bool(np.isfinite(x))


def _exact(x: Any) -> Fraction:
    return Fraction(int(x)) if isinstance(x, np.integer) else Fraction(*x.as_integer_ratio())


def _norm(parts: Iterable[Fraction]) -> Fraction:
    return sum((part * part for part in parts), Fraction(0))
