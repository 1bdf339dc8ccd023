"""Values of the functions over types other than float: exact, or under the decimal context."""

import decimal
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lunaflow.arithmetic import ArithmeticErrorKind, Err, sqrt_checked
from lunaflow.arithmetic._failures import Failure, failed
from lunaflow.arithmetic._fraction_rules import square_root
from lunaflow.autodiff._components import is_finite, kind_of


class Unsupported(Exception):
    """A type has no such function, or no value of it here that it could hold."""


def value_of(name: str, *operands: Any) -> Any:
    """Return a function's value over decimals, fractions or a registered type.

    Raises
    ------
    Unsupported
        If the type has no such function.
    """
    kind = next((k for k in map(kind_of, operands) if k not in (int, None)), int)
    function = _TABLES.get(kind, _OPERATORS).get(name)
    if function is None:
        raise Unsupported(f"{kind.__name__} has no {name}")
    if kind in _TABLES and name != "power":
        operands = tuple(kind(x) if isinstance(x, int) else x for x in operands)
    return function(*operands)


def types_with(name: str) -> list[str]:
    """Return which types other than float have a function."""
    return [kind.__name__ for kind, table in _TABLES.items() if name in table]


def like(model: Any, n: int) -> Any:
    """Return the int `n` as a number of the type of `model`."""
    return type(model)(n)


def is_nan(x: Any) -> bool:
    """Say whether a plain number is NaN."""
    return bool(x != x)


def is_infinite(x: Any) -> bool:
    """Say whether a plain number is infinite."""
    return not is_finite(x) and not is_nan(x)


def is_whole(x: Any) -> bool:
    """Say whether a plain number is an integer, or infinite."""
    if isinstance(x, Decimal):
        return bool(x == x.to_integral_value())
    return is_infinite(x) or bool(x % 1 == 0)


def remainder(name: str, x: Any, y: Any) -> Any:
    """Return `math.fmod` or `math.remainder` in the type of the operands."""
    if isinstance(x, float):
        return getattr(math, name)(x, y)
    return value_of(name, x, y)


def whole_quotient(x: Any, rest: Any, y: Any) -> Any:
    """Return the integer (x - rest) / y, of which floats and decimals know the leading digits."""
    quotient = x / y - rest / y if isinstance(x, float) else (x - rest) / y
    if isinstance(quotient, float):
        return round(quotient) if abs(quotient) < 2**52 else quotient
    return quotient.to_integral_value() if isinstance(quotient, Decimal) else quotient


def maximum(x: Any, y: Any) -> Any:
    """Return the larger of two plain numbers: the first at a tie, and NaN before all."""
    return x if x != x or not (y != y or y > x) else y


def minimum(x: Any, y: Any) -> Any:
    """Return the smaller of two plain numbers: the first at a tie, and NaN before all."""
    return x if x != x or not (y != y or y < x) else y


def _fraction_root(x: Fraction) -> Fraction:
    outcome = square_root(x, None)
    if not isinstance(outcome, Failure):
        return outcome
    if outcome.kind is ArithmeticErrorKind.UNSUPPORTED_OPERATION:
        raise Unsupported(outcome.reason)
    raise failed("sqrt", (x,), outcome).error


def _root(x: Any) -> Any:
    outcome = sqrt_checked(x)
    if not isinstance(outcome, Err):
        return outcome.value
    if outcome.error.kind is ArithmeticErrorKind.UNSUPPORTED_OPERATION:
        raise Unsupported(outcome.error.message)
    raise outcome.error


def _decimal_power(x: Decimal | int, y: Decimal | int) -> Decimal:
    # zero to the power 0 is 1 here as everywhere, not NaN
    return Decimal(x) ** y if y else Decimal(1)


def _fraction_power(x: Fraction | int, y: Fraction | int) -> Fraction:
    if not is_whole(y):
        raise Unsupported("Fraction has no powers but those to integers")
    return Fraction(x) ** int(y)


def _toward_zero_remainder(x: Fraction, y: Fraction) -> Fraction:
    return x - y * math.trunc(x / y)


def _nearest_remainder(x: Fraction, y: Fraction) -> Fraction:
    return x - y * round(x / y)


def _with_sign(x: Fraction, y: Fraction) -> Fraction:
    return -abs(x) if y < 0 else abs(x)


def _whole_decimal(rounding: str) -> Callable[[Decimal], Decimal]:
    return lambda x: x.to_integral_value(rounding)


def _whole_fraction(rounding: Callable[[Fraction], int]) -> Callable[[Fraction], Fraction]:
    return lambda x: Fraction(rounding(x))


_CHOICES: dict[str, Callable[..., Any]] = {"maximum": maximum, "minimum": minimum}
_DECIMAL: dict[str, Callable[..., Any]] = {
    **_CHOICES,
    "exp": Decimal.exp,
    "log": Decimal.ln,
    "log10": Decimal.log10,
    "sqrt": Decimal.sqrt,
    "fabs": abs,
    "floor": _whole_decimal(decimal.ROUND_FLOOR),
    "ceil": _whole_decimal(decimal.ROUND_CEILING),
    "trunc": _whole_decimal(decimal.ROUND_DOWN),
    "fmod": operator.mod,
    "mod": operator.mod,
    "remainder": Decimal.remainder_near,
    "copysign": Decimal.copy_sign,
    "power": _decimal_power,
}
_FRACTION: dict[str, Callable[..., Any]] = {
    **_CHOICES,
    "sqrt": _fraction_root,
    "fabs": abs,
    "floor": _whole_fraction(math.floor),
    "ceil": _whole_fraction(math.ceil),
    "trunc": _whole_fraction(math.trunc),
    "fmod": _toward_zero_remainder,
    "mod": operator.mod,
    "remainder": _nearest_remainder,
    "copysign": _with_sign,
    "power": _fraction_power,
}
# what the operators of other types give
_OPERATORS: dict[str, Callable[..., Any]] = {
    **_CHOICES,
    "sqrt": _root,
    "fabs": abs,
    "mod": operator.mod,
    "power": operator.pow,
}
_TABLES: dict[Any, dict[str, Callable[..., Any]]] = {Decimal: _DECIMAL, Fraction: _FRACTION}
