"""R8 and the build: what `build_info` says, and a build without OpenMP that says so."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lunaflow
from lunaflow.runtime import build_info

ROOT = Path(__file__).parents[2]
ASK = (
    "import os, numpy as np, lunaflow; from lunaflow.runtime import build_info;"
    "x = np.arange(10**6);"
    "assert lunaflow.sum(x, workers=4) == sum(range(10**6));"
    "assert (lunaflow.scan(x, workers=4) == np.cumsum(x)).all();"
    "print({**build_info(), 'file': lunaflow.__file__})"
)


def test_build_info_is_of_this_process() -> None:
    info = build_info()
    assert info["lunaflow"] == lunaflow.__version__
    assert info["numpy"] == np.__version__
    assert info["python"] == sys.version.split()[0]
    assert info["openmp"] == (info["openmp_version"] > 0)
    assert 1 <= info["cpus"] <= (os.cpu_count() or 1)
    if info["openmp"]:
        assert Path(info["openmp_library"]).is_file()


@pytest.fixture(scope="module")
def without_openmp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package but for what knows no threads, built in place with LUNAFLOW_NO_OPENMP=1."""
    tree = tmp_path_factory.mktemp("without-openmp")
    ignore = shutil.ignore_patterns("*.so", "__pycache__", "autodiff")
    shutil.copytree(ROOT / "src", tree / "src", ignore=ignore)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=tree,
        env=os.environ | {"LUNAFLOW_NO_OPENMP": "1"},
        check=True,
        capture_output=True,
        timeout=1200,
    )
    return tree / "src"


@pytest.mark.compiler
@pytest.mark.timeout(1300)
def test_a_build_without_openmp_works_serially_and_says_so(without_openmp: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=os.environ | {"PYTHONPATH": str(without_openmp)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    info = ast.literal_eval(done.stdout)
    assert info["file"].startswith(str(without_openmp))
    assert info["openmp"] is False
    assert info["openmp_version"] == 0
    assert info["openmp_library"] is None
