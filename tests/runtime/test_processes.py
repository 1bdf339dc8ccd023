"""R6: in pools of processes, in subinterpreters, and while the interpreter shuts down."""

import sysconfig

import pytest
from tests.runtime.fresh import python

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

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
        print("" if problem is None else problem.msg)
    """
    said = python(code)
    if FREE_THREADED:
        # it is NumPy that refuses
        assert "numpy._core._multiarray_umath does not support" in said
    else:
        assert said == "100000 100000 2"


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_r6_multiprocessing(method: str) -> None:
    code = f"""
        import multiprocessing, warnings
        import numpy as np, lunaflow
        warnings.simplefilter("ignore", DeprecationWarning)
        ones = np.ones(200_000, np.int64)
        if __name__ == "__main__":
            lunaflow.sum(ones, workers=2)
            with multiprocessing.get_context("{method}").Pool(2) as pool:
                asked = [pool.apply_async(lunaflow.sum, (ones,), dict(workers=2)) for _ in range(4)]
                print([each.get(60) for each in asked])
    """
    assert python(code) == "[200000, 200000, 200000, 200000]"


def test_r6_a_pool_of_processes_from_a_pool_of_threads() -> None:
    code = """
        import concurrent.futures as futures, multiprocessing
        import numpy as np, lunaflow
        ones = np.ones(200_000, np.int64)
        if __name__ == "__main__":
            context = multiprocessing.get_context("spawn")
            with futures.ThreadPoolExecutor(4) as threads:
                with futures.ProcessPoolExecutor(1, mp_context=context) as processes:
                    there = processes.submit(lunaflow.max, ones, workers=2)
                    here = [threads.submit(lunaflow.sum, ones, workers=2) for _ in range(8)]
                    print(there.result(60), {each.result(60) for each in here})
    """
    assert python(code) == "1 {200000}"


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_r6_joblib(backend: str) -> None:
    code = f"""
        import numpy as np, lunaflow
        from joblib import Parallel, delayed
        ones = np.ones(200_000, np.int64)
        if __name__ == "__main__":
            lunaflow.sum(ones, workers=2)
            pool = Parallel(n_jobs=2, backend="{backend}", timeout=60)
            print(pool(delayed(lunaflow.sum)(ones, workers=2) for _ in range(4)))
    """
    assert python(code, PYTHONWARNINGS="ignore") == "[200000, 200000, 200000, 200000]"


SHUT_DOWN = """
import atexit, threading
import numpy as np, lunaflow
ones = np.ones(3_000_000, np.int64)
class Last:
    def __del__(self, total=lunaflow.sum, ones=ones):
        print(total(ones, workers=2))
def at_the_end():
    print(lunaflow.sum(ones, workers=2), lunaflow.scan(ones, workers=2)[-1])
def for_ever():
    while True:
        lunaflow.sum(ones, workers=2)
atexit.register(at_the_end)
lunaflow.sum(ones, workers=2)
"""


def test_r6_calls_while_the_interpreter_shuts_down() -> None:
    assert python(SHUT_DOWN + "last = Last()").split() == ["3000000"] * 3


def test_r6_threads_that_are_inside_when_the_interpreter_shuts_down() -> None:
    code = """
for _ in range(3):
    threading.Thread(target=for_ever, daemon=True).start()
"""
    assert python(SHUT_DOWN + code).split() == ["3000000"] * 2


def test_r6_an_interrupt_is_handled_when_the_call_returns() -> None:
    code = """
        import os, signal, threading, time
        import numpy as np, lunaflow
        ones = np.ones(20_000_000, np.int64)[::2]
        prefixes = np.empty(len(ones), np.int64)
        interrupted = 0
        def interrupt():
            time.sleep(0.002)
            os.kill(os.getpid(), signal.SIGINT)
        for workers in (1, 2) * 10:
            sender = threading.Thread(target=interrupt)
            try:
                sender.start()
                while True:
                    lunaflow.scan(ones, out=prefixes, workers=workers)
            except KeyboardInterrupt:
                interrupted += 1
            sender.join()
            assert lunaflow.sum(ones, workers=workers) == len(ones)
        assert lunaflow.scan(ones, out=prefixes, workers=2)[-1] == len(ones)
        print(interrupted)
    """
    assert python(code) == "20"
