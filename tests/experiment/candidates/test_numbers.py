"""E10, E11: candidates of numbers are simpler, never the input, and lead to the threshold."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.experiment.candidates.orders import check

from lunaflow.experiment import Shrinker, candidates, shrink
from lunaflow.experiment.candidates._numbers import complex_numbers

INTEGERS = st.integers() | st.integers(-(2**100), 2**100)
INTEGER_TYPES = [np.int8, np.uint8, np.int64, np.uint64]
FLOAT_TYPES = [np.float16, np.float32, np.float64, np.longdouble]


@given(INTEGERS)
def test_e11_integers_get_simpler(n: int) -> None:
    found = check(candidates.integers, n)
    assert found[:1] == ([0] if n else [])
    assert len(found) <= abs(n).bit_length() + 2


@given(st.sampled_from(INTEGER_TYPES), st.data())
def test_e11_numpy_integers_keep_their_type(kind: Any, data: st.DataObject) -> None:
    info = np.iinfo(kind)
    n = data.draw(st.integers(int(info.min), int(info.max)) | st.just(int(info.min)))
    assert all(type(m) is kind for m in check(candidates.integers, kind(n)))


def test_truth_values_are_integers_too() -> None:
    assert candidates.integers(True) == [False]
    assert list(candidates.integers(np.True_)) == [np.False_]
    for false in (False, np.False_):
        assert list(candidates.integers(false)) == []


@given(st.integers(1, 10**12), st.integers(0, 10**6))
def test_e10_a_threshold_is_met_exactly(n: int, excess: int) -> None:
    shrunk = shrink(n + excess, Shrinker(candidates.integers, max_steps=4000), lambda m: m >= n)
    assert shrunk.result == n
    assert shrunk.locally_minimal


@given(st.floats())
@example(5e-324)
@example(1.7976931348623157e308)
@example(-0.0)
@example(0.1 + 0.2)
@example(1e16)
@example(-1e-5)
def test_e11_floats_get_simpler(x: float) -> None:
    found = check(candidates.floats, x)
    if x != 0:
        assert found[0] == 0.0
        assert len(found) < 100
    else:
        assert found == []


@given(st.sampled_from(FLOAT_TYPES), st.floats(allow_subnormal=False))
def test_e11_numpy_floats_keep_their_type(kind: Any, x: float) -> None:
    with np.errstate(all="ignore"):
        typed = kind(x)
    assert all(type(y) is kind for y in check(candidates.floats, typed))


@pytest.mark.parametrize(
    ("x", "some"),
    [
        (math.pi, [0.0, 1.0, 3.0, 3.1, 3.14, 3.14159]),
        (-2.5, [0.0, 1.0, 2.5, -2.0]),
        (123456.0, [0.0, 1.0, 61728.0, 123455.0]),
        (1e300, [0.0, 1.0, 1e150, 1e299]),
        (5e-324, [0.0, 1.0, 5e-162]),
        (math.inf, [0.0, 1.0, 1.7976931348623157e308]),
        (-math.inf, [0.0, 1.0, math.inf, -1.7976931348623157e308]),
        (math.nan, [0.0, 1.0, math.inf]),
    ],
)
def test_e11_floats_go_towards_simple_ones(x: float, some: list[float]) -> None:
    found = list(candidates.floats(x))
    assert [y for y in found if y in some] == some


def test_e11_a_failure_of_fractions_ends_at_a_short_decimal() -> None:
    shrunk = shrink(
        7834.87236487, Shrinker(candidates.floats), lambda x: x != math.floor(x) and x > 0
    )
    assert shrunk.result == 0.5 or len(repr(shrunk.result)) <= 3
    assert shrunk.locally_minimal


@given(st.complex_numbers())
@example(complex(0.0, math.inf))
@example(complex(math.nan, -0.0))
@example(complex(-0.0, -0.0))
def test_e11_complex_numbers_get_simpler(z: complex) -> None:
    check(complex_numbers, z)
    with np.errstate(all="ignore"):
        check(complex_numbers, np.complex64(z))


@pytest.mark.parametrize(
    ("function", "wrong", "accepted"),
    [
        (candidates.integers, 1.0, "an integer, not float"),
        (candidates.floats, 1, "a float, not int"),
        (complex_numbers, 1.0, "a complex number, not float"),
    ],
)
def test_another_kind_is_refused_at_once(function: Any, wrong: Any, accepted: str) -> None:
    with pytest.raises(candidates.WrongKind, match=f"input must be {accepted}"):
        function(wrong)
