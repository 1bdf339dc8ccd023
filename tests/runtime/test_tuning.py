"""R6, R11: the tuning in force, and what happens to a stale, foreign or damaged file."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lunaflow
from lunaflow.plan import PlanKind, ReductionKernel
from lunaflow.policy import Fallback, Global, Lookup, Piecewise, PolicySet, Region, save
from lunaflow.runtime import _tuning, current_tuning, plan_for, use_tuning
from lunaflow.runtime._machine import machine
from lunaflow.runtime._threads import default_workers
from lunaflow.runtime._tuning import tuning_source, workers_for

PARALLEL_FROM_1000 = Piecewise(
    (Region(256, 512, "serial", ()), Region(1000, 4096, "parallel", ())), undecided=(600, 800)
)


@pytest.fixture
def tuning(tmp_path: Path) -> Iterator[Path]:
    """A tuning file of this machine; none is in force after the test."""
    path = tmp_path / "tuning.json"
    policies: dict[tuple[str, str], Any] = {
        ("sum", "I64"): PARALLEL_FROM_1000,
        ("scan", "I64"): Global("serial"),
        ("max", "I32"): Global("parallel"),
        ("min", "I32"): Fallback("serial", "no crossover was found"),
    }
    save(PolicySet(policies, machine()), path)
    yield path
    use_tuning(None)


def test_r6_calls_without_workers_follow_the_tuning(tuning: Path) -> None:
    assert use_tuning(tuning) == current_tuning()
    assert tuning_source() == str(tuning)
    many = default_workers()
    assert workers_for("sum", np.dtype(np.int64), 512) == 1
    assert workers_for("sum", np.dtype(np.int64), 1000) == many
    assert workers_for("sum", np.dtype(np.int64), 10**9) == many
    assert workers_for("scan", np.dtype(np.int64), 10**9) == 1
    assert workers_for("max", np.dtype(np.int32), 2) == many
    assert workers_for("min", np.dtype(np.int32), 10**9) == 1
    # what the file does not speak of keeps the measured default
    assert workers_for("double", np.dtype(np.int32), 10**9) == many
    x = np.ones(1000, np.int64)
    p = plan_for(x, PlanKind.REDUCE, ReductionKernel.SUM)
    assert p.policy.worker_count == many
    assert lunaflow.sum(x) == 1000


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_r6_a_scan_is_shared_among_three_or_more(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_tuning, "default_workers", lambda: workers)
    assert workers_for("scan", np.dtype(np.int64), 10**7) == (workers if workers > 2 else 1)
    assert workers_for("sum", np.dtype(np.int64), 10**7) == workers
    assert workers_for("scan", np.dtype(np.int64), 1000) == 1


def test_r6_an_explicit_count_beats_the_tuning(tuning: Path) -> None:
    use_tuning(tuning)
    p = plan_for(np.ones(1000, np.int64), PlanKind.REDUCE, ReductionKernel.SUM, workers=7)
    assert p.policy.worker_count == 7


def test_use_tuning_none_follows_none(tuning: Path) -> None:
    use_tuning(tuning)
    assert use_tuning(None) is None
    assert current_tuning() is None


def foreign(path: Path) -> Path:
    save(PolicySet({}, {**machine(), "cpu": "Another 9000", "cpus": 96}), path)
    return path


def cut_in_half(path: Path) -> Path:
    save(PolicySet({("sum", "I64"): PARALLEL_FROM_1000}, machine()), path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def by_texts(path: Path) -> Path:
    by_name = Lookup((("small", "serial"), ("big", "parallel")))
    save(PolicySet({("sum", "I64"): by_name}, machine()), path)
    return path


def strange_choice(path: Path) -> Path:
    save(PolicySet({("sum", "I64"): Global("gpu")}, machine()), path)
    return path


BAD = [
    (foreign, "cpu was 'Another 9000'"),
    (cut_in_half, "tuning.json"),
    (strange_choice, "gpu"),
    (by_texts, "by texts"),
]


@pytest.mark.parametrize(("make", "said"), BAD, ids=lambda value: getattr(value, "__name__", None))
def test_r11_use_tuning_raises_and_keeps_what_was_in_force(
    tuning: Path, tmp_path: Path, make: Any, said: str
) -> None:
    before = use_tuning(tuning)
    (tmp_path / "bad").mkdir()
    bad = make(tmp_path / "bad" / "tuning.json")
    with pytest.raises(ValueError, match=said):
        use_tuning(bad)
    assert current_tuning() == before


def test_r11_use_tuning_of_a_missing_file_raises_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        use_tuning(tmp_path / "none.json")


CALL_TWICE = """
    import warnings
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import numpy as np, lunaflow
        from lunaflow.runtime import _tuning, current_tuning
        print(lunaflow.sum(np.ones(200_000, np.int64)), lunaflow.sum(np.ones(3, np.int64)))
    for w in caught:
        print(w.category.__name__, w.filename, w.message)
    print(current_tuning() is None)
"""


def with_environment(path: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CALL_TWICE)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env=os.environ | {"LUNAFLOW_TUNING": str(path)},
    )
    return done.stdout.strip().split("\n")


@pytest.mark.parametrize(("make", "said"), BAD, ids=lambda value: getattr(value, "__name__", None))
def test_r11_a_bad_file_of_the_environment_warns_once_and_is_ignored(
    tmp_path: Path, make: Any, said: str
) -> None:
    result, warning, ignored = with_environment(make(tmp_path / "tuning.json"))
    assert result == "200000 3"
    assert warning.startswith("RuntimeWarning <string> LUNAFLOW_TUNING is ignored")
    assert said in warning
    assert ignored == "True"


def test_r11_a_missing_file_of_the_environment_warns_once(tmp_path: Path) -> None:
    result, warning, ignored = with_environment(tmp_path / "none.json")
    assert (result, ignored) == ("200000 3", "True")
    assert "none.json" in warning


def test_r11_code_without_a_module_name_is_warned_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUNAFLOW_TUNING", str(tmp_path / "none.json"))
    monkeypatch.setattr(_tuning, "_in_force", {})
    with pytest.warns(RuntimeWarning, match="none.json"):
        exec("lunaflow.sum(np.arange(4))", {"lunaflow": lunaflow, "np": np})


def test_a_good_file_of_the_environment_is_followed(tuning: Path) -> None:
    assert with_environment(tuning) == ["200000 3", "False"]
