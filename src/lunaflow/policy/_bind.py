"""Turn a policy into a function that calls the chosen implementation, with little on the way."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

from lunaflow._arguments import reject_type
from lunaflow.policy._choose import has_text_keys, not_by_scale, require_text_scale, unknown_key
from lunaflow.policy._model import (
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    Piecewise,
    require_policy,
)
from lunaflow.policy._scale import as_scale

Implementation = Callable[..., Any]


def bind(
    policy: DeploymentPolicy,
    implementations: Mapping[str, Implementation],
    scale: Callable[..., Any],
) -> Implementation:
    """Return a function that calls the implementation chosen by `policy` for its arguments.

    The function calls ``scale(*args, **kwargs)`` and then, with the same arguments, the
    implementation that `choose` names at this scale. Everything that does not depend on the
    arguments is done here, once. Where the choice does not depend on the scale (Global, Fallback),
    the implementation itself is returned and `scale` is never called.

    Parameters
    ----------
    policy : Global, Piecewise, Lookup or Fallback
        The policy.
    implementations : mapping of str to callable
        Implementations by name; names that the policy does not use are ignored.
    scale : callable
        Takes the arguments of a call, returns an int, float or Fraction (or str, for a Lookup with
        such keys).

    Returns
    -------
    callable
        Raises what `choose` raises for a scale that it refuses.

    Raises
    ------
    TypeError
        If an argument has a wrong type.
    ValueError
        If the policy names an implementation that is not given, or is a Pareto.
    """
    require_policy("policy", policy)
    if not callable(scale):
        raise reject_type("scale", scale, "a callable")
    if isinstance(policy, Pareto):
        raise not_by_scale(policy)
    if isinstance(policy, (Global, Fallback)):
        return _targets((policy.choice,), implementations)[0]
    if isinstance(policy, Piecewise):
        targets = _targets([region.choice for region in policy.regions], implementations)
        return _by_threshold([region.lower for region in policy.regions[1:]], targets, scale)
    keys = [key for key, _ in policy.pairs]
    targets = _targets([choice for _, choice in policy.pairs], implementations)
    if has_text_keys(policy):
        return _by_text(policy, dict(zip(keys, targets, strict=True)), scale)
    return _by_threshold(keys[1:], targets, scale)


def _targets(names: Any, implementations: Mapping[str, Implementation]) -> list[Implementation]:
    if not isinstance(implementations, Mapping):
        raise reject_type("implementations", implementations, "a mapping of names to callables")
    missing = sorted({name for name in names if name not in implementations})
    if missing:
        given = ", ".join(map(repr, implementations))
        raise ValueError(
            f"implementations must hold {', '.join(map(repr, missing))}, not only {given or 'none'}"
        )
    targets = [implementations[name] for name in names]
    for name, target in zip(names, targets, strict=True):
        if not callable(target):
            raise reject_type(f"implementation {name!r}", target, "a callable")
    return targets


def _by_threshold(
    thresholds: list[Any], targets: list[Implementation], scale: Callable[..., Any]
) -> Implementation:
    def dispatch(*args: Any, **kwargs: Any) -> Any:
        at = scale(*args, **kwargs)
        if type(at) is not int:
            at = as_scale("scale", at)
        return targets[bisect_right(thresholds, at)](*args, **kwargs)

    return dispatch


def _by_text(
    policy: Lookup, targets: dict[Any, Implementation], scale: Callable[..., Any]
) -> Implementation:
    def dispatch(*args: Any, **kwargs: Any) -> Any:
        at = scale(*args, **kwargs)
        target = targets.get(at)
        if target is None:
            require_text_scale(at)
            raise unknown_key(policy, at)
        return target(*args, **kwargs)

    return dispatch
