"""Each tool's format: what is recognised, which figure counts, and where damage is."""

import gzip
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment.foreign import ForeignFileError, ForeignResults, Timing, read_results

DATA = Path(__file__).parents[2] / "data" / "foreign"
REAL = {
    "pyperf.json": "pyperf JSON",
    "pytest_benchmark.json": "pytest-benchmark JSON",
    "google_benchmark.json": "Google Benchmark JSON",
    "google_benchmark.csv": "Google Benchmark CSV",
    "hyperfine.json": "hyperfine JSON",
    "hyperfine.csv": "hyperfine CSV",
    "criterion_raw.csv": "Criterion CSV",
}


def read(folder: Path, content: Any) -> ForeignResults:
    path = folder / "results.dat"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_results(path)


def only(folder: Path, content: Any) -> Timing:
    (timing,) = read(folder, content).timings
    return timing


@pytest.mark.parametrize(("name", "known_as"), REAL.items())
def test_real_files_are_recognised_by_their_content(
    name: str, known_as: str, tmp_path: Path
) -> None:
    results = read(tmp_path, (DATA / name).read_text())
    assert results.format == known_as
    assert all(0 < timing.seconds < 1 for timing in results.timings)
    assert all(timing.parameters for timing in results.timings)


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_cut_off_anywhere_is_an_error_that_names_it(name: str, tmp_path: Path) -> None:
    whole = (DATA / name).read_bytes()
    path = tmp_path / "cut"
    messages: list[str] = []
    for cut in range(0, len(whole) - 2, len(whole) // 25):
        path.write_bytes(whole[:cut])
        try:
            read_results(path)
        except ForeignFileError as error:
            messages.append(str(error))
    # lines of CSV stand for themselves: a file cut behind one is whole
    assert len(messages) >= (1 if name.endswith("csv") else 25)
    assert all(message.startswith(f"{path}: ") for message in messages)
    if name.endswith("json"):
        assert all("line " in message for message in messages[1:])


def pyperf(*runs: Any, **metadata: Any) -> Any:
    return {
        "version": "1.0",
        "metadata": metadata,
        "benchmarks": [{"metadata": {"name": "sort/8"}, "runs": list(runs)}],
    }


def test_pyperf_counts_values_and_not_warmups(tmp_path: Path) -> None:
    calibration = {"warmups": [[1, 9.0]], "metadata": {}}
    suite = pyperf(calibration, {"values": [1.0, 3.0], "warmups": [[1, 9.0]]}, {"values": [2.0]})
    timing = only(tmp_path, suite)
    assert timing == Timing(
        "sort/8",
        "sort",
        (("#1", "8"),),
        2.0,
        "median of 3 samples",
        (1.0, 3.0, 2.0),
        (1, 1, 2),
    )
    path = tmp_path / "packed"
    path.write_bytes(gzip.compress(json.dumps(suite).encode()))
    assert read_results(path).timings == (timing,)


def test_pyperf_names_may_stand_with_the_suite_or_the_first_run(tmp_path: Path) -> None:
    run = {"values": [1.0], "metadata": {"name": "a", "unit": "second"}}
    assert only(tmp_path, {"benchmarks": [{"runs": [run]}]}).family == "a"
    suite = {"metadata": {"name": "b"}, "benchmarks": [{"runs": [{"values": [1.0]}]}]}
    assert only(tmp_path, suite).family == "b"


def stats(**figures: Any) -> Any:
    return {"benchmarks": [{"name": "t[8]", "params": {"n": 8}, "stats": figures}]}


def test_pytest_benchmark_counts_rounds_then_median_then_mean(tmp_path: Path) -> None:
    timing = only(tmp_path, stats(data=[1.0, 2.0, 9.0], median=5.0))
    assert (timing.seconds, timing.basis) == (2.0, "median of 3 samples")
    assert timing.parameters == (("n", "8"),)
    for figures, basis in (
        ({"median": 5.0, "mean": 6.0}, "the median in the file"),
        ({"mean": 5.0, "data": []}, "the mean in the file"),
    ):
        timing = only(tmp_path, stats(**figures))
        assert (timing.seconds, timing.basis, timing.samples) == (5.0, basis, ())
    without = {"machine_info": {}, "benchmarks": [{"name": "t[x-8]", "stats": {"mean": 1.0}}]}
    assert only(tmp_path, without).label == "t[x]"


def google(*rows: Any) -> Any:
    return {"context": {}, "benchmarks": list(rows)}


def row(time: Any, **fields: Any) -> Any:
    return {"name": "sort/8", "real_time": time, "time_unit": "us"} | fields


def test_google_counts_repetitions_then_median_then_mean(tmp_path: Path) -> None:
    repeated = google(row(1.0), row(3.0), row(8.0), row(9.0, aggregate_name="median"))
    timing = only(tmp_path, repeated)
    assert timing.seconds == pytest.approx(3e-6)
    assert timing.basis == "median of 3 samples"
    named = {"run_name": "sort/8", "run_type": "aggregate"}
    mean = row(5.0, name="sort/8_mean", aggregate_name="mean", **named)
    cv = row(1.0, name="sort/8_cv", aggregate_name="cv", **named)
    timing = only(tmp_path, google(mean, cv))
    assert timing.seconds == pytest.approx(5e-6)
    assert timing.basis == "the mean in the file"
    median = row(4.0, name="sort/8_median", aggregate_name="median", **named)
    assert only(tmp_path, google(mean, median)).seconds == pytest.approx(4e-6)
    assert only(tmp_path, google(row(7.0))).basis == "a single sample"


def test_google_units_and_failures(tmp_path: Path) -> None:
    for unit, seconds in (("ns", 1e-9), ("ms", 1e-3), ("s", 1.0)):
        assert only(tmp_path, google(row(2.0, time_unit=unit))).seconds == 2 * seconds
    failed = row(0.0, error_occurred=True, error_message="no memory")
    assert only(tmp_path, google(failed)).unusable == "it failed: no memory"
    with pytest.raises(ForeignFileError, match=r"time_unit must be a unit of time .*'furlong'"):
        read(tmp_path, google(row(1.0, time_unit="furlong")))


def test_hyperfine_counts_times_then_median(tmp_path: Path) -> None:
    result = {"command": "seq 8", "parameters": {"n": "8"}, "mean": 2.0, "median": 1.5}
    timing = only(tmp_path, {"results": [result | {"times": [1.0, 4.0, 2.0], "exit_codes": [0]}]})
    assert (timing.family, timing.parameters, timing.seconds) == ("seq {n}", (("n", "8"),), 2.0)
    timing = only(tmp_path, {"results": [result]})
    assert (timing.seconds, timing.basis) == (1.5, "the median in the file")
    failed = only(tmp_path, {"results": [result | {"exit_codes": [0, 7, None]}]})
    assert failed.unusable == "it ended with exit code 7"
    named = only(tmp_path, {"results": [{"command": "sort n=8", "mean": 1.0}]})
    assert (named.family, named.parameters) == ("sort", (("n", "8"),))


def message(**fields: Any) -> str:
    base = {"reason": "benchmark-complete", "id": "sums/list/8", "unit": "ns"}
    return json.dumps(base | fields)


def test_criterion_messages_count_times_an_iteration(tmp_path: Path) -> None:
    group = json.dumps({"reason": "group-complete", "group_name": "sums", "benchmarks": []})
    measured = message(iteration_count=[1, 2, 4], measured_values=[10.0, 40.0, 60.0])
    timing = only(tmp_path, f"{measured}\n{group}\n")
    assert (timing.family, timing.parameters) == ("sums/list", (("#1", "8"),))
    assert timing.samples == pytest.approx((10e-9, 20e-9, 15e-9))
    typical = {"estimate": 5.0, "lower_bound": 4.0, "upper_bound": 6.0, "unit": "us"}
    timing = only(tmp_path, message(typical=typical, measured_values=[]))
    assert timing.seconds == pytest.approx(5e-6)
    assert timing.basis == "the typical in the file"


def test_the_folder_and_the_csv_of_one_run_of_criterion_say_the_same() -> None:
    folder, csv = read_results(DATA / "criterion"), read_results(DATA / "criterion_raw.csv")
    assert folder.format == "Criterion's folder"
    by_folder, by_csv = (
        {(timing.family, timing.parameters[0][1]): timing.samples for timing in found.timings}
        for found in (folder, csv)
    )
    assert by_folder == by_csv
    assert len(by_folder) == 8
    assert {len(timing.samples) for timing in folder.timings} == {20}


@pytest.mark.parametrize("name", ["benchmark.json", "sample.json"])
def test_a_real_folder_with_a_file_cut_off_anywhere_is_an_error_that_names_the_file(
    name: str, tmp_path: Path
) -> None:
    shutil.copytree(DATA / "criterion", tmp_path / "criterion")
    path = tmp_path / "criterion" / "rounds" / "constant" / "64" / "new" / name
    whole = path.read_bytes()
    for cut in range(0, len(whole) - 2, len(whole) // 25):
        path.write_bytes(whole[:cut])
        with pytest.raises(ForeignFileError, match=f"64/new/{name}: damaged JSON: "):
            read_results(tmp_path)


def test_a_folder_of_criterion_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "criterion" / "sums" / "list" / "8" / "new"
    folder.mkdir(parents=True)
    (folder / "benchmark.json").write_text(json.dumps({"full_id": "sums/list/8"}))
    sample = {"sampling_mode": "Linear", "iters": [1.0, 2.0], "times": [3.0, 8.0]}
    (folder / "sample.json").write_text(json.dumps(sample))
    results = read_results(tmp_path / "criterion")
    assert results.format == "Criterion's folder"
    assert results.timings[0].samples == pytest.approx((3e-9, 4e-9))
    (folder / "sample.json").write_text("{")
    with pytest.raises(ForeignFileError, match=r"sample.json: damaged JSON"):
        read_results(tmp_path)
    (folder / "sample.json").unlink()
    with pytest.raises(ForeignFileError, match=r"sample.json: No such file"):
        read_results(tmp_path)
    with pytest.raises(ForeignFileError, match=r"no new/benchmark.json of Criterion"):
        read_results(folder)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (stats(), r"benchmarks\[0\].stats has no data, median or mean"),
        (stats(median="fast"), r"benchmarks\[0\].stats.median must be a number, not 'fast'"),
        (stats(median=True), r"benchmarks\[0\].stats.median must be a number, not True"),
        (stats(data=[1.0, -1.0]), r"stats.data\[1\] must be finite and at least 0, not -1.0"),
        (stats(data=[math.nan]), r"stats.data\[0\] must be finite and at least 0, not nan"),
        (stats(data=[10**400]), r"stats.data\[0\] must be finite and at least 0"),
        (stats(data={}), r"benchmarks\[0\].stats.data must be a list, not {}"),
        ({"benchmarks": [{"stats": {"mean": 1.0}}]}, r"benchmarks\[0\].name is missing"),
        ({"benchmarks": [{"stats": {}, "name": 5}]}, r"benchmarks\[0\].name must be a text"),
        (pyperf(), r"benchmarks\[0\].runs hold no values"),
        (pyperf({"values": [1.0]}, unit="byte"), "metadata.unit is 'byte': these are no times"),
        ({"benchmarks": [{"runs": []}]}, r"benchmarks\[0\].metadata.name is missing"),
        (google(row(1.0) | {"real_time": None}), r"benchmarks\[0\].real_time is missing"),
        (google("x"), r"benchmarks\[0\] must be an object, not 'x'"),
        (google(row(1.0, aggregate_name="cv")), "without a timing"),
        ({"results": [{"command": "x"}]}, r"results\[0\] has no times, median or mean"),
        (message(), "line 1: has no measured values, median or mean"),
        (message(iteration_count=[1], measured_values=[1, 2]), "line 1: iteration_count has 1 e"),
        (message(iteration_count=[0], measured_values=[1.0]), r"count\[0\] must be above 0"),
        (message(mean={"estimate": 1.0}) + "\n{", "line 2, column 2: damaged JSON"),
        (message(mean={"estimate": 1.0}) + "\n{}", "line 2: reason is missing"),
        (message(mean={}), "line 1: mean.estimate is missing"),
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("just words\nand more", "neither JSON nor CSV; known are"),
        ("{}", "JSON of no known format; known are"),
        ("[1]", "JSON of no known format"),
        ('{"a": 1,', "line 1, column 9: damaged JSON"),
        ("[" * 99_999, "damaged JSON"),
        ('{"lunaflow":1,"event":"x"}\n{}', "lunaflow's own events: see `lunaflow report`"),
    ],
)
def test_damage_is_told_with_its_place(tmp_path: Path, content: Any, place: str) -> None:
    with pytest.raises(ForeignFileError, match=place) as caught:
        read(tmp_path, content)
    assert str(caught.value).startswith(str(tmp_path))


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(ForeignFileError, match="cannot be read: No such file"):
        read_results(path)
    path.write_bytes(b"\x1f\x8b broken")
    with pytest.raises(ForeignFileError, match="damaged gzip"):
        read_results(path)
    path.write_bytes(b"name\xff")
    with pytest.raises(ForeignFileError, match="byte 4 is not UTF-8"):
        read_results(path)
    with pytest.raises(ForeignFileError, match="no regular file"):
        read_results("/dev/null")
    wrong: Any = 5
    with pytest.raises(TypeError, match="path must be a str or a path"):
        read_results(wrong)
