"""E16, E18: crossovers in other tools' files, by intervals where there are raw samples."""

from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment import Found, Label, NoCrossover, ScaleBoundary
from lunaflow.experiment.foreign import (
    ForeignResults,
    Timing,
    crossover_of_results,
    read_results,
)
from lunaflow.policy import Fallback, Global, Piecewise, Region

DATA = Path(__file__).parents[2] / "data" / "foreign"
A, B, U = Label.A, Label.B, Label.UNKNOWN


@pytest.mark.parametrize(
    ("name", "a", "b", "boundary", "undecided"),
    [
        ("pyperf.json", "list", "array", (64, 1024), ()),
        ("pytest_benchmark.json", "test_list", "test_array", (64, 1024), ()),
        ("google_benchmark.json", "growing", "constant", (64, 1024), ()),
        ("google_benchmark.csv", "growing", "constant", (64, 1024), ()),
        ("criterion", "rounds/growing", "rounds/constant", (64, 1024), ()),
        ("criterion_raw.csv", "rounds/growing", "rounds/constant", (64, 1024), ()),
        ("hyperfine.json", "seq {n}", "python -Sc range({n})", (100000, 4000000), (1000000,)),
        ("hyperfine.csv", "seq {n}", "python -Sc range({n})", (1000000, 4000000), ()),
    ],
)
def test_real_files_have_their_crossover(
    name: str, a: str, b: str, boundary: tuple[int, int], undecided: tuple[int, ...]
) -> None:
    results = read_results(DATA / name)
    for first, second in ((a, b), (b, a)):
        found = crossover_of_results(results, first, second, practical_delta_pct=5)
        assert isinstance(found.result, Found)
        assert found.result.boundary == ScaleBoundary(*boundary)
        assert found.result.undecided == undecided
        policy = found.policy(fallback=a)
        assert isinstance(policy, Piecewise)
        assert [region.choice for region in policy.regions] == [a, b]


def test_a_real_file_without_a_crossover_has_a_winner() -> None:
    results = read_results(DATA / "google_benchmark.csv")
    found = crossover_of_results(results, "twice", "growing")
    assert isinstance(found.result, NoCrossover)
    assert found.policy(fallback="twice") == Global("growing")


def timing(family: str, size: int, *seconds: float, **fields: Any) -> Timing:
    figure = fields.pop("figure", seconds[0] if seconds else 0.0)
    name = f"{family}/{size}"
    return Timing(name, family, (("#1", str(size)),), figure, "x", seconds, **fields)


def crossover(*timings: Timing, **options: Any) -> Any:
    return crossover_of_results(ForeignResults("test", timings), "a", "b", **options)


def test_figures_alone_are_labelled_by_the_threshold() -> None:
    pairs = {1: (1.0, 1.02), 2: (1.0, 1.2), 4: (1.5, 1.0)}
    timings = [
        timing(f, n, s) for n, both in pairs.items() for f, s in zip("ab", both, strict=True)
    ]
    found = crossover(*timings)
    assert [one.label for one in found.figures] == [U, A, B]
    assert found.figures[1].relative_delta_pct == pytest.approx(-100 / 6)
    assert {one.reason for one in found.figures} == {"too few raw samples for an interval"}
    assert found.result.evidence.observation_ids[2] == ("a/4", "b/4")
    assert [one.label for one in crossover(*timings, practical_delta_pct=30).figures] == [U, U, B]


def test_e16_one_noisy_size_makes_no_transition() -> None:
    quiet = (1.0, 1.01, 0.99, 1.0, 1.02, 0.98)
    noisy = (0.4, 3.0, 1.3, 0.6, 2.0, 1.3)
    timings = []
    for size, factor, samples in ((1, 1.4, quiet), (2, 0.95, noisy), (4, 1.3, quiet)):
        timings += [timing("a", size, *samples, figure=1.0)]
        timings += [timing("b", size, *(factor * s for s in samples), figure=factor)]
    found = crossover(*timings)
    assert [one.label for one in found.figures] == [A, U, A]
    assert isinstance(found.result, NoCrossover)
    assert found.figures[0].reason == "interval over samples"
    low, high = found.figures[1].interval_pct
    assert low < -3 < 3 < high


def test_m14_with_five_processes_these_are_resampled() -> None:
    samples = (1.0, 1.0, 1.1, 1.1, 0.9, 0.9, 1.0, 1.0, 1.05, 1.05)
    groups = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4)
    other = tuple(2 * s for s in samples)
    both = [timing("a", 1, *samples, groups=groups), timing("b", 1, *other, groups=groups)]
    (grouped,) = crossover(*both).figures
    assert grouped.reason == "interval over processes"
    assert crossover(*both[:1], timing("b", 1, *other)).figures[0].reason == "interval over samples"


def test_e18_what_was_not_measured_at_a_size_is_unknown_and_never_interpolated() -> None:
    found = crossover(
        timing("a", 1, 1.0), timing("b", 1, 2.0), timing("a", 2, 1.0), timing("b", 4, 1.0),
        timing("a", 8, 2.0), timing("b", 8, 1.0),
    )  # fmt: skip
    assert [one.label for one in found.figures] == [A, U, U, B]
    assert found.figures[1].reason == "b was not measured at this size"
    assert found.figures[2].reason == "a was not measured at this size"
    assert found.result.boundary == ScaleBoundary(1, 8)
    regions = (Region(1, 1, "a", ("a/1", "b/1")), Region(8, 8, "b", ("a/8", "b/8")))
    assert found.policy(fallback="a") == Piecewise(regions, (2, 4))


def test_m11_what_failed_and_what_took_no_time_is_never_faster() -> None:
    for broken, reason in (
        (timing("a", 1, 0.5, unusable="it ended with exit code 1"), "exit code 1"),
        (timing("a", 1, 0.0), "a/1: below the clock's resolution"),
        (timing("a", 1, 5e-324), "no float holds the difference"),
    ):
        other = timing("b", 1, 5e-324 if "float" in reason else 1.0)
        if "float" in reason:
            broken = timing("a", 1, 1e300)
        (one,) = crossover(broken, other).figures
        assert (one.label, one.relative_delta_pct, one.interval_pct) == (U, None, None)
        assert reason in one.reason
    both = crossover(timing("a", 1, 0.0), timing("b", 1, 0.0))
    assert isinstance(both.policy(fallback="b"), Fallback)


def test_wrong_arguments_are_refused_by_name() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match="results must be a ForeignResults"):
        crossover_of_results(wrong, "a", "b")
    with pytest.raises(TypeError, match="b must be a str"):
        crossover_of_results(ForeignResults("x", ()), "a", wrong)
    with pytest.raises(ValueError, match="practical_delta_pct must be above 0"):
        crossover(timing("a", 1, 1.0), timing("b", 1, 1.0), practical_delta_pct=0)
