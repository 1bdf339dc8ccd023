"""Closeness agrees with exact rational arithmetic, for scalars and arrays alike."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lunaflow.experiment._closeness import Closeness

NAN, INF = math.nan, math.inf
TOLERANCES = st.one_of(
    st.sampled_from([0.0, 1e-9, 0.1, 0.5, 5e-324, 1e308]), st.floats(0, 2, allow_nan=False)
)


def exactly_close(a: Any, e: Any, rel: float, absolute: float) -> bool:
    """Decide two finite or special real numbers, by the words of the law."""
    if a != a or e != e:
        return bool(a != a and e != e)
    if math.isinf(a) or math.isinf(e):
        return bool(a == e)
    allowed = max(Fraction(rel) * abs(Fraction(e)), Fraction(absolute))
    return abs(Fraction(a) - Fraction(e)) <= allowed


@st.composite
def near_pairs(draw: st.DrawFn) -> tuple[float, float]:
    e = draw(st.floats(width=64))
    steps = draw(st.integers(-3, 3))
    factor = draw(st.sampled_from([1.0, 1.1, 0.9, 1.5, 1 + 1e-9, 1 - 1e-9, -1.0]))
    a = e * factor
    for _ in range(abs(steps)):
        a = math.nextafter(a, math.copysign(INF, steps))
    return a, e


@given(near_pairs() | st.tuples(st.floats(), st.floats()), TOLERANCES, TOLERANCES)
@example((0.3, 0.2), 0.0, 0.1)
@example((1e308, -1e308), 1e308, 0.0)
@example((INF, 1.0), 1e308, 1e308)
@example((1.0, INF), 0.5, 0.0)
def test_floats_are_decided_exactly(pair: tuple[float, float], rel: float, absolute: float) -> None:
    a, e = pair
    closeness = Closeness(rel, absolute)
    wanted = exactly_close(a, e, rel, absolute)
    assert (closeness(a, e) is None) == wanted
    assert (closeness(np.array([e, a]), np.array([e, e])) is None) == wanted


@given(
    st.sampled_from(["int64", "uint64", "float64", "float32", "longdouble"]),
    st.sampled_from(["int64", "uint64", "float64"]),
    st.lists(st.tuples(st.integers(0, 2**63 - 1), st.integers(-2, 2)), min_size=1, max_size=5),
    st.sampled_from([0.0, 2.0**-52, 1e-18]),
    st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0**11]),
)
@settings(max_examples=200)
def test_mixed_dtypes_are_decided_exactly_elementwise(
    kind_a: str, kind_e: str, pairs: list[tuple[int, int]], rel: float, absolute: float
) -> None:
    e = np.array([n for n, _ in pairs], dtype=object).astype(kind_e)
    a = np.array([min(max(n + d, 0), 2**63 - 1) for n, d in pairs], dtype=object).astype(kind_a)
    exact_a, exact_e = ([Fraction(int(x)) for x in side] for side in (a, e))
    wanted = [
        abs(x - y) <= max(Fraction(rel) * abs(y), Fraction(absolute))
        for x, y in zip(exact_a, exact_e, strict=True)
    ]
    text = Closeness(rel, absolute)(a, e)
    assert (text is None) == all(wanted)
    if text is not None:
        assert f"({wanted.count(False)} of {len(wanted)} elements" in text


@given(
    st.complex_numbers(max_magnitude=1e3),
    st.complex_numbers(max_magnitude=1e3),
    st.floats(0, 2),
    st.floats(0, 10),
)
def test_complex_numbers_are_close_by_modulus(
    a: complex, e: complex, rel: float, absolute: float
) -> None:
    def squared(z: complex) -> Fraction:
        return Fraction(z.real) ** 2 + Fraction(z.imag) ** 2

    difference = (Fraction(a.real) - Fraction(e.real)) ** 2 + (
        Fraction(a.imag) - Fraction(e.imag)
    ) ** 2
    wanted = difference <= max(Fraction(rel) ** 2 * squared(e), Fraction(absolute) ** 2)
    closeness = Closeness(rel, absolute)
    assert (closeness(a, e) is None) == wanted
    assert (closeness(np.array([[a]]), np.array([[e]])) is None) == wanted


@dataclass
class Fit:
    """Compared field by field."""

    slope: Any
    name: str = ""


def record(x: float, n: int = 1) -> Any:
    return np.array([(x, n)], dtype=[("x", "f8"), ("n", "i4")])


CLOSE: list[tuple[Any, Any]] = [
    (Fit(1.0), Fit(1.0 + 1e-12)),
    (Fit(np.array([1.0])), Fit(np.array([1.0 + 1e-12]))),
    (record(1.0), record(1.0 + 1e-12)),
    (1, 1.0),
    (10**400, 10**400 + 1),
    (Fraction(1, 3), 1 / 3),
    (NAN, np.float32(NAN)),
    (complex(NAN, 1), complex(2, NAN)),
    (np.array([], dtype=int), np.array([])),
    (np.array([1, 2], dtype=np.int8), np.array([1.0, 2.0])),
    (np.array(["a"]), np.array(["a"])),
    (np.array([True]), np.array([True])),
    (np.array([1, "x"], dtype=object), np.array([1.0, "x"], dtype=object)),
    ({"x": [1.0, (2.0,)], "y": None}, {"y": None, "x": [1.0 + 1e-12, (2.0,)]}),
    (np.ma.array([1.0, 5.0], mask=[False, True]), np.ma.array([1.0, 9.0], mask=[False, True])),
    ("text", "text"),
]
FAR: list[tuple[Any, Any, str]] = [
    (Fit(1.0), Fit(2.0), "1.0 is not within rel=1e-09, abs=0.0 of 2.0 at .slope"),
    (Fit(1.0, "a"), Fit(1.0, "b"), "'a' is not 'b' at .name"),
    (Fit(1.0), (1.0, ""), "Fit(slope=1.0, name='') is not (1.0, '')"),
    (record(1.0), record(2.0), "of 2.0 at ['x'][0] (1 of 1"),
    (record(1.0, 1), record(1.0, 2), "of 2 at ['n'][0]"),
    (1, 2, "1 is not within rel=1e-09, abs=0.0 of 2"),
    (10**400, 2 * 10**400, "is not within"),
    (True, 1, "True is not 1"),
    (INF, -INF, "inf is not within"),
    (NAN, 1.0, "nan is not within"),
    (1.0, np.array([1.0]), "only one of them is an array"),
    (np.array([1.0]), np.array([[1.0]]), "shape"),
    (np.array([True]), np.array([1]), "dtype"),
    (np.array(["a"]), np.array(["b"]), "a is not b at [0]"),
    (
        np.array([1.0, NAN, INF]),
        np.array([1.0, NAN, 2.0]),
        "inf is not within rel=1e-09, abs=0.0 of 2.0 at [2]",
    ),
    (np.array([1, "x"], dtype=object), np.array([2, "x"], dtype=object), "at [0]"),
    (np.ma.array([1.0], mask=[True]), np.array([1.0]), "masks"),
    ([1.0], (1.0,), "list is not tuple"),
    ([1.0], [1.0, 2.0], "length 1 is not 2"),
    ({"x": 1.0}, {"y": 1.0}, "keys"),
    (
        {"x": [1.0, np.array([[1.0, 3.0]])]},
        {"x": [1.0, np.array([[1.0, 2.0]])]},
        "at ['x'][1][0, 1]",
    ),
    (None, 1.0, "None is not 1.0"),
]


@pytest.mark.parametrize(("actual", "expected"), CLOSE)
def test_close_values_of_every_sort(actual: Any, expected: Any) -> None:
    assert Closeness(1e-9, 0.0)(actual, expected) is None


@pytest.mark.parametrize(("actual", "expected", "text"), FAR)
def test_far_values_of_every_sort_say_where(actual: Any, expected: Any, text: str) -> None:
    assert text in str(Closeness(1e-9, 0.0)(actual, expected))


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_worst_index_is_that_of_the_largest_relative_excess(
    errors: list[int], random: Any
) -> None:
    expected = [float(2 ** random.randrange(8)) for _ in errors]
    actual = [e * (1 + error) for e, error in zip(expected, errors, strict=True)]
    worst = errors.index(max(errors))
    closeness = Closeness(0.5, 0.0)
    assert str(closeness(actual, expected)).endswith(f"at [{worst}]")
    arrays = str(closeness(np.array(actual), np.array(expected)))
    assert f"at [{worst}] ({len(errors)} of {len(errors)} elements" in arrays


def test_a_large_array_of_not_a_number_and_zero_is_decided_without_exact_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.concatenate([np.full(1000, NAN), np.zeros(1000), np.full(1000, INF)])
    monkeypatch.setattr(Closeness, "score", None)
    assert Closeness(0.0, 0.0)(values, values.copy()) is None
