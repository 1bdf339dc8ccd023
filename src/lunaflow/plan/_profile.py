"""What a runtime accepts, as one value, and the predicates over the first runtime."""

from collections.abc import Iterable
from dataclasses import dataclass

from lunaflow._arguments import reject_type
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

_FIELDS: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("value_types", (ValueType, Opaque), "ValueType or Opaque"),
    ("reductions", (ReductionKernel, Custom), "ReductionKernel or Custom"),
    ("backends", (BackendTarget,), "BackendTarget"),
    ("modes", (ExecutionMode,), "ExecutionMode"),
    ("relaxed_kinds", (PlanKind,), "PlanKind"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeProfile:
    """What a runtime accepts; a runtime that grows gets a new profile, plans stay as they are.

    Parameters
    ----------
    value_types : frozenset of ValueType or Opaque
        Element types with kernels.
    reductions : frozenset of ReductionKernel or Custom
        Kernels that REDUCE and MAP_REDUCE may name.
    backends : frozenset of BackendTarget
        Targets served.
    modes : frozenset of ExecutionMode
        Modes served.
    relaxed_kinds : frozenset of PlanKind
        Kinds that may run in RELAXED_ORDER; never SCAN, which means nothing without an order.

    Raises
    ------
    TypeError
        If a field is no collection of what is named above (any iterable is taken).
    ValueError
        If `relaxed_kinds` holds SCAN.
    """

    value_types: frozenset[ElementType]
    reductions: frozenset[Reduction]
    backends: frozenset[BackendTarget]
    modes: frozenset[ExecutionMode]
    relaxed_kinds: frozenset[PlanKind]

    def __post_init__(self) -> None:
        for name, types, accepted in _FIELDS:
            given = getattr(self, name)
            if not isinstance(given, Iterable) or isinstance(given, str):
                raise reject_type(name, given, f"a set of {accepted}")
            members = tuple(given)
            for member in members:
                if not isinstance(member, types):
                    raise reject_type(f"a member of {name}", member, accepted)
            object.__setattr__(self, name, frozenset(members))
        if PlanKind.SCAN in self.relaxed_kinds:
            raise ValueError("relaxed_kinds must not hold SCAN: a scan needs the input's order")


V1 = RuntimeProfile(
    value_types=frozenset({ValueType.I32, ValueType.I64}),
    reductions=frozenset(ReductionKernel),
    backends=frozenset({BackendTarget.NATIVE}),
    modes=frozenset({ExecutionMode.SYNCHRONOUS}),
    relaxed_kinds=frozenset({PlanKind.MAP, PlanKind.REDUCE, PlanKind.MAP_REDUCE}),
)
"""What the first runtime accepts."""


def value_type_is_supported_in_v1(t: ElementType) -> bool:
    """Say whether the first runtime has kernels for elements of type `t` (I32 and I64)."""
    if not isinstance(t, (ValueType, Opaque)):
        raise reject_type("t", t, "a ValueType or an Opaque")
    return t in V1.value_types


def reduction_kernel_is_supported_in_v1(k: Reduction) -> bool:
    """Say whether the first runtime implements the kernel `k` (SUM, MIN and MAX)."""
    if not isinstance(k, (ReductionKernel, Custom)):
        raise reject_type("k", k, "a ReductionKernel or a Custom")
    return k in V1.reductions


def ordering_is_valid_for_kind(kind: PlanKind, ordering: OrderingGuarantee) -> bool:
    """Say whether plans of `kind` may have `ordering`: all may, save a scan in relaxed order."""
    if not isinstance(kind, PlanKind):
        raise reject_type("kind", kind, "a PlanKind")
    if not isinstance(ordering, OrderingGuarantee):
        raise reject_type("ordering", ordering, "an OrderingGuarantee")
    return ordering is OrderingGuarantee.PRESERVE_INPUT_ORDER or kind in V1.relaxed_kinds
