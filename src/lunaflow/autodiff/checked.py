"""Checked dual numbers: the two operations that may fail, and what their results are made of."""

from lunaflow.arithmetic import (
    ArithmeticContext,
    ArithmeticError,
    ArithmeticErrorKind,
    DivChecked,
    RoundingMode,
    SqrtChecked,
)
from lunaflow.autodiff._dual import Dual, div_checked, sqrt_checked

__all__ = [
    "ArithmeticContext",
    "ArithmeticError",
    "ArithmeticErrorKind",
    "DivChecked",
    "Dual",
    "RoundingMode",
    "SqrtChecked",
    "div_checked",
    "sqrt_checked",
]
