"""How often a verdict is false, and how often it comes: ``python benchmarks/verdicts.py --load 1``.

Verdicts are asked of `lunaflow.experiment.compare` with nothing but its defaults, again and again
with other seeds, while other processes keep a core and the memory busy in bursts.

- ``same``: two instances of one class, each with an output of its own. FASTER and SLOWER are false.
- ``tenth``: the same, but one does it 10 times and the other 11 times. Whatever a call costs where
  its memory happens to lie, on this machine, at the frequency of the moment: each of the two draws
  it from one distribution, and only how often it is called differs. So the truth is known, 10 %,
  less what starts the loop in both, under 1 % of it. SLOWER of the eleven is right, FASTER and
  EQUIVALENT are false.
- ``alone``: as ``same``, measured in one process, where luck with the memory stays as it is. Its
  interval tells of this process alone, so zero may lie outside far too often.

Each comparison is a line of JSON in a file, from which ``--resume`` goes on and ``--show`` counts.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lunaflow.experiment import ExperimentResult, compare
from lunaflow.experiment.stats import Decision

Array = npt.NDArray[np.float64]
Function = Callable[[Array], Array]
Record = dict[str, Any]

SIZES = (2_000, 20_000)
KINDS = {"same": "no difference", "tenth": "10 % difference", "alone": "no difference, one process"}
FALSE = {
    "same": (Decision.FASTER, Decision.SLOWER),
    "tenth": (Decision.FASTER, Decision.EQUIVALENT),
    "alone": (Decision.FASTER, Decision.SLOWER),
}
MOST_FALSE = 0.05
LEAST_FOUND = 0.90
BURST_SECONDS = 0.3  # on average, and half as long a rest
LOAD_BYTES = 2**26


def main() -> None:
    """Compare as often as was asked for, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200, help="comparisons of each of the two")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--alone", type=int, default=20, help="comparisons in one process")
    parser.add_argument("--load", type=int, default=1, help="processes that disturb")
    parser.add_argument("--file", type=Path, default=Path("verdicts.jsonl"), help="of the results")
    parser.add_argument("--events", type=Path, help="a folder for all that was observed")
    parser.add_argument("--resume", action="store_true", help="go on from what the file holds")
    parser.add_argument("--show", action="store_true", help="only count what the file holds")
    given = parser.parse_args()
    if not given.show:
        if given.file.exists() and not given.resume:
            parser.error(f"{given.file} is there: go on with --resume, or name another --file")
        with disturbed(given.load):
            compare_all(given)
    for text in summary(records_of(given.file)):
        print(text)


def compare_all(given: argparse.Namespace) -> None:
    """Carry out the comparisons that the file does not hold yet; the kinds take turns."""
    done = {(record["kind"], record["seed"]) for record in records_of(given.file)}
    counts = {"same": given.runs, "tenth": given.runs, "alone": given.alone}
    for i in range(max(counts.values())):
        seed = given.first + i
        for kind, count in counts.items():
            if i < count and (kind, seed) not in done:
                record = compared(kind, seed, given.events)
                append(given.file, {**record, "load": given.load, "busy": os.getloadavg()[0]})


def compared(kind: str, seed: int, folder: Path | None) -> Record:
    """Return the verdicts of one comparison, at each size on the second against the first."""
    functions: tuple[Function, Function] = (Sum().once, Sum().once)
    if kind == "tenth":
        functions = Sum().ten_times, Sum().eleven_times
    events = None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        events = folder / f"{kind}-{seed}.jsonl"
        events.unlink(missing_ok=True)
    start = time.perf_counter()
    result = compare(
        *functions,
        sizes=SIZES,
        make=numbers,
        seed=seed,
        processes=1 if kind == "alone" else None,
        events=events,
        progress=False,
    )
    seconds = time.perf_counter() - start
    verdicts = {str(size): verdict(result, size) for size in SIZES}
    return {"kind": kind, "seed": seed, "seconds": seconds, "verdicts": verdicts}


def verdict(result: ExperimentResult, size: int) -> Record:
    """Return what was decided on the second function against the first, and from what."""
    first, second = result.implementations
    found = result.comparison(second, first, size)
    if found is None:
        why = ", ".join(str(failure.status) for failure in result.failures)
        return {"decision": "none", "why": why}
    return {
        "decision": found.decision.value,
        "delta_pct": found.relative_delta_pct,
        "interval_pct": found.interval_pct,
        "threshold_pct": found.threshold_pct,
        "grouping": found.grouping,
    }


def numbers(size: int, rng: np.random.Generator) -> Array:
    """Return random numbers."""
    return rng.random(size)


