"""What is refused before anything runs, and what a run that ends early leaves behind."""

import os
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import (
    CannotTravel,
    EventWriter,
    Experiment,
    Protocol,
    ReferenceOracle,
    compare,
    read_events,
    read_run,
    recorded_run,
)
from lunaflow.experiment.processes.standalone._descendants import descendants

SHORT = Protocol("SHORT", pairs=4, processes=2, batch_seconds=1e-5, resamples=50)
ALONE = Protocol("ALONE", pairs=2, processes=1, batch_seconds=1e-5, resamples=50)
LOCK = threading.Lock()


def local_make(size: int, rng: np.random.Generator) -> Any:
    return rng.integers(0, 100, size)


def test_lambdas_travel_by_cloudpickle() -> None:
    result = Experiment(
        "lambdas",
        {"a": lambda x: x.sum(), "b": lambda x: np.sum(x)},
        sizes=[4],
        make=local_make,
        protocol=ALONE,
    ).run()
    assert result.failures == ()
    assert result.times("b", 4).size == 4


def test_m14_what_cannot_travel_is_refused_before_anything_runs(tmp_path: Path) -> None:
    calls: list[int] = []

    def make(size: int, rng: np.random.Generator) -> Any:
        calls.append(size)
        return rng.random(size)

    def locked(x: Any) -> Any:
        with LOCK, lock:
            return x.sum()

    lock = threading.Lock()
    file = tmp_path / "run.jsonl"
    experiment = Experiment("e", {"f": np.sum, "g": locked}, sizes=[4], make=make, protocol=SHORT)
    with pytest.raises(CannotTravel, match=r"implementations\['g'\].*processes=1"):
        experiment.run(events=file)
    assert calls == []
    assert not file.exists()


def test_with_one_process_what_cannot_travel_is_measured_here() -> None:
    lock = threading.Lock()
    seen: set[int] = set()

    def locked(x: Any) -> Any:
        seen.add(os.getpid())
        with lock:
            return x.sum()

    result = compare(np.sum, locked, sizes=[4], make=local_make, protocol=SHORT, processes=1)
    assert seen == {os.getpid()}
    assert result.times("locked", 4).size == 4
    assert result.protocol.processes == 1


