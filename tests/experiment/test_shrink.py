"""Greedy shrinking: budget, invariant, local minimality and the cases with known answers."""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment import Shrinker, shrink

CASES = json.loads((Path(__file__).parents[1] / "data" / "shrink.json").read_text())["cases"]


def halves(n: int) -> list[int]:
    return [n // 2, n - 1] if n > 0 else []


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['initial']}-{c['max_steps']}")
def test_known_cases(case: dict[str, Any]) -> None:
    shrinker = Shrinker(halves, str, case["max_steps"])
    shrunk = shrink(case["initial"], shrinker, lambda n: n >= case["threshold"])
    assert shrunk.result == case["result"]
    assert shrunk.path == tuple(map(str, case["path"]))
    assert shrunk.evaluations == case["evaluations"]


def reference(
    initial: int, candidates: Callable[[int], Iterable[int]], fails: Callable[[int], bool]
) -> list[int]:
    """Return x_0, x_1, ... of the definition, without a budget."""
    xs = [initial]
    while (y := next((y for y in candidates(xs[-1]) if fails(y)), None)) is not None:
        xs.append(y)
    return xs


@st.composite
def descents(draw: st.DrawFn) -> tuple[Callable[[int], list[int]], Callable[[int], bool]]:
    """Draw a candidate function that always goes down, and a predicate."""
    steps = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    failing = draw(st.sets(st.integers(0, 40)))
    return (lambda n: [n - s for s in steps if n - s >= 0]), failing.__contains__


@given(st.integers(0, 40), descents(), st.integers(0, 60))
def test_e6_to_e9_against_the_definition(initial: int, descent: Any, max_steps: int) -> None:
    candidates, fails = descent
    calls: list[int] = []

    def still_fails(n: int) -> bool:
        calls.append(n)
        return bool(fails(n))

    shrunk = shrink(initial, Shrinker(candidates, str, max_steps), still_fails)
    full = reference(initial, candidates, fails)
    assert len(calls) == shrunk.evaluations <= max_steps
    assert list(shrunk.path) == [str(n) for n in full[1 : len(shrunk.path) + 1]]
    assert shrunk.result == full[len(shrunk.path)]
    if shrunk.locally_minimal:
        assert shrunk.result == full[-1]
        assert not any(fails(y) for y in candidates(shrunk.result))
    else:
        assert shrunk.evaluations == max_steps
    if fails(initial):
        assert fails(shrunk.result)
    assert initial not in calls[:1]


def test_e6_the_first_failing_candidate_is_taken() -> None:
    shrinker = Shrinker(lambda s: ["c", "a", "b"] if s == "start" else [])
    shrunk = shrink("start", shrinker, lambda s: s in "ab")
    assert shrunk == ("a", ("'a'",), 2, True)


CYCLES: list[tuple[str, Callable[[int], Iterable[int]], Callable[[int], bool], set[int]]] = [
    ("its own input", lambda n: [n], lambda n: True, {5}),
    ("each other", lambda n: [6 if n == 5 else 5], lambda n: True, {5, 6}),
    ("an endless stream that passes", lambda n: itertools.count(7), lambda n: n == 5, {5}),
]


@pytest.mark.parametrize(("name", "candidates", "fails", "results"), CYCLES)
def test_e7_cycles_and_endless_streams_end_with_the_budget(
    name: str,
    candidates: Callable[[int], Iterable[int]],
    fails: Callable[[int], bool],
    results: set[int],
) -> None:
    shrunk = shrink(5, Shrinker(candidates, max_steps=100), fails)
    assert shrunk.evaluations == 100, name
    assert shrunk.result in results
    assert fails(shrunk.result)
    assert not shrunk.locally_minimal


def test_e7_candidates_are_drawn_lazily() -> None:
    drawn: list[int] = []

    def candidates(n: int) -> Iterator[int]:
        for y in range(n):
            drawn.append(y)
            yield y

    shrunk = shrink(1000, Shrinker(candidates, max_steps=3), lambda n: False)
    assert shrunk == (1000, (), 3, False)
    assert drawn == [0, 1, 2, 3]


def test_e8_the_initial_input_is_not_tested() -> None:
    calls: list[int] = []

    def still_fails(n: int) -> bool:
        calls.append(n)
        return True

    shrink(3, Shrinker(lambda n: []), still_fails)
    assert calls == []


@pytest.mark.parametrize(("count", "minimal"), [(3, True), (4, False)])
def test_e9_one_candidate_beyond_the_budget_is_drawn_to_know(count: int, minimal: bool) -> None:
    shrunk = shrink(0, Shrinker(lambda n: range(count), max_steps=3), lambda n: False)
    assert shrunk == (0, (), 3, minimal)


def test_e9_a_budget_of_nothing_is_minimal_only_without_candidates() -> None:
    assert shrink(0, Shrinker(halves, max_steps=0), lambda n: True).locally_minimal
    assert not shrink(1, Shrinker(halves, max_steps=0), lambda n: True).locally_minimal


@given(st.integers(0, 10**6), st.data())
def test_e10_halving_ends_at_the_threshold_in_few_steps(n: int, data: st.DataObject) -> None:
    threshold = data.draw(st.integers(min(n, 1), min(n, 300)))
    shrunk = shrink(n, Shrinker(halves, max_steps=2000), lambda m: m >= threshold)
    assert shrunk.result == threshold
    assert shrunk.locally_minimal
    assert len(shrunk.path) <= n.bit_length() + threshold


def test_an_exception_of_the_predicate_is_passed_on() -> None:
    def raising(n: int) -> bool:
        raise RuntimeError("predicate")

    with pytest.raises(RuntimeError, match="predicate"):
        shrink(5, Shrinker(halves), raising)


@pytest.mark.parametrize(
    ("fields", "error", "named"),
    [
        ([None], TypeError, "candidates"),
        ([halves, "text"], TypeError, "text"),
        ([halves, str, 1.5], TypeError, "max_steps"),
        ([halves, str, True], TypeError, "max_steps"),
        ([halves, str, -1], ValueError, "max_steps must be at least 0, not -1"),
    ],
)
def test_a_bad_shrinker_is_refused_by_name(
    fields: list[Any], error: type[Exception], named: str
) -> None:
    with pytest.raises(error, match=named):
        Shrinker(*fields)
