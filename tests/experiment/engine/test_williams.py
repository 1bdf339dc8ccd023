"""M2: Williams designs favour no position and no neighbour."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment.engine._williams import williams_square

TREATMENTS = st.integers(1, 13)


@given(TREATMENTS)
def test_m2_each_row_holds_each_treatment_once(m: int) -> None:
    rows = williams_square(m)
    assert len(rows) == (m if m % 2 == 0 or m == 1 else 2 * m)
    assert all(sorted(row) == list(range(m)) for row in rows)


@given(TREATMENTS)
def test_m2_each_treatment_takes_each_position_equally_often(m: int) -> None:
    rows = williams_square(m)
    taken = Counter((position, t) for row in rows for position, t in enumerate(row))
    assert set(taken.values()) == {len(rows) // m}
    assert len(taken) == m * m


@given(st.integers(2, 13))
def test_m2_each_ordered_pair_of_neighbours_occurs_equally_often(m: int) -> None:
    rows = williams_square(m)
    neighbours = Counter(pair for row in rows for pair in pairwise(row))
    assert set(neighbours.values()) == {len(rows) // m}
    assert len(neighbours) == m * (m - 1)


@pytest.mark.parametrize("wrong", [0, -1])
def test_fewer_than_one_treatment_is_refused(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"at least 1, not {wrong}"):
        williams_square(wrong)


def test_a_count_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError, match="treatments must be an integer"):
        williams_square(2.0)  # type: ignore[arg-type]
