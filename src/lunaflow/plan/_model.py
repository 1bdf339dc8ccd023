"""Plans as frozen data: which operation, over which input, under which policy."""

import enum
from dataclasses import dataclass

from lunaflow._arguments import as_integer, require


class PlanKind(enum.Enum):
    """The data-parallel operation a plan asks for."""

    MAP = "map"
    REDUCE = "reduce"
    SCAN = "scan"
    MAP_REDUCE = "map_reduce"


class ValueType(enum.Enum):
    """The element types a plan can name; a runtime may take only some of them."""

    I32 = "i32"
    I64 = "i64"
    F32 = "f32"
    F64 = "f64"
    BYTES = "bytes"


class ReductionKernel(enum.Enum):
    """The associative operations known by name."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"


class OrderingGuarantee(enum.Enum):
    """Whether results must be produced in the order of the input."""

    PRESERVE_INPUT_ORDER = "preserve input order"
    RELAXED_ORDER = "relaxed order"


class BackendTarget(enum.Enum):
    """The kind of machine code a policy aims at."""

    NATIVE = "native"
    JAVASCRIPT = "javascript"


class ExecutionMode(enum.Enum):
    """Whether the caller waits for the result."""

    SYNCHRONOUS = "synchronous"
    ASYNCHRONOUS = "asynchronous"


@dataclass(frozen=True, slots=True)
class Opaque:
    """An element type known by its name alone; ``Opaque("I32")`` is not ``ValueType.I32``.

    Parameters
    ----------
    name : str
        Any text.

    Raises
    ------
    TypeError
        If `name` is not a str.
    """

    name: str

    def __post_init__(self) -> None:
        require("name", self.name, str, "a str")


@dataclass(frozen=True, slots=True)
class Custom:
    """A reduction known by its name alone; ``Custom("SUM")`` is not ``ReductionKernel.SUM``.

    Parameters
    ----------
    name : str
        Any text.

    Raises
    ------
    TypeError
        If `name` is not a str.
    """

    name: str

    def __post_init__(self) -> None:
        require("name", self.name, str, "a str")


ElementType = ValueType | Opaque
Reduction = ReductionKernel | Custom


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionPolicy:
    """How a plan is to be executed, as data; values out of range are found by `validate_policy`.

    Parameters
    ----------
    backend : BackendTarget
        The target.
    mode : ExecutionMode
        Whether the caller waits.
    worker_count : int
        Workers that may take part.
    chunk_size : int
        Elements in a chunk.
    ordering : OrderingGuarantee
        Kept as data; the ordering of the plan is the one that counts.

    Raises
    ------
    TypeError
        If a field has another type; NumPy integers are taken as int, a bool is not a count.
    """

    backend: BackendTarget = BackendTarget.NATIVE
    mode: ExecutionMode = ExecutionMode.SYNCHRONOUS
    worker_count: int = 1
    chunk_size: int = 1
    ordering: OrderingGuarantee = OrderingGuarantee.PRESERVE_INPUT_ORDER

    def __post_init__(self) -> None:
        require("backend", self.backend, BackendTarget, "a BackendTarget")
        require("mode", self.mode, ExecutionMode, "an ExecutionMode")
        for name in ("worker_count", "chunk_size"):
            object.__setattr__(self, name, as_integer(name, getattr(self, name)))
        require("ordering", self.ordering, OrderingGuarantee, "an OrderingGuarantee")


@dataclass(frozen=True, slots=True)
class DataDomain:
    """The shape of the input: what its elements are, and how many.

    Parameters
    ----------
    element_type : ValueType or Opaque
        Type of one element.
    input_length : int
        Number of elements; a length that is not positive is an issue, not an exception.

    Raises
    ------
    TypeError
        If a field has another type.
    """

    element_type: ElementType
    input_length: int

    def __post_init__(self) -> None:
        require("element_type", self.element_type, (ValueType, Opaque), "a ValueType or an Opaque")
        object.__setattr__(self, "input_length", as_integer("input_length", self.input_length))


@dataclass(frozen=True, slots=True)
class Plan:
    """One data-parallel operation as comparable, hashable data.

    A plan made by hand may be wrong: `validate` lists what is wrong with it.

    Parameters
    ----------
    label : str
        A name for people.
    kind : PlanKind
        The operation.
    domain : DataDomain
        Element type and length of the input.
    policy : ExecutionPolicy
        How it is to be executed.
    reduction : ReductionKernel or Custom, optional
        The kernel; on a scan None means a running sum.
    ordering : OrderingGuarantee
        RELAXED_ORDER lets the results of a map be produced in any order; positions are kept.

    Raises
    ------
    TypeError
        If a field has another type.
    """

    label: str
    kind: PlanKind
    domain: DataDomain
    policy: ExecutionPolicy
    reduction: Reduction | None = None
    ordering: OrderingGuarantee = OrderingGuarantee.PRESERVE_INPUT_ORDER

    def __post_init__(self) -> None:
        require("label", self.label, str, "a str")
        require("kind", self.kind, PlanKind, "a PlanKind")
        require("domain", self.domain, DataDomain, "a DataDomain")
        require("policy", self.policy, ExecutionPolicy, "an ExecutionPolicy")
        if self.reduction is not None:
            require_reduction(self.reduction, "a ReductionKernel, a Custom or None")
        require("ordering", self.ordering, OrderingGuarantee, "an OrderingGuarantee")


def require_reduction(given: object, accepted: str) -> None:
    """Raise TypeError unless `given` is a reduction kernel."""
    require("reduction", given, (ReductionKernel, Custom), accepted)
