"""Which timings a name means, which parameter is the size, and what is refused with a hint."""

from typing import Any

import pytest

from lunaflow.experiment.foreign import ForeignFileError, ForeignResults, Timing
from lunaflow.experiment.foreign._names import taken_apart
from lunaflow.experiment.foreign._series import series_of


def results(*names: str) -> ForeignResults:
    apart = [(name, taken_apart(name)) for name in names]
    timings = [Timing(name, one.family, one.parameters, 1.0, "x") for name, one in apart]
    return ForeignResults("test", tuple(timings))


def names(found: Any) -> dict[Any, str]:
    return {size: timing.name for size, timing in found.items()}


def test_sizes_of_both_are_taken_in_ascending_order() -> None:
    series = series_of(results("a/8", "a/2", "b/4", "b/8", "c/99"), "a", "b")
    assert series.sizes == (2, 4, 8)
    assert names(series.a) == {8: "a/8", 2: "a/2"}
    assert names(series.b) == {4: "b/4", 8: "b/8"}
    assert series.size_parameter == "#1"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("t[fast]", "t[slow]"),
        ("fast", "slow"),
        (" fast ", "t[slow]"),
    ],
)
def test_an_implementation_may_be_a_parameter_that_is_no_number(a: str, b: str) -> None:
    found = results("t[fast-1]", "t[fast-2]", "t[slow-1]", "t[slow-2]")
    series = series_of(found, a, b)
    assert names(series.a) == {1: "t[fast-1]", 2: "t[fast-2]"}
    assert names(series.b) == {1: "t[slow-1]", 2: "t[slow-2]"}
    named = results("t[kind=fast,n=1]", "t[kind=slow,n=1]")
    assert names(series_of(named, "t[kind=fast]", "slow").b) == {1: "t[kind=slow,n=1]"}


def test_of_several_parameters_one_is_chosen_and_others_fixed() -> None:
    found = results(*[f"{f}/n:{n}/threads:{t}" for f in "ab" for n in (1, 2) for t in (4, 8)])
    with pytest.raises(
        ForeignFileError,
        match=r"several parameters may be the size: n \(.*\), threads \(.*\); say which with "
        "--size-parameter n, and fix the others with --only NAME=VALUE",
    ):
        series_of(found, "a", "b")
    with pytest.raises(ForeignFileError, match="several timings at size 1: .*--only threads=4"):
        series_of(found, "a", "b", size_parameter="n")
    series = series_of(found, "a", "b", size_parameter="n", only={"threads": "2^3"})
    assert names(series.a) == {1: "a/n:1/threads:8", 2: "a/n:2/threads:8"}
    assert series_of(found, "a", "b", only={"threads": "4"}).size_parameter == "n"


def test_one_size_alone_is_a_size_too() -> None:
    assert series_of(results("a/8", "b/8"), "a", "b").sizes == (8,)


@pytest.mark.parametrize(
    ("found", "a", "b", "options", "message"),
    [
        (results("a/1"), "a", "x", {}, "nothing goes by the name 'x'; the file has 'a'"),
        (results("a/1"), "a", "a", {}, "'a' and 'a' mean the same timings"),
        (results("a", "b"), "a", "b", {}, "no parameter is a number, .* the names are a, b"),
        (
            results("a/1", "b/1"),
            "a",
            "b",
            {"size_parameter": "n"},
            "'n' is no parameter with a number in every timing; there are #1: 1",
        ),
        (results("a/1", "b"), "a", "b", {"size_parameter": "#1"}, "in every timing"),
        (results("a/1", "b/1"), "a", "b", {"only": {"n": "3"}}, "no timing of 'a' has n=3"),
        (
            results("a[x-1]", "a[y-1]", "b/1"),
            "a",
            "b",
            {"size_parameter": "#2"},
            "'#2' is no parameter with a number in every timing",
        ),
        (
            results("a[x,n=1]", "a[y,n=1]", "b[n=1]"),
            "a",
            "b",
            {},
            r"several timings at size 1: .* name one of them whole: 'a\[x\]' or 'a\[y\]'",
        ),
    ],
)
def test_what_does_not_decide_is_refused_with_a_hint(
    found: Any, a: str, b: str, options: Any, message: str
) -> None:
    with pytest.raises(ForeignFileError, match=message):
        series_of(found, a, b, **options)
