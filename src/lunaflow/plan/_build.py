"""Builders: one a kind; they fix what the kind fixes, and validate nothing."""

from lunaflow._arguments import as_integer
from lunaflow.plan._model import (
    DataDomain,
    ElementType,
    ExecutionPolicy,
    OrderingGuarantee,
    Plan,
    PlanKind,
    Reduction,
    require_reduction,
)

_PRESERVE = OrderingGuarantee.PRESERVE_INPUT_ORDER


def map(
    label: str,
    element_type: ElementType,
    input_length: int,
    *,
    policy: ExecutionPolicy | None = None,
    ordering: OrderingGuarantee = _PRESERVE,
) -> Plan:
    """Return a plan that maps every element; which function, the backend defines.

    Parameters
    ----------
    label : str
        A name for people.
    element_type : ValueType or Opaque
        Type of one element.
    input_length : int
        Number of elements.
    policy : ExecutionPolicy, optional
        None is one worker and one chunk of the whole input.
    ordering : OrderingGuarantee
        RELAXED_ORDER lets results be produced in any order; positions are kept.

    Raises
    ------
    TypeError
        If an argument has a wrong type; values are not checked here, but by `validate`.
    """
    return _plan(label, PlanKind.MAP, element_type, input_length, policy, None, ordering)


def reduce(
    label: str,
    element_type: ElementType,
    input_length: int,
    reduction: Reduction,
    *,
    policy: ExecutionPolicy | None = None,
) -> Plan:
    """Return a plan that reduces the input to one value by `reduction`, preserving its order.

    Parameters
    ----------
    label : str
        A name for people.
    element_type : ValueType or Opaque
        Type of one element.
    input_length : int
        Number of elements.
    reduction : ReductionKernel or Custom
        The kernel.
    policy : ExecutionPolicy, optional
        None is one worker and one chunk of the whole input.

    Raises
    ------
    TypeError
        If an argument has a wrong type; values are not checked here, but by `validate`.
    """
    require_reduction(reduction, "a ReductionKernel or a Custom")
    return _plan(label, PlanKind.REDUCE, element_type, input_length, policy, reduction, _PRESERVE)


def scan(
    label: str,
    element_type: ElementType,
    input_length: int,
    *,
    reduction: Reduction | None = None,
    policy: ExecutionPolicy | None = None,
) -> Plan:
    """Return a plan of the inclusive scan, which always preserves the input's order.

    Parameters
    ----------
    label : str
        A name for people.
    element_type : ValueType or Opaque
        Type of one element.
    input_length : int
        Number of elements.
    reduction : ReductionKernel or Custom, optional
        None is a running sum; MIN and MAX are running extremes.
    policy : ExecutionPolicy, optional
        None is one worker and one chunk of the whole input.

    Raises
    ------
    TypeError
        If an argument has a wrong type; values are not checked here, but by `validate`.
    """
    return _plan(label, PlanKind.SCAN, element_type, input_length, policy, reduction, _PRESERVE)


def map_reduce(
    label: str,
    element_type: ElementType,
    input_length: int,
    reduction: Reduction,
    *,
    policy: ExecutionPolicy | None = None,
    ordering: OrderingGuarantee = _PRESERVE,
) -> Plan:
    """Return a plan that maps every element and reduces the results by `reduction`.

    Parameters
    ----------
    label : str
        A name for people.
    element_type : ValueType or Opaque
        Type of one element.
    input_length : int
        Number of elements.
    reduction : ReductionKernel or Custom
        The kernel.
    policy : ExecutionPolicy, optional
        None is one worker and one chunk of the whole input.
    ordering : OrderingGuarantee
        Safe to relax: the kernels are commutative and associative.

    Raises
    ------
    TypeError
        If an argument has a wrong type; values are not checked here, but by `validate`.
    """
    require_reduction(reduction, "a ReductionKernel or a Custom")
    return _plan(
        label, PlanKind.MAP_REDUCE, element_type, input_length, policy, reduction, ordering
    )


def _plan(
    label: str,
    kind: PlanKind,
    element_type: ElementType,
    input_length: int,
    policy: ExecutionPolicy | None,
    reduction: Reduction | None,
    ordering: OrderingGuarantee,
) -> Plan:
    if policy is None:
        whole = max(1, as_integer("input_length", input_length))
        policy = ExecutionPolicy(worker_count=1, chunk_size=whole)
    return Plan(label, kind, DataDomain(element_type, input_length), policy, reduction, ordering)
