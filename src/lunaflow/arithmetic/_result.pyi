"""`Ok` and `Err`: a result, or the exception that says why there is none, as a value."""

from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeVar, final

_T = TypeVar("_T")
_U = TypeVar("_U")
_T_co = TypeVar("_T_co", covariant=True)
_E = TypeVar("_E", bound=BaseException)
_F = TypeVar("_F", bound=BaseException)
_E_co = TypeVar("_E_co", bound=BaseException, covariant=True)

@final
class Ok(Generic[_T_co]):
    """A computed result, in the read-only field ``value``.

    Equality is structural; values that hold arrays compare by `same_value` and are not hashable.
    """

    __match_args__ = ("value",)
    def __init__(self, value: _T_co) -> None: ...
    @property
    def value(self) -> _T_co:
        """The result itself."""

    def is_ok(self) -> bool:
        """Return True."""

    def is_err(self) -> bool:
        """Return False."""

    def unwrap(self) -> _T_co:
        """Return the value."""

    def unwrap_or(self, default: object) -> _T_co:
        """Return the value; `default` is not used."""

    def map(self, f: Callable[[_T_co], _U]) -> Ok[_U]:
        """Return ``Ok(f(value))``."""

    def and_then(self, f: Callable[[_T_co], Ok[_U] | Err[_F]]) -> Ok[_U] | Err[_F]:
        """Return ``f(value)``, which must be an Ok or an Err."""

    def __bool__(self) -> NoReturn: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Err(Generic[_E_co]):
    """The reason why there is no result.

    The read-only field ``error`` is an exception object, ready to be raised.
    """

    __match_args__ = ("error",)
    def __init__(self, error: _E_co) -> None: ...
    @property
    def error(self) -> _E_co:
        """The exception object."""

    def is_ok(self) -> bool:
        """Return False."""

    def is_err(self) -> bool:
        """Return True."""

    def unwrap(self) -> NoReturn:
        """Raise the error: that very object, without the traceback of an earlier raise."""

    def unwrap_or(self, default: _U) -> _U:
        """Return `default`."""

    def map(self, f: Callable[[Any], Any]) -> Err[_E_co]:
        """Return self; `f` is not called."""

    def and_then(self, f: Callable[[Any], Any]) -> Err[_E_co]:
        """Return self; `f` is not called."""

    def __bool__(self) -> NoReturn: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

Result = Ok[_T] | Err[_E]
