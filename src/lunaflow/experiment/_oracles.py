"""Oracles: records of functions that say which results are right."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from lunaflow._arguments import as_integer, require_callable, require_text
from lunaflow._texts import one_line, text_of
from lunaflow.arithmetic import same_value
from lunaflow.arithmetic._same_value import first_difference
from lunaflow.experiment._closeness import Closeness
from lunaflow.experiment._outcomes import (
    ExpectedDifference,
    OperationResult,
    Outcome,
    RaisedFlags,
    Trap,
    Trapped,
    Value,
    outcome_in,
    outcome_of_exception,
)
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Invalid,
    Status,
    Valid,
    classify,
)

OUTCOME_MISMATCH = "outcome mismatch"
_SHOWN = 200


class HasId(Protocol):
    """An oracle of whatever kind."""

    @property
    def id(self) -> str:
        """Its name."""
        ...


@dataclass(frozen=True, slots=True)
class ReferenceOracle:
    """Judges results against expected ones.

    Parameters
    ----------
    id : str
        Stands in every validation event.
    initial_context : object
        The context that the first step of a sequence starts from.
    sequence_length : int
        How many steps this oracle was made for, at least 1. The runner goes by its own number.
    compute_expected : callable
        ``compute_expected(input, step, context)`` returns the expected `OperationResult`, or an
        outcome alone where there is no context to hand on.
    validate : callable
        ``validate(input, step, expected, actual)`` takes two outcomes and returns a status. It sees
        only what `classify` leaves to it: Value, RaisedFlags, Trapped and ExpectedDifference.
    expected_text : callable
        ``expected_text(outcome)`` is the expected outcome in words, for people.
    """

    id: str
    initial_context: Any
    sequence_length: int
    compute_expected: Callable[[Any, int, Any], OperationResult | Outcome]
    validate: Callable[[Any, int, Outcome, Outcome], Status]
    expected_text: Callable[[Outcome], str]

    def __post_init__(self) -> None:
        require_text("id", self.id)
        length = as_integer("sequence_length", self.sequence_length)
        if length < 1:
            raise ValueError(f"sequence_length must be at least 1, not {length}")
        object.__setattr__(self, "sequence_length", length)
        for name in ("compute_expected", "validate", "expected_text"):
            require_callable(name, getattr(self, name))

    @classmethod
    def equal(
        cls,
        id: str,  # noqa: A002
        reference: Callable[[Any], Any],
        comparator: Callable[[Any, Any], bool] = same_value,
    ) -> "ReferenceOracle":
        """Return the oracle that wants the reference's value.

        Valid only for two `Value` outcomes whose values the comparator accepts. Two values that it
        rejects are Invalid (``"value mismatch"`` with the first difference), an actual
        ExpectedDifference is the status ExpectedDifference, and anything else is
        ``Invalid("outcome mismatch")``.

        Parameters
        ----------
        id : str
            Name of the oracle.
        reference : callable
            ``reference(input)`` returns the expected value, or an outcome or `OperationResult`.
        comparator : callable
            ``comparator(actual, expected)`` says whether two values count as equal; the default
            compares shape, dtype and elements, nested containers, and takes NaN as equal to NaN.
        """
        require_callable("comparator", comparator)
        return cls._of(id, _Expected(reference), validate_by_comparator(comparator))

    @classmethod
    def close(
        cls,
        id: str,  # noqa: A002
        reference: Callable[[Any], Any],
        *,
        rel: float = 1e-9,
        abs: float = 0.0,
    ) -> "ReferenceOracle":
        """Return the oracle that wants the reference's value up to a tolerance.

        Numbers are close if they are equal, both NaN, or both finite with
        ``|actual - expected| <= max(rel * |expected|, abs)``, decided exactly. Arrays must have the
        same shape (dtypes may differ) and are compared element by element, containers item by
        item, dataclasses and records field by field, everything else by `same_value`. The reason
        names the worst index. All else is as in `equal`.

        Raises
        ------
        ValueError
            If `rel` or `abs` is negative or not finite.
        """
        return cls._of(id, _Expected(reference), _Validate(Closeness(rel, abs)))

    @classmethod
    def same_outcome(
        cls,
        id: str,  # noqa: A002
        reference: Callable[[Any], Any],
    ) -> "ReferenceOracle":
        """Return the oracle that also accepts a trap where the reference traps.

        An exception raised by `reference` is the expected outcome. Two traps agree when type_name,
        kind and index agree; the message never counts. All else is as in `equal`.
        """
        expected = _Expected(reference, traps=True)
        return cls._of(id, expected, _Validate(_Rejected(same_value), traps=True))

    @classmethod
    def _of(cls, name: str, expected: Any, validate: Any) -> "ReferenceOracle":
        return cls(name, None, 1, expected, validate, outcome_text)


def validate_by_comparator(
    comparator: Callable[[Any, Any], bool],
) -> Callable[[Any, int, Outcome, Outcome], Status]:
    """Return the `validate` that wants two values which the comparator accepts."""
    return _Validate(_Rejected(comparator))


def parts_of(oracle: ReferenceOracle) -> tuple[str, Callable[[Any], Any], Any] | None:
    """Return what a ready-made oracle was made of; None for any other.

    Returns
    -------
    tuple
        ``"equal"``, ``"close"`` or ``"same_outcome"``, the reference, and the comparator: a
        `Closeness`, a callable, or None for `same_value`.
    """
    expected, validate = oracle.compute_expected, oracle.validate
    if not (isinstance(expected, _Expected) and isinstance(validate, _Validate)):
        return None
    rejected = validate.difference
    if isinstance(rejected, Closeness):
        return "close", expected.reference, rejected
    if not isinstance(rejected, _Rejected):
        return None
    comparator = None if rejected.comparator is same_value else rejected.comparator
    return "same_outcome" if validate.traps else "equal", expected.reference, comparator


def expected_result(
    oracle: ReferenceOracle,
    input: Any,  # noqa: A002
    step: int,
    context: Any,
) -> OperationResult | InfrastructureFailure:
    """Return the oracle's expected result; InfrastructureFailure if the oracle raises."""
    try:
        expected: object = oracle.compute_expected(input, step, context)
    except Exception as error:
        return _oracle_raised(oracle, "compute_expected", error)
    if isinstance(expected, OperationResult):
        return expected
    if isinstance(expected, Outcome):
        return OperationResult(expected)
    return _oracle_returned(oracle, "compute_expected", expected, "an OperationResult or outcome")


