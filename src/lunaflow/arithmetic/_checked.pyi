"""The checked operations: floats at once, all other types by dispatch."""

import builtins
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex, TypeVar, overload

from lunaflow.arithmetic._context import ArithmeticContext
from lunaflow.arithmetic._errors import ArithmeticError
from lunaflow.arithmetic._result import Err, Ok

_T = TypeVar("_T")

@overload
def div_checked(
    x: float, y: float, ctx: ArithmeticContext | None = None
) -> Ok[float] | Err[ArithmeticError]: ...
@overload
def div_checked(
    x: Fraction, y: Fraction | int, ctx: ArithmeticContext | None = None
) -> Ok[Fraction] | Err[ArithmeticError]: ...
@overload
def div_checked(
    x: int, y: Fraction, ctx: ArithmeticContext | None = None
) -> Ok[Fraction] | Err[ArithmeticError]: ...
@overload
def div_checked(
    x: Decimal, y: Decimal | int, ctx: ArithmeticContext | None = None
) -> Ok[Decimal] | Err[ArithmeticError]: ...
@overload
def div_checked(
    x: int, y: Decimal, ctx: ArithmeticContext | None = None
) -> Ok[Decimal] | Err[ArithmeticError]: ...
@overload
def div_checked(
    x: Any, y: Any, ctx: ArithmeticContext | None = None
) -> Ok[Any] | Err[ArithmeticError]: ...
@overload
def sqrt_checked(
    x: float, ctx: ArithmeticContext | None = None
) -> Ok[float] | Err[ArithmeticError]: ...
@overload
def sqrt_checked(x: _T, ctx: ArithmeticContext | None = None) -> Ok[_T] | Err[ArithmeticError]: ...
def compare_checked(x: Any, y: Any) -> Ok[int] | Err[ArithmeticError]: ...
@overload
def pow_nat_checked(
    x: int, n: SupportsIndex, ctx: ArithmeticContext | None = None
) -> Ok[int] | Err[ArithmeticError]: ...
@overload
def pow_nat_checked(
    x: _T, n: SupportsIndex, ctx: ArithmeticContext | None = None
) -> Ok[_T] | Err[ArithmeticError]: ...
@overload
def pow_int_checked(
    x: int, n: SupportsIndex, ctx: ArithmeticContext | None = None
) -> Ok[float] | Err[ArithmeticError]: ...
@overload
def pow_int_checked(
    x: _T, n: SupportsIndex, ctx: ArithmeticContext | None = None
) -> Ok[_T] | Err[ArithmeticError]: ...
def parse_checked(
    text: str,
    type: builtins.type[_T],  # noqa: A002
    ctx: ArithmeticContext | None = None,
) -> Ok[_T] | Err[ArithmeticError]: ...
