"""pytest in processes of its own: what it imports, xdist, and where test modules come from."""

import importlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import lunaflow_pytest

ROOT = Path(__file__).parents[2]
SOURCE = Path(lunaflow_pytest.__file__).parents[1]
HEAVY = """
import sys
import pytest

status = pytest.main(["-q", "-p", "lunaflow_pytest", *sys.argv[1:]])
heavy = [name for name in sys.modules if name.partition(".")[0] in {"lunaflow", "numpy", "scipy"}]
print(f"status {int(status)}, imported: {sorted(heavy)}")
"""
FUNCTIONS = """
import numpy as np
from lunaflow.experiment import Protocol

SHORT = Protocol("SHORT", pairs=2, processes=2, batch_seconds=1e-5, resamples=50, inputs=1)
"""


def run_apart(folder: Path, *arguments: str) -> str:
    """Run Python on arguments, without what other plugins import."""
    known = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"):
        known.pop(name, None)
    ended = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=known, capture_output=True, text=True
    )
    return ended.stdout + ended.stderr


def test_the_entry_point_is_the_module_and_a_package_of_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    # one name for both: -p lunaflow_pytest then loads the same plugin, installed or not
    assert project["project"]["entry-points"]["pytest11"] == {"lunaflow_pytest": "lunaflow_pytest"}
    found = importlib.import_module("lunaflow_pytest")
    assert hasattr(found, "lunaflow_compare")
    assert (Path(str(found.__file__)).parent / "py.typed").is_file()


def test_the_plugin_costs_nothing_until_the_fixture_is_used(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(HEAVY)
    (tmp_path / "test_plain.py").write_text("def test_plain(): pass")
    (tmp_path / "test_used.py").write_text("def test_used(lunaflow_compare): pass")
    plain = run_apart(tmp_path, str(script), "test_plain.py")
    assert "1 passed" in plain
    assert "status 0, imported: []" in plain
    # a collected test that uses it does not import it either
    listed = run_apart(tmp_path, str(script), "--collect-only")
    assert "test_used.py::test_used" in listed
    assert "imported: []" in listed
    used = run_apart(tmp_path, str(script), "test_used.py")
    assert "1 passed" in used
    assert "'lunaflow.experiment'" in used


def test_under_xdist_results_are_judged_and_nothing_is_timed(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        FUNCTIONS
        + """
HOW = {"sizes": [4], "make": lambda n, rng: rng.integers(1, 9, n), "protocol": SHORT}

def total(x):
    return int(x.sum())

def largest(x):
    return int(x.max())

def test_equal(lunaflow_compare):
    lunaflow_compare(total, np.sum, **HOW).assert_equal()

def test_wrong(lunaflow_compare):
    lunaflow_compare(largest, total, **HOW).assert_equal()

def test_limit(lunaflow_compare):
    lunaflow_compare(total, np.sum, **HOW).assert_not_slower("5%")

def test_speed(lunaflow_compare):
    assert lunaflow_compare(total, np.sum, **HOW).measured.blocks
"""
    )
    plugins = ["-m", "pytest", "-p", "xdist", "-p", "lunaflow_pytest"]
    found = run_apart(tmp_path, *plugins, "-n2")
    assert "1 passed" in found
    assert "3 failed" in found
    assert "largest and total are not equal (oracle: equal)" in found
    assert found.count("nothing is timed under xdist: its workers share the cores") >= 2
    assert "run this test with -n0 (or -p no:xdist)" in found
    stored = run_apart(tmp_path, *plugins, "-n2", "--lunaflow-save=run.jsonl")
    assert "need timings, and under xdist nothing is timed" in stored
    alone = run_apart(tmp_path, *plugins, "-n0", "-k", "speed", "--lunaflow-save=run.jsonl")
    assert "1 passed" in alone
    assert (tmp_path / "run.jsonl").is_file()


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_functions_of_test_modules_reach_fresh_interpreters(tmp_path: Path, mode: str) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture\ndef factor(): return 3\n"
    )
    (folder / "test_it.py").write_text(
        FUNCTIONS
        + """
def make(size, rng):
    return rng.integers(1, 9, size)

def doubled(x):
    return int(x.sum()) * 2

def test_local(lunaflow_compare, factor):
    def tripled(x):
        return int(x.sum()) * factor
    result = lunaflow_compare(
        lambda x: tripled(x), tripled, sizes=[4], make=make, protocol=SHORT
    )
    result.assert_equal()
    assert {block.process for block in result.measured.blocks} == {0, 1}

def test_of_the_module(lunaflow_compare):
    result = lunaflow_compare(
        doubled, lambda x: 2 * int(x.sum()), sizes=[4], make=make, protocol=SHORT
    )
    result.assert_equal()

def test_crash(lunaflow_compare):
    def crashing(x):
        import os
        os.abort()
    result = lunaflow_compare(crashing, doubled, sizes=[4], make=make, protocol=SHORT)
    result.assert_equal()
"""
    )
    found = run_apart(
        tmp_path, "-m", "pytest", "-p", "lunaflow_pytest", f"--import-mode={mode}", "tests"
    )
    assert "2 passed" in found
    assert "1 failed" in found
    assert "AssertionError: crashing and doubled are not equal" in found
    assert "SIGABRT" in found


def test_what_cannot_travel_is_refused_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        FUNCTIONS
        + """
import threading

def test_lock(lunaflow_compare):
    lock = threading.Lock()
    def locked(x):
        with lock:
            return int(x.sum())
    result = lunaflow_compare(locked, np.sum, sizes=[4], make=lambda n, rng: rng.integers(0, 9, n))
    result.assert_equal()
"""
    )
    found = run_apart(tmp_path, "-m", "pytest", "-p", "lunaflow_pytest")
    assert "CannotTravel" in found
    assert "pass processes=1 to measure in this interpreter" in found
