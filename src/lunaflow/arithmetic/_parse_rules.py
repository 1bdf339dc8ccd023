"""Checked parsing: ASCII decimal literals as floats, ints, fractions and decimals."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._decimal_rules import context_of, finished
from lunaflow.arithmetic._errors import ArithmeticErrorKind
from lunaflow.arithmetic._failures import OUT_OF_RANGE, Failure

GREATEST_EXPONENT = 10**6
MALFORMED = Failure(ArithmeticErrorKind.PARSE_ERROR, "the text is no decimal literal")
NOT_FINITE = Failure(ArithmeticErrorKind.PARSE_ERROR, "the type has neither infinity nor NaN")
NOT_WHOLE = Failure(ArithmeticErrorKind.PARSE_ERROR, "the number is not an integer")
FAR_EXPONENT = Failure(
    ArithmeticErrorKind.OVERFLOW, f"the exponent is not within {GREATEST_EXPONENT} of zero"
)

_SPACE = r"[ \t\n\r\f\v]*"
_LITERAL = re.compile(
    rf"{_SPACE}(?P<sign>[+-]?)"
    r"(?:(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?(?:e(?P<exponent>[+-]?[0-9]+))?"
    rf"|inf|infinity|nan){_SPACE}",
    re.IGNORECASE | re.ASCII,
)
_CHUNK = 512  # Python's limit on the digits of an int cannot be set below 640


@dataclass(frozen=True, slots=True)
class _Exact:
    """The number digits * 10**exponent, without its sign."""

    negative: bool
    digits: str
    exponent: int


def parse_float(text: str, _ctx: ArithmeticContext | None) -> float | Failure:
    """Return the nearest float."""
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        return MALFORMED
    value = float(text)
    return OUT_OF_RANGE if literal["whole"] is not None and abs(value) == float("inf") else value


def parse_int(text: str, _ctx: ArithmeticContext | None) -> int | Failure:
    """Return the integer that the literal, with or without point and exponent, is."""
    exact = _read_exact(text)
    if isinstance(exact, Failure):
        return exact
    if exact.exponent < 0:
        if exact.digits[exact.exponent :].strip("0"):
            return NOT_WHOLE
        value = _to_int(exact.digits[: exact.exponent])
    else:
        value = _to_int(exact.digits) * 10**exact.exponent
    return -value if exact.negative else value


def parse_fraction(text: str, _ctx: ArithmeticContext | None) -> Fraction | Failure:
    """Return exactly the number that the literal is."""
    exact = _read_exact(text)
    if isinstance(exact, Failure):
        return exact
    scale: int = 10 ** abs(exact.exponent)
    value = Fraction(_to_int(exact.digits))
    value = value / scale if exact.exponent < 0 else value * scale
    return -value if exact.negative else value


def parse_decimal(text: str, ctx: ArithmeticContext | None) -> Decimal | Failure:
    """Return the literal, rounded under the context."""
    c = context_of(ctx)
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        return MALFORMED
    value = c.create_decimal(text.strip())
    return finished(value, c) if literal["whole"] is not None else value


def _read_exact(text: str) -> _Exact | Failure:
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        return MALFORMED
    if literal["whole"] is None:
        return NOT_FINITE
    written = literal["exponent"] or ""
    size = written.lstrip("+-").lstrip("0") or "0"
    if len(size) > len(str(GREATEST_EXPONENT)) or int(size) > GREATEST_EXPONENT:
        return FAR_EXPONENT
    fraction = (literal["fraction"] or "").rstrip("0")
    digits = (literal["whole"] + fraction).lstrip("0")
    exponent = (-int(size) if written.startswith("-") else int(size)) - len(fraction)
    return _Exact(literal["sign"] == "-", digits, exponent if digits else 0)


def _to_int(digits: str) -> int:
    if len(digits) <= _CHUNK:
        return int(digits or "0")
    low = len(digits) // 2
    scale: int = 10**low
    return _to_int(digits[:-low]) * scale + _to_int(digits[-low:])
