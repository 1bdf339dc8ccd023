"""What the tests of experiments share: functions that a fresh interpreter can import."""

import importlib
import types
from pathlib import Path

import pytest

HELPERS = Path(__file__).parent / "helpers"


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """Return the module of functions; its path travels with `sys.path`."""
    monkeypatch.syspath_prepend(str(HELPERS))
    return importlib.import_module("measured_functions")
