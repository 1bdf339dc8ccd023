"""E17, M10: a failure that a run has found becomes a test, which fails until it is mended."""

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment import (
    BenchSpec,
    EventWriter,
    Experiment,
    Fixture,
    Implementation,
    Invalid,
    NoSource,
    Protocol,
    ReferenceAndRelational,
    ReferenceOracle,
    RelationalOracle,
    RunContext,
    SetupPolicy,
    Shrinker,
    candidates,
    read_run,
    run,
    to_pytest,
)
from lunaflow.experiment._observations import Failure

TINY = Protocol("TINY", pairs=2, processes=1, batch_seconds=1e-5, resamples=40)

FUNCTIONS = '''
"""Prefix sums, and one that forgets a carry."""

import os

import numpy as np


def right(x):
    return np.cumsum(x)


def wrong(x):
    out = np.cumsum(x)
    if not os.environ.get("MENDED"):
        out[4::4] -= x[3:-1:4]
    return out


def greedy(x):
    x[0] = 0
    return np.cumsum(x)


def make(size, rng):
    return rng.integers(1, 100, size)


def prepared(x):
    return x
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return functions that a test can import."""
    (tmp_path / "sums_that_fail.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("sums_that_fail")
    del sys.modules["sums_that_fail"]


def failures(
    module: Any, implementations: Any, *, steps: int = 5, **options: Any
) -> tuple[Failure, ...]:
    experiment = Experiment(
        "sums",
        implementations,
        sizes=[50],
        make=module.make,
        shrinker=Shrinker(candidates.by_type, max_steps=steps),
        protocol=TINY,
        **options,
    )
    return experiment.run(progress=False).failures


def run_pytest(source: str, folder: Path, **environment: str) -> tuple[int, str]:
    test = folder / "test_found.py"
    test.write_text(source, encoding="ascii")
    path = os.pathsep.join([str(folder), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.name],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout


def test_e17_a_found_failure_is_a_test_that_passes_once_it_is_mended(
    module: Any, tmp_path: Path
) -> None:
    (failure,) = failures(module, {"right": module.right, "wrong": module.wrong}, steps=200)
    before = list(sys.path)
    source = to_pytest(failure)
    assert sys.path == before
    assert "def test_wrong_at_size_50():" in source
    assert "given = np.array([0, 0, 0, 1, 0], dtype='<i8')" in source
    code, out = run_pytest(source, tmp_path)
    assert code == 1
    assert "value mismatch: 0 is not 1 at [4]" in out
    assert run_pytest(source, tmp_path, MENDED="1")[0] == 0


def test_a_failure_of_a_file_is_a_test_too(module: Any, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with EventWriter(path) as writer:
        experiment = Experiment(
            "sums",
            {"wrong": module.wrong},
            sizes=[50],
            make=module.make,
            reference=module.right,
            protocol=TINY,
        )
        experiment.run(events=writer, progress=False)
    (failure,) = read_run(path).experiments[0].failures
    source = to_pytest(failure)
    assert "oracle = ReferenceOracle.equal('equal', sums_that_fail.right)" in source


@pytest.mark.parametrize(
    ("oracle", "written"),
    [
        ("close", "ReferenceOracle.close('x', sums_that_fail.right, rel=1e-09, abs=0.0)"),
        ("relational", "ReferenceOracle.equal('pairs', sums_that_fail.right)"),
        ("both", "ReferenceOracle.equal('x', sums_that_fail.right)"),
    ],
)
def test_every_kind_of_oracle_is_written(module: Any, oracle: str, written: str) -> None:
    pairs = RelationalOracle.equal("pairs")
    oracles: dict[str, Any] = {
        "close": ReferenceOracle.close("x", module.right),
        "relational": pairs,
        "both": ReferenceAndRelational(ReferenceOracle.equal("x", module.right), pairs),
    }
    implementations = {"right": module.right, "also": module.right, "wrong": module.wrong}
    found = failures(module, implementations, oracle=oracles[oracle])
    (failure,) = [one for one in found if one.implementation == "wrong"]
    assert f"oracle = {written}" in to_pytest(failure)


def of_fixture(
    module: Any, fixture: Fixture, implementation: Implementation, path: Path
) -> Failure:
    oracle = ReferenceOracle.equal("x", module.right)
    plan = BenchSpec("sums", fixture, (implementation,), oracle, (50,)).compile().unwrap()
    run(plan, RunContext(0, {}, path, TINY))
    return read_run(path).experiments[0].failures[0]


def test_an_implementation_may_change_its_input_where_the_fixture_allows_it(
    module: Any, tmp_path: Path
) -> None:
    fixture = Fixture(module.make, setup_policy=SetupPolicy.EACH_CALL)
    greedy = Implementation.stateless("greedy", "", module.greedy)
    assert "given, oracle, may_change_input=True) == Valid()" in to_pytest(
        of_fixture(module, fixture, greedy, tmp_path / "events.jsonl")
    )


def step(given: Any, step: int, context: Any) -> Any:
    return given


def test_what_is_more_than_a_call_is_refused(module: Any, tmp_path: Path) -> None:
    prepared = Fixture(module.make, prepare=module.prepared)
    wrong = Implementation.stateless("wrong", "", module.wrong)
    with pytest.raises(NoSource, match="the input is prepared by the fixture"):
        to_pytest(of_fixture(module, prepared, wrong, tmp_path / "prepared"))
    stateful = Implementation.in_process("step", "", step)
    with pytest.raises(NoSource, match="step is no plain function of the input"):
        to_pytest(of_fixture(module, Fixture(module.make), stateful, tmp_path / "stateful"))


def test_what_cannot_be_imported_or_read_is_refused(module: Any) -> None:
    (failure,) = failures(module, {"right": module.right, "wrong": lambda x: module.wrong(x)})
    with pytest.raises(NoSource, match="the implementation has no import name"):
        to_pytest(failure)
    with pytest.raises(NoSource, match="cannot be replayed, so there is no input"):
        to_pytest(replace(failure, recipe=None))
    for recipe in (b"no pickle", pickle.dumps(3)):
        with pytest.raises(NoSource, match="the recipe cannot be read"):
            to_pytest(Failure("f", 1, Invalid("x"), recipe=recipe))
    wrong: Any = "failure"
    with pytest.raises(TypeError, match="failure must be a Failure"):
        to_pytest(wrong)


def test_the_recipe_is_no_part_of_equality_or_text(module: Any) -> None:
    result: tuple[Failure, ...] = failures(module, {"right": module.right, "wrong": module.wrong})
    assert result[0] == replace(result[0], recipe=None)
    assert "recipe" not in repr(result[0])
