"""Plans as JSON-ready dictionaries, versioned.

Version 1: enum members by name, ``{"opaque": name}`` and ``{"custom": name}`` for what is known by
name alone, integers beyond 2**53 tagged as in every stored format.
"""

import enum
from collections.abc import Mapping
from typing import Any, TypeVar

from lunaflow._arguments import reject_type
from lunaflow._stored import check_format, read_record, tagged, untagged
from lunaflow._texts import text_of
from lunaflow.plan._model import (
    BackendTarget,
    Custom,
    DataDomain,
    ElementType,
    ExecutionMode,
    ExecutionPolicy,
    Opaque,
    OrderingGuarantee,
    Plan,
    PlanKind,
    Reduction,
    ReductionKernel,
    ValueType,
)

_Member = TypeVar("_Member", bound=enum.Enum)

_FORMAT = "lunaflow-plan"
_VERSION = 1
_PLAN = ("format", "version", "label", "kind", "domain", "policy", "reduction", "ordering")
_DOMAIN = ("element_type", "input_length")
_POLICY = ("backend", "mode", "worker_count", "chunk_size", "ordering")


def to_dict(plan: Plan) -> dict[str, Any]:
    """Return `plan` as a dictionary that JSON can hold and `from_dict` reads back.

    Parameters
    ----------
    plan : Plan
        Any plan, valid or not.

    Returns
    -------
    dict
        Of plain JSON values, with the fields ``format`` and ``version``. Integers beyond 2**53,
        which other JSON readers would round, are ``{"$": "int", "text": "0x..."}``.

    Raises
    ------
    TypeError
        If `plan` is no Plan.
    """
    if not isinstance(plan, Plan):
        raise reject_type("plan", plan, "a Plan")
    domain = {
        "element_type": _write_element_type(plan.domain.element_type),
        "input_length": plan.domain.input_length,
    }
    stored: dict[str, Any] = tagged(
        {
            "format": _FORMAT,
            "version": _VERSION,
            "label": plan.label,
            "kind": plan.kind.name,
            "domain": domain,
            "policy": _write_policy(plan.policy),
            "reduction": None if plan.reduction is None else _write_reduction(plan.reduction),
            "ordering": plan.ordering.name,
        }
    )
    return stored


def from_dict(mapping: Mapping[str, Any]) -> Plan:
    """Return the plan that `to_dict` wrote.

    Parameters
    ----------
    mapping : mapping
        A dictionary made by `to_dict`, also after a way through JSON.

    Raises
    ------
    TypeError
        If `mapping` is not a mapping.
    ValueError
        If it is of another format or version, or a field is missing, unknown or wrong; the
        message names the field.
    """
    if not isinstance(mapping, Mapping):
        raise reject_type("mapping", mapping, "a mapping made by to_dict")
    check_format(mapping, _FORMAT, _VERSION)
    plan = read_record("the plan", untagged(mapping), _PLAN)
    return Plan(
        _read_text("label", plan["label"]),
        _read_member("kind", plan["kind"], PlanKind),
        _read_domain(plan["domain"]),
        _read_policy(plan["policy"]),
        None if plan["reduction"] is None else _read_reduction(plan["reduction"]),
        _read_member("ordering", plan["ordering"], OrderingGuarantee),
    )


def _write_element_type(given: ElementType) -> str | dict[str, str]:
    return {"opaque": given.name} if isinstance(given, Opaque) else given.name


def _write_reduction(given: Reduction) -> str | dict[str, str]:
    return {"custom": given.name} if isinstance(given, Custom) else given.name


def _write_policy(policy: ExecutionPolicy) -> dict[str, Any]:
    return {
        "backend": policy.backend.name,
        "mode": policy.mode.name,
        "worker_count": policy.worker_count,
        "chunk_size": policy.chunk_size,
        "ordering": policy.ordering.name,
    }


def _read_domain(given: object) -> DataDomain:
    domain = read_record("domain", given, _DOMAIN)
    where = "domain.element_type"
    named = domain["element_type"]
    element_type: ElementType
    if isinstance(named, Mapping):
        opaque = read_record(where, named, ("opaque",))["opaque"]
        element_type = Opaque(_read_text(f"{where}.opaque", opaque))
    else:
        element_type = _read_member(where, named, ValueType)
    return DataDomain(element_type, _read_integer("domain.input_length", domain["input_length"]))


def _read_reduction(given: object) -> Reduction:
    if isinstance(given, Mapping):
        custom = read_record("reduction", given, ("custom",))["custom"]
        return Custom(_read_text("reduction.custom", custom))
    return _read_member("reduction", given, ReductionKernel)


def _read_policy(given: object) -> ExecutionPolicy:
    policy = read_record("policy", given, _POLICY)
    return ExecutionPolicy(
        backend=_read_member("policy.backend", policy["backend"], BackendTarget),
        mode=_read_member("policy.mode", policy["mode"], ExecutionMode),
        worker_count=_read_integer("policy.worker_count", policy["worker_count"]),
        chunk_size=_read_integer("policy.chunk_size", policy["chunk_size"]),
        ordering=_read_member("policy.ordering", policy["ordering"], OrderingGuarantee),
    )


def _read_integer(where: str, given: object) -> int:
    if type(given) is not int:
        raise ValueError(f"{where} must be an integer, not {text_of(given)}")
    return given


def _read_text(where: str, given: object) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{where} must be a string, not {text_of(given)}")
    return given


def _read_member(where: str, given: object, members: type[_Member]) -> _Member:
    known = members.__members__
    if not isinstance(given, str) or given not in known:
        raise ValueError(f"{where} must be one of {', '.join(known)}, not {text_of(given)}")
    return known[given]
