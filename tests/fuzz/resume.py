"""Runs killed at random moments, again and again, against one that nobody has interrupted."""

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lunaflow.experiment import Experiment, ExperimentResult, Protocol, read_run
from lunaflow.experiment.processes.standalone._descendants import descendants

ROOT = Path(__file__).parents[2]
HELPERS = ROOT / "tests" / "experiment" / "helpers"
PROTOCOL = Protocol("FUZZ", pairs=8, processes=3, batch_seconds=1e-4, resamples=50, inputs=2)
RUN = """
import sys
sys.path[:0] = sys.argv[1:3]
from tests.fuzz.resume import experiment
experiment().run(events=sys.argv[3], resume=True, progress=False)
"""


def experiment() -> Experiment:
    """Return the experiment that is run and killed; one implementation fails at one size."""
    import measured_functions as functions  # type: ignore[import-not-found]

    implementations = {"f": functions.total, "g": functions.wrong_from_ten_on, "h": functions.slow}
    sizes, make = (4, 8, 12), functions.make
    return Experiment("fuzz", implementations, sizes=sizes, make=make, protocol=PROTOCOL)


def fuzz(cases: int, seed: int) -> str:
    """Kill `cases` runs, each at a random moment, and go on with it until it ends.

    After every kill the file must open and give a report, no process may be left, and in the end
    the observations must be those of an unbroken run. Return how many kills and runs there were.
    """
    sys.path.insert(0, str(HELPERS))
    drawn = random.Random(seed)
    kills, runs = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.monotonic()
        _finish(folder / "unbroken.jsonl")
        seconds = time.monotonic() - begun
        wanted = _observed(folder / "unbroken.jsonl")
        while kills < cases:
            runs += 1
            file = folder / f"{runs}.jsonl"
            # killed up to three times before it may end
            for _ in range(min(drawn.randint(1, 3), cases - kills)):
                _kill(file, drawn.uniform(0, seconds), folder / "report.html")
                kills += 1
            _finish(file)
            found = _observed(file)
            if found != wanted or not read_run(file).complete:
                raise AssertionError(f"{file}: {found ^ wanted} differ from an unbroken run")
    return f"resume: {runs} runs were killed {kills} times and ended with all their observations"


def _command(file: Path) -> list[str]:
    return [sys.executable, "-c", RUN, str(ROOT), str(HELPERS), str(file)]


def _finish(file: Path) -> None:
    subprocess.run(_command(file), check=True, timeout=300)


def _kill(file: Path, after: float, report: Path) -> None:
    runner = subprocess.Popen(_command(file))
    time.sleep(after)
    below = descendants(runner.pid)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    if file.exists() and file.stat().st_size:
        from lunaflow.experiment.report import write

        write(read_run(file), report)
    deadline = time.monotonic() + 20
    while left := [pid for pid in below if Path(f"/proc/{pid}").exists()]:
        if time.monotonic() > deadline:
            raise AssertionError(f"processes {left} outlive a run that was killed")
        time.sleep(0.01)


def _observed(file: Path) -> set[tuple[object, ...]]:
    (result,) = read_run(file).experiments
    return observed(result)


def observed(result: ExperimentResult) -> set[tuple[object, ...]]:
    """Return the ids of all observations: experiment, size, process, block, implementation."""
    found: set[tuple[object, ...]] = {
        (b.id, result.name, b.size, b.process, b.index, name, b.phase, b.input)
        for b in result.blocks
        for name in b.order
    }
    found |= {("calibration", c.implementation, c.size, c.process) for c in result.calibrations}
    found |= {("validation", v.implementation, v.size, v.inputs) for v in result.validations}
    return found | {("failure", f.implementation, f.size, f.process) for f in result.failures}
