"""R6: how many threads start, forked children, and many Python threads at once."""

import ctypes
import os
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import lunaflow
from lunaflow._host import usable_cpus
from lunaflow.policy import PolicySet, save
from lunaflow.runtime import _threads, build_info
from lunaflow.runtime._machine import machine
from lunaflow.runtime._threads import default_workers

ONES = np.ones(200_000, np.int64)


def python(code: str, **environment: str) -> str:
    """Run `code` in a fresh interpreter, with a time limit, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | environment,
        check=True,
    )
    return done.stdout.strip()


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


def test_r6_importing_calls_nothing_of_openmp(tmp_path: Path) -> None:
    (tmp_path / "spy.c").write_text(SPY)
    spy = tmp_path / "spy.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", spy, tmp_path / "spy.c"], check=True)
    calls = []
    use = "import numpy, lunaflow; lunaflow.sum(numpy.ones(9, int), workers=2)"
    for code in ("import lunaflow", use):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"LD_PRELOAD": str(spy)},
            capture_output=True,
            text=True,
            check=True,
        )
        calls.append("GOMP_parallel" in done.stderr or "omp_" in done.stderr)
    # the second shows that the spy would have seen a call
    assert calls == [False, build_info()["openmp"] and usable_cpus() > 1]


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


@pytest.mark.parametrize("warm", [True, False])
def test_r6_a_forked_child_still_computes(warm: bool) -> None:
    code = f"""
        import multiprocessing, numpy as np, lunaflow
        ones = np.ones(100_000, np.int64)
        if {warm}:
            lunaflow.sum(ones, workers=4)
        def child(queue):
            queue.put((lunaflow.sum(ones, workers=4), int(lunaflow.scan(ones, workers=4)[-1])))
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        process = context.Process(target=child, args=(queue,))
        process.start()
        print(queue.get(timeout=20))
        process.join(20)
        print(process.exitcode, lunaflow.sum(ones, workers=4))
    """
    assert python(code).split("\n") == ["(100000, 100000)", "0 100000"]


C_FORKS = [name for name in ("fork", "_Fork") if hasattr(ctypes.PyDLL(None), name)]


@pytest.mark.parametrize("fork", C_FORKS)
def test_r6_a_fork_made_by_c_code_is_noticed_too(fork: str) -> None:
    # _Fork runs no handlers
    code = f"""
        import ctypes, os, signal, numpy as np, lunaflow
        ones = np.ones(100_000, np.int64)
        lunaflow.sum(ones, workers=2)
        pid = ctypes.PyDLL(None).{fork}()
        if pid == 0:
            os._exit(0 if lunaflow.sum(ones, workers=2) == 100_000 else 1)
        signal.alarm(20)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """
    assert python(code) == "0"


def test_r6_a_child_that_imports_after_the_fork_of_an_openmp_program(tmp_path: Path) -> None:
    (tmp_path / "region.c").write_text(
        "void region(void) {\n#pragma omp parallel num_threads(4)\n{ }\n}\n"
    )
    library = tmp_path / "region.so"
    source = tmp_path / "region.c"
    subprocess.run(["cc", "-fopenmp", "-shared", "-fPIC", "-o", library, source], check=True)
    code = f"""
        import ctypes, os, signal, numpy as np
        ctypes.CDLL({str(library)!r}).region()
        pid = os.fork()
        if pid == 0:
            import lunaflow
            os._exit(0 if lunaflow.sum(np.ones(100_000, int), workers=2) == 100_000 else 1)
        signal.alarm(20)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """
    assert python(code) == "0"


def test_r6_a_fork_while_another_thread_reads_the_tuning(tmp_path: Path) -> None:
    code = """
        import os, signal, threading, numpy as np, lunaflow
        from lunaflow.runtime import _tuning
        x = np.arange(10)
        inside, go_on = threading.Event(), threading.Event()
        load = _tuning._read
        def slow(path):
            inside.set()
            go_on.wait(20)
            return load(path)
        _tuning._read = slow
        reader = threading.Thread(target=lambda: lunaflow.sum(x))
        reader.start()
        inside.wait(20)
        pid = os.fork()
        if pid == 0:
            _tuning._read = load
            os._exit(0 if lunaflow.sum(x) == 45 else 1)
        signal.alarm(20)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        go_on.set()
        reader.join()
    """
    save(PolicySet({}, machine()), tmp_path / "tuning.json")
    assert python(code, LUNAFLOW_TUNING=str(tmp_path / "tuning.json")) == "0"


IN_SUBINTERPRETER = """
import numpy as np, lunaflow
from lunaflow.runtime import double
x = np.ones(100_000, int)
print(lunaflow.sum(x, workers=2), lunaflow.scan(x, workers=2)[-1], double(x)[-1])
"""


def test_r6_a_subinterpreter_computes() -> None:
    code = f"""
        # NumPy does not load in isolated ones
        try:
            import _interpreters as interpreters
            made = interpreters.create("legacy")
        except ImportError:
            import _xxsubinterpreters as interpreters
            made = interpreters.create(isolated=False)
        problem = interpreters.run_string(made, {IN_SUBINTERPRETER!r})
        assert problem is None, problem
    """
    assert python(code).splitlines()[-1] == "100000 100000 2"


def test_r6_a_spawned_child_computes() -> None:
    code = """
        import multiprocessing
        import numpy as np, lunaflow
        if __name__ == "__main__":
            lunaflow.sum(np.ones(100_000, np.int64), workers=4)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.apply_async(lunaflow.sum, (np.ones(100_000, np.int64),)).get(40))
    """
    assert python(code) == "100000"


def test_r6_the_gil_is_released() -> None:
    # nobody is made to give up the GIL: this thread counts between the two looks at the counter
    # only if the kernel let go of it
    x = np.ones(20_000_000, np.int64)
    counter = [0]

    def work() -> tuple[int, int]:
        before = counter[0]
        assert lunaflow.sum(x[::-1], workers=1) == len(x)
        return before, counter[0]

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
    before, after = running.result()
    assert after > before
