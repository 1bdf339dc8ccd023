"""CSV: of the tools, and any whose header names what there is; units in headers and columns."""

from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment.foreign import ForeignFileError, ForeignResults, read_results


def read(folder: Path, content: str) -> ForeignResults:
    path = folder / "results"
    path.write_text(content)
    return read_results(path)


def figures(results: ForeignResults) -> list[Any]:
    return [(t.family, t.parameters, t.seconds) for t in results.timings]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("name,n,time", 2.0),
        ("name,n,seconds", 2.0),
        ("Benchmark,n,Time (ms)", 2e-3),
        ("function,n,ns", 2e-9),
        ("command,n,wall_time_us", 2e-6),
        ("name,n,median [µs]", 2e-6),
        ("name,n,mean_ms", 2e-3),
        ("implementation,n,real time", 2.0),
    ],
)
def test_the_header_says_what_the_columns_are(
    tmp_path: Path, header: str, seconds: float, delimiter: str
) -> None:
    content = f"{header}\nsort,8,2.0\n".replace(",", delimiter)
    assert figures(read(tmp_path, content)) == [("sort", (("n", "8"),), pytest.approx(seconds))]


def test_rows_of_times_are_samples_and_statistics_no_parameters(tmp_path: Path) -> None:
    content = "name,stddev,kind,seconds,unit\nsort/8,1,x,3,ms\nsort/8,1,x,1,ms\n\nsort/9,,x,2,us\n"
    results = read(tmp_path, content)
    assert results.format == "CSV"
    assert figures(results) == [
        ("sort", (("#1", "8"), ("kind", "x")), pytest.approx(2.0)),
        ("sort", (("#1", "9"), ("kind", "x")), pytest.approx(2.0)),
    ]
    by_row = read(tmp_path, "name,time,unit\nsort/8,3,ms\nsort/9,2,us\n")
    assert [t.seconds for t in by_row.timings] == pytest.approx([3e-3, 2e-6])


def test_the_median_counts_before_the_mean_and_stands_alone(tmp_path: Path) -> None:
    results = read(tmp_path, "name,mean,median\nsort/8,5,4\n")
    assert results.timings[0].seconds == 4.0
    assert results.timings[0].basis == "the median in the file"
    with pytest.raises(ForeignFileError, match="line 4: repeats line 2 of 'sort/8'"):
        read(tmp_path, "name,median\nsort/8,5\nsort/9,5\nsort/8,6\n")


def test_a_column_for_each_implementation(tmp_path: Path) -> None:
    results = read(tmp_path, "size,list (ms),array\n8,1,2\n8,3,2\n16,,4\n")
    assert results.format == "CSV with a column for each implementation"
    assert figures(results) == [
        ("list (ms)", (("size", "8"),), pytest.approx(2e-3)),
        ("array", (("size", "8"),), 2.0),
        ("array", (("size", "16"),), 4.0),
    ]


CRITERION = (
    "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,"
    "iteration_count\nsums,list,8,,,10,ns,1\nsums,list,8,,,40,ns,2\n"
)


def test_criterion_writes_samples_with_their_iterations(tmp_path: Path) -> None:
    results = read(tmp_path, CRITERION)
    assert results.format == "Criterion CSV"
    assert results.timings[0].samples == pytest.approx((10e-9, 20e-9))
    assert (results.timings[0].family, results.timings[0].parameters) == (
        "sums/list",
        (("#1", "8"),),
    )
    with pytest.raises(ForeignFileError, match="line 3: iteration_count must be above 0"):
        read(tmp_path, CRITERION.replace("ns,2", "ns,0"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name,time\nsort/8,fast\n", "line 2: time must be a number, not 'fast'"),
        ("name,time\nsort/8,-1\n", "line 2: time must be finite and at least 0, not -1"),
        ("name,time\nsort/8\n", "line 2: has 1 columns, the header 2"),
        ("name,time\nsort/8,1\nsort/9,1,2\n", "line 3: has 3 columns, the header 2"),
        ("name,time\n,1\n", "line 2: name is missing"),
        ("name,time,time\nsort,1,1\n", "line 1: the columns must have names of their own"),
        ("name,,time\nsort,1,1\n", "line 1: the columns must have names of their own"),
        ('name,time\n"sort,1\n', "damaged CSV: unexpected end of data"),
        ("name,time,unit\nsort/8,1,furlong\n", "line 2: unit must be a unit of time .*furlong"),
        ("color,taste\nred,sweet\n", "line 1: the header must name a column for the name"),
        ("name,time\n", "the format CSV without a timing"),
    ],
)
def test_damage_is_told_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ForeignFileError, match=message):
        read(tmp_path, content)
