"""What an import of the package says and shows."""

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lunaflow
from lunaflow.autodiff import (
    derivative,
    gradient,
    hessian,
    jacobian,
    jvp,
    value_and_derivative,
    value_and_gradient,
    value_and_jacobian,
    value_and_jvp,
)

ONE_POINT: list[Any] = [
    derivative,
    value_and_derivative,
    gradient,
    value_and_gradient,
    jacobian,
    value_and_jacobian,
    hessian,
]
OPTIONS = "*, args=(), argnum=0, errors='raise')"


@pytest.mark.parametrize("driver", [*ONE_POINT, jvp, value_and_jvp])
def test_the_signatures_are_those_of_the_design(driver: Any) -> None:
    plain = inspect.Signature(
        [
            parameter.replace(annotation=inspect.Parameter.empty)
            for parameter in inspect.signature(driver).parameters.values()
        ]
    )
    points = "x=<omitted>" if driver in ONE_POINT else "x=<omitted>, v=<omitted>"
    assert str(plain) == f"(f, {points}, {OPTIONS}"


def test_a_missing_compiled_module_is_named_with_the_way_to_build_it(tmp_path: Path) -> None:
    package = Path(lunaflow.__file__).parent
    shutil.copytree(package, tmp_path / "lunaflow", ignore=shutil.ignore_patterns("__pycache__"))
    libraries = package.with_name("lunaflow.libs")
    if libraries.exists():  # a wheel brings its OpenMP
        shutil.copytree(libraries, tmp_path / libraries.name)
    for compiled in (tmp_path / "lunaflow" / "autodiff").glob("_derivative.*.*"):
        compiled.unlink()
    done = subprocess.run(
        [sys.executable, "-c", "import lunaflow.autodiff"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    *_, last = done.stderr.strip().splitlines()
    assert last.startswith(
        "ImportError: lunaflow's compiled module lunaflow.autodiff._derivative is missing"
    )
