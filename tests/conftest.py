"""Set-up of the whole test run: no more threads than the machine's tests should take."""

import functools
import json
import os
from pathlib import Path
from typing import Any

from hypothesis import settings

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "2")
# threads that spin while they wait make a busy machine slow
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# no tuning of the machine's owner decides a test
os.environ.pop("LUNAFLOW_TUNING", None)
os.environ.pop("LUNAFLOW_WORKERS", None)

# a busy machine is no reason to fail
settings.register_profile("busy machine", deadline=None)
settings.load_profile("busy machine")

DATA = Path(__file__).parent / "data"


def load_cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of ``tests/data/<name>.json``."""
    cases: list[dict[str, Any]] = json.loads((DATA / f"{name}.json").read_text())["cases"]
    return cases


@functools.cache
def event_validator() -> Any:
    """Return what validates an event against the published JSON Schema."""
    from jsonschema import Draft202012Validator

    from lunaflow.experiment.events import json_schema

    return Draft202012Validator(json_schema())


def require_schema(line: str) -> None:
    """Fail unless a line of an events file is an event of the published schema."""
    errors = [f"{error.json_path}: {error.message}" for error in schema_errors(json.loads(line))]
    assert not errors, f"{line[:500]}\n{errors}"


def schema_errors(event: Any) -> list[Any]:
    """Return what the published schema has against an event."""
    return list(event_validator().iter_errors(event))