def judge(
    oracle: ReferenceOracle,
    input: Any,  # noqa: A002
    step: int,
    expected: OperationResult | Outcome | InfrastructureFailure,
    actual: OperationResult | Outcome,
) -> Status:
    """Return the status of `actual`; never raises on account of the oracle.

    What `classify` decides never reaches the oracle. An `expected` that is an
    InfrastructureFailure (see `expected_result`) is the status; so is an oracle that raises, with
    its traceback. An ``"outcome mismatch"`` gets both outcomes in words.
    """
    actual = outcome_in(actual)
    if (status := classify(actual)) is not None:
        return status
    if isinstance(expected, InfrastructureFailure):
        return expected
    wanted = outcome_in(expected)

    def verdict() -> object:
        status: object = oracle.validate(input, step, wanted, actual)
        if status == Invalid(OUTCOME_MISMATCH):
            text = f"expected {oracle.expected_text(wanted)}, got {outcome_text(actual)}"
            return Invalid(f"{OUTCOME_MISMATCH}: {text}")
        return status

    return guarded_verdict(oracle, "validate", verdict)


def guarded_verdict(oracle: "HasId", function: str, verdict: Callable[[], object]) -> Status:
    """Return the status that a function of an oracle gives; InfrastructureFailure if it raises."""
    try:
        status = verdict()
    except Exception as error:
        return _oracle_raised(oracle, function, error)
    if isinstance(status, Status):
        return status
    return _oracle_returned(oracle, function, status, "a status such as Valid()")


class ReferenceRaised(Exception):
    """A reference raised where a value was wanted; the message says which, and what."""


