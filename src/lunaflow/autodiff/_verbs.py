"""How drivers are called, for type checkers: what is returned depends on `x` and `errors`."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeVar, cast, overload

import numpy.typing as npt

from lunaflow.arithmetic import ArithmeticError, Err, Ok

Function = Callable[..., Any]
Numbers = Sequence[Any] | npt.NDArray[Any]
Mode = Literal["raise", "ieee"]
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)


class PointDriver(Protocol[_R_co]):
    """A driver that takes the point `x`."""

    __name__: str

    @overload
    def __call__(
        self,
        f: Function,
        x: Numbers,
        *,
        args: Sequence[Any] = ...,
        argnum: SupportsIndex = ...,
        errors: Mode = ...,
    ) -> _R_co: ...
    @overload
    def __call__(
        self,
        f: Function,
        x: Numbers,
        *,
        args: Sequence[Any] = ...,
        argnum: SupportsIndex = ...,
        errors: Literal["result"],
    ) -> Ok[_R_co] | Err[ArithmeticError]: ...
    @overload
    def __call__(
        self, f: Function, *, argnum: SupportsIndex = ..., errors: Mode = ...
    ) -> Callable[..., _R_co]: ...
    @overload
    def __call__(
        self, f: Function, *, argnum: SupportsIndex = ..., errors: Literal["result"]
    ) -> Callable[..., Ok[_R_co] | Err[ArithmeticError]]: ...


class DirectionDriver(Protocol[_R_co]):
    """A driver that takes the point `x` and a direction `v`."""

    __name__: str

    @overload
    def __call__(
        self,
        f: Function,
        x: Numbers,
        v: Numbers,
        *,
        args: Sequence[Any] = ...,
        argnum: SupportsIndex = ...,
        errors: Mode = ...,
    ) -> _R_co: ...
    @overload
    def __call__(
        self,
        f: Function,
        x: Numbers,
        v: Numbers,
        *,
        args: Sequence[Any] = ...,
        argnum: SupportsIndex = ...,
        errors: Literal["result"],
    ) -> Ok[_R_co] | Err[ArithmeticError]: ...
    @overload
    def __call__(
        self, f: Function, *, argnum: SupportsIndex = ..., errors: Mode = ...
    ) -> Callable[..., _R_co]: ...
    @overload
    def __call__(
        self, f: Function, *, argnum: SupportsIndex = ..., errors: Literal["result"]
    ) -> Callable[..., Ok[_R_co] | Err[ArithmeticError]]: ...


def point_driver(function: Callable[..., _R]) -> PointDriver[_R]:
    """Give a driver its types."""
    return cast(PointDriver[_R], function)


def direction_driver(function: Callable[..., _R]) -> DirectionDriver[_R]:
    """Give a driver with a direction its types."""
    return cast(DirectionDriver[_R], function)
