"""An exported experiment is read by pyperf itself, with every timing in it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyperf
import pytest

from lunaflow.experiment import ExperimentResult, Invalid, Protocol
from lunaflow.experiment._observations import Block, Calibration, Failure
from lunaflow.experiment._pyperf import pyperf_suite
from lunaflow.experiment.foreign import read_results

ORDER = ("f", "f (control)", "g", "g (control)")


def seconds_of(size: int, process: int, index: int) -> float:
    return 1e-6 * (size + process + index + 1)


def result(
    seconds: Callable[[int, int, int], float] = seconds_of, **fields: Any
) -> ExperimentResult:
    blocks = tuple(
        Block(
            f"e/{size}/p{p}/b{b}", size, p, b, ORDER, (10, 10, 20, 20),
            (10 * seconds(size, p, b), 1.0, 40 * seconds(size, p, b), 1.0),
        )
        for size in (4, 8) for p in (0, 1) for b in (0, 1)
    )  # fmt: skip
    names, protocol = ("f", "g"), Protocol("TEST", pairs=4, processes=2)
    calibrations = (Calibration("f", 4, 0, 16, 3.2e-5, False), Calibration("g", 4, 0, 1, 0.0, True))
    controls = ("f (control)", "g (control)")
    made = ExperimentResult("sums", names, (4, 8), protocol, "equal", controls, 7, blocks)
    return replace(made, calibrations=calibrations, **fields)


def test_pyperf_reads_every_timing(tmp_path: Path) -> None:
    found = result()
    found.to_pyperf(tmp_path / "suite.json")
    suite = pyperf.BenchmarkSuite.load(str(tmp_path / "suite.json"))
    assert suite.get_benchmark_names() == ["f[size=4]", "g[size=4]", "f[size=8]", "g[size=8]"]
    for name in ("f", "g"):
        for size in (4, 8):
            benchmark = suite.get_benchmark(f"{name}[size={size}]")
            assert benchmark.get_values() == pytest.approx(found.times(name, size).tolist())
            assert benchmark.get_nrun() == 2
            assert benchmark.get_unit() == "second"
    first = suite.get_benchmark("f[size=4]").get_runs()[0]
    assert first.warmups == ((16, 2e-6),)
    assert first.get_loops() == 10
    assert suite.get_metadata()["description"] == "sums"
    assert suite.get_metadata()["lunaflow_protocol"] == "TEST"


def test_the_export_has_its_crossover_for_this_library_too(tmp_path: Path) -> None:
    found = result()
    found.to_pyperf(tmp_path / "suite")
    timings = read_results(tmp_path / "suite").timings
    assert [(t.family, t.parameters) for t in timings[:2]] == [
        ("f", (("size", "4"),)),
        ("g", (("size", "4"),)),
    ]
    assert timings[0].samples == pytest.approx(found.times("f", 4).tolist())
    assert timings[0].groups == (0, 0, 1, 1)


def test_m1_figures_of_what_failed_are_left_out() -> None:
    failed = result(failures=(Failure("g", 4, Invalid("value mismatch")),))
    names = [one["metadata"]["name"] for one in pyperf_suite(failed)["benchmarks"]]
    assert names == ["f[size=4]", "f[size=8]", "g[size=8]"]


def test_times_of_zero_are_left_out() -> None:
    one = result(lambda size, process, index: float(size == 8 and process == index == 1))
    suite = pyperf_suite(one)
    assert [b["metadata"]["name"] for b in suite["benchmarks"]] == ["f[size=8]", "g[size=8]"]
    assert [run["values"] for b in suite["benchmarks"] for run in b["runs"]] == [[1.0], [2.0]]


def test_loops_that_change_are_not_told() -> None:
    found = result()
    last = replace(found.blocks[-1], iterations=(5, 10, 20, 20))
    runs = pyperf_suite(replace(found, blocks=(*found.blocks[:-1], last)))["benchmarks"][2]["runs"]
    assert [run.get("metadata") for run in runs] == [{"loops": 10}, None]


def test_an_experiment_without_timings_is_refused(tmp_path: Path) -> None:
    empty = replace(result(), blocks=())
    with pytest.raises(ValueError, match="the experiment 'sums' has no timing to export"):
        empty.to_pyperf(tmp_path / "suite")
    assert not list(tmp_path.iterdir())
    wrong: Any = 5
    with pytest.raises(TypeError, match="path must be a str or a path"):
        result().to_pyperf(wrong)
