"""What can be wrong with a plan: one small frozen type an issue, carrying its numbers."""

from dataclasses import dataclass

from lunaflow._texts import text_of
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


@dataclass(frozen=True, slots=True)
class EmptyInput:
    """The input has no elements (``input_length <= 0``)."""

    def __str__(self) -> str:
        return "the input is empty: it has no elements; input_length must be at least 1"


@dataclass(frozen=True, slots=True)
class UnsupportedValueType:
    """The runtime has no kernels for this element type."""

    element_type: ElementType

    def __str__(self) -> str:
        return f"element type {_name(self.element_type)} is not supported"


@dataclass(frozen=True, slots=True)
class ChunkSizeMustBePositive:
    """A chunk would hold no element."""

    chunk_size: int

    def __str__(self) -> str:
        return f"chunk_size is {text_of(self.chunk_size)}; it must be at least 1"


@dataclass(frozen=True, slots=True)
class ChunkSizeDoesNotFitInput:
    """A chunk would be longer than the whole input."""

    chunk_size: int
    input_length: int

    def __str__(self) -> str:
        size, most = text_of(self.chunk_size), _at_most(self.input_length)
        return f"chunk_size is {size}; it must be {most}"


@dataclass(frozen=True, slots=True)
class WorkerCountMustBePositive:
    """Nobody would do the work."""

    worker_count: int

    def __str__(self) -> str:
        return f"worker_count is {text_of(self.worker_count)}; it must be at least 1"


@dataclass(frozen=True, slots=True)
class WorkerCountExceedsInput:
    """There are more workers than elements."""

    worker_count: int
    input_length: int

    def __str__(self) -> str:
        count, most = text_of(self.worker_count), _at_most(self.input_length)
        return f"worker_count is {count}; it must be {most}"


@dataclass(frozen=True, slots=True)
class UnsupportedBackend:
    """The runtime does not serve this target."""

    backend: BackendTarget

    def __str__(self) -> str:
        return f"backend {self.backend.name} is not supported"


@dataclass(frozen=True, slots=True)
class UnsupportedMode:
    """The runtime does not serve this mode."""

    mode: ExecutionMode

    def __str__(self) -> str:
        return f"mode {self.mode.name} is not supported"


@dataclass(frozen=True, slots=True)
class MissingReductionKernel:
    """A plan that reduces does not say by which kernel."""

    def __str__(self) -> str:
        return "REDUCE and MAP_REDUCE need a reduction kernel"


@dataclass(frozen=True, slots=True)
class UnsupportedReductionKernel:
    """The runtime does not implement this kernel."""

    reduction: Reduction

    def __str__(self) -> str:
        return f"reduction {_name(self.reduction)} is not supported"


@dataclass(frozen=True, slots=True)
class UnsupportedOrdering:
    """The kind of the plan does not allow this ordering."""

    kind: PlanKind
    ordering: OrderingGuarantee

    def __str__(self) -> str:
        return f"{self.kind.name} cannot have {self.ordering.name}; use PRESERVE_INPUT_ORDER"


@dataclass(frozen=True, slots=True)
class ScanRequiresStableOrdering:
    """A scan means nothing when the order of its input is not kept."""

    def __str__(self) -> str:
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
    return f"{type(given).__name__}({text_of(given.name)})"


def _at_most(input_length: int) -> str:
    return f"from 1 to the input_length, {text_of(input_length)}"
