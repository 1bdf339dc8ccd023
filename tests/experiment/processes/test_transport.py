"""M14: callables travel by import name, else by cloudpickle, else they are refused by name."""

import builtins
import functools
import importlib.util
import pickle
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lunaflow.experiment
from lunaflow.experiment import CannotTravel
from lunaflow.experiment.processes._transport import (
    pack,
    pack_job,
    package_root,
    unpack_job,
)

TASK = {"what": "to do"}


SOURCE = """
def helper(x):
    return 2 * x

def function(x):
    return helper(x) + 1
"""


def there_and_back(function: Any) -> Any:
    task, data = unpack_job(pack_job((TASK, pack("f", function))))
    assert task == TASK
    return pickle.loads(data)


def test_m14_a_function_of_an_importable_module_travels_by_name(
    functions: types.ModuleType,
) -> None:
    assert pack("f", functions.total) == pickle.dumps(functions.total)
    assert there_and_back(functions.total) is functions.total
    assert there_and_back(np.sin) is np.sin
    assert there_and_back(len) is len
    assert there_and_back(functools.partial(functions.total)).func is functions.total


def test_m14_the_path_travels_along(functions: types.ModuleType) -> None:
    data = pack_job(TASK)
    before = list(sys.path)
    try:
        sys.path[:] = [entry for entry in before if not entry.endswith("helpers")]
        unpack_job(data)
        assert sys.path == before
    finally:
        sys.path[:] = before


def test_a_source_tree_is_put_on_the_path_and_an_installation_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = str(Path(lunaflow.experiment.__file__).parents[2])
    monkeypatch.setattr("sysconfig.get_path", lambda name: f"/elsewhere/{name}")
    assert package_root() == here
    monkeypatch.setattr("sysconfig.get_path", lambda name: here)
    assert package_root() is None


def test_m14_lambdas_and_closures_travel_by_cloudpickle() -> None:
    base = 5
    assert there_and_back(lambda x: x + base)(1) == 6


def test_m14_a_module_that_is_on_no_path_travels_with_its_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "anything.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("found_on_no_path", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "found_on_no_path", module)
    packed = pack("f", module.function)
    monkeypatch.delitem(sys.modules, "found_on_no_path")
    assert pickle.loads(packed)(4) == 9


def test_m14_what_nothing_carries_is_refused_by_name_with_a_hint() -> None:
    lock = threading.Lock()
    with pytest.raises(CannotTravel, match=r"^f cannot be sent.*processes=1"):
        pack("f", lambda x: (lock, x))


def test_m14_without_cloudpickle_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **fields: Any) -> Any:
        if name == "cloudpickle":
            raise ImportError(name)
        return real(name, *args, **fields)

    monkeypatch.setattr(builtins, "__import__", without)
    message = r"g has no import name.*lunaflow\[experiment\].*processes=1"
    with pytest.raises(CannotTravel, match=message):
        pack("g", lambda x: x)
