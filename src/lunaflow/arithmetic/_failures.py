"""Why a rule has no result, and the Err that tells the caller."""

from dataclasses import dataclass
from typing import Any

from lunaflow._texts import text_of
from lunaflow._user_code import user_location
from lunaflow.arithmetic._errors import ArithmeticError, ArithmeticErrorKind
from lunaflow.arithmetic._result import Err


@dataclass(frozen=True, slots=True)
class Failure:
    """What a rule returns in place of a value."""

    kind: ArithmeticErrorKind
    reason: str
    cause: Exception | None = None


ZERO_BY_ZERO = Failure(ArithmeticErrorKind.DOMAIN_ERROR, "zero divided by zero has no value")
INF_BY_INF = Failure(ArithmeticErrorKind.DOMAIN_ERROR, "infinity divided by infinity has no value")
BY_ZERO = Failure(ArithmeticErrorKind.DIVISION_BY_ZERO, "division by zero")
OUT_OF_RANGE = Failure(ArithmeticErrorKind.OVERFLOW, "the result is beyond the range of its type")
NEGATIVE_ROOT = Failure(
    ArithmeticErrorKind.DOMAIN_ERROR, "a negative number has no real square root"
)
NOT_ORDERED = Failure(ArithmeticErrorKind.UNORDERED_COMPARISON, "NaN has no order")
NEGATIVE_COUNT = Failure(ArithmeticErrorKind.DOMAIN_ERROR, "the exponent must not be negative")

# what the codes of _float_rules.pxd stand for, in their order
FLOAT_FAULTS = (None, ZERO_BY_ZERO, INF_BY_INF, BY_ZERO, OUT_OF_RANGE, NEGATIVE_ROOT, NOT_ORDERED)


def failed(
    operation: str, operands: tuple[Any, ...], failure: Failure, component: str | None = None
) -> Err[ArithmeticError]:
    """Return the Err of `operation`, which names the operands and the user's line.

    An `operation` that is no name is an operator, and is written between its operands.
    """
    shown = [o.__name__ if isinstance(o, type) else text_of(o) for o in operands]
    if operation.isidentifier():
        call = f"{operation}({', '.join(shown)})"
    else:
        call = f" {operation} ".join(shown)
    where = "" if component is None else f" (in the {component})"
    message = f"{call}: {failure.reason}{where}"
    error = ArithmeticError(failure.kind, message, operation=operation, component=component)
    error.__cause__ = failure.cause
    if (line := user_location()) is not None:
        error.add_note(f"called at {line}")
    return Err(error)
