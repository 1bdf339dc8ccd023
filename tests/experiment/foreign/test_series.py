"""Which timings a name means, which parameter is the size, and what is refused with a hint."""

from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment.foreign import ForeignFileError, ForeignResults, Timing, read_results
from lunaflow.experiment.foreign._hyperfine import read_hyperfine
from lunaflow.experiment.foreign._names import taken_apart
from lunaflow.experiment.foreign._place import Place
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


def commands(*given: str, **parameters: str) -> ForeignResults:
    values = [{name: texts.split()[i] for name, texts in parameters.items()} for i in range(9)]
    found = [
        {"command": command, "times": [1.0], **({"parameters": values[i]} if parameters else {})}
        for i, command in enumerate(given)
    ]
    return ForeignResults("test", tuple(read_hyperfine(Place({"results": found}))))


def test_a_number_in_which_commands_differ_is_a_size() -> None:
    found = commands("sort 1000", "sort 100000", "python3 a.py 1000 -j 4", "python3 a.py 2000 -j 4")
    assert names(series_of(found, "sort", "python3 a.py -j 4").a) == {
        1000: "sort 1000",
        100_000: "sort 100000",
    }
    # what is alone, or has no number of its own, keeps its name
    found = commands("a 1", "a 2", "b 1", "c 1 2", "c 1 2", "1", "2")
    assert [one.label for one in found.timings] == ["a", "a", "b 1", "c 1 2", "c 1 2", "1", "2"]


def test_several_numbers_that_vary_are_parameters_by_position() -> None:
    found = commands("a 1 4", "a 2 8", "b 1 4", "b 2 8")
    with pytest.raises(ForeignFileError, match=r"several parameters may be the size: #1 .*, #2 "):
        series_of(found, "a", "b")
    assert series_of(found, "a", "b", size_parameter="#2").sizes == (4, 8)


def test_a_csv_file_of_hyperfine_has_the_same_names(tmp_path: Path) -> None:
    rows = [f"{name} {n},1.0,0.1,1.0" for name in ("sort", "qsort") for n in (1000, 2000)]
    path = tmp_path / "h.csv"
    path.write_text("\n".join(["command,mean,stddev,median", *rows]))
    assert series_of(read_results(path), "sort", "qsort").sizes == (1000, 2000)


def test_what_is_clear_may_be_left_out_of_a_name() -> None:
    by_parameter = commands("sort 8", "sort 9", "sort -r 8", "sort -r 9", n="8 9 8 9 0 0 0 0 0")
    assert series_of(by_parameter, "sort", "sort -r").sizes == (8, 9)
    tests = results("test_list[8]", "test_array[8]", "test_array[9]", "array/9")
    assert names(series_of(tests, "list", "test_array").b) == {
        8: "test_array[8]",
        9: "test_array[9]",
    }
    # the whole name goes before one that is short for another
    assert names(series_of(tests, "list", "array").b) == {9: "array/9"}


def test_a_short_name_of_several_is_refused() -> None:
    found = commands("sort 8 -r", "sort -r 8", n="8 8 0 0 0 0 0 0 0")
    with pytest.raises(
        ForeignFileError, match="'sort -r' may mean several of these: 'sort {n} -r', 'sort -r {n}'"
    ):
        series_of(found, "sort -r", "x")
