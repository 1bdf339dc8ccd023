"""R6: how many threads start, and many Python threads at once."""

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.runtime.fresh import python

import lunaflow
from lunaflow._host import usable_cpus
from lunaflow.runtime import _threads, build_info, double
from lunaflow.runtime._threads import default_workers

ONES = np.ones(200_000, np.int64)


COUNT_THREADS = """
    import os, numpy as np, lunaflow
    from lunaflow.plan import PlanKind
    from lunaflow.runtime import plan_for, run
    x = np.ones(10**6, np.int64)
    before = len(os.listdir("/proc/self/task"))
    lunaflow.sum(x, workers={workers})
    run(plan_for(x, PlanKind.SCAN, workers={workers}), x)
    print(len(os.listdir("/proc/self/task")) - before)
"""


def test_r6_a_million_workers_are_not_a_million_threads() -> None:
    started = int(python(COUNT_THREADS.format(workers=10**6)))
    assert started <= usable_cpus() - 1


def test_r6_one_worker_starts_no_thread() -> None:
    assert python(COUNT_THREADS.format(workers=1)) == "0"


def test_r6_affinity_bounds_the_threads() -> None:
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    assert python(code + textwrap.dedent(COUNT_THREADS.format(workers=8))) == "0"


def test_r6_importing_starts_no_thread_and_changes_no_environment() -> None:
    code = """
        import os, sys
        before = dict(os.environ)
        import lunaflow
        assert dict(os.environ) == before
        print(len(os.listdir("/proc/self/task")))
    """
    # NumPy's own library may start threads; it is asked not to
    assert python(code, OPENBLAS_NUM_THREADS="1") == "1"


# says each OpenMP call on standard error, and runs the region on this thread alone
SPY = """
#include <unistd.h>
#define SAY(name) (void)!write(2, name "\\n", sizeof(name))
int omp_get_num_threads(void) { SAY("omp_get_num_threads"); return 1; }
int omp_get_thread_num(void) { SAY("omp_get_thread_num"); return 0; }
int omp_get_max_threads(void) { SAY("omp_get_max_threads"); return 1; }
int omp_get_num_procs(void) { SAY("omp_get_num_procs"); return 1; }
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags) {
    (void)threads, (void)flags;
    SAY("GOMP_parallel");
    region(data);
}
"""

ALONE = """
import numpy as np, lunaflow
from lunaflow.runtime import double
x = np.ones(300_000, np.int64)
for each in (x, x[::-1]):
    for call in (lunaflow.sum, lunaflow.min, lunaflow.scan, double):
        call(each, workers=1)
"""


@pytest.mark.compiler
def test_r6_importing_and_one_worker_call_nothing_of_openmp(tmp_path: Path) -> None:
    (tmp_path / "spy.c").write_text(SPY)
    spy = tmp_path / "spy.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", spy, tmp_path / "spy.c"], check=True)
    calls = []
    use = "import numpy, lunaflow; lunaflow.sum(numpy.ones(9, int), workers=2)"
    for code in ("import lunaflow", ALONE, use):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"LD_PRELOAD": str(spy)},
            capture_output=True,
            text=True,
            check=True,
        )
        calls.append("GOMP_parallel" in done.stderr or "omp_" in done.stderr)
    # the last shows that the spy would have seen a call
    assert calls == [False, False, build_info()["openmp"] and usable_cpus() > 1]


def test_r6_the_environment_is_followed_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_threads, "usable_cpus", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", "4,2")
    assert default_workers() == 4
    monkeypatch.setenv("LUNAFLOW_WORKERS", "3")
    assert default_workers() == 3
    monkeypatch.setenv("LUNAFLOW_WORKERS", "1000")
    assert default_workers() == 8
    monkeypatch.delenv("LUNAFLOW_WORKERS")
    for ignored in ("nonsense", "9" * 5000):
        monkeypatch.setenv("OMP_NUM_THREADS", ignored)
        assert default_workers() == 8


@pytest.mark.parametrize("text", ["0", "-2", "two", "1.5", "\u0663"])
def test_r6_a_wrong_lunaflow_workers_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("LUNAFLOW_WORKERS", text)
    with pytest.raises(ValueError, match="LUNAFLOW_WORKERS must be a positive integer"):
        lunaflow.sum(np.ones(10**6, np.int64))
    assert lunaflow.sum(ONES, workers=2) == len(ONES)


def test_r6_many_python_threads_at_once() -> None:
    def work(seed: int) -> bool:
        x = np.random.default_rng(seed).integers(-1000, 1000, 150_000)
        total = lunaflow.sum(x, workers=2) == int(x.sum())
        return total and np.array_equal(lunaflow.scan(x, workers=2), np.cumsum(x))

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(work, range(64)))


LONG = np.ones(5_000_000, np.int64)
OUT = np.empty_like(LONG)
CALLS: dict[str, Callable[[Any], object]] = {
    "sum": lambda x: lunaflow.sum(x, workers=1),
    "min": lambda x: lunaflow.min(x, workers=1),
    "max": lambda x: lunaflow.max(x, workers=1),
    "scan": lambda x: lunaflow.scan(x, out=OUT, workers=1),
    "double": lambda x: double(x, out=OUT, workers=1),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("x", [LONG, LONG[::-1]], ids=["plain", "reversed"])
def test_r6_the_gil_is_released(x: Any, name: str) -> None:
    # nobody is made to give up the GIL: this thread counts while the other computes only if a
    # kernel let go of it
    call = CALLS[name]
    counter = [0]

    def work() -> bool:
        before = counter[0]
        for _ in range(1000):
            call(x)
            if counter[0] > before:
                return True
        return False

    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)
    try:
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(work)
            while not running.done():
                counter[0] += 1
                time.sleep(0)
    finally:
        sys.setswitchinterval(interval)
    assert running.result()
