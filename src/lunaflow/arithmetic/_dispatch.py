"""From a checked function to the rule of its operands' types, and from its outcome to a Result.

A type's own method goes first, then the rules of `_operations`. What is no number raises TypeError,
as does a mix of types that neither type's rules accept; a number without the rule is an Err.
"""

import builtins
from typing import Any

from lunaflow._arguments import as_integer, reject_type, require, require_text
from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._errors import ArithmeticError, ArithmeticErrorKind
from lunaflow.arithmetic._failures import NEGATIVE_COUNT, Failure, failed
from lunaflow.arithmetic._operations import SCALARS, Operations, operations_of
from lunaflow.arithmetic._result import Err, Ok

AnyResult = Ok[Any] | Err[ArithmeticError]
_NUMBER = (
    "a number: float, int, Fraction, Decimal, or of a type with the protocol's method or registered"
)


def divide(x: Any, y: Any, ctx: ArithmeticContext | None) -> AnyResult:
    """Compute `div_checked`."""
    return _binary("div_checked", "div", x, y, ctx)


def compare(x: Any, y: Any) -> AnyResult:
    """Compute `compare_checked`."""
    return _binary("compare_checked", "compare", x, y)


def square_root(x: Any, ctx: ArithmeticContext | None) -> AnyResult:
    """Compute `sqrt_checked`."""
    operations = _operations("x", x)
    if _has_method(x, "sqrt_checked"):
        return _own("sqrt_checked", x, ctx)
    return _apply("sqrt_checked", (x,), operations, "sqrt", ctx)


def power_nat(x: Any, n: Any, ctx: ArithmeticContext | None) -> AnyResult:
    """Compute `pow_nat_checked`."""
    operations = _operations("x", x)
    exponent = as_integer("n", n)
    if exponent < 0:
        return failed("pow_nat_checked", (x, exponent), NEGATIVE_COUNT)
    for method in ("pow_nat_checked", "pow_int_checked"):
        if _has_method(x, method):
            return _own(method, x, exponent, ctx)
    return _apply("pow_nat_checked", (x,), operations, "pow_int", exponent, ctx)


def power_int(x: Any, n: Any, ctx: ArithmeticContext | None) -> AnyResult:
    """Compute `pow_int_checked`."""
    operations = _operations("x", x)
    exponent = as_integer("n", n)
    if _has_method(x, "pow_int_checked"):
        return _own("pow_int_checked", x, exponent, ctx)
    return _apply("pow_int_checked", (x,), operations, "pow_int", exponent, ctx)


def parse(text: Any, cls: Any, ctx: ArithmeticContext | None) -> AnyResult:
    """Compute `parse_checked`."""
    require_text("text", text)
    require("type", cls, builtins.type, "a class")
    operations = operations_of(cls)
    if operations is None:
        raise TypeError(f"type must be a type of numbers, not {cls.__name__}")
    if hasattr(cls, "parse_checked"):
        return _result("parse_checked", cls, cls.parse_checked(text, ctx))
    if operations.parse is None:
        return failed("parse_checked", (text, cls), _unsupported("parse_checked", cls))
    return _outcome("parse_checked", (text, cls), operations.parse(str(text), ctx))


def _binary(operation: str, field: str, x: Any, y: Any, *context: Any) -> AnyResult:
    left = _operations("x", x)
    if _has_method(x, operation):
        return _own(operation, x, y, *context)
    right = _operations("y", y)
    for value, operations in ((x, left), (y, right)):
        if getattr(operations, field) is None and not _has_method(value, operation):
            return failed(operation, (x, y), _unsupported(operation, type(value)))
    if left.owner is right.owner or right.owner in left.mixes:
        return _apply(operation, (x, y), left, field, *context)
    if left.owner in right.mixes and getattr(right, field) is not None:
        return _apply(operation, (x, y), right, field, *context)
    raise TypeError(
        f"{operation} does not mix {type(x).__name__} and {type(y).__name__}: "
        "float, Fraction, Decimal and registered types mix with themselves and with int"
    )


def _operations(name: str, value: Any) -> Operations:
    operations = operations_of(type(value))
    if operations is None:
        raise reject_type(name, value, _NUMBER)
    return operations


def _apply(
    operation: str, operands: tuple[Any, ...], operations: Operations, field: str, *more: Any
) -> AnyResult:
    rule = getattr(operations, field)
    shown = (*operands, more[0]) if field == "pow_int" else operands
    if rule is None:
        return failed(operation, shown, _unsupported(operation, operations.owner))
    return _outcome(operation, shown, rule(*map(_plain, operands), *more))


def _plain(value: Any) -> Any:
    # a subclass of a scalar, as numpy.float64 is, counts as the scalar
    if type(value) in SCALARS:
        return value
    owner = getattr(operations_of(type(value)), "owner", None)
    return owner(value) if owner in SCALARS else value


def _outcome(operation: str, operands: tuple[Any, ...], outcome: Any) -> AnyResult:
    if isinstance(outcome, Failure):
        return failed(operation, operands, outcome)
    return outcome if isinstance(outcome, (Ok, Err)) else Ok(outcome)


def _has_method(value: Any, method: str) -> bool:
    return type(value) not in SCALARS and hasattr(type(value), method)


def _own(method: str, value: Any, *arguments: Any) -> AnyResult:
    return _result(method, type(value), getattr(value, method)(*arguments))


def _result(method: str, cls: type, result: Any) -> AnyResult:
    if not isinstance(result, (Ok, Err)):
        raise reject_type(f"the result of {cls.__name__}.{method}", result, "Ok or Err")
    return result


def _unsupported(operation: str, cls: type) -> Failure:
    return Failure(ArithmeticErrorKind.UNSUPPORTED_OPERATION, f"{cls.__name__} has no {operation}")
