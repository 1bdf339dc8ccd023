"""`Ok` and `Err`: a result, or the exception that says why there is none, as a value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from lunaflow._arguments import reject_type
from lunaflow.arithmetic._same_value import equal_or_same, value_hash

T = TypeVar("T")
U = TypeVar("U")
E = TypeVar("E", bound=BaseException)
F = TypeVar("F", bound=BaseException)


class _NoTruth:
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"the truth of an {type(self).__name__} is ambiguous; "
            "use .is_ok(), .is_err(), or match on Ok(value) and Err(error)"
        )


# slots by hand: dataclass(slots=True) makes Ok[int](3) fail on Python 3.11
@dataclass(frozen=True, eq=False)
class Ok(_NoTruth, Generic[T]):
    """A computed result.

    Equality is structural; values that hold arrays compare by `same_value` and are not hashable.
    """

    __slots__ = ("value",)

    value: T

    def is_ok(self) -> bool:
        """Return True."""
        return True

    def is_err(self) -> bool:
        """Return False."""
        return False

    def unwrap(self) -> T:
        """Return the value."""
        return self.value

    def unwrap_or(self, default: object) -> T:  # noqa: ARG002
        """Return the value; `default` is not used."""
        return self.value

    def map(self, f: Callable[[T], U]) -> "Ok[U]":
        """Return ``Ok(f(value))``."""
        return Ok(f(self.value))

    def and_then(self, f: "Callable[[T], Ok[U] | Err[F]]") -> "Ok[U] | Err[F]":
        """Return ``f(value)``, which must be an Ok or an Err."""
        result = f(self.value)
        if not isinstance(result, (Ok, Err)):
            raise reject_type("the result of the function given to and_then", result, "Ok or Err")
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ok):
            return NotImplemented
        return equal_or_same(self.value, other.value)

    def __hash__(self) -> int:
        return hash((Ok, value_hash(self.value)))

    def __reduce__(self) -> "tuple[type[Ok[T]], tuple[T]]":
        return Ok, (self.value,)


@dataclass(frozen=True, eq=False)
class Err(_NoTruth, Generic[E]):
    """The reason why there is no result: an exception object, ready to be raised."""

    __slots__ = ("error",)

    error: E

    def __post_init__(self) -> None:
        if not isinstance(self.error, BaseException):
            raise reject_type("error", self.error, "an exception object")

    def is_ok(self) -> bool:
        """Return False."""
        return False

    def is_err(self) -> bool:
        """Return True."""
        return True

    def unwrap(self) -> NoReturn:
        """Raise the error: that very object, without the traceback of an earlier raise."""
        raise self.error.with_traceback(None)

    def unwrap_or(self, default: U) -> U:
        """Return `default`."""
        return default

    def map(self, f: Callable[[Any], Any]) -> "Err[E]":  # noqa: ARG002
        """Return self; `f` is not called."""
        return self

    def and_then(self, f: Callable[[Any], Any]) -> "Err[E]":  # noqa: ARG002
        """Return self; `f` is not called."""
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Err):
            return NotImplemented
        return bool(self.error == other.error)

    def __hash__(self) -> int:
        return hash((Err, self.error))

    def __reduce__(self) -> "tuple[type[Err[E]], tuple[E]]":
        return Err, (self.error,)


Result = Ok[T] | Err[E]
