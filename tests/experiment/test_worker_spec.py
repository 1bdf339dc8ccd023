"""M7: what a worker is, and what it may take, is said and checked before anything starts."""

import os
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from lunaflow.experiment import WorkerSpec


def test_a_command_is_a_program_with_arguments() -> None:
    spec = WorkerSpec(["sort", "{input}"], time_limit=2)
    assert spec.command == ("sort", "{input}")
    assert spec.program == "sort"
    assert spec.is_there
    assert spec.time_limit == 2.0
    assert not WorkerSpec(["no such program"]).is_there


def test_a_program_with_a_path_is_looked_for_in_the_folder(tmp_path: Path) -> None:
    program = tmp_path / "here"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert WorkerSpec(["./here"], folder=tmp_path).is_there
    assert not WorkerSpec(["./here"]).is_there
    assert WorkerSpec(["here"], environment={"PATH": str(tmp_path)}).is_there


def test_an_interpreter_is_kept_as_the_link_that_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # where the link lies says which environment it is of
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    spec = WorkerSpec(call="math:fsum", python="./python")
    assert spec.python == str(tmp_path / "python")
    assert spec.is_there
    assert WorkerSpec(call="math:fsum").program is None


def test_it_is_a_value_that_travels() -> None:
    spec = WorkerSpec(call=os.path.join, environment={"A": "1"}, memory_limit=2**30)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(pickle.loads(pickle.dumps(spec))) == hash(spec)
    assert spec != WorkerSpec(call=os.path.join, environment={"A": "2"}, memory_limit=2**30)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, ValueError, "a command or a call, and not both"),
        ({"command": ["a"], "call": "m:f"}, ValueError, "and not both"),
        ({"command": "sort -n"}, TypeError, "command must be a sequence of str"),
        ({"command": []}, ValueError, "command must begin with a program"),
        ({"command": ["a", 3]}, TypeError, r"command\[1\] must be a str"),
        ({"command": ["a", "\0"]}, ValueError, r"command\[1\] must hold no NUL"),
        ({"command": ["a"], "stateful": True}, ValueError, "stateful goes with a call"),
        ({"command": ["a"], "python": "p"}, ValueError, "python goes with a call"),
        ({"call": "numpy.sort"}, ValueError, "call must be 'module:name'"),
        ({"call": "numpy:a b"}, ValueError, "call must be 'module:name'"),
        ({"call": 3}, TypeError, "call must be callable"),
        ({"call": "m:f", "stateful": 1}, TypeError, "stateful must be a bool"),
        ({"call": "m:f", "python": 3}, TypeError, "python must be a path"),
        ({"command": ["a"], "encode": "xml"}, ValueError, "encode must be one of json, text"),
        ({"command": ["a"], "decode": 3}, TypeError, "decode must be callable"),
        ({"command": ["a"], "environment": []}, TypeError, "environment must be a mapping"),
        ({"command": ["a"], "environment": {"A": 1}}, TypeError, r"environment\['A'\] must be"),
        ({"command": ["a"], "environment": {"A=B": "1"}}, ValueError, "environment cannot hold"),
        ({"command": ["a"], "time_limit": 0}, ValueError, "time_limit must be above 0"),
        ({"command": ["a"], "time_limit": float("nan")}, ValueError, "time_limit must be above 0"),
        ({"command": ["a"], "time_limit": "1"}, TypeError, "time_limit must be a number"),
        ({"call": "m:f", "start_limit": -1}, ValueError, "start_limit must be above 0"),
        ({"call": "m:f", "memory_limit": 0}, ValueError, "memory_limit must be at least 1"),
        ({"call": "m:f", "memory_limit": 2**63}, ValueError, "memory_limit must be at most"),
        ({"call": "m:f", "output_limit": 1.5}, TypeError, "output_limit must be an integer"),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        WorkerSpec(**given)
