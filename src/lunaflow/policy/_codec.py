"""Policies as JSON-ready values, version 1.

A number that JSON holds exactly is itself; every JSON object in the place of a value is a tag:
``{"integer": digits}`` beyond 2**53, ``{"float": "inf" | "-inf"}``, ``{"fraction": [n, d]}`` and,
inside an environment, ``{"mapping": {...}}``.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, assert_never

from lunaflow._stored import check_format, read_integer, read_record, write_integer
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
_INFINITE = {"inf": math.inf, "-inf": -math.inf}


def encode(policies: PolicySet) -> dict[str, Any]:
    """Return `policies` as a dictionary that strict JSON can hold."""
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "environment": {k: _write_value(v) for k, v in policies.environment.items()},
        "policies": [
            {"operation": operation, "element_type": element_type, "policy": _write_policy(policy)}
            for (operation, element_type), policy in policies.policies.items()
        ],
    }


def decode(given: object) -> PolicySet:
    """Return the policies that `encode` wrote; ValueError, naming the place, for anything else."""
    if not isinstance(given, dict):
        raise ValueError(f"the file must hold an object, not {given!r:.80}")
    check_format(given, _FORMAT, _VERSION)
    record = read_record("the file", given, ("format", "version", "environment", "policies"))
    with _within("environment"):
        environment = {k: _read_value(v) for k, v in _as_object(record["environment"]).items()}
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
            return {"kind": "lookup", "pairs": [[_write_value(k), c] for k, c in pairs]}
        case Pareto(points):
            return {"kind": "pareto", "points": [_write_point(point) for point in points]}
        case Piecewise(regions, undecided):
            return {
                "kind": "piecewise",
                "regions": [_write_region(region) for region in regions],
                "undecided": [_write_value(scale) for scale in undecided],
            }
        case _:
            assert_never(policy)


def _write_region(region: Region) -> dict[str, Any]:
    return {
        "lower": _write_value(region.lower),
        "upper": _write_value(region.upper),
        "choice": region.choice,
        "evidence_ids": [_write_value(one) for one in region.evidence_ids],
    }


def _write_point(point: ParetoPoint) -> dict[str, Any]:
    objectives = [[name, _write_value(value)] for name, value in point.objectives]
    return {"choice": point.choice, "objectives": objectives}


def _write_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {"mapping": {k: _write_value(v) for k, v in value.items()}}
    if isinstance(value, tuple):
        return [_write_value(one) for one in value]
    if isinstance(value, Fraction):
        return {"fraction": [write_integer(value.numerator), write_integer(value.denominator)]}
    if isinstance(value, float) and math.isinf(value):
        return {"float": "inf" if value > 0 else "-inf"}
    if type(value) is int and isinstance(written := write_integer(value), str):
        return {"integer": written}
    return value


def _read_entry(given: object) -> tuple[tuple[str, str], DeploymentPolicy]:
    record = read_record("the entry", given, ("operation", "element_type", "policy"))
    for name in ("operation", "element_type"):
        if not isinstance(record[name], str):
            raise ValueError(f"{name} must be a string, not {record[name]!r:.80}")
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
        raise ValueError(f"kind must be one of {', '.join(_FIELDS)}, not {kind!r:.80}")
    record = read_record(f"the {kind} policy", given, _FIELDS[kind])
    with _within(kind):
        match kind:
            case "global":
                return Global(record["choice"])
            case "fallback":
                return Fallback(record["choice"], record["reason"])
            case "lookup":
                return Lookup(_read_list(record["pairs"]))
            case "pareto":
                return Pareto(tuple(_read_point(one) for one in _as_list(record["points"])))
            case _:
                regions = tuple(_read_region(one) for one in _as_list(record["regions"]))
                return Piecewise(regions, _read_list(record["undecided"]))


def _read_region(given: object) -> Region:
    record = read_record("the region", given, ("lower", "upper", "choice", "evidence_ids"))
    lower, upper = _read_value(record["lower"]), _read_value(record["upper"])
    return Region(lower, upper, record["choice"], _read_list(record["evidence_ids"]))


def _read_point(given: object) -> ParetoPoint:
    record = read_record("the point", given, ("choice", "objectives"))
    return ParetoPoint(record["choice"], _read_list(record["objectives"]))


def _read_value(given: Any) -> Any:
    if isinstance(given, list):
        return tuple(_read_value(one) for one in given)
    if isinstance(given, float) and not math.isfinite(given):
        raise ValueError("a number is beyond the range of a float")
    return _read_tag(given) if isinstance(given, dict) else given


def _read_tag(given: dict[str, Any]) -> Any:
    match given:
        case {"integer": digits, **rest} if not rest:
            return read_integer("integer", digits)
        case {"float": str(name), **rest} if not rest and name in _INFINITE:
            return _INFINITE[name]
        case {"fraction": [n, d], **rest} if not rest:
            denominator = read_integer("the denominator of a fraction", d)
            if denominator < 1:
                raise ValueError(f"the denominator of a fraction must be positive, not {d!r:.80}")
            return Fraction(read_integer("the numerator of a fraction", n), denominator)
        case {"mapping": dict(mapping), **rest} if not rest:
            return {k: _read_value(v) for k, v in mapping.items()}
    raise ValueError(
        f"a value must be plain, or a tagged integer, float, fraction or mapping, not {given!r:.80}"
    )


def _read_list(given: object) -> tuple[Any, ...]:
    return tuple(_read_value(one) for one in _as_list(given))


def _as_list(given: object) -> list[Any]:
    if not isinstance(given, list):
        raise ValueError(f"expected a list, not {given!r:.80}")
    return given


def _as_object(given: object) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"expected an object, not {given!r:.80}")
    return given


@contextmanager
def _within(where: str) -> Iterator[None]:
    """Put the place in the file before the message of what is wrong there."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error
