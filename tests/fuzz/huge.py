"""Arrays of 2^31 + 7 elements: a sparse file of zeros with numbers at random places.

Needs 9 GB of disk where temporary files go, and minutes: the last step writes every page.
"""

import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

import lunaflow
from lunaflow.arithmetic import ArithmeticError, Err
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.runtime import Accumulator, plan_for, run

SIZE = (1 << 31) + 7
HIGH = (1 << 31) - 1
EDGES = (0, 1, (1 << 31) - 2, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, SIZE - 1)
CHECKED = 1 << 24  # elements that are compared at once
MEMORY = 64 << 20  # what the calls may allocate; an array of flags alone would be 2 GiB

Numbers = dict[int, int]  # the elements that are not zero, by their positions


def fuzz(cases: int, seed: int) -> str:
    """Return a summary of `cases` agreeing files; AssertionError shows the first that does not."""
    rng = random.Random(seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, _memory() as most:
        for number in range(cases):
            _case(rng, Path(folder) / "numbers", f"case {number} of seed {seed}")
    took = time.monotonic() - began
    assert most[0] < MEMORY, f"{most[0]:,} bytes were allocated"
    grown = f"{most[0] / (1 << 20):.1f} MiB allocated beside input and output"
    return f"{cases} files of {SIZE:,} elements agree (seed {seed}, {took:.0f} s, {grown})"


def _case(rng: random.Random, path: Path, shown: str) -> None:
    with path.open("wb") as file:
        file.truncate(4 * SIZE)
    x = np.memmap(path, np.int32, "r+")
    numbers: Numbers = {}
    _write(x, numbers, _small(rng))
    _timed(f"{shown}: reductions", lambda: _check_reductions(x, numbers))
    before = dict(numbers)
    _write(x, numbers, {rng.randrange((1 << 31) + 2, SIZE - 1): HIGH})
    _timed(f"{shown}: doubles that fail", lambda: _check_doubled(x, numbers))
    _write(x, numbers, {rng.randrange(2, (1 << 31) - 2): HIGH})
    _timed(f"{shown}: prefixes that fail", lambda: _check_overflowing(x, numbers))
    _write(x, numbers, {i: before.get(i, 0) for i in numbers})
    _timed(f"{shown}: prefixes in place", lambda: _check_prefixes(x, numbers))


def _timed(what: str, check: Any) -> None:
    began = time.monotonic()
    try:
        check()
    except AssertionError as reason:
        raise AssertionError(f"{what}: {reason}") from None
    print(f"{what}, {time.monotonic() - began:.1f} s", flush=True)


def _small(rng: random.Random) -> Numbers:
    positions = [*EDGES, *(rng.randrange(SIZE) for _ in range(40))]
    return {i: rng.choice([-1, 1]) * rng.randint(1, 1000) for i in positions}


def _write(x: Any, numbers: Numbers, more: Numbers) -> None:
    for position, value in more.items():
        x[position] = value
    numbers.update(more)


def _check_reductions(x: Any, numbers: Numbers) -> None:
    values = [0, *numbers.values()]
    exact = (sum(values), min(values), max(values))
    for workers in (1, 2):
        forms = (lunaflow.sum, lunaflow.min, lunaflow.max)
        found = tuple(form(x, workers=workers) for form in forms)
        assert found == exact, f"{found}, not {exact} with {workers} workers"
    assert lunaflow.sum(x[::-1]) == exact[0]
    assert lunaflow.min(x[1::2]) == min([0, *(v for i, v in numbers.items() if i % 2)])
    seen = Accumulator()
    seen.update(x)
    assert (seen.sum, seen.min, seen.max, seen.count) == (*exact, SIZE), seen
    # 2^33 + 28 elements
    bytes_of = np.array(list(numbers.values()), np.int32).view(np.uint8)
    assert lunaflow.sum(x.view(np.uint8)) == sum(bytes_of.tolist())
    assert lunaflow.max(x.view(np.uint8)) == max(bytes_of.tolist())


def _check_doubled(x: Any, numbers: Numbers) -> None:
    bad = min(i for i, v in numbers.items() if 2 * v > HIGH)
    assert bad > 1 << 31
    for workers in (1, 2):
        assert _failure(x, PlanKind.MAP, workers, out=x) == (bad, None)
        assert _failure(x, PlanKind.MAP_REDUCE, workers) == (bad, 2 * sum(numbers.values()))
    _check_unchanged(x, numbers)


def _check_overflowing(x: Any, numbers: Numbers) -> None:
    positions = sorted(numbers)
    prefixes = accumulate(numbers[i] for i in positions)
    bad = next(i for i, prefix in zip(positions, prefixes, strict=True) if prefix > HIGH)
    assert bad > 1 << 31
    for workers in (1, 2):
        assert _failure(x, PlanKind.SCAN, workers, out=x) == (bad, None)
        assert _failure(x, PlanKind.REDUCE, workers) == (None, sum(numbers.values()))
    _check_unchanged(x, numbers)
    # the total fits again, whatever the sums in between
    _write(x, numbers, {SIZE - 2: -HIGH, SIZE - 1: -HIGH})
    assert lunaflow.sum(x, dtype=np.int32, workers=2) == sum(numbers.values())


def _failure(x: Any, kind: PlanKind, workers: int, out: Any = None) -> tuple[Any, Any]:
    """Return the position and the exact total of an overflow."""
    reduction = ReductionKernel.SUM if "REDUCE" in kind.name else None
    plan = plan_for(x, kind, reduction, workers=workers)
    found = run(plan, x, out=out, errors="result")
    assert isinstance(found, Err), f"{plan}: {found}"
    assert isinstance(found.error, ArithmeticError), f"{plan}: {found}"
    return found.error.index, found.error.exact


def _check_unchanged(x: Any, numbers: Numbers) -> None:
    assert int(np.count_nonzero(x)) == sum(v != 0 for v in numbers.values())
    assert all(int(x[i]) == v for i, v in numbers.items())


def _check_prefixes(x: Any, numbers: Numbers) -> None:
    lunaflow.scan(x, out=x, dtype=np.int32, workers=2)
    positions = sorted(numbers)
    prefixes = [0, *accumulate(numbers[i] for i in positions)]
    runs = zip([0, *positions], [*positions, SIZE], prefixes, strict=True)
    for first, last, prefix in runs:
        for start in range(first, last, CHECKED):
            part = x[start : min(last, start + CHECKED)]
            assert part.min() == part.max() == prefix, f"a prefix from {start} is not {prefix}"


@contextmanager
def _memory() -> Iterator[list[int]]:
    """Give by how many bytes the memory that is no file's grew, at most, as seen by a thread."""
    over = threading.Event()
    before = _allocated()
    most = [0]

    def look() -> None:
        while not over.wait(0.01):
            most[0] = max(most[0], _allocated() - before)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


def _allocated() -> int:
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("RssAnon:")[2].split()[0])
