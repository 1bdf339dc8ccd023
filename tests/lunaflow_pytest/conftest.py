"""What the tests of the plugin share: functions with a clock of their own, and runs of pytest."""

from collections.abc import Callable
from pathlib import Path

import pytest

# imported once: what a run of pytest imports anew is dropped when it ends
import lunaflow_pytest.comparing  # noqa: F401

Run = Callable[..., pytest.RunResult]

TIMED = Path(__file__).parent / "helpers" / "timed.py"
CONFTEST = """
import pytest
import timed

@pytest.fixture(autouse=True)
def the_clock_of_the_functions(monkeypatch):
    monkeypatch.setattr("lunaflow_pytest.comparing._CLOCK", timed.clock)
"""
HEAD = """
import timed
from timed import Takes

HOW = {"sizes": [4, 8], "make": timed.make, "processes": 1}
"""


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Return what runs pytest, in this process, on the source of some tests."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(timed=TIMED.read_text("utf-8"))
    pytester.syspathinsert()

    def run(source: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(test_it=HEAD + source)
        # this process has imported the plugin long ago
        quiet = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
        return pytester.runpytest_inprocess("-p", "lunaflow_pytest", "-W", quiet, *options)

    return run


def told(result: pytest.RunResult) -> list[str]:
    """Return the lines of what failed, white space squeezed."""
    return [" ".join(line[1:].split()) for line in result.outlines if line.startswith("E ")]
