"""The pytest plugin of lunaflow: the fixture `lunaflow_compare`.

It is a package beside lunaflow, and this module imports pytest alone: a test run that does not use
the fixture imports nothing of lunaflow, and no NumPy.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lunaflow_pytest._session import Session
    from lunaflow_pytest.comparing import Compare

__all__: list[str] = []

_PROTOCOLS = ("quick-check", "development", "regression-gate")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("lunaflow", "comparing implementations (lunaflow)")
    group.addoption(
        "--lunaflow-protocol",
        choices=_PROTOCOLS,
        help="How much lunaflow_compare measures, whatever the tests and the ini file say.",
    )
    group.addoption(
        "--lunaflow-baseline",
        metavar="FILE",
        help="Let assert_not_slower also compare with the run that this file holds, as "
        "--lunaflow-save stored it.",
    )
    group.addoption(
        "--lunaflow-save",
        metavar="FILE",
        help="Append what lunaflow_compare measures to this file; of a test that is there already "
        "the last run counts.",
    )
    parser.addini(
        "lunaflow_protocol",
        "how much lunaflow_compare measures where a test does not say: " + ", ".join(_PROTOCOLS),
        default="development",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse at once what could only fail later."""
    protocol = config.getini("lunaflow_protocol")
    if protocol not in _PROTOCOLS:
        known = ", ".join(_PROTOCOLS)
        raise pytest.UsageError(f"lunaflow_protocol must be one of {known}, not {protocol!r}")
    baseline, save = _path(config, "baseline"), _path(config, "save")
    if baseline is not None and not baseline.is_file():
        raise pytest.UsageError(f"--lunaflow-baseline: there is no file {baseline}")
    if save is not None and not _may_be_written(save):
        raise pytest.UsageError(f"--lunaflow-save: {save} is no file that could be written")
    if baseline is not None and save is not None and save.exists() and save.samefile(baseline):
        raise pytest.UsageError(
            "--lunaflow-save names the baseline: it would follow every slow change; name another "
            "file"
        )
    if (baseline or save) and config.getoption("dist", "no") != "no":
        raise pytest.UsageError(
            "--lunaflow-baseline and --lunaflow-save need timings, and under xdist nothing is "
            "timed: its workers share the cores; run with -n0"
        )


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what was asked for, if anything was."""
    given = {
        name: config.getoption(f"lunaflow_{name}") for name in ("protocol", "baseline", "save")
    }
    words = [f"{name} {value}" for name, value in given.items() if value is not None]
    return f"lunaflow: {', '.join(words)}" if words else None


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what stayed undecided, so that no test passes without a word, and what was stored."""
    session = config.stash.get(_SESSION, None)
    if session is None:
        return
    if session.undecided:
        terminalreporter.section("lunaflow: undecided, neither slower nor known not to be")
        for line in session.undecided:
            terminalreporter.write_line(line)
    if session.saved:
        terminalreporter.write_line(session.saved_text)


@pytest.fixture(scope="session")
def _lunaflow_session(pytestconfig: pytest.Config) -> "Session":
    from lunaflow_pytest._session import Session

    worker = hasattr(pytestconfig, "workerinput")
    protocol, ini = pytestconfig.getoption("lunaflow_protocol"), "lunaflow_protocol"
    session = Session(
        forced_protocol=protocol,
        protocol=pytestconfig.getini(ini),
        baseline=_path(pytestconfig, "baseline"),
        save=_path(pytestconfig, "save"),
        under_xdist=worker,
    )
    session.require_usable_save()
    pytestconfig.stash[_SESSION] = session
    return session


@pytest.fixture
def lunaflow_compare(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    _lunaflow_session: "Session",
) -> "Iterator[Compare]":
    """Compare a function with another one: whether it is right, and not slower.
    ``result = lunaflow_compare(new, old, sizes=[100, 10_000], make=make)``, then
    ``result.assert_equal()`` and ``result.assert_not_slower("5%")``. ``make(size, rng)`` returns
    an input; the other arguments are those of lunaflow.experiment.compare.
    """  # noqa: D205 (pytest --fixtures shows one paragraph)
    from lunaflow_pytest.comparing import Compare

    compare = Compare(request.node, tmp_path_factory, _lunaflow_session)
    request.node.stash[_COMPARE] = compare
    yield compare
    compare.save()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let no test pass that compares two functions and asserts nothing of them."""
    __tracebackhide__ = True
    yield
    if (compare := item.stash.get(_COMPARE, None)) is not None:
        compare.require_asserted()


def _may_be_written(path: Path) -> bool:
    # a device or a pipe is there, and no file
    if path.exists():
        return path.is_file() and os.access(path, os.R_OK | os.W_OK)
    return path.parent.is_dir() and os.access(path.parent, os.W_OK)


def _path(config: pytest.Config, option: str) -> Path | None:
    given = config.getoption(f"lunaflow_{option}")
    return None if given is None else config.invocation_params.dir / given


_SESSION: "pytest.StashKey[Session]" = pytest.StashKey()
_COMPARE: "pytest.StashKey[Compare]" = pytest.StashKey()
