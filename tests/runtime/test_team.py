"""R6: OpenMP's helpers: who has them, who limits them, and what if they cannot start."""

import subprocess
from pathlib import Path

import pytest
from tests.runtime.fresh import python

from lunaflow._host import usable_cpus
from lunaflow.runtime import build_info

SHARED = build_info()["openmp"] and usable_cpus() > 1

SET_UP = """
import os, resource
import numpy as np, lunaflow
x = np.ones(1_000_000, np.int64)
def threads():
    return len(os.listdir("/proc/self/task"))
before = threads()
def answers(workers=2):
    out = np.empty_like(x)
    assert lunaflow.sum(x, workers=workers) == len(x)
    assert np.array_equal(lunaflow.scan(x, out=out, workers=workers), np.arange(1, len(x) + 1))
    return threads() - before
"""
# every attempt of a user who has no other process is counted, the superuser's are not
LIMITED_PROCESSES = """
import numpy.ma  # what is imported late may not be readable to another user
answers(workers=1)
if os.getuid() == 0:
    os.setuid(61234)
resource.setrlimit(resource.RLIMIT_NPROC, ({limit}, {limit}))
print(answers())
"""


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_r6_a_call_answers_where_no_more_processes_may_start(limit: int) -> None:
    helpers = int(python(SET_UP + LIMITED_PROCESSES.format(limit=limit)))
    assert helpers <= min(limit, usable_cpus()) - 1


def test_r6_a_call_answers_where_no_stack_fits_the_memory_allowed() -> None:
    code = """
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), used + (64 << 20)))
print(answers())
"""
    assert python(SET_UP + code, OMP_STACKSIZE="80M") == "0"
    assert python(SET_UP + code, OMP_STACKSIZE="1M") == str(int(SHARED))


# each beyond the 2**47 bytes that a process may address; OpenMP too reads -1 as the largest number
HUGE = ["150000G", " 150000000m ", "150000000000", "150000000000000 B", "-1B"]


@pytest.mark.parametrize("size", HUGE)
@pytest.mark.parametrize("name", ["OMP_STACKSIZE", "GOMP_STACKSIZE"])
def test_r6_a_call_answers_where_stacks_are_huge(name: str, size: str) -> None:
    assert python(SET_UP + "print(answers())", **{name: size}) == "0"


@pytest.mark.parametrize("size", ["4M", "nonsense", "10X", "", "99999999999999999999G"])
def test_r6_other_sizes_of_stacks_change_nothing(size: str) -> None:
    assert python(SET_UP + "print(answers())", OMP_STACKSIZE=size) == str(int(SHARED))


def test_r6_a_limit_of_threadpoolctl_is_obeyed() -> None:
    code = """
from threadpoolctl import threadpool_info, threadpool_limits
shown = [pool["user_api"] for pool in threadpool_info()]
with threadpool_limits(1):
    limited = answers()
print(shown.count("openmp"), limited, answers())
"""
    expected = f"{int(build_info()['openmp'])} 0 {int(SHARED)}"
    assert python(SET_UP + code) == expected
    # what the environment says is no limit to a caller that names a number
    assert python(SET_UP + code, OMP_NUM_THREADS="8") == expected
    assert python(SET_UP + "print(answers())", OMP_NUM_THREADS="1") == str(int(SHARED))


def test_r6_one_call_at_a_time_has_helpers_and_few_are_kept() -> None:
    code = """
import threading
from concurrent.futures import ThreadPoolExecutor
callers = 64
together = threading.Barrier(callers)
most = [0]
def work(_):
    together.wait()
    for _ in range(5):
        assert lunaflow.sum(x, workers=2) == len(x)
        most[0] = max(most[0], threads() - before - callers)
    together.wait()
with ThreadPoolExecutor(callers) as pool:
    list(pool.map(work, range(callers)))
print(most[0])
"""
    assert int(SHARED) <= int(python(SET_UP + code)) <= 2 * usable_cpus() - 1


def test_r6_a_limit_of_openmp_for_the_whole_process_is_obeyed() -> None:
    code = """
from lunaflow.runtime._openmp import threads_that_may_start
print(threads_that_may_start(2), threads_that_may_start(8), answers())
"""
    assert python(SET_UP + code, OMP_THREAD_LIMIT="1") == "1 1 0"
    expected = f"2 3 {int(SHARED)}" if SHARED else "1 1 0"
    assert python(SET_UP + code, OMP_THREAD_LIMIT="3") == expected


@pytest.mark.compiler
def test_r6_threads_are_tried_again_where_openmp_chooses_how_many(tmp_path: Path) -> None:
    # beside a high load OpenMP starts none of those it was asked for, and later does
    (tmp_path / "load.c").write_text(
        "double load = 99;\n"
        "int getloadavg(double *loads, int count) {\n"
        "for (int i = 0; i < count; i++) loads[i] = load;\n"
        "return count;\n}\n"
    )
    library = tmp_path / "load.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "load.c"], check=True)
    code = f"""
import ctypes
print(answers())
ctypes.c_double.in_dll(ctypes.CDLL({str(library)!r}), "load").value = 0
"""
    environment = {"OMP_DYNAMIC": "true", "LD_PRELOAD": str(library)}
    limited = python(SET_UP + code + LIMITED_PROCESSES.format(limit=1), **environment)
    assert limited.split() == ["0", "0"]
    assert python(SET_UP + code + "print(answers())", **environment) == f"0\n{int(SHARED)}"


@pytest.mark.compiler
def test_r6_a_call_inside_a_parallel_region_stays_alone(tmp_path: Path) -> None:
    # a team of one is a region too
    (tmp_path / "inside.c").write_text(
        "void inside(void (*call)(void), int threads) {\n"
        "#pragma omp parallel num_threads(threads)\n"
        "#pragma omp master\n"
        "call();\n}\n"
    )
    library = tmp_path / "inside.so"
    source = tmp_path / "inside.c"
    subprocess.run(["cc", "-fopenmp", "-shared", "-fPIC", "-o", library, source], check=True)
    code = f"""
import ctypes
found = []
call = ctypes.CFUNCTYPE(None)(lambda: found.append(answers()))
for team in (1, 2):
    ctypes.CDLL({str(library)!r}).inside(call, team)
print(found)
"""
    # the second region has a helper of its own
    assert python(SET_UP + code) == "[0, 1]"