def reference_raised(reference: object, trap: Trap, name: str | None = None) -> str:
    """Return what to say of a reference that raised where a value was wanted.

    Its own name is said where none is given. A reference with a true ``without_oracle`` was not
    given from Python, where an oracle could be given instead.
    """
    if name is None:
        names = (getattr(reference, one, None) for one in ("__qualname__", "__name__"))
        name = next(filter(None, names), type(reference).__qualname__)
    text = f"the reference {name} raised {_trap_text(trap)}"
    if getattr(reference, "without_oracle", False):
        return text
    return (
        f"{text}; to expect exceptions where it raises them, give "
        'oracle=ReferenceOracle.same_outcome("traps", reference)'
    )


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome in words, cut to a line of moderate length."""
    match outcome:
        case Value(value):
            return text_of(value, _SHOWN)
        case RaisedFlags(value, flags):
            return f"{text_of(value, _SHOWN)} with flags {', '.join(sorted(flags)) or 'none'}"
        case Trapped(trap, _):
            return _trap_text(trap)
    return text_of(outcome, _SHOWN)


@dataclass(frozen=True, slots=True)
class _Expected:
    """`compute_expected` of a plain function of the input."""

    reference: Callable[[Any], Any]
    traps: bool = False

    def __post_init__(self) -> None:
        require_callable("reference", self.reference)

    def __call__(self, given_input: Any, step: int, context: Any) -> OperationResult:  # noqa: ARG002
        try:
            given = self.reference(given_input)
        except Exception as error:
            if not self.traps:
                raise
            given = outcome_of_exception(error)
        if isinstance(given, OperationResult):
            return given
        return OperationResult(given if isinstance(given, Outcome) else Value(given), context)


@dataclass(frozen=True, slots=True)
class _Validate:
    """`validate` by a function that says where two values differ, or None."""

    difference: Callable[[Any, Any], str | None]
    traps: bool = False

    def __call__(
        self,
        given_input: Any,  # noqa: ARG002
        step: int,  # noqa: ARG002
        expected: Outcome,
        actual: Outcome,
    ) -> Status:
        match expected, actual:
            case _, ExpectedDifference():
                return actual
            case Value(wanted), Value(given):
                difference = self.difference(given, wanted)
                return Valid() if difference is None else Invalid(f"value mismatch: {difference}")
            case Trapped(wanted, _), Trapped(given, _) if self.traps and _same_trap(given, wanted):
                return Valid()
        return Invalid(OUTCOME_MISMATCH)


@dataclass(frozen=True, slots=True)
class _Rejected:
    """The first difference of two values that the comparator rejects."""

    comparator: Callable[[Any, Any], bool]

    def __call__(self, actual: Any, expected: Any) -> str | None:
        if self.comparator(actual, expected):
            return None
        return first_difference(actual, expected) or "rejected by the comparator"


def _same_trap(a: Trap, b: Trap) -> bool:
    return (a.type_name, a.kind, a.index) == (b.type_name, b.kind, b.index)


def _trap_text(trap: Trap) -> str:
    kind = "" if trap.kind is None else f" {trap.kind}"
    index = "" if trap.index is None else f" at index {trap.index}"
    return one_line(f"{trap.type_name}{kind}{index}: {trap.message}", _SHOWN).removesuffix(":")


def _oracle_raised(oracle: "HasId", function: str, error: Exception) -> InfrastructureFailure:
    # what is told on one line ends before the traceback
    what = _trap_text(outcome_of_exception(error).trap)
    head = f"{function} of the oracle {oracle.id!r} raised {what}"
    if isinstance(error, ReferenceRaised):
        head = str(error)
    return InfrastructureFailure(f"{head}\n{traceback.format_exc()}")


def _oracle_returned(
    oracle: "HasId", function: str, given: object, accepted: str
) -> InfrastructureFailure:
    what = f"{type(given).__name__} ({text_of(given)})"
    return InfrastructureFailure(
        f"{function} of the oracle {oracle.id!r} must return {accepted}, not {what}"
    )
