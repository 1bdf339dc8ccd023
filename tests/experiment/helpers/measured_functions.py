"""Functions for experiments in fresh interpreters, found by import name."""

import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

# set by the test in its own process and inherited: tells the runner from a measuring process
RUNNER = "LUNAFLOW_TEST_RUNNER"


def in_measuring_process() -> bool:
    return os.environ[RUNNER] != str(os.getpid())


def make(size: int, rng: np.random.Generator) -> Any:
    return rng.integers(0, 100, size)


def total(x: Any) -> int:
    return int(x.sum())


def total_by_python(x: Any) -> int:
    return sum(x.tolist())


def wrong_from_ten_on(x: Any) -> int:
    return int(x.sum()) + (len(x) >= 10)


def overflowing(x: Any) -> int:
    raise OverflowError(f"too much at {len(x)}")


def sorting_in_place(x: Any) -> int:
    x.sort()
    return int(x.sum())


def changing_while_measured(x: Any) -> int:
    if in_measuring_process():
        x[0] += 1
    return int(x.sum())


def raising_while_measured(x: Any) -> int:
    if in_measuring_process():
        raise OSError("not here")
    return int(x.sum())


def exiting_at_eight(x: Any) -> int:
    if in_measuring_process() and len(x) == 8:
        os.write(1, b"last words \xff")
        os._exit(7)
    return int(x.sum())


def aborting(x: Any) -> int:
    if in_measuring_process():
        os.abort()
    return int(x.sum())


def hanging(x: Any) -> int:
    if in_measuring_process():
        time.sleep(600)
    return int(x.sum())


def leaving_a_sleeper(x: Any) -> int:
    if in_measuring_process():
        child = os.fork()
        if child == 0:
            time.sleep(600)
        with open(os.environ["LUNAFLOW_TEST_PID_FILE"], "w") as file:  # noqa: PTH123
            file.write(str(child))
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        os._exit(0)
    return int(x.sum())


def make_differently(size: int, rng: np.random.Generator) -> Any:
    return np.full(size, os.getpid())


def slow(x: Any) -> int:
    time.sleep(0.002)
    return int(x.sum())
