"""Children forked at random moments, while other threads are inside the kernels, must answer."""

import ctypes
import os
import random
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import lunaflow
from lunaflow.runtime import double

ONES = np.ones(200_000, np.int64)
PREFIXES = np.arange(1, len(ONES) + 1)
SECONDS = 60  # for a child that computes for a millisecond


def _fork_by_c() -> int:
    # None of Python's handlers runs, and the GIL stays held. Were other threads waiting for it, the
    # child could wait for ever for them, inside Python itself.
    return int(ctypes.PyDLL(None).fork())


FORKS: dict[str, Callable[[], int]] = {"Python": os.fork, "C code": _fork_by_c}


def fuzz(cases: int, seed: int) -> str:
    """Return a summary of `cases` children that answered; AssertionError names one that did not."""
    rng = random.Random(seed)
    seen = dict.fromkeys(FORKS, 0)
    began = time.monotonic()
    for number in range(cases):
        way = rng.choice(list(FORKS))
        threads = rng.randrange(4) if way == "Python" else 0
        with _computing(threads):
            time.sleep(rng.random() / 500)
            status = _child(FORKS[way])
        shown = f"child {number} of seed {seed}, forked by {way} beside {threads} threads"
        assert status == 0, f"{shown}: exit status {status}"
        seen[way] += 1
    took = time.monotonic() - began
    parts = ", ".join(f"{count} forked by {way}" for way, count in seen.items())
    return f"{cases} children answered (seed {seed}, {took:.0f} s): {parts}"


@contextmanager
def _computing(threads: int) -> Iterator[None]:
    """Keep so many threads inside the kernels."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            assert _right()

    busy = [threading.Thread(target=work) for _ in range(threads)]
    for thread in busy:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in busy:
            thread.join()


def _child(fork: Callable[[], int]) -> int:
    with warnings.catch_warnings():
        # Python warns of what is tested here
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = fork()
    if pid == 0:
        signal.alarm(SECONDS)  # ends a child that hangs
        os._exit(0 if _right() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _right() -> bool:
    return (
        lunaflow.sum(ONES, workers=2) == len(ONES)
        and np.array_equal(lunaflow.scan(ONES, workers=2), PREFIXES)
        and int(double(ONES, workers=2)[-1]) == 2
    )
