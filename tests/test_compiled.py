"""An import without the compiled modules says how to build them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import lunaflow


def test_a_missing_compiled_module_is_named_with_the_way_to_build_it(tmp_path: Path) -> None:
    package = Path(lunaflow.__file__).parent
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(package, tmp_path / "lunaflow", ignore=ignore)
    done = subprocess.run(
        [sys.executable, "-c", "import lunaflow.arithmetic"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    *_, last = done.stderr.strip().splitlines()
    assert last.startswith("ImportError: lunaflow's compiled module lunaflow.arithmetic._")
    assert "pip install ." in last
    assert "build_ext --inplace" in last
