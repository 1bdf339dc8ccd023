"""Checked operations of scalars: results as values, the error they may hold, their context."""

from lunaflow._compiled import not_built
from lunaflow.arithmetic._context import ArithmeticContext, RoundingMode
from lunaflow.arithmetic._errors import ArithmeticError, ArithmeticErrorKind
from lunaflow.arithmetic._same_value import same_value

try:
    from lunaflow.arithmetic._checked import (
        compare_checked,
        div_checked,
        parse_checked,
        pow_int_checked,
        pow_nat_checked,
        sqrt_checked,
    )
    from lunaflow.arithmetic._protocols import (
        CompareChecked,
        DivChecked,
        ParseChecked,
        PowIntChecked,
        PowNatChecked,
        SqrtChecked,
    )
    from lunaflow.arithmetic._register import register
    from lunaflow.arithmetic._result import Err, Ok, Result
except ModuleNotFoundError as missing:
    raise not_built(missing) from missing

__all__ = [
    "ArithmeticContext",
    "ArithmeticError",
    "ArithmeticErrorKind",
    "CompareChecked",
    "DivChecked",
    "Err",
    "Ok",
    "ParseChecked",
    "PowIntChecked",
    "PowNatChecked",
    "Result",
    "RoundingMode",
    "SqrtChecked",
    "compare_checked",
    "div_checked",
    "parse_checked",
    "pow_int_checked",
    "pow_nat_checked",
    "register",
    "same_value",
    "sqrt_checked",
]
