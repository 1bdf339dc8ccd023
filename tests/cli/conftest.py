"""Running the command: in this process for speed, or in its own as a user does."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lunaflow.cli import main

FLIGHTS = Path(__file__).parents[2] / "benchmarks" / "data" / "nyc_flights_2013.npz"
COMMAND = [sys.executable, "-m", "lunaflow.cli"]


@dataclass(frozen=True)
class Ended:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def lunaflow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process."""

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["lunaflow", *map(str, arguments)])
        status = main()
        printed = capsys.readouterr()
        return Ended(status, printed.out, printed.err)

    return run


def in_own_process(*arguments: object, **environment: str) -> Ended:
    """Run the command line as a user does."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=os.environ | environment,
    )
    return Ended(done.returncode, done.stdout, done.stderr)
