"""R6: the children of a fork compute, whoever forked, and whatever went on at that moment."""

import ctypes
import subprocess
from pathlib import Path

import pytest
from tests.runtime.fresh import interpreter, python

from lunaflow.policy import PolicySet, save
from lunaflow.runtime._machine import machine


def test_r6_children_forked_at_random_moments_answer() -> None:
    # `python -m tests.fuzz forks --cases 200` is the long run
    summary = interpreter("-m", "tests.fuzz", "forks", "--cases", "25")
    assert summary.startswith("25 children answered")


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


@pytest.mark.compiler
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
