"""What the tests of experiments share: functions that a fresh interpreter can import."""

import importlib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import require_schema

from lunaflow.experiment import _recorder, events

HELPERS = Path(__file__).parent / "helpers"


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """Return the module of functions; its path travels with `sys.path`."""
    monkeypatch.syspath_prepend(str(HELPERS))
    return importlib.import_module("measured_functions")


@pytest.fixture(autouse=True)
def every_event_is_of_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """M13: hold each event that any test writes, in this process, against the published schema."""
    encoded = events.encoded_event

    def checked(kind: str, fields: Mapping[str, Any]) -> tuple[str, events.Event]:
        line, event = encoded(kind, fields)
        require_schema(line)
        return line, event

    monkeypatch.setattr(events, "encoded_event", checked)
    monkeypatch.setattr(_recorder, "encoded_event", checked)
