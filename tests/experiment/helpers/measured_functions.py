"""Functions for experiments in fresh interpreters, found by import name."""

import contextlib
import ctypes
import os
import subprocess
import sys
import threading
import time
import traceback
from typing import Any

import numpy as np


def is_being_timed() -> bool:
    """Say whether a batch is being timed, not a single call validated."""
    return any(frame.f_code.co_name == "time_batch" for frame, _ in traceback.walk_stack(None))


def make(size: int, rng: np.random.Generator) -> Any:
    return rng.integers(0, 100, size)


def total(x: Any) -> int:
    return int(x.sum())


def total_by_python(x: Any) -> int:
    return sum(x.tolist())


def wrong_from_ten_on(x: Any) -> int:
    return int(x.sum()) + (len(x) >= 10)


def aborting_when_empty_and_wrong(x: Any) -> int:
    if not len(x):
        os.abort()
    return int(x.sum()) + 1


def overflowing(x: Any) -> int:
    raise OverflowError(f"too much at {len(x)}")


def sorting_in_place(x: Any) -> int:
    x.sort()
    return int(x.sum())


def changing_while_measured(x: Any) -> int:
    if is_being_timed():
        x[0] += 1
    return int(x.sum())


def raising_while_measured(x: Any) -> int:
    if is_being_timed():
        raise OSError("not here")
    return int(x.sum())


def raising_while_measured_if_told_to(x: Any) -> int:
    if "LUNAFLOW_TEST_RAISES" in os.environ:
        return raising_while_measured(x)
    return int(x.sum())


def exiting_at_eight(x: Any) -> int:
    if is_being_timed() and len(x) == 8:
        os.write(1, b"last words \xff")
        os._exit(7)
    return int(x.sum())


def exiting_late_at_eight(x: Any) -> int:
    """Exit in the third square of three and their twins: 4 calls calibrate, 12 make a square.

    A call is so long that none is made before the clock starts.
    """
    if is_being_timed() and len(x) == 8:
        CALLS["late"] += 1
        if CALLS["late"] > 30:
            os._exit(7)
    time.sleep(0.003)
    return int(x.sum())


CALLS = {"late": 0}


def aborting(x: Any) -> int:
    if is_being_timed():
        os.abort()
    return int(x.sum())


def hanging(x: Any) -> int:
    if is_being_timed():
        time.sleep(600)
    return int(x.sum())


def leaving_a_sleeper(x: Any) -> int:
    if is_being_timed():
        child = os.fork()
        if child == 0:
            time.sleep(600)
        with open(os.environ["LUNAFLOW_TEST_PID_FILE"], "w") as file:  # noqa: PTH123
            file.write(str(child))
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        os._exit(0)
    return int(x.sum())


def beside_a_daemon(x: Any) -> int:
    """Leave a process that is in another session, of which the starter has ended."""
    file = os.environ["LUNAFLOW_TEST_PID_FILE"]
    if not os.path.exists(file):  # noqa: PTH110
        shell = f"setsid sleep 600 >/dev/null 2>&1 & echo $! > {file}.new && mv {file}.new {file}"
        subprocess.run(["sh", "-c", shell], check=True)
    return int(x.sum())


def hanging_beside_a_daemon(x: Any) -> int:
    beside_a_daemon(x)
    time.sleep(600)
    return int(x.sum())


TICKS = {"now": 0}


def ticks() -> int:
    """Return the nanoseconds that the functions below have taken."""
    return TICKS["now"]


def ticking_once(x: Any) -> int:
    TICKS["now"] += 100_000
    return int(x.sum())


def ticking_thrice(x: Any) -> int:
    TICKS["now"] += 300_000
    return int(x.sum())


def make_differently(size: int, rng: np.random.Generator) -> Any:
    return np.full(size, os.getpid())


def make_exiting_at_eight(size: int, rng: np.random.Generator) -> Any:
    """Return an input; of size 8 in a measuring process never."""
    if size == 8 and any(f.f_code.co_name == "measure" for f, _ in traceback.walk_stack(None)):
        os._exit(7)
    return make(size, rng)


def slow(x: Any) -> int:
    time.sleep(0.002)
    return int(x.sum())


def exiting(x: Any) -> int:
    if len(x) == 8:
        os.write(2, b"last words \xff")
        os._exit(7)
    return int(x.sum())


def aborting_from_ten_on(x: Any) -> int:
    if len(x) >= 10:
        os.abort()
    return int(x.sum())


def segfaulting(x: Any) -> int:
    if len(x) == 8:
        ctypes.string_at(0)
    return int(x.sum())


def leaving(x: Any) -> int:
    if len(x) == 8:
        sys.exit("enough")
    return int(x.sum())


def looping(x: Any) -> int:
    while len(x) == 8:
        pass
    return int(x.sum())


def flooding(x: Any) -> int:
    while len(x) == 8:
        os.write(1, b"flood\n" * 10_000)
    return int(x.sum())


def talkative(x: Any) -> int:
    print("first words")
    os.write(1, b"word " * 400_000)
    print("last words", flush=True)
    return int(x.sum())


def writing_garbage(x: Any) -> int:
    for descriptor in range(3, 50):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"\xff garbage\n")
    return int(x.sum())


def closing_everything(x: Any) -> int:
    if len(x) == 8:
        os.closerange(3, 50)
        time.sleep(600)
    return int(x.sum())


def reading(x: Any) -> int:
    return int(x.sum()) + len(sys.stdin.read())


def unpicklable(x: Any) -> Any:
    return lambda: x


def doubled(x: Any) -> Any:
    return x + x


def size_of(x: Any) -> int:
    return len(x)


def same(x: Any) -> Any:
    return x


def process_of(x: Any) -> int:
    return os.getpid()


class Held:
    """Holds an array, and compares by it."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and bool(np.array_equal(self.data, other.data))

    __hash__ = None  # type: ignore[assignment]


class Untold(Held):
    """Has no text."""

    def __repr__(self) -> str:
        raise ZeroDivisionError("no text")


def make_untold(size: int, rng: np.random.Generator) -> Untold:
    return Untold(rng.integers(0, 100, size))


def untold(x: Untold) -> Untold:
    return Untold(x.data + 1)


def untold_and_wrong(x: Untold) -> Untold:
    return Untold(x.data + 2)


def make_lock(size: int, rng: np.random.Generator) -> Any:
    return [rng.random(size), threading.Lock()]


def make_lock_at_eight(size: int, rng: np.random.Generator) -> Any:
    return make_lock(size, rng) if size == 8 else [1.0, 2.0]
