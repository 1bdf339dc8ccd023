"""Statuses, outcomes and protocols as the plain data of events, and back."""

from dataclasses import asdict, fields
from typing import Any

from lunaflow.experiment._oracles import outcome_text
from lunaflow.experiment._outcomes import (
    ExpectedDifference,
    Outcome,
    Trap,
    Trapped,
    Unsupported,
)
from lunaflow.experiment._protocol import Protocol
from lunaflow.experiment._statuses import (
    InfrastructureFailure,
    Invalid,
    Skipped,
    Status,
    Valid,
)

_WITH_REASON = (Invalid, Skipped, ExpectedDifference, Unsupported, InfrastructureFailure)


def status_to_event(status: Status) -> dict[str, str]:
    """Return a status as plain data."""
    return {"kind": type(status).__name__, "reason": getattr(status, "reason", "")}


def status_from_event(data: dict[str, str]) -> Status:
    """Return the status that `status_to_event` wrote."""
    if data["kind"] == "Valid":
        return Valid()
    for kind in _WITH_REASON:
        if kind.__name__ == data["kind"]:
            return kind(data["reason"])
    raise ValueError(f"unknown status {data['kind']!r}")


def outcome_to_event(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data, arrays as a short text."""
    data: dict[str, Any] = {"kind": type(outcome).__name__, "text": outcome_text(outcome)}
    if isinstance(outcome, Trapped):
        trap = outcome.trap
        data |= {"type_name": trap.type_name, "message": trap.message}
        data |= {"trap_kind": trap.kind, "index": trap.index}
    return data


def protocol_to_event(protocol: Protocol) -> dict[str, Any]:
    """Return a protocol as plain data."""
    return asdict(protocol)


def protocol_from_event(data: dict[str, Any]) -> Protocol:
    """Return the protocol that `protocol_to_event` wrote."""
    # a later version may know more fields
    known = {field.name for field in fields(Protocol)}
    return Protocol(**{name: value for name, value in data.items() if name in known})


def trap_from_event(outcome: dict[str, Any]) -> Trap | None:
    """Return the trap of an outcome that `outcome_to_event` wrote, None if it is another one."""
    if outcome["kind"] != "Trapped":
        return None
    return Trap(outcome["type_name"], outcome["message"], outcome["trap_kind"], outcome["index"])
