"""The policies of a program, by operation and element type, and where they were measured."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from lunaflow._arguments import reject_type
from lunaflow._frozen import freeze, thaw
from lunaflow.policy._model import DeploymentPolicy, require_policy


@dataclass(frozen=True, slots=True)
class PolicySet:
    """Deployment policies by operation and element type, with the environment they hold for.

    Parameters
    ----------
    policies : mapping of (str, str) to DeploymentPolicy
        Keys are (operation, element type); kept as a read-only copy.
    environment : mapping of str to value
        What was true of the machine that measured: str, int, float, bool, None, and sequences and
        mappings of them; kept as a read-only copy, sequences as tuples.

    Raises
    ------
    TypeError
        If a key or value has another type.
    ValueError
        If the environment holds a NaN, which would equal nothing.
    """

    policies: Mapping[tuple[str, str], DeploymentPolicy]
    environment: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.policies, Mapping):
            raise reject_type("policies", self.policies, "a mapping")
        if not isinstance(self.environment, Mapping):
            raise reject_type("environment", self.environment, "a mapping")
        for key, policy in self.policies.items():
            if not _is_key(key):
                raise reject_type("a key of policies", key, "(operation, element type), two str")
            require_policy(f"the policy of {key}", policy)
        object.__setattr__(self, "policies", MappingProxyType(dict(self.policies)))
        object.__setattr__(self, "environment", freeze(self.environment, _checked))

    def __hash__(self) -> int:
        return hash((frozenset(self.policies.items()), _hashable(self.environment)))

    def __reduce__(self) -> tuple[Any, ...]:
        return PolicySet, (dict(self.policies), thaw(self.environment))


def _is_key(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(isinstance(one, str) for one in key)


def _checked(where: str, value: Any) -> Any:
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.float16, np.float32)):
        if math.isnan(value):
            raise ValueError(f"{where} must not be NaN")
        return float(value)
    raise reject_type(where, value, "a str, int, float, bool, None, or a list or mapping of them")


def _hashable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return frozenset((key, _hashable(one)) for key, one in value.items())
    if isinstance(value, tuple):
        return tuple(_hashable(one) for one in value)
    return value
