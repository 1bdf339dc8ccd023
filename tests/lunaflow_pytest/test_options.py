"""Protocols, the header, the help, and what is refused before any test runs."""

import pytest
from tests.lunaflow_pytest.conftest import Run

ONE = """
def test_protocol(lunaflow_compare):
    result = lunaflow_compare(Takes("new", 50), Takes("old", 100), **HOW{more})
    assert result.measured.protocol.name == "{name}"
"""


@pytest.mark.parametrize(
    ("ini", "more", "options", "name"),
    [
        ("", "", [], "DEVELOPMENT"),
        ("quick-check", "", [], "QUICK_CHECK"),
        ("quick-check", ", protocol=REGRESSION_GATE", [], "REGRESSION_GATE"),
        (
            "regression-gate",
            ", protocol=REGRESSION_GATE",
            ["--lunaflow-protocol=quick-check"],
            "QUICK_CHECK",
        ),
    ],
)
def test_the_command_line_goes_before_the_test_and_that_before_the_ini_file(
    run: Run, pytester: pytest.Pytester, ini: str, more: str, options: list[str], name: str
) -> None:
    if ini:
        pytester.makeini(f"[pytest]\nlunaflow_protocol = {ini}")
    head = "from lunaflow.experiment import REGRESSION_GATE\n"
    result = run(head + ONE.format(more=more, name=name), *options)
    result.assert_outcomes(passed=1)


def test_the_header_says_what_was_asked_for(run: Run) -> None:
    asked = run(
        "def test_nothing(): pass", "--lunaflow-protocol=regression-gate", "--lunaflow-save=new"
    )
    asked.stdout.fnmatch_lines(["lunaflow: protocol regression-gate, save new"])
    run("def test_nothing(): pass").stdout.no_fnmatch_line("lunaflow: *")


def test_the_fixture_and_the_options_are_explained(run: Run) -> None:
    fixtures = run("", "--fixtures")
    fixtures.stdout.fnmatch_lines(
        ["lunaflow_compare*", "*Compare a function with another one*", "*assert_not_slower*"]
    )
    run("", "--help").stdout.fnmatch_lines(["*--lunaflow-baseline=FILE*", "*lunaflow_protocol*"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lunaflow-baseline=none"], "*--lunaflow-baseline: there is no file *none"),
        (["--lunaflow-save=no/file"], "*--lunaflow-save: *no file that could be written"),
        (["--lunaflow-save=."], "*--lunaflow-save: *no file that could be written"),
        (
            ["--lunaflow-baseline=timed.py", "--lunaflow-save=timed.py"],
            "*--lunaflow-save names the baseline*",
        ),
        (
            ["-o", "lunaflow_protocol=fast"],
            "*lunaflow_protocol must be one of quick-check, dev*'fast'",
        ),
    ],
)
def test_what_cannot_work_is_refused_at_once(run: Run, options: list[str], message: str) -> None:
    result = run("def test_nothing(): pass", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
