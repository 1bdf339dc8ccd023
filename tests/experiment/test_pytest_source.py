"""A failing input becomes a test that fails with the bug and passes without it."""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lunaflow.experiment import ReferenceOracle
from lunaflow.experiment._pytest_source import pytest_source
from lunaflow.experiment._source import NoSource

FUNCTIONS = '''
"""Prefix sums, a wrong one, and a module that can be mended."""

import os

import numpy as np


def right(x):
    return np.cumsum(x)


def wrong(x):
    if os.environ.get("MENDED"):
        return np.cumsum(x)
    out = np.cumsum(x)
    out[2::4] -= x[1]
    return out


def greedy(x):
    x[0] = 0
    return np.cumsum(x)
'''

Outcome = Callable[..., tuple[int, str]]


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "prefix_sums_under_test.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("prefix_sums_under_test")
    del sys.modules["prefix_sums_under_test"]


@pytest.fixture
def run_pytest(tmp_path: Path) -> Outcome:
    def run(source: str, mended: bool) -> tuple[int, str]:
        test = tmp_path / "test_found.py"
        test.write_text(source, encoding="ascii")
        path = os.pathsep.join([str(tmp_path), *sys.path])
        environment = os.environ | {"PYTHONPATH": path} | ({"MENDED": "1"} if mended else {})
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.name]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
        return done.returncode, done.stdout

    return run


def test_a_printed_test_fails_with_the_bug_and_passes_without(
    functions: Any, run_pytest: Outcome
) -> None:
    source = pytest_source(
        functions.wrong,
        np.array([0, 1, 0]),
        ReferenceOracle.equal("exact", functions.right),
        name="the wrong one",
        size=3,
        reason='value mismatch: "0" is not 1 at [2]\nand \\ a second line é',
    )
    assert "def test_the_wrong_one_at_size_3():" in source
    code, out = run_pytest(source, mended=False)
    assert code == 1
    assert "value mismatch: 0 is not 1 at [2] (1 of 3 elements differ)" in out
    assert run_pytest(source, mended=True)[0] == 0


def test_a_printed_test_sees_a_changed_input(functions: Any, run_pytest: Outcome) -> None:
    oracle = ReferenceOracle.close("close", functions.right, rel=0.5, abs=3)
    source = pytest_source(functions.greedy, [1.5, 2.0], oracle)
    assert "rel=0.5, abs=3.0" in source
    assert "def test_greedy():" in source
    code, out = run_pytest(source, mended=False)
    assert code == 1
    assert "changed its input" in out


def test_every_ready_made_oracle_can_be_written(functions: Any) -> None:
    oracles = {
        "equal('x', prefix_sums_under_test.right)": ReferenceOracle.equal("x", functions.right),
        "equal('x', np.sort, np.array_equal)": ReferenceOracle.equal("x", np.sort, np.array_equal),
        "same_outcome('x', np.sort)": ReferenceOracle.same_outcome("x", np.sort),
        "close('x', np.sort, rel=1e-09, abs=0.0)": ReferenceOracle.close("x", np.sort),
    }
    for text, oracle in oracles.items():
        assert f"oracle = ReferenceOracle.{text}" in pytest_source(np.sort, [2, 1], oracle)


def test_what_a_test_could_not_import_is_refused_by_name(functions: Any) -> None:
    right = ReferenceOracle.equal("x", functions.right)
    with pytest.raises(NoSource, match="the implementation has no import name"):
        pytest_source(lambda x: x, [1], right)
    with pytest.raises(NoSource, match="the reference has no import name"):
        pytest_source(functions.wrong, [1], ReferenceOracle.equal("x", lambda x: x))
    own = ReferenceOracle("own", None, 1, lambda *_: 1, lambda *_: 1, str)  # type: ignore[arg-type]
    with pytest.raises(NoSource, match="the oracle 'own' cannot be written as source"):
        pytest_source(functions.wrong, [1], own)
    with pytest.raises(NoSource, match="a object cannot be written"):
        pytest_source(functions.wrong, object(), right)
    wrong: Any = functions.right
    with pytest.raises(TypeError, match="oracle must be a ReferenceOracle"):
        pytest_source(functions.wrong, [1], wrong)