class Sum:
    """Adds an array to itself, into memory of its own for each length."""

    def __init__(self) -> None:
        self._own: dict[int, Array] = {}

    def once(self, x: Array) -> Array:
        """Do it once."""
        own = self._own.get(len(x))
        if own is None:
            own = self._own[len(x)] = np.empty_like(x)
        np.add(x, x, out=own)
        return own

    def ten_times(self, x: Array) -> Array:
        """Do it ten times."""
        for _ in repeat(None, 10):
            out = self.once(x)
        return out

    def eleven_times(self, x: Array) -> Array:
        """Do it eleven times."""
        for _ in repeat(None, 11):
            out = self.once(x)
        return out


def records_of(path: Path) -> list[Record]:
    """Return the records of a file; a last line that was cut off is none."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines(True) if line.endswith("\n")]


def append(path: Path, record: Record) -> None:
    """Add a record to a file, in the place of a last line that was cut off."""
    with path.open("a+b") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        file.write(f"{json.dumps(record, allow_nan=False)}\n".encode("ascii"))


def summary(records: list[Record]) -> Iterator[str]:
    """Yield the shares of each kind at each size, and how the two promises stand."""
    for kind, words in KINDS.items():
        of_kind = [record for record in records if record["kind"] == kind]
        if not of_kind:
            continue
        seconds = statistics.median(record["seconds"] for record in of_kind)
        busy = statistics.median(record["busy"] for record in of_kind)
        ours = " or ".join(map(str, sorted({record["load"] for record in of_kind})))
        yield (
            f"{words}: {len(of_kind)} comparisons, {seconds:.1f} s each (median), "
            f"system load {busy:.1f}, of which {ours} from here"
        )
        for size in map(str, SIZES):
            yield from line(kind, size, [record["verdicts"][size] for record in of_kind])


def line(kind: str, size: str, verdicts: list[Record]) -> Iterator[str]:
    """Yield the counts of a kind at a size, and its promises."""
    counts = Counter(one["decision"] for one in verdicts)
    yield f"  n = {size}: " + ", ".join(f"{count} {word}" for word, count in counts.most_common())
    deltas = [abs(one["delta_pct"]) for one in verdicts if "delta_pct" in one]
    thresholds = [one["threshold_pct"] for one in verdicts if "threshold_pct" in one]
    if deltas:
        yield (
            f"    difference {statistics.median(deltas):.1f} %, "
            f"threshold {statistics.median(thresholds):.1f} % (medians)"
        )
    wrong = sum(counts[one.value] for one in FALSE[kind])
    bar = "" if kind == "alone" else standing(wrong / len(verdicts) <= MOST_FALSE, MOST_FALSE)
    yield f"    false: {share(wrong, len(verdicts))}{bar and f', at most {bar}'}"
    if kind != "tenth":
        ends = [one["interval_pct"] for one in verdicts if one.get("interval_pct")]
        without = sum(low > 0 or high < 0 for low, high in ends)
        yield f"    zero outside the interval: {share(without, len(ends))}"
    else:
        right = counts[Decision.SLOWER.value]
        bar = standing(right / len(verdicts) >= LEAST_FOUND, LEAST_FOUND)
        yield f"    found: {share(right, len(verdicts))}, at least {bar}"


def standing(met: bool, bar: float) -> str:
    """Return a bar and how it stands."""
    return f"{bar:.0%}: {'met' if met else 'MISSED'}"


def share(count: int, of: int) -> str:
    """Return a share with its 95 % interval by Clopper and Pearson."""
    from scipy.stats import binomtest

    ends = binomtest(count, of).proportion_ci(0.95, method="exact")
    return f"{count} of {of}, {count / of:.1%} ({ends.low:.1%} to {ends.high:.1%})"


@contextmanager
def disturbed(processes: int) -> Iterator[None]:
    """Keep so many other processes busy meanwhile; they end with this one, however it ends."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=disturb, args=(i,), daemon=True) for i in range(processes)]
    try:
        for other in others:
            other.start()
        yield
    finally:
        for other in others:
            other.kill()
            other.join()


def disturb(seed: int) -> None:
    """Copy much memory, or compute, in bursts of irregular length, while the parent lives."""
    parent, rng = multiprocessing.parent_process(), np.random.default_rng(seed)
    memory = np.zeros(LOAD_BYTES // 8)
    while parent is not None and parent.is_alive():
        end = time.perf_counter() + min(2.0, rng.exponential(BURST_SECONDS))
        copies = rng.integers(2)
        while time.perf_counter() < end:
            if copies:
                memory[::2] = memory[1::2]
            else:
                sum(chain(range(20_000)))
        time.sleep(min(1.0, rng.exponential(BURST_SECONDS / 2)))


if __name__ == "__main__":
    main()
