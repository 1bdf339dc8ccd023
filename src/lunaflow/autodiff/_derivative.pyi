"""The drivers of functions of one number: a float takes a short way, all else the general one."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsIndex, TypeVar, overload

from lunaflow.arithmetic import ArithmeticError, Err, Ok
from lunaflow.autodiff._verbs import Function, Mode

_T = TypeVar("_T")

@overload
def derivative(
    f: Function,
    x: float,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Mode = ...,
) -> float: ...
@overload
def derivative(
    f: Function,
    x: float,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Literal["result"],
) -> Ok[float] | Err[ArithmeticError]: ...
@overload
def derivative(
    f: Function,
    x: _T,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Mode = ...,
) -> _T: ...
@overload
def derivative(
    f: Function,
    x: _T,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Literal["result"],
) -> Ok[_T] | Err[ArithmeticError]: ...
@overload
def derivative(
    f: Function, *, argnum: SupportsIndex = ..., errors: Mode = ...
) -> Callable[..., Any]: ...
@overload
def derivative(
    f: Function, *, argnum: SupportsIndex = ..., errors: Literal["result"]
) -> Callable[..., Ok[Any] | Err[ArithmeticError]]: ...
@overload
def value_and_derivative(
    f: Function,
    x: float,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Mode = ...,
) -> tuple[Any, float]: ...
@overload
def value_and_derivative(
    f: Function,
    x: float,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Literal["result"],
) -> Ok[tuple[Any, float]] | Err[ArithmeticError]: ...
@overload
def value_and_derivative(
    f: Function,
    x: _T,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Mode = ...,
) -> tuple[Any, _T]: ...
@overload
def value_and_derivative(
    f: Function,
    x: _T,
    *,
    args: Sequence[Any] = ...,
    argnum: SupportsIndex = ...,
    errors: Literal["result"],
) -> Ok[tuple[Any, _T]] | Err[ArithmeticError]: ...
@overload
def value_and_derivative(
    f: Function, *, argnum: SupportsIndex = ..., errors: Mode = ...
) -> Callable[..., tuple[Any, Any]]: ...
@overload
def value_and_derivative(
    f: Function, *, argnum: SupportsIndex = ..., errors: Literal["result"]
) -> Callable[..., Ok[tuple[Any, Any]] | Err[ArithmeticError]]: ...
