"""Student's t distribution against SciPy's."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from lunaflow.experiment._student import quantile, two_sided_p

FREEDOM = st.integers(1, 60) | st.sampled_from([999, 1000])


@given(st.floats(0, 1e6), FREEDOM)
@example(float("inf"), 4)
def test_chances_are_those_of_scipy(t: float, freedom: int) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=1e-11)


@given(st.floats(0.001, 0.9999), FREEDOM)
@example(0.95, 4)
def test_quantiles_are_those_of_scipy(confidence: float, freedom: int) -> None:
    wanted = stats.t.ppf((1 + confidence) / 2, freedom)
    assert quantile(confidence, freedom) == pytest.approx(wanted, rel=1e-8)


def test_a_level_of_almost_one_ends() -> None:
    assert quantile(1 - 2**-53, 1) > 1e15
