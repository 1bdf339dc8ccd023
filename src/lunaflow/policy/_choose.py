"""Ask a policy for its choice at one scale."""

from bisect import bisect_right
from typing import Any, assert_never

from lunaflow._arguments import reject_type
from lunaflow.policy._model import (
    Basis,
    Choice,
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    Piecewise,
    require_policy,
)
from lunaflow.policy._scale import Scale, as_scale


def choose(policy: DeploymentPolicy, scale: Scale | str) -> Choice:
    """Return the implementation that `policy` chooses at `scale`, and on what basis.

    Global answers MEASURED and Fallback UNDECIDED. Piecewise answers MEASURED in a region; in a gap
    the choice of the lower region, UNDECIDED from the first to the last undecided scale, else
    BETWEEN; outside of all regions the nearest choice, EXTRAPOLATED. Lookup answers a key exactly
    with MEASURED, else by the nearest lower key with BETWEEN, below all by the lowest with
    EXTRAPOLATED.

    Parameters
    ----------
    policy : Global, Piecewise, Lookup or Fallback
        The policy.
    scale : int, float, Fraction, or str for a Lookup with such keys
        The size of the problem.

    Returns
    -------
    Choice
        The name of the implementation and the basis of the choice.

    Raises
    ------
    TypeError
        If `policy` is no policy, or `scale` not of the type that the policy asks for.
    ValueError
        If `scale` is NaN, a string that the Lookup does not hold, or the policy is a Pareto: a
        trade-off is not chosen from by scale.
    """
    require_policy("policy", policy)
    if isinstance(policy, Pareto):
        raise not_by_scale(policy)
    if isinstance(policy, Lookup) and has_text_keys(policy):
        return Choice(_at_text(policy, scale), Basis.MEASURED)
    at = as_scale("scale", scale)
    match policy:
        case Global(choice):
            return Choice(choice, Basis.MEASURED)
        case Fallback(choice, _):
            return Choice(choice, Basis.UNDECIDED)
        case Piecewise():
            return _at_region(policy, at)
        case Lookup():
            return _at_number(policy, at)
        case _:
            assert_never(policy)


def not_by_scale(policy: Pareto) -> ValueError:
    """Return the error of asking a trade-off for the choice at a scale."""
    names = ", ".join(repr(point.choice) for point in policy.points)
    return ValueError(
        f"a Pareto policy is not chosen from by scale; take one of its points ({names}) as a Global"
    )


def has_text_keys(policy: Lookup) -> bool:
    """Say whether the keys are strings; they are all of one sort."""
    return isinstance(policy.pairs[0][0], str)


def unknown_key(policy: Lookup, scale: object) -> ValueError:
    """Return the error of asking for a string that is no key."""
    known = ", ".join(repr(key) for key, _ in policy.pairs)
    return ValueError(f"scale must be one of {known}, not {scale!r}")


def require_text_scale(scale: object) -> None:
    """Raise TypeError unless `scale` is a str."""
    if not isinstance(scale, str):
        raise reject_type("scale", scale, "a str, as the keys of this Lookup are")


def _at_text(policy: Lookup, scale: object) -> str:
    require_text_scale(scale)
    for key, choice in policy.pairs:
        if key == scale:
            return choice
    raise unknown_key(policy, scale)


def _at_number(policy: Lookup, scale: Scale) -> Choice:
    keys: list[Any] = [key for key, _ in policy.pairs]
    position = bisect_right(keys, scale) - 1
    if position < 0:
        return Choice(policy.pairs[0][1], Basis.EXTRAPOLATED)
    key, choice = policy.pairs[position]
    return Choice(choice, Basis.MEASURED if key == scale else Basis.BETWEEN)


def _at_region(policy: Piecewise, scale: Scale) -> Choice:
    first, last = policy.regions[0], policy.regions[-1]
    if first.lower is not None and scale < first.lower:
        return Choice(first.choice, Basis.EXTRAPOLATED)
    lower = first
    for region in policy.regions[1:]:
        if region.lower is None or scale < region.lower:
            break
        lower = region
    if lower.upper is None or scale <= lower.upper:
        return Choice(lower.choice, Basis.MEASURED)
    if lower is last:
        return Choice(lower.choice, Basis.EXTRAPOLATED)
    undecided = policy.undecided
    tied = bool(undecided) and undecided[0] <= scale <= undecided[-1]
    return Choice(lower.choice, Basis.UNDECIDED if tied else Basis.BETWEEN)
