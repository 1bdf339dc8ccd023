"""A run that was interrupted at any moment ends with the observations of an unbroken one."""

import random
import signal
import subprocess
import sys
import time
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.resume import observed

from lunaflow.experiment import (
    BenchSpec,
    CannotResume,
    EventFileError,
    EventWriter,
    Experiment,
    ExperimentResult,
    Fixture,
    Implementation,
    Protocol,
    RunContext,
    read_events,
    read_run,
    recorded_run,
    run,
)
from lunaflow.experiment.processes.standalone._descendants import descendants

SHORT = Protocol(
    "SHORT", pairs=4, processes=2, batch_seconds=1e-5, resamples=50, inputs=2, exploratory_blocks=1
)
ALONE = replace(SHORT, processes=1)


def experiment(functions: types.ModuleType, **changed: Any) -> Experiment:
    given: dict[str, Any] = {
        "name": "e",
        "implementations": {"f": functions.total, "g": functions.wrong_from_ten_on},
        "sizes": [4, 12],
        "make": functions.make,
        "protocol": SHORT,
    }
    return Experiment(**{**given, **changed})


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run that nobody has interrupted."""
    helpers = Path(__file__).parents[1] / "helpers"
    sys.path.insert(0, str(helpers))
    try:
        import measured_functions  # type: ignore[import-not-found]

        file = tmp_path_factory.mktemp("unbroken") / "run.jsonl"
        experiment(measured_functions).run(events=file)
    finally:
        sys.path.remove(str(helpers))
    return file


class Unplugged(Exception):
    """What ends a run in the middle."""


def ending_after(events: int) -> Callable[..., Any]:
    """Return a `write` of EventWriter that fails after so many events."""
    real, count = EventWriter.write, [0]

    def write(self: EventWriter, kind: str, /, **fields: Any) -> Any:
        count[0] += 1
        if count[0] > events:
            raise EventFileError(28, "no space left")
        return real(self, kind, **fields)

    return write


# cut after the beginning, in validation, in the first process and in the second one
@pytest.mark.parametrize("lines", [2, 5, 12, 20])
def test_m9_wherever_it_was_cut_the_observations_are_those_of_an_unbroken_run(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path, lines: int
) -> None:
    file = tmp_path / "run.jsonl"
    before = b"".join(unbroken.read_bytes().splitlines(keepends=True)[:lines])
    file.write_bytes(before)
    result = experiment(functions).run(events=file, resume=True)
    assert file.read_bytes().startswith(before)  # M5: nothing is rewritten
    (whole,) = read_run(unbroken).experiments
    assert observed(result) == observed(whole)
    assert len(result.blocks) == len(whole.blocks)
    record = read_run(file)
    assert record.experiments == (result,)
    assert record.complete


def test_m9_a_torn_last_line_is_mended(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path
) -> None:
    (whole,) = read_run(unbroken).experiments
    data = unbroken.read_bytes()
    file = tmp_path / "run.jsonl"
    # in the middle of the last block
    at = data.rindex(b'{"lunaflow":1,"event":"block"') + 40
    file.write_bytes(data[:at])
    result = experiment(functions).run(events=file, resume=True)
    assert observed(result) == observed(whole)
    record = read_run(file)
    assert record.damaged_lines == (data[:at].count(b"\n") + 1,)
    assert record.complete
    assert read_events(file).torn_tail is False


def test_m9_damage_in_what_was_closed_is_mended_too(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path
) -> None:
    (whole,) = read_run(unbroken).experiments
    lines = unbroken.read_bytes().splitlines(keepends=True)
    broken = next(i for i, line in enumerate(lines) if b'"event":"block"' in line)
    file = tmp_path / "run.jsonl"
    lines[broken] = b"{" + lines[broken]
    file.write_bytes(b"".join(lines[:-4]))
    assert not read_run(file).complete
    result = experiment(functions).run(events=file, resume=True)
    assert observed(result) == observed(whole)
    assert read_run(file).complete


def test_what_has_ended_is_not_run_again(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(unbroken.read_bytes())
    steps: list[Any] = []
    result = experiment(functions).run(
        events=file, resume=True, progress=lambda *step: steps.append(step)
    )
    assert steps == []
    assert file.read_bytes() == unbroken.read_bytes()
    assert read_run(unbroken).experiments == (result,)


def test_what_has_not_begun_begins(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    file.touch()
    result = experiment(functions).run(events=file, resume=True)
    (whole,) = read_run(unbroken).experiments
    assert observed(result) == observed(whole)


def cut(source: Path, target: Path) -> Path:
    """Write the beginning of a run's file to another one."""
    lines = source.read_bytes().splitlines(keepends=True)
    target.write_bytes(b"".join(lines[: len(lines) // 2]))
    return target


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        ({"name": "another"}, "experiment: there 'e', here 'another'"),
        ({"seed": 5}, "seed: there 0, here 5"),
        ({"sizes": [4, 13]}, r"sizes: there \[4, 12\], here \[4, 13\]"),
        ({"protocol": replace(SHORT, pairs=8)}, "protocol pairs: there 4, here 8"),
        ({"implementations": {"f": len}}, r"implementations: there \['f', 'g'\], here \['f'\]"),
    ],
)
def test_the_file_of_another_run_is_refused_by_name(
    functions: types.ModuleType,
    unbroken: Path,
    tmp_path: Path,
    changed: dict[str, Any],
    difference: str,
) -> None:
    file = cut(unbroken, tmp_path / "run.jsonl")
    before = file.read_bytes()
    with pytest.raises(CannotResume, match=difference):
        experiment(functions, **changed).run(events=file, resume=True)
    assert file.read_bytes() == before


def test_a_make_that_gives_other_inputs_now_is_refused(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path
) -> None:
    file = cut(unbroken, tmp_path / "run.jsonl")
    with pytest.raises(CannotResume, match="input of size 4: make gives another one now"):
        experiment(functions, make=functions.make_differently).run(events=file, resume=True)


def test_another_version_or_machine_is_refused_by_name(
    functions: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.jsonl"

    def run_of(version: str, environment: dict[str, Any], *, resume: bool) -> Any:
        one = Implementation.stateless("f", version, functions.total)
        spec = BenchSpec("e", Fixture.immutable(functions.make), [one], None, [4, 12])
        context = RunContext(0, environment, file, ALONE, resume=resume)
        return run(spec.compile().unwrap(), context)

    with monkeypatch.context() as patched:
        patched.setattr(EventWriter, "write", ending_after(6))
        with pytest.raises(EventFileError):
            run_of("1", {"cpu": "slow", "cpus": 2}, resume=False)
    with pytest.raises(CannotResume) as caught:
        run_of("2", {"cpu": "fast", "cpus": 2}, resume=True)
    assert caught.value.differences == (
        "versions: there ['1'], here ['2']",
        "environment cpu: there 'slow', here 'fast'",
    )
    with monkeypatch.context() as patched:
        patched.setattr("lunaflow.experiment.engine._resume.__version__", "0.0.0")
        with pytest.raises(CannotResume, match="library_version: there '.*', here '0.0.0'"):
            run_of("1", {"cpu": "slow", "cpus": 2}, resume=True)
    assert run_of("1", {"cpu": "slow", "cpus": 2}, resume=True).result.finished


def test_several_experiments_in_one_file_go_on_each_by_itself(
    functions: types.ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    names = ("one", "two")

    def run_all(*, resume: bool, until: str = "") -> list[ExperimentResult]:
        def report(_done: int, _total: int, text: str) -> None:
            if until and until in text:
                raise Unplugged

        with EventWriter(file) as events, recorded_run(events):
            return [
                experiment(functions, name=name, protocol=ALONE).run(
                    events=events, resume=resume, progress=report
                )
                for name in names
            ]

    with pytest.raises(Unplugged):
        run_all(resume=False, until="two: size 12")
    results = run_all(resume=True)
    record = read_run(file)
    assert record.experiments == tuple(results)
    assert record.complete
    kinds = [e["event"] for e in read_events(file).events if e.get("experiment") == "one"]
    assert "experiment_resumed" not in kinds


RUN = """
import sys
sys.path[:0] = sys.argv[1:3]
import measured_functions
from tests.experiment.engine.test_resume import experiment
experiment(measured_functions).run(events=sys.argv[3], resume=True, progress=False)
"""


def test_m9_killed_at_random_moments_it_ends_as_if_it_had_not_been(
    functions: types.ModuleType, unbroken: Path, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    root, helpers = Path(__file__).parents[3], Path(functions.__file__ or "").parent
    command = [sys.executable, "-c", RUN, str(root), str(helpers), str(file)]
    drawn = random.Random(5)
    for _ in range(2):
        runner = subprocess.Popen(command)
        time.sleep(drawn.uniform(0.5, 2.5))
        below = descendants(runner.pid)
        runner.send_signal(signal.SIGKILL)
        runner.wait()
        if file.exists() and file.stat().st_size:
            read_run(file)
        ends = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in below):
            assert time.monotonic() < ends
            time.sleep(0.01)
    subprocess.run(command, check=True, timeout=120)
    (result,) = read_run(file).experiments
    (whole,) = read_run(unbroken).experiments
    assert observed(result) == observed(whole)
    assert read_run(file).complete
