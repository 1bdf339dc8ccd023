"""Results as values, the error they may hold, and the context checked operations run under."""

from lunaflow.arithmetic._context import ArithmeticContext, RoundingMode
from lunaflow.arithmetic._errors import ArithmeticError, ArithmeticErrorKind
from lunaflow.arithmetic._result import Err, Ok, Result
from lunaflow.arithmetic._same_value import same_value

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
