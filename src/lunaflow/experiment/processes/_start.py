"""The commands that start the processes: a warden, and what it watches."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from lunaflow.experiment.processes._transport import package_root

_STANDALONE = str(Path(__file__).with_name("standalone"))
# the modules there know no lunaflow, so they are a package of another name in their own process
_BOOT = (
    "import sys, types; package = types.ModuleType('lunaflow_standalone'); "
    "package.__path__ = [sys.argv[1]]; sys.modules[package.__name__] = package; "
    "from importlib import import_module; "
    "import_module('lunaflow_standalone.' + sys.argv[2]).main(sys.argv[3:])"
)


def warden(replies: int, its_input: int, inherited: Sequence[int], memory: int) -> list[str]:
    """Return the command of a warden; the command that it watches comes behind."""
    numbers = [str(replies), str(its_input), ",".join(map(str, inherited)), str(memory)]
    return [*standalone(sys.executable, "_warden", "-I", "-S"), *numbers]


def standalone(python: str, module: str, *options: str) -> list[str]:
    """Return the command that runs a module of `standalone`; its arguments come behind."""
    return [python, *options, "-c", _BOOT, _STANDALONE, module]


def fresh_interpreter() -> list[str]:
    """Return the command of an interpreter that does jobs; its descriptors come behind."""
    return [sys.executable, "-m", "lunaflow.experiment.engine._child"]


def environment_with_lunaflow() -> Mapping[str, str]:
    """Return the environment in which a fresh interpreter finds lunaflow."""
    paths = [package_root(), os.environ.get("PYTHONPATH")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
