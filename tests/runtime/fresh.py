"""Code in fresh interpreters, with a time limit."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python(code: str, **environment: str) -> str:
    """Run `code` in a fresh interpreter, and return what it printed."""
    return interpreter("-c", textwrap.dedent(code), **environment)


def interpreter(*arguments: str, **environment: str) -> str:
    """Run a fresh interpreter with `arguments`, and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | environment,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, f"exit status {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout.strip()
