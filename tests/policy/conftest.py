"""Any policy that the constructors accept."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from lunaflow.policy import (
    DeploymentPolicy,
    Fallback,
    Global,
    Lookup,
    Pareto,
    ParetoPoint,
    Piecewise,
    PolicySet,
    Region,
)

NAMES = st.sampled_from("abc") | st.text(max_size=3)
SCALES: Any = (
    st.integers(-3, 9)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.fractions()
    | st.sampled_from([2**53, 2**53 + 1, float(2**53), math.inf, -math.inf, Fraction(1, 3), -0.0])
)


def _ascending(minimum: int, maximum: int) -> Any:
    # equal numbers of different types (1, 1.0) are one scale
    return st.lists(SCALES, min_size=minimum, max_size=maximum, unique=True).map(sorted)


@st.composite
def _piecewise(draw: Any) -> Piecewise:
    count = draw(st.integers(1, 3))
    bounds: list[Any] = draw(_ascending(2 * count, 2 * count))
    bounds[0] = draw(st.sampled_from([bounds[0], None]))
    bounds[-1] = draw(st.sampled_from([bounds[-1], None]))
    ids = st.lists(st.text(max_size=3) | st.integers(), max_size=2).map(tuple)
    regions = [
        Region(bounds[2 * i], bounds[2 * i + 1], draw(NAMES), draw(ids)) for i in range(count)
    ]
    return Piecewise(tuple(regions), tuple(draw(_ascending(0, 3))))


@st.composite
def _pareto(draw: Any) -> Pareto:
    names = draw(st.lists(st.text(max_size=3), min_size=1, max_size=3, unique=True))
    count = draw(st.integers(1, 3))
    points = [
        ParetoPoint(draw(NAMES), tuple((n, draw(SCALES)) for n in names)) for _ in range(count)
    ]
    return Pareto(tuple(points))


def _lookup(keys: Any) -> Any:
    return st.dictionaries(keys, NAMES, min_size=1, max_size=4).map(
        lambda d: Lookup(tuple(d.items()))
    )


_BY_SCALE: Any = (
    st.builds(Global, NAMES) | st.builds(Fallback, NAMES, NAMES) | _piecewise() | _lookup(SCALES)
)
_VALUES: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.text(max_size=3)
    | SCALES.filter(lambda x: not isinstance(x, Fraction)),
    lambda inner: (
        st.lists(inner, max_size=2).map(tuple)
        | st.dictionaries(st.text(max_size=8), inner, max_size=2)
    ),
    max_leaves=5,
)


@pytest.fixture(scope="session")
def scales() -> Any:
    """Numbers that are scales."""
    return SCALES


@pytest.fixture(scope="session")
def policies_by_scale() -> st.SearchStrategy[DeploymentPolicy]:
    """Policies that answer every number."""
    policies: st.SearchStrategy[DeploymentPolicy] = _BY_SCALE
    return policies


@pytest.fixture(scope="session")
def policy_sets() -> st.SearchStrategy[PolicySet]:
    """Sets of all sorts of policies."""
    policies = _BY_SCALE | _lookup(st.text(max_size=3)) | _pareto()
    return st.builds(
        PolicySet,
        st.dictionaries(st.tuples(NAMES, NAMES), policies, max_size=3),
        st.dictionaries(st.text(max_size=8), _VALUES, max_size=3),
    )
