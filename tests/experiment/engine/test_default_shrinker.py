"""M10, E17: where nobody has said how inputs get simpler, they do by their type."""

import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lunaflow.arithmetic import same_value
from lunaflow.experiment import (
    BenchSpec,
    Experiment,
    Fixture,
    Implementation,
    Invalid,
    Protocol,
    RunContext,
    Shrinker,
    compare,
    run,
    shrink,
)
from lunaflow.experiment._observations import Failure
from lunaflow.experiment.engine._default_shrinker import default_shrinker

ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50, inputs=1)


def failures(right: Any, wrong: Any, make: Any, **more: Any) -> tuple[Failure, ...]:
    result = compare(right, wrong, sizes=[40], make=make, protocol=ALONE, progress=False, **more)
    return result.failures


def test_m10_three_lines_end_with_a_minimal_input(functions: types.ModuleType) -> None:
    (failure,) = failures(functions.total, functions.wrong_from_ten_on, functions.make)
    assert failure.input_text == repr(np.zeros(10, dtype=np.int64))
    assert failure.path[-1] == failure.input_text
    assert not failure.flaky


@pytest.mark.parametrize(
    ("start", "is_wrong", "smallest"),
    [
        (list(range(40)), lambda x: len(x) > 3, [0, 0, 0, 0]),
        (1040, lambda x: x >= 7, 7),
        (40.1, lambda x: x > 2.5, 3.0),
        ("ab" * 40, lambda x: "b" in x, "b"),
        ({"k": 40, "l": 0}, lambda x: x.get("k", 0) > 5, {"k": 6}),
        ((np.ones((3, 40)), "t"), lambda x: len(x) == 2 and x[0].size > 1, (np.zeros((1, 2)), "")),
        (Fraction(40, 3), lambda x: True, Fraction(40, 3)),
    ],
)
def test_m10_every_kind_of_input_gets_small_and_others_stay_as_they_are(
    start: Any, is_wrong: Callable[[Any], bool], smallest: Any
) -> None:
    shrunk = shrink(start, default_shrinker(), is_wrong)
    assert same_value(shrunk.result, smallest)
    assert shrunk.locally_minimal


def test_a_shrinker_of_the_users_is_the_one_that_counts(functions: types.ModuleType) -> None:
    none = Shrinker(lambda given: ())
    (failure,) = failures(
        functions.total, functions.wrong_from_ten_on, functions.make, shrinker=none
    )
    assert failure.path == ()


def test_e17_what_no_oracle_can_judge_is_no_other_failure_of_inputs_that_nobody_made() -> None:
    def reference(x: Any) -> Any:
        return x[0]

    def wrong(x: Any) -> Any:
        return x[0] + (len(x) > 2)

    (failure,) = failures(reference, wrong, lambda size, rng: [size] * size)
    assert failure.input_text == "[0, 0, 0]"

    def raising_at_one(x: Any) -> Any:
        if len(x) == 1:
            raise OSError("another bug")
        return wrong(x)

    failure, other = failures(reference, raising_at_one, lambda size, rng: [size] * size)
    assert failure.input_text == "[0, 0, 0]"
    assert isinstance(other.status, Invalid)
    assert "another bug" in other.status.reason


def test_a_candidate_that_ends_the_implementation_is_not_given_to_the_reference(
    functions: types.ModuleType,
) -> None:
    asked: list[int] = []

    def reference(x: Any) -> int:
        asked.append(len(x))
        return int(x.sum())

    result = Experiment(
        "e",
        {"f": functions.aborting_when_empty_and_wrong},
        sizes=[9],
        make=functions.make,
        reference=reference,
        protocol=ALONE,
    ).run(progress=False)
    (failure,) = result.failures
    assert failure.input_text == "array([0])"
    assert min(asked) == 1


def test_where_the_fixture_prepares_inputs_they_stay_as_they_are() -> None:
    spec = BenchSpec(
        "prepared",
        Fixture(lambda size, rng: [size] * size, prepare=tuple),
        [Implementation.stateless("a", "", len), Implementation.stateless("b", "", sum)],
        None,
        [3],
    )
    (failure,) = run(spec.compile().unwrap(), RunContext(protocol=ALONE)).result.failures
    assert (failure.input_text, failure.path) == ("[3, 3, 3]", ())


def test_after_thirty_seconds_no_candidate_is_proposed() -> None:
    now = [100.0]
    candidates = default_shrinker(clock=lambda: now[0]).candidates
    drawn = iter(candidates(list(range(100))))
    next(drawn)
    now[0] = 129.9
    next(drawn)
    now[0] = 130.0
    assert list(drawn) == []
    assert list(candidates([1])) == []
