"""The command itself: help, info, the extra it asks for, and exit status."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tests.cli.conftest import Command, in_own_process


def test_help_names_the_commands_and_the_statuses(lunaflow: Command) -> None:
    ended = lunaflow("--help")
    assert ended.status == 0
    for word in ("tune", "run", "report", "info", "130"):
        assert word in ended.out


def test_an_unknown_command_is_status_2(lunaflow: Command) -> None:
    assert lunaflow("tun").status == 2


def test_info_says_what_this_installation_is(lunaflow: Command) -> None:
    ended = lunaflow("info")
    assert ended.status == 0
    for word in ("OpenMP", "instruction set", "usable CPUs", "none in force"):
        assert word in ended.out


def test_info_names_the_tuning_or_why_it_is_ignored(tmp_path: Path) -> None:
    missing = in_own_process("info", LUNAFLOW_TUNING=str(tmp_path / "none.json"))
    assert missing.status == 0
    assert missing.err == ""
    assert "none in force (LUNAFLOW_TUNING is ignored" in " ".join(missing.out.split())
    assert "none.json" in missing.out


@pytest.mark.parametrize("module", ["click", "rich"])
def test_a_missing_extra_is_asked_for_by_name(tmp_path: Path, module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules[{module!r}] = None\n")
    done = subprocess.run(
        [sys.executable, "-m", "lunaflow.cli", "info"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "lunaflow[experiment]" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="lunaflow")
    assert command.value == "lunaflow.cli:main"


def test_importing_the_package_imports_no_extra() -> None:
    code = (
        "import sys, lunaflow, lunaflow.plan, lunaflow.policy, lunaflow.experiment, lunaflow.cli;"
        "extras = {'scipy', 'matplotlib', 'jinja2', 'click', 'rich', 'cloudpickle'};"
        "sys.exit(', '.join(extras & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
