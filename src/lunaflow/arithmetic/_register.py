"""`register`: checked operations of types that one cannot give methods to."""

import builtins
import dataclasses
from typing import Any

from lunaflow._arguments import as_integer, require, require_callable
from lunaflow._texts import one_line
from lunaflow.arithmetic._errors import ArithmeticError, ArithmeticErrorKind
from lunaflow.arithmetic._failures import Failure
from lunaflow.arithmetic._operations import SCALARS, Rule, enter, registered
from lunaflow.arithmetic._result import Err, Ok


def register(
    type: builtins.type,  # noqa: A002
    *,
    div: Rule | None = None,
    sqrt: Rule | None = None,
    compare: Rule | None = None,
    pow_int: Rule | None = None,
    parse: Rule | None = None,
) -> None:
    """Let a type that one cannot give methods to take part in checked operations.

    The functions take what the checked functions take: ``div(x, y, ctx)``, ``sqrt(x, ctx)``,
    ``compare(x, y)``, ``pow_int(x, n, ctx)``, ``parse(text, ctx)``, `ctx` being an
    `ArithmeticContext` or None. They return the value, or an `Ok` or `Err`, or raise: a
    `ZeroDivisionError` becomes an `Err` of kind DIVISION_BY_ZERO, an `OverflowError` of kind
    OVERFLOW, another builtin `ArithmeticError` or `ValueError` of kind DOMAIN_ERROR (when parsing
    PARSE_ERROR); other exceptions pass through. In `div` and `compare` either operand may be a
    Python int; other types do not mix. Subclasses have the operations of the nearest registered
    base. Methods of the protocols' names go before registered functions. Registering a type again
    replaces the functions given and keeps the others.

    Parameters
    ----------
    type : type
        Whose operations these are; not a built-in scalar type, which has its own.
    div, sqrt, compare, pow_int, parse : callable, optional
        The operations. `pow_int` also serves `pow_nat_checked`.

    Raises
    ------
    TypeError
        If `type` is no class, or a function cannot be called.
    ValueError
        If `type` is float, int, bool, Fraction or Decimal.
    """
    require("type", type, builtins.type, "a class")
    if type in SCALARS or type is bool or type is object:
        raise ValueError(f"type must not be {type.__name__}, whose operations are fixed")
    given = {"div": div, "sqrt": sqrt, "compare": compare, "pow_int": pow_int, "parse": parse}
    rules: dict[str, Any] = {}
    for name, function in given.items():
        if function is not None:
            require_callable(name, function)
            rule = _signs(function) if name == "compare" else function
            rules[name] = _guarded(name, rule)
    enter(dataclasses.replace(registered(type), **rules))


def _guarded(name: str, function: Rule) -> Rule:
    otherwise = (
        ArithmeticErrorKind.PARSE_ERROR if name == "parse" else ArithmeticErrorKind.DOMAIN_ERROR
    )

    def rule(*operands: Any) -> Any:
        try:
            return function(*operands)
        except ArithmeticError as error:
            return Err(error)
        except (builtins.ArithmeticError, ValueError) as error:
            reason = one_line(str(error)) or type(error).__name__
            return Failure(_kind_of(error, otherwise), reason, error)

    return rule


def _kind_of(error: Exception, otherwise: ArithmeticErrorKind) -> ArithmeticErrorKind:
    if isinstance(error, ZeroDivisionError):
        return ArithmeticErrorKind.DIVISION_BY_ZERO
    return ArithmeticErrorKind.OVERFLOW if isinstance(error, OverflowError) else otherwise


def _signs(compare: Rule) -> Rule:
    def rule(x: Any, y: Any) -> Any:
        order = compare(x, y)
        if isinstance(order, (Ok, Err)):
            return order
        order = as_integer("the result of the registered compare", order)
        return (order > 0) - (order < 0)

    return rule
