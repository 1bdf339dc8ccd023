"""What runs without lunaflow needs the standard library of Python 3.9 and nothing else."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from lunaflow.experiment.processes import standalone
from lunaflow.experiment.processes._start import standalone as command_of

FILES = sorted(Path(standalone.__file__ or "").parent.glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_module_is_python_3_9_of_the_standard_library(file: Path) -> None:
    tree = ast.parse(file.read_text(), feature_version=(3, 9))
    assert not any(isinstance(node, ast.Match) for node in ast.walk(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert all(alias.name.split(".")[0] in sys.stdlib_module_names for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module == "__future__" or node.module.split(".")[0] in (  # type: ignore[union-attr]
                sys.stdlib_module_names
            )
    # annotations of later versions are never evaluated
    assert "from __future__ import annotations" in file.read_text()


def test_it_starts_where_nothing_is_installed() -> None:
    command = [*command_of(sys.executable, "_agent", "-I", "-S"), "1"]
    done = subprocess.run(command, input=b"", capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
