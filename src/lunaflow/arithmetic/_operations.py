"""Which rule computes an operation of which type: the built-in scalars, and what is entered."""

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from lunaflow.arithmetic import _decimal_rules, _float_rules, _fraction_rules, _int_rules
from lunaflow.arithmetic import _parse_rules as _parse

Rule = Callable[..., Any]
METHODS = (
    "div_checked",
    "sqrt_checked",
    "compare_checked",
    "pow_nat_checked",
    "pow_int_checked",
    "parse_checked",
)


@dataclass(frozen=True, slots=True)
class Operations:
    """The rules of a type, and which other types its rules for two operands accept.

    A rule takes the arguments of the public function and returns a value, an Ok or Err, or a
    Failure.
    """

    owner: type
    mixes: frozenset[type] = frozenset({int})
    div: Rule | None = None
    sqrt: Rule | None = None
    compare: Rule | None = None
    pow_int: Rule | None = None
    parse: Rule | None = None


BUILTINS = (
    Operations(
        float,
        div=_int_rules.divide_mixed,
        sqrt=_float_rules.square_root,
        compare=_int_rules.compare,
        pow_int=_float_rules.power,
        parse=_parse.parse_float,
    ),
    Operations(
        int,
        mixes=frozenset(),
        div=_int_rules.divide,
        sqrt=_int_rules.square_root,
        compare=_int_rules.compare,
        pow_int=_int_rules.power,
        parse=_parse.parse_int,
    ),
    Operations(
        Fraction,
        div=_fraction_rules.divide,
        sqrt=_fraction_rules.square_root,
        compare=_int_rules.compare,
        pow_int=_fraction_rules.power,
        parse=_parse.parse_fraction,
    ),
    Operations(
        Decimal,
        div=_decimal_rules.divide,
        sqrt=_decimal_rules.square_root,
        compare=_decimal_rules.compare,
        pow_int=_decimal_rules.power,
        parse=_parse.parse_decimal,
    ),
)
SCALARS = frozenset(operations.owner for operations in BUILTINS)
_TABLE: dict[type, Operations] = {operations.owner: operations for operations in BUILTINS}


def operations_of(cls: type) -> Operations | None:
    """Return the rules of a type of numbers, empty if it has none; None if it is no such type."""
    if cls is bool:
        return None
    for base in cls.__mro__:
        if (found := _TABLE.get(base)) is not None:
            return found
    is_number = issubclass(cls, numbers.Number) or any(hasattr(cls, name) for name in METHODS)
    return Operations(cls) if is_number else None


def registered(cls: type) -> Operations:
    """Return the rules entered for this very type, empty if there are none."""
    return _TABLE.get(cls, Operations(cls))


def enter(operations: Operations) -> None:
    """Let these be the rules of their owner and of its subclasses."""
    _TABLE[operations.owner] = operations
