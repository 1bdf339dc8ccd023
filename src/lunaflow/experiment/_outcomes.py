"""What one call of an implementation came to: a value, or the way in which there is none."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lunaflow._arguments import as_integer, reject_type, require_text
from lunaflow.arithmetic._same_value import equal_or_same, value_hash

Index = int | tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """The call returned `value`.

    Values that hold arrays compare by `lunaflow.arithmetic.same_value` and are not hashable.
    """

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return equal_or_same(self.value, other.value)

    def __hash__(self) -> int:
        return hash((Value, value_hash(self.value)))


@dataclass(frozen=True, slots=True, eq=False)
class RaisedFlags:
    """The call returned `value` and raised the named flags, such as ``"inexact"``.

    Parameters
    ----------
    value : object
        What was returned; arrays compare by `lunaflow.arithmetic.same_value`.
    flags : iterable of str
        Names of the flags; kept as a frozenset.
    """

    value: Any
    flags: frozenset[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "flags", _as_flags(self.flags))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RaisedFlags):
            return NotImplemented
        return self.flags == other.flags and equal_or_same(self.value, other.value)

    def __hash__(self) -> int:
        return hash((RaisedFlags, value_hash(self.value), self.flags))


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The implementation does not offer this operation; an outcome and a status alike."""

    reason: str

    def __post_init__(self) -> None:
        require_text("reason", self.reason)


@dataclass(frozen=True, slots=True)
class ExpectedDifference:
    """A documented difference from the reference; an outcome and a status alike."""

    reason: str

    def __post_init__(self) -> None:
        require_text("reason", self.reason)


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """What the implementation sent could not be read."""

    reason: str

    def __post_init__(self) -> None:
        require_text("reason", self.reason)


@dataclass(frozen=True, slots=True)
class Trap:
    """An exception, as data.

    Parameters
    ----------
    type_name : str
        Name of the exception's class.
    message : str
        Its text.
    kind : str, optional
        Name of the exception's `kind`, such as ``"OVERFLOW"``.
    index : int or tuple of int, optional
        The failing position, where the exception tells one.
    """

    type_name: str
    message: str
    kind: str | None = None
    index: Index | None = None

    def __post_init__(self) -> None:
        require_text("type_name", self.type_name)
        require_text("message", self.message)
        if self.kind is not None:
            require_text("kind", self.kind)
        if isinstance(self.index, (tuple, list)):
            object.__setattr__(self, "index", tuple(as_integer("index", i) for i in self.index))
        elif self.index is not None:
            object.__setattr__(self, "index", as_integer("index", self.index))


@dataclass(frozen=True, slots=True)
class Trapped:
    """The call raised an exception.

    Parameters
    ----------
    trap : Trap
        The exception.
    flags : iterable of str
        Names of the flags raised before it; kept as a frozenset.
    """

    trap: Trap
    flags: frozenset[str]

    def __post_init__(self) -> None:
        if not isinstance(self.trap, Trap):
            raise reject_type("trap", self.trap, "a Trap")
        object.__setattr__(self, "flags", _as_flags(self.flags))


@dataclass(frozen=True, slots=True)
class Aborted:
    """The process ended before it answered; a negative `exit_code` is the number of a signal."""

    exit_code: int | None
    stderr: str

    def __post_init__(self) -> None:
        if self.exit_code is not None:
            object.__setattr__(self, "exit_code", as_integer("exit_code", self.exit_code))
        require_text("stderr", self.stderr)


@dataclass(frozen=True, slots=True)
class Timeout:
    """No answer came within `milliseconds`."""

    milliseconds: int
    reason: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "milliseconds", as_integer("milliseconds", self.milliseconds))
        require_text("reason", self.reason)


Outcome = (
    Value
    | RaisedFlags
    | Unsupported
    | ParseFailure
    | Trapped
    | Aborted
    | Timeout
    | ExpectedDifference
)


@dataclass(frozen=True, slots=True, eq=False)
class OperationResult:
    """An outcome with all that came with it.

    Parameters
    ----------
    outcome : Outcome
        What the call came to.
    next_context : object
        The context that the next step of a sequence starts from.
    stdout, stderr : str
        What was printed during the call.
    exit_code : int, optional
        How the process ended, where it did.
    """

    outcome: Outcome
    next_context: Any = None
    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.outcome, Outcome):
            raise reject_type("outcome", self.outcome, "an outcome such as Value or Trapped")
        require_text("stdout", self.stdout)
        require_text("stderr", self.stderr)
        if self.exit_code is not None:
            object.__setattr__(self, "exit_code", as_integer("exit_code", self.exit_code))

    def _texts(self) -> tuple[str, str, int | None]:
        return self.stdout, self.stderr, self.exit_code

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OperationResult):
            return NotImplemented
        return (
            self.outcome == other.outcome
            and self._texts() == other._texts()
            and equal_or_same(self.next_context, other.next_context)
        )

    def __hash__(self) -> int:
        return hash((self.outcome, value_hash(self.next_context), self._texts()))


def outcome_in(given: OperationResult | Outcome) -> Outcome:
    """Return an outcome, taken out of its result if it is in one."""
    return given.outcome if isinstance(given, OperationResult) else given


def outcome_of_exception(exc: BaseException) -> Trapped:
    """Return the `Trapped` outcome of an exception, without flags.

    Parameters
    ----------
    exc : BaseException
        Its class name and text are kept; `kind` (the name, if it is an enum member) and `index`
        (an integer or a sequence of integers) where the exception has them.

    Raises
    ------
    TypeError
        If `exc` is not an exception object.
    """
    if not isinstance(exc, BaseException):
        raise reject_type("exc", exc, "an exception object")
    kind = _attribute(exc, "kind")
    name = kind.name if isinstance(kind, enum.Enum) else kind
    trap = Trap(
        type_name=type(exc).__name__,
        message=_message(exc),
        kind=name if isinstance(name, str) else None,
        index=_index(_attribute(exc, "index")),
    )
    return Trapped(trap, frozenset())


def _as_flags(flags: Iterable[str]) -> frozenset[str]:
    if isinstance(flags, str) or not isinstance(flags, Iterable):
        raise reject_type("flags", flags, "a collection of flag names")
    names = frozenset(flags)
    for name in names:
        require_text("flags", name)
    return names


def _attribute(exc: BaseException, name: str) -> Any:
    # user code: a property that raises must not hide the exception it belongs to
    try:
        return getattr(exc, name, None)
    except Exception:
        return None


def _message(exc: BaseException) -> str:
    try:
        return str(exc)
    except Exception as error:
        return f"<no text: its __str__ raised {type(error).__name__}>"


def _index(given: Any) -> Index | None:
    try:
        if isinstance(given, (tuple, list)):
            return tuple(as_integer("index", i) for i in given)
        return as_integer("index", given)
    except TypeError:
        return None
