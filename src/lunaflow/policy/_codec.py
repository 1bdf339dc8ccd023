"""Policies as JSON-ready values, version 1: what JSON lacks is tagged as in every stored format."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, assert_never

from lunaflow._stored import check_format, read_record, tagged, untagged
from lunaflow._texts import text_of
from lunaflow.policy._model import (
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    ParetoPoint,
    Piecewise,
    Region,
)
from lunaflow.policy._set import PolicySet

_FORMAT = "lunaflow-policy-set"
_VERSION = 1


def encode(policies: PolicySet) -> dict[str, Any]:
    """Return `policies` as a dictionary that strict JSON can hold."""
    entries = [
        {"operation": operation, "element_type": element_type, "policy": _write_policy(policy)}
        for (operation, element_type), policy in policies.policies.items()
    ]
    stored: dict[str, Any] = tagged(
        {
            "format": _FORMAT,
            "version": _VERSION,
            "environment": policies.environment,
            "policies": entries,
        }
    )
    return stored


def decode(given: object) -> PolicySet:
    """Return the policies that `encode` wrote; ValueError, naming the place, for anything else."""
    if not isinstance(given, dict):
        raise ValueError(f"the file must hold an object, not {text_of(given)}")
    check_format(given, _FORMAT, _VERSION)
    record = read_record(
        "the file", untagged(given), ("format", "version", "environment", "policies")
    )
    with _within("environment"):
        environment = _as_object(record["environment"])
    policies: dict[tuple[str, str], DeploymentPolicy] = {}
    with _within("policies"):
        for i, entry in enumerate(_as_list(record["policies"])):
            with _within(f"[{i}]"):
                key, policy = _read_entry(entry)
                if key in policies:
                    raise ValueError(f"the policy of {key} occurs twice")
                policies[key] = policy
    return PolicySet(policies, environment)


def _write_policy(policy: DeploymentPolicy) -> dict[str, Any]:
    match policy:
        case Global(choice):
            return {"kind": "global", "choice": choice}
        case Fallback(choice, reason):
            return {"kind": "fallback", "choice": choice, "reason": reason}
        case Lookup(pairs):
            return {"kind": "lookup", "pairs": pairs}
        case Pareto(points):
            return {"kind": "pareto", "points": [_write_point(point) for point in points]}
        case Piecewise(regions, undecided):
            return {
                "kind": "piecewise",
                "regions": [_write_region(region) for region in regions],
                "undecided": undecided,
            }
        case _:
            assert_never(policy)


def _write_region(region: Region) -> dict[str, Any]:
    return {
        "lower": region.lower,
        "upper": region.upper,
        "choice": region.choice,
        "evidence_ids": region.evidence_ids,
    }


def _write_point(point: ParetoPoint) -> dict[str, Any]:
    return {"choice": point.choice, "objectives": point.objectives}


def _read_entry(given: object) -> tuple[tuple[str, str], DeploymentPolicy]:
    record = read_record("the entry", given, ("operation", "element_type", "policy"))
    for name in ("operation", "element_type"):
        if not isinstance(record[name], str):
            raise ValueError(f"{name} must be a string, not {text_of(record[name])}")
    return (record["operation"], record["element_type"]), _read_policy(record["policy"])


_FIELDS = {
    "global": ("kind", "choice"),
    "fallback": ("kind", "choice", "reason"),
    "lookup": ("kind", "pairs"),
    "pareto": ("kind", "points"),
    "piecewise": ("kind", "regions", "undecided"),
}


def _read_policy(given: object) -> DeploymentPolicy:
    kind = _as_object(given).get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise ValueError(f"kind must be one of {', '.join(_FIELDS)}, not {text_of(kind)}")
    record = read_record(f"the {kind} policy", given, _FIELDS[kind])
    with _within(kind):
        match kind:
            case "global":
                return Global(record["choice"])
            case "fallback":
                return Fallback(record["choice"], record["reason"])
            case "lookup":
                return Lookup(tuple(_as_list(record["pairs"])))
            case "pareto":
                return Pareto(tuple(_read_point(one) for one in _as_list(record["points"])))
            case _:
                regions = tuple(_read_region(one) for one in _as_list(record["regions"]))
                return Piecewise(regions, tuple(_as_list(record["undecided"])))


def _read_region(given: object) -> Region:
    record = read_record("the region", given, ("lower", "upper", "choice", "evidence_ids"))
    ids = _as_list(record["evidence_ids"])
    return Region(record["lower"], record["upper"], record["choice"], tuple(ids))


def _read_point(given: object) -> ParetoPoint:
    record = read_record("the point", given, ("choice", "objectives"))
    return ParetoPoint(record["choice"], tuple(_as_list(record["objectives"])))


def _as_list(given: object) -> list[Any]:
    if not isinstance(given, list):
        raise ValueError(f"expected a list, not {text_of(given)}")
    return given


def _as_object(given: object) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"expected an object, not {text_of(given)}")
    return given


@contextmanager
def _within(where: str) -> Iterator[None]:
    """Put the place in the file before the message of what is wrong there."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error
