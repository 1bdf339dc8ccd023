"""Stored runs: what is stored, what is compared with it, and why it may not be."""

import json
from pathlib import Path

import pytest
from tests.conftest import require_schema
from tests.lunaflow_pytest.conftest import Run, told

from lunaflow.experiment import read_run

TEST = """
def test_speed(lunaflow_compare):
    result = lunaflow_compare(Takes("new", {new}), Takes("old", {old}), **{how})
    result.assert_equal()
    result.assert_not_slower("5%"{more})
"""


def speed(new: float, old: float, how: str = "HOW", more: str = "") -> str:
    return TEST.format(new=new, old=old, how=how, more=more)


@pytest.fixture
def stored(run: Run, pytester: pytest.Pytester) -> Path:
    """Return a file with a run in which new takes 50 and old 100 microseconds."""
    result = run(speed(50, 100), "--lunaflow-save=base.jsonl")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["lunaflow: 1 run appended to *base.jsonl"])
    return pytester.path / "base.jsonl"


def test_a_stored_run_is_a_file_of_events(stored: Path) -> None:
    for line in stored.read_text().splitlines():
        require_schema(line)
    record = read_run(stored)
    assert record.complete
    (experiment,) = record.experiments
    assert experiment.name == "test_it.py::test_speed"
    # the function that was there first is the reference, and comes first
    assert experiment.implementations == ("old", "new")


@pytest.mark.parametrize(
    ("new", "old", "outcome"),
    [
        (51, 100, "passed"),
        (50, 104, "passed"),
        (58, 100, "failed"),
        # a machine that is slower today is slower for both
        (65, 130, "undecided"),
        (58, 115, "undecided"),
        # the other function got faster, or the machine did and this one lost it again
        (50, 90, "undecided"),
    ],
)
def test_slower_than_stored_is_slower_in_seconds_and_against_the_other(
    run: Run, stored: Path, new: float, old: float, outcome: str
) -> None:
    result = run(speed(new, old), f"--lunaflow-baseline={stored}")
    result.assert_outcomes(**{"failed" if outcome == "failed" else "passed": 1})
    if outcome == "undecided":
        result.stdout.fnmatch_lines(
            ["*test_speed: new against the stored run at size 4: undecided*"]
        )
    else:
        result.stdout.no_fnmatch_line("*undecided*")


def test_the_message_shows_both_tables(run: Run, stored: Path) -> None:
    result = run(speed(58, 100), f"--lunaflow-baseline={stored}")
    lines = told(result)
    assert lines[0] == (
        "AssertionError: new is slower than the stored run at sizes 4 and 8, by more than 5 %"
    )
    assert "4 58.0 µs 100 µs -42.0 % -42.0 to -42.0 % 0.00 % not slower" in lines
    assert "size now stored difference interval noise floor against old" in lines
    assert "4 58.0 µs 50.0 µs +16.0 % +16.0 to +16.0 % 0.00 % +16.0 to +16.0 % SLOWER" in lines


def test_undecided_can_fail_with_a_baseline_too(run: Run, stored: Path) -> None:
    source = speed(65, 130, more=', undecided="fail"')
    result = run(source, f"--lunaflow-baseline={stored}")
    lines = told(result)
    assert lines[0] == (
        "AssertionError: it is undecided whether new is slower than the stored run at sizes 4 and 8"
    )
    assert any("old has become slower too: the machine, or what both share" in x for x in lines)


def test_of_several_stored_runs_the_last_counts(run: Run, stored: Path) -> None:
    run(speed(60, 100), f"--lunaflow-save={stored}").assert_outcomes(passed=1)
    assert len(read_run(stored).experiments) == 2
    result = run(speed(62, 100), f"--lunaflow-baseline={stored}")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*undecided*")