def test_m9_an_interrupt_is_recorded_and_passed_on(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"

    def interrupt(done: int, total: int, text: str) -> None:
        if "process 2" in text:
            raise KeyboardInterrupt

    experiment = Experiment(
        "e",
        {"f": functions.total, "g": functions.slow},
        sizes=[4],
        make=functions.make,
        protocol=SHORT,
    )
    with pytest.raises(KeyboardInterrupt):
        experiment.run(events=file, progress=interrupt)
    record = read_run(file)
    assert (record.complete, record.ending) == (False, "interrupted")
    (partial,) = record.experiments
    assert not partial.finished
    assert [b.id for b in partial.blocks if b.process == 0] == [
        "e/4/p0/x0",
        *(f"e/4/p0/b{i}" for i in range(4)),
    ]
    assert partial.comparison("f", "g", 4) is not None
    assert "(not finished)" in str(partial)


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
import measured_functions as m
from lunaflow.experiment import Experiment, Protocol
protocol = Protocol("LONG", pairs=100000, processes=2, batch_seconds=1e-4)
Experiment("e", {"f": m.total, "g": m.slow}, sizes=[4], make=m.make, protocol=protocol).run(
    events=sys.argv[2])
"""


def test_m9_a_killed_run_leaves_a_readable_file_and_no_process(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    helpers = str(Path(functions.__file__ or "").parent)
    runner = subprocess.Popen([sys.executable, "-c", KILLED, helpers, str(file)])
    try:
        deadline = time.monotonic() + 60
        while not file.exists() or file.read_bytes().count(b'"event":"block"') < 6:
            assert time.monotonic() < deadline
            assert runner.poll() is None
            time.sleep(0.01)
        below = descendants(runner.pid)
    finally:
        runner.send_signal(signal.SIGKILL)
        runner.wait()
    record = read_run(file)
    assert (record.complete, record.ending) == (False, "cut off")
    (partial,) = record.experiments
    assert len(partial.blocks) >= 6
    assert partial.times("f", 4).size >= 5
    # the warden and the measuring process end with their runner
    assert len(below) == 2
    while any(Path(f"/proc/{pid}").exists() for pid in below):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_several_experiments_are_one_run_in_one_file(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    made = [
        Experiment(name, {"f": functions.total}, sizes=[4], make=functions.make, protocol=ALONE)
        for name in ("one", "two")
    ]
    with EventWriter(file) as events, recorded_run(events, seed=3):
        results = [experiment.run(events=events) for experiment in made]
    record = read_run(file)
    assert record.experiments == tuple(results)
    assert record.complete
    kinds = [event["event"] for event in read_events(file).events]
    assert kinds.count("run_started") == kinds.count("run_finished") == 1


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"name": 5}, TypeError, "name must be a str"),
        ({"name": " "}, ValueError, "name must not be empty"),
        ({"implementations": {}}, ValueError, "at least one implementation"),
        ({"implementations": [len]}, TypeError, "implementations must be a dict"),
        ({"implementations": {"f": 3}}, TypeError, r"implementations\['f'\] must be callable"),
        ({"implementations": {3: len}}, TypeError, "a name in implementations must be a str"),
        ({"implementations": {"f (control)": len}}, ValueError, "must not end with"),
        ({"sizes": []}, ValueError, "sizes must hold at least one"),
        ({"sizes": "123"}, TypeError, "sizes must be an iterable"),
        ({"sizes": 5}, TypeError, "sizes must be an iterable"),
        ({"sizes": [1.5]}, TypeError, r"sizes\[0\] must be an integer"),
        ({"sizes": [-1]}, ValueError, r"sizes\[0\] must be at least 0 and at most .* not -1"),
        ({"sizes": [1, 3, 3]}, ValueError, r"sizes\[2\] = 3 follows 3"),
        ({"sizes": [1, 3, 2]}, ValueError, r"sizes\[2\] = 2 follows 3"),
        (
            {"sizes": [1, 2**63]},
            ValueError,
            r"sizes\[1\] must be at least 0 and at most 9223372036854775807, not",
        ),
        ({"make": None}, TypeError, "make must be callable"),
        ({"reference": 3}, TypeError, "reference must be callable"),
        ({"oracle": len}, TypeError, "oracle must be a ReferenceOracle"),
        (
            {"reference": len, "oracle": ReferenceOracle.equal("e", len)},
            ValueError,
            "give reference or oracle, not both",
        ),
        ({"shrinker": repr}, TypeError, "shrinker must be a Shrinker"),
        ({"protocol": "QUICK_CHECK"}, TypeError, "protocol must be a Protocol"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"seed": 0.5}, TypeError, "seed must be an integer"),
        ({"processes": 0}, ValueError, "processes must be at least 1"),
        ({"processes": 10**5000}, ValueError, "processes must be at most 10000, not an integer"),
        ({"processes": True}, TypeError, "processes must be an integer"),
    ],
)
def test_bad_arguments_are_refused_at_the_door(
    changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    arguments: dict[str, Any] = {
        "name": "e",
        "implementations": {"f": len},
        "sizes": [1, 2],
        "make": local_make,
    }
    with pytest.raises(error, match=message):
        Experiment(**{**arguments, **changed})


def test_bad_arguments_of_run_and_compare_are_refused() -> None:
    experiment = Experiment("e", {"f": len}, sizes=[1], make=local_make, protocol=ALONE)
    with pytest.raises(TypeError, match="events must be a path"):
        experiment.run(events=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress must be a bool"):
        experiment.run(progress="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="g must be callable"):
        compare(len, 5, sizes=[1], make=local_make)  # type: ignore[arg-type]
