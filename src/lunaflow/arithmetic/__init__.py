"""Results as values, the error they may hold, and the context checked operations run under."""

from lunaflow._compiled import not_built
from lunaflow.arithmetic._context import ArithmeticContext, RoundingMode
from lunaflow.arithmetic._errors import ArithmeticError, ArithmeticErrorKind
from lunaflow.arithmetic._same_value import same_value

try:
    from lunaflow.arithmetic._result import Err, Ok, Result
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

__all__ = [
    "ArithmeticContext",
    "ArithmeticError",
    "ArithmeticErrorKind",
    "Err",
    "Ok",
    "Result",
    "RoundingMode",
    "same_value",
]
