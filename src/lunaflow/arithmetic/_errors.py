"""The one error of the value level: which rule failed, in which operation, and where."""

import builtins
import enum
from collections.abc import Sequence
from typing import Any

from lunaflow._arguments import as_integer, reject_type

Index = int | tuple[int, ...]


class ArithmeticErrorKind(enum.Enum):
    """Why an operation has no result."""

    DIVISION_BY_ZERO = "division by zero"
    DOMAIN_ERROR = "domain error"
    OVERFLOW = "overflow"
    PARSE_ERROR = "parse error"
    FORMAT_ERROR = "format error"
    UNSUPPORTED_OPERATION = "unsupported operation"
    UNORDERED_COMPARISON = "unordered comparison"


class ArithmeticError(builtins.ArithmeticError):
    """An arithmetic operation that has no result.

    The object also is a `ZeroDivisionError` (DIVISION_BY_ZERO), an `OverflowError` (OVERFLOW) or a
    `ValueError` (DOMAIN_ERROR, PARSE_ERROR, FORMAT_ERROR), so ordinary ``except`` clauses catch it.
    Two errors are equal when all declared fields are equal; notes do not take part.

    Parameters
    ----------
    kind : ArithmeticErrorKind
        Which rule failed.
    message : str
        What happened, in words.
    operation : str, optional
        Name of the operation that failed, such as ``"sum"`` or ``"div_checked"``.
    component : str, optional
        ``"value"``, ``"tangent"``, or a dotted path of them, outermost first.
    index : int or tuple of int, optional
        First failing position in the input.
    exact : int, optional
        The exact integer result, where one exists (an overflowing sum).
    """

    __slots__ = ("_component", "_exact", "_index", "_kind", "_message", "_operation")

    def __init_subclass__(cls, **_options: object) -> None:
        # a subclass made elsewhere would not also be the builtin exception of its kind
        if cls.__module__ != __name__:
            raise TypeError("ArithmeticError cannot be subclassed; its kind tells errors apart")

    def __new__(
        cls, kind: ArithmeticErrorKind, *_args: object, **_fields: object
    ) -> "ArithmeticError":
        """Make an object that also is the builtin exception of its kind."""
        if not isinstance(kind, ArithmeticErrorKind):
            raise reject_type("kind", kind, "an ArithmeticErrorKind")
        return super().__new__(_BY_KIND.get(kind, cls))

    def __init__(
        self,
        kind: ArithmeticErrorKind,
        message: str,
        *,
        operation: str | None = None,
        component: str | None = None,
        index: Index | None = None,
        exact: int | None = None,
    ) -> None:
        if not isinstance(message, str):
            raise reject_type("message", message, "a str")
        for name, text in (("operation", operation), ("component", component)):
            if text is not None and not isinstance(text, str):
                raise reject_type(name, text, "a str or None")
        super().__init__(message)
        self._kind = kind
        self._message = message
        self._operation = operation
        self._component = component
        self._index = None if index is None else _as_index(index)
        self._exact = None if exact is None else as_integer("exact", exact)

    @property
    def kind(self) -> ArithmeticErrorKind:
        """Which rule failed."""
        return self._kind

    @property
    def message(self) -> str:
        """What happened, in words."""
        return self._message

    @property
    def operation(self) -> str | None:
        """Name of the operation that failed, or None."""
        return self._operation

    @property
    def component(self) -> str | None:
        """The failing component of a dual number, as a dotted path, or None."""
        return self._component

    @property
    def index(self) -> Index | None:
        """First failing position in the input, or None."""
        return self._index

    @property
    def exact(self) -> int | None:
        """The exact integer result where one exists, else None."""
        return self._exact

    def _fields(self) -> tuple[Any, ...]:
        return (
            self._kind,
            self._message,
            self._operation,
            self._component,
            self._index,
            self._exact,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArithmeticError):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        names = ("operation", "component", "index", "exact")
        given = [f", {n}={v!r}" for n in names if (v := getattr(self, n)) is not None]
        return f"ArithmeticError({self._kind}, {self._message!r}{''.join(given)})"

    def __reduce__(self) -> tuple[Any, ...]:
        notes = tuple(getattr(self, "__notes__", ()))
        return _rebuild, (self._fields(), notes)


class _DivisionByZero(ArithmeticError, ZeroDivisionError):
    __slots__ = ()


class _Overflow(ArithmeticError, OverflowError):
    __slots__ = ()


class _BadValue(ArithmeticError, ValueError):
    __slots__ = ()


_BY_KIND: dict[ArithmeticErrorKind, type[ArithmeticError]] = {
    ArithmeticErrorKind.DIVISION_BY_ZERO: _DivisionByZero,
    ArithmeticErrorKind.OVERFLOW: _Overflow,
    ArithmeticErrorKind.DOMAIN_ERROR: _BadValue,
    ArithmeticErrorKind.PARSE_ERROR: _BadValue,
    ArithmeticErrorKind.FORMAT_ERROR: _BadValue,
}

# A traceback names the public class; which builtin it also is, is an implementation detail.
ArithmeticError.__module__ = "lunaflow.arithmetic"
for _class in (_DivisionByZero, _Overflow, _BadValue):
    _class.__name__ = _class.__qualname__ = "ArithmeticError"
    _class.__module__ = "lunaflow.arithmetic"


def _as_index(index: object) -> Index:
    if isinstance(index, Sequence) and not isinstance(index, (str, bytes)):
        return tuple(as_integer("index", i) for i in index)
    return as_integer("index", index)


def _rebuild(fields: tuple[Any, ...], notes: tuple[str, ...]) -> ArithmeticError:
    kind, message, operation, component, index, exact = fields
    error = ArithmeticError(
        kind, message, operation=operation, component=component, index=index, exact=exact
    )
    for note in notes:
        error.add_note(note)
    return error