def test_what_is_wrong_is_stored_with_failures_numbered_through(run: Run, stored: Path) -> None:
    wrong = """
def test_wrong(lunaflow_compare):
    lunaflow_compare(timed.TakesOddly("new", 50), Takes("old", 100), **HOW).assert_equal()

def test_wrong_too(lunaflow_compare):
    lunaflow_compare(timed.TakesOddly("new", 50), Takes("old", 100), **HOW).assert_equal()

def test_speed(lunaflow_compare):
    lunaflow_compare(timed.TakesOddly("new", 50), Takes("old", 100), **HOW).assert_equal()
"""
    run(wrong, f"--lunaflow-save={stored}").assert_outcomes(failed=3)
    failures = [f for one in read_run(stored).experiments for f in one.failures]
    assert [failure.id for failure in failures] == ["f1", "f2", "f3"]
    # a run that failed is no baseline
    result = run(speed(50, 100), f"--lunaflow-baseline={stored}")
    result.assert_outcomes(failed=1)
    assert "its run of test_it.py::test_speed has 1 failure" in result.stdout.str()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (speed(50, 100).replace("test_speed", "test_other"), "no run of test_it.py::test_other"),
        (speed(50, 100).replace('"new"', '"renamed"'), "is of old and new, and not of renamed"),
        (speed(50, 100, "{**HOW, 'sizes': [4, 9, 10]}"), "lacks sizes 9 and 10"),
    ],
)
def test_what_the_baseline_lacks_fails_and_says_how_to_store_it(
    run: Run, stored: Path, source: str, message: str
) -> None:
    result = run(source, f"--lunaflow-baseline={stored}")
    result.assert_outcomes(failed=1)
    assert message in result.stdout.str()
    result.stdout.fnmatch_lines(
        ["to store a run of it: pytest 'test_it.py::test_*' --lunaflow-save*"]
    )


def test_another_machine_is_refused_and_another_version_told(run: Run, stored: Path) -> None:
    text = stored.read_text()
    event = json.loads(text.splitlines()[0])
    cpu, python = event["environment"]["cpu"], event["environment"]["python"]
    stored.write_text(text.replace(json.dumps(cpu), '"Z80"'))
    result = run(speed(50, 100), f"--lunaflow-baseline={stored}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*it is of another machine: cpu was 'Z80', is *"])
    stored.write_text(text.replace(json.dumps(python), '"3.11.0rc1"'))
    run(speed(50, 100), f"--lunaflow-baseline={stored}").assert_outcomes(passed=1)
    slower = run(speed(58, 100), f"--lunaflow-baseline={stored}")
    assert any("python was '3.11.0rc1', is" in line for line in told(slower))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: "", "is empty"),
        (lambda text: "no events", "is no events file"),
        (lambda text: text[: len(text) // 2], "is damaged, so that figures may be missing"),
        (lambda text: text.replace('"seconds"', '"minutes"', 1), "is damaged, so that figures"),
        (
            lambda text: "".join(x for x in text.splitlines(True) if "_finished" not in x),
            "its run of test_it.py::test_speed was cut off",
        ),
    ],
)
def test_a_damaged_file_lets_nothing_pass(
    run: Run, stored: Path, damage: "object", message: str
) -> None:
    assert callable(damage)
    stored.write_text(damage(stored.read_text()))
    result = run(speed(50, 100), f"--lunaflow-baseline={stored}")
    result.assert_outcomes(failed=1)
    assert message in result.stdout.str()


def test_a_run_that_was_not_timed_is_no_baseline(run: Run, stored: Path) -> None:
    only_equal = speed(50, 100).replace('    result.assert_not_slower("5%")\n', "")
    run(only_equal, f"--lunaflow-save={stored}").assert_outcomes(passed=1)
    result = run(speed(50, 100), f"--lunaflow-baseline={stored}")
    result.assert_outcomes(failed=1)
    assert "its run of test_it.py::test_speed was not timed" in result.stdout.str()


def test_a_file_that_is_no_events_file_is_not_appended_to(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(speed(50, 100), "--lunaflow-save=timed.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*--lunaflow-save: *timed.py is no events file*"])
    assert "class Takes" in (pytester.path / "timed.py").read_text()
