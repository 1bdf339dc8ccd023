"""What `run` refuses, each with what was given and what would be accepted."""

from collections.abc import Sequence
from typing import Any

from lunaflow._texts import text_of
from lunaflow.plan import ExecutionPolicy, ValidationIssue


class _Refusal(ValueError):
    """A refusal compares by its declared fields, is hashable and picklable."""

    _fields: tuple[Any, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._fields == other._fields

    def __hash__(self) -> int:
        return hash((type(self), self._fields))

    def __reduce__(self) -> tuple[Any, ...]:
        notes = {"__notes__": list(self.__notes__)} if hasattr(self, "__notes__") else None
        return type(self), self._fields, notes


class InvalidPlan(_Refusal):
    """The plan does not validate.

    Parameters
    ----------
    issues : sequence of ValidationIssue
        Every issue that `lunaflow.plan.validate` reports, in its order; at least one.
    """

    def __init__(self, issues: Sequence[ValidationIssue]) -> None:
        self.issues = tuple(issues)
        self._fields = (self.issues,)
        super().__init__("the plan is not runnable: " + "; ".join(map(str, self.issues)))


class UnsupportedPlan(_Refusal):
    """The plan is valid data, but carries a kernel that its kind cannot use.

    Parameters
    ----------
    reason : str
        Which kernel, and what the kind takes.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self._fields = (reason,)
        super().__init__(reason)


class CoverConditionViolated(_Refusal):
    """The workers are fewer than the chunks: the native backend runs one chunk a worker.

    Parameters
    ----------
    input_length, worker_count, chunk_size : int
        What the plan asks for, in elements and counts.
    suggestion : ExecutionPolicy
        A policy with as many workers that does cover the input.
    """

    def __init__(
        self,
        input_length: int,
        worker_count: int,
        chunk_size: int,
        suggestion: ExecutionPolicy,
    ) -> None:
        self.input_length = input_length
        self.worker_count = worker_count
        self.chunk_size = chunk_size
        self.suggestion = suggestion
        self._fields = (input_length, worker_count, chunk_size, suggestion)
        # Python writes out no integer of thousands of digits
        n, w, c = map(text_of, (input_length, worker_count, chunk_size))
        chunks = text_of(-(-input_length // chunk_size))
        workers, size = text_of(suggestion.worker_count), text_of(suggestion.chunk_size)
        super().__init__(
            f"{n} elements in chunks of {c} make {chunks} chunks, more than {w} workers; "
            f"worker_count={workers} with chunk_size={size} would do"
        )


class InvalidInput(_Refusal):
    """The data or the output is not what the operation takes.

    Parameters
    ----------
    argument : str
        ``"data"``, ``"x"`` or ``"out"``.
    given : str
        What it is.
    accepted : str
        What would be accepted.
    """

    def __init__(self, argument: str, given: str, accepted: str) -> None:
        self.argument = argument
        self.given = given
        self.accepted = accepted
        self._fields = (argument, given, accepted)
        super().__init__(f"{argument} {given}; accepted: {accepted}")
