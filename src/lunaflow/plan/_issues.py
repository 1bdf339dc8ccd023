"""What can be wrong with a plan: one small frozen type an issue, carrying its numbers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from lunaflow.plan._model import (
    BackendTarget,
    Custom,
    ElementType,
    ExecutionMode,
    Opaque,
    OrderingGuarantee,
    PlanKind,
    Reduction,
    ReductionKernel,
    ValueType,
)


class _Issue(ABC):
    __slots__ = ()

    @property
    @abstractmethod
    def message(self) -> str:
        """One line for people: what was given and what would be accepted."""

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class EmptyInput(_Issue):
    """The input has no elements (``input_length <= 0``)."""

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return "the input is empty; input_length must be at least 1"


@dataclass(frozen=True, slots=True)
class UnsupportedValueType(_Issue):
    """The runtime has no kernels for this element type."""

    element_type: ElementType

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"element type {_name(self.element_type)} is not supported (v1 takes I32 and I64)"


@dataclass(frozen=True, slots=True)
class ChunkSizeMustBePositive(_Issue):
    """A chunk would hold no element."""

    chunk_size: int

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"chunk_size is {self.chunk_size}; it must be at least 1"


@dataclass(frozen=True, slots=True)
class ChunkSizeDoesNotFitInput(_Issue):
    """A chunk would be longer than the whole input."""

    chunk_size: int
    input_length: int

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"chunk_size is {self.chunk_size}; it must be {_at_most(self.input_length)}"


@dataclass(frozen=True, slots=True)
class WorkerCountMustBePositive(_Issue):
    """Nobody would do the work."""

    worker_count: int

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"worker_count is {self.worker_count}; it must be at least 1"


@dataclass(frozen=True, slots=True)
class WorkerCountExceedsInput(_Issue):
    """There are more workers than elements."""

    worker_count: int
    input_length: int

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"worker_count is {self.worker_count}; it must be {_at_most(self.input_length)}"


@dataclass(frozen=True, slots=True)
class UnsupportedBackend(_Issue):
    """The runtime does not serve this target."""

    backend: BackendTarget

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"backend {self.backend.name} is not supported (v1 takes NATIVE)"


@dataclass(frozen=True, slots=True)
class UnsupportedMode(_Issue):
    """The runtime does not serve this mode."""

    mode: ExecutionMode

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"mode {self.mode.name} is not supported (v1 takes SYNCHRONOUS)"


@dataclass(frozen=True, slots=True)
class MissingReductionKernel(_Issue):
    """A plan that reduces does not say by which kernel."""

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return "REDUCE and MAP_REDUCE need a reduction kernel: SUM, MIN or MAX"


@dataclass(frozen=True, slots=True)
class UnsupportedReductionKernel(_Issue):
    """The runtime does not implement this kernel."""

    reduction: Reduction

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"reduction {_name(self.reduction)} is not supported (v1 takes SUM, MIN and MAX)"


@dataclass(frozen=True, slots=True)
class UnsupportedOrdering(_Issue):
    """The kind of the plan does not allow this ordering."""

    kind: PlanKind
    ordering: OrderingGuarantee

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return f"{self.kind.name} cannot have {self.ordering.name}; use PRESERVE_INPUT_ORDER"


@dataclass(frozen=True, slots=True)
class ScanRequiresStableOrdering(_Issue):
    """A scan means nothing when the order of its input is not kept."""

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return "each result of a SCAN depends on the elements before it; use PRESERVE_INPUT_ORDER"


PolicyIssue = (
    WorkerCountMustBePositive | ChunkSizeMustBePositive | UnsupportedBackend | UnsupportedMode
)
ValidationIssue = (
    EmptyInput
    | UnsupportedValueType
    | ChunkSizeMustBePositive
    | ChunkSizeDoesNotFitInput
    | WorkerCountMustBePositive
    | WorkerCountExceedsInput
    | UnsupportedBackend
    | UnsupportedMode
    | MissingReductionKernel
    | UnsupportedReductionKernel
    | UnsupportedOrdering
    | ScanRequiresStableOrdering
)


def _name(given: ValueType | Opaque | ReductionKernel | Custom) -> str:
    if isinstance(given, (ValueType, ReductionKernel)):
        return given.name
    return f"{type(given).__name__}({given.name!r})"


def _at_most(input_length: int) -> str:
    return f"from 1 to the input_length, {input_length}"
