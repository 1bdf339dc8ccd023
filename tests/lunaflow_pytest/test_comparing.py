"""The fixture in tests that pass and fail, and what they say."""

import sys

import pytest
from tests.lunaflow_pytest.conftest import Run, told

from lunaflow.cli import main


def test_a_test_that_passes_says_nothing(run: Run) -> None:
    result = run(
        """
def test_fast(lunaflow_compare):
    result = lunaflow_compare(Takes("fast", 99), Takes("slow", 100), **HOW)
    result.assert_equal()
    result.assert_not_slower("5%")
    result.assert_not_slower("0.5 %", undecided="fail")
    assert result.measured.comparison("fast", "slow", 8).decision.value == "equivalent"
"""
    )
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*lunaflow:*")


def test_slower_fails_with_the_figures_of_each_size(run: Run) -> None:
    result = run(
        """
class ByLength(Takes):
    def __call__(self, x):
        timed.NOW[0] += 8000 * (len(x) >= 8)
        return super().__call__(x)

def test_slow(lunaflow_compare):
    result = lunaflow_compare(ByLength("new", 100), Takes("old", 100), **HOW)
    result.assert_equal()
    result.assert_not_slower("10%")
    result.assert_not_slower("5%")
"""
    )
    result.assert_outcomes(failed=1)
    head, columns, four, eight, how, file = told(result)
    assert head == "AssertionError: new is slower than old at size 8, by more than 5 %"
    assert columns == "size new old difference interval noise floor"
    assert four == "4 100 µs 100 µs +0.0 % +0.0 to +0.0 % 0.00 % not slower"
    assert eight == "8 108 µs 100 µs +8.0 % +8.0 to +8.0 % 0.00 % SLOWER"
    assert how == "medians of calls, protocol DEVELOPMENT, intervals of 95 % over blocks"
    assert file.startswith("all figures: lunaflow report /")
    # no frame of the plugin between the user's line and the message
    result.stdout.fnmatch_lines(['>*result.assert_not_slower("5%")', "E*AssertionError: new is*"])
    result.stdout.no_fnmatch_line("*lunaflow_pytest/*.py*")


def test_a_wrong_result_fails_with_the_smallest_input_and_its_replay(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(
        """
def make(size, rng):
    return rng.integers(1, 100, size)

def right(x):
    return int(x.sum())

def wrong(x):
    return int(x.sum()) + (len(x) >= 5)

def test_wrong(lunaflow_compare):
    result = lunaflow_compare(wrong, right, sizes=[4, 8, 16], make=make, protocol=None)
    result.assert_equal()
"""
    )
    result.assert_outcomes(failed=1)
    head, what, shrunk, way, again = told(result)
    assert head == "AssertionError: wrong and right are not equal (oracle: equal)"
    assert what == "wrong at sizes 8 and 16: Invalid: value mismatch: 1 is not 0"
    assert shrunk == "shrunk to, of size 8: array([0, 0, 0, 0, 0])"
    assert way.startswith("by way of: array([")
    assert way.endswith("-> array([0, 0, 0, 0, 0])")
    command = again.removeprefix("run it again: ").split()
    assert command[:2] == ["lunaflow", "replay"]
    monkeypatch.setattr(sys, "argv", command)
    capsys.readouterr()
    assert main() == 1
    assert "it fails again: Invalid: value mismatch" in capsys.readouterr().out
    result.stdout.no_fnmatch_line("*lunaflow_pytest/*.py*")


def test_m1_m11_what_is_wrong_is_not_timed_however_fast(run: Run) -> None:
    result = run(
        """
def test_wrong(lunaflow_compare):
    wrong = timed.TakesOddly("wrong", 1)
    lunaflow_compare(wrong, Takes("old", 100), **HOW).assert_not_slower("5%")

def test_raises(lunaflow_compare):
    raises = timed.TakesUntilItRaises("raises", 1)
    lunaflow_compare(raises, Takes("old", 100), **HOW).assert_not_slower("5%")
"""
    )
    result.assert_outcomes(failed=2)
    lines = told(result)
    heads = [line for line in lines if line.startswith("AssertionError")]
    assert [head.partition(", ")[0] for head in heads] == [
        "AssertionError: wrong and old are not equal",
        "AssertionError: raises and old are not equal",
    ]
    assert "wrong at size 8: Invalid: value mismatch: 1 is not 0" in lines
    assert any("raises at size 8" in line and "OverflowError" in line for line in lines)
    # what stays in its interpreter cannot be kept
    assert any(line.startswith("no command runs it again") for line in lines)
    assert not any("noise floor" in line for line in lines)


def test_who_fails_only_while_it_is_timed_does_not_pass(run: Run) -> None:
    result = run(
        """
class Tired(Takes):
    calls = 0
    def result(self, x):
        self.calls += 1
        if self.calls > 50:
            raise OSError("tired")
        return super().result(x)

def test_tired(lunaflow_compare):
    result = lunaflow_compare(Tired("tired", 1), Takes("old", 100), **HOW)
    result.assert_equal()
    result.assert_not_slower("5%")
"""
    )
    result.assert_outcomes(failed=1)
    lines = told(result)
    assert lines[0].startswith("AssertionError: tired and old are not equal, so no speed counts")
    assert "OSError: tired" in lines[1]


def test_the_oracle_judges_both_functions(run: Run) -> None:
    result = run(
        """
from lunaflow.experiment import ReferenceOracle

def test_reference(lunaflow_compare):
    both = timed.TakesOddly("new", 1), timed.TakesOddly("old", 1)
    lunaflow_compare(*both, **HOW).assert_equal()  # each other's bugs
    lunaflow_compare(*both, reference=Takes("right", 1), **HOW).assert_equal()

def test_close(lunaflow_compare):
    how = {**HOW, "oracle": ReferenceOracle.close("to 10 %", Takes("right", 1), rel=0.1)}
    lunaflow_compare(timed.TakesOddly("new", 1), Takes("old", 1), **how).assert_equal()
"""
    )
    result.assert_outcomes(failed=1, passed=1)
    lines = told(result)
    assert lines[1].startswith("old at size 8: Invalid")
    assert any(line.startswith("new at size 8: Invalid") for line in lines)


def test_undecided_is_told_in_the_summary_or_fails(run: Run) -> None:
    source = """
def test_noisy(lunaflow_compare):
    new, old = Takes("new", 103, jitter=0.3), Takes("old", 100, jitter=0.3)
    result = lunaflow_compare(new, old, **HOW)
    result.assert_not_slower("4%"{})
"""
    result = run(source.format(""))
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "*lunaflow: undecided, neither slower nor known not to be*",
            "test_it.py::test_noisy: new against old at size 8: undecided: +* %*: * 4 %",
        ]
    )
    failing = run(source.format(', undecided="fail"'))
    failing.assert_outcomes(failed=1)
    assert told(failing)[0].startswith(
        "AssertionError: it is undecided whether new is slower than old at size"
    )


def test_what_was_never_timed_does_not_pass(run: Run) -> None:
    result = run(
        """
from lunaflow.experiment import ReferenceOracle

def test_traps(lunaflow_compare):
    new, old = (timed.TakesUntilItRaises(name, 100) for name in ("new", "old"))
    how = {**HOW, "sizes": [8], "oracle": ReferenceOracle.same_outcome("traps", old)}
    result = lunaflow_compare(new, old, **how)
    result.assert_equal()
    result.assert_not_slower("5%")
"""
    )
    result.assert_outcomes(failed=1)
    lines = told(result)
    assert lines[0] == (
        "AssertionError: nothing was timed, so nothing is known of the speed of new"
    )
    assert (
        "new against old at size 8: undecided: not timed: old traps (OverflowError); new traps "
        "(OverflowError)" in lines
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("0.05", 'TypeError: limit must be a text in percent, such as "5%" or "0.5%"'),
        ('"5"', "ValueError: limit must be a text in percent"),
        ('"5%", undecided="pass"', "ValueError: undecided must be 'report' or 'fail', not 'pass'"),
    ],
)
def test_nonsense_is_refused_before_anything_runs(run: Run, given: str, message: str) -> None:
    result = run(
        f"""
def test_limit(lunaflow_compare):
    result = lunaflow_compare(Takes("new", 100), Takes("old", 100), **HOW)
    try:
        result.assert_not_slower({given})
    finally:
        assert result.events is None
"""
    )
    result.assert_outcomes(failed=1)
    assert any(line.startswith(message) for line in told(result))


def test_a_test_may_compare_more_than_once(run: Run) -> None:
    result = run(
        """
def test_twice(lunaflow_compare):
    first = lunaflow_compare(Takes("new", 100), Takes("old", 100), **HOW)
    second = lunaflow_compare(Takes("new", 200), Takes("old", 100), **HOW)
    assert first.measured.name == "test_it.py::test_twice"
    assert second.measured.name == "test_it.py::test_twice #2"
    assert first.events != second.events
"""
    )
    result.assert_outcomes(passed=1)


def test_figures_are_properties_of_the_test(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
def test_fast(lunaflow_compare):
    lunaflow_compare(Takes("new", 50), Takes("old", 100), **HOW).assert_not_slower("5%")
""",
        "--junitxml=out.xml",
    )
    assert (
        'name="lunaflow" value="new against old at size 4: not slower: -50.0 % '
        in (pytester.path / "out.xml").read_text()
    )


def test_a_test_that_asserts_nothing_fails(run: Run) -> None:
    result = run(
        """
def test_forgotten(lunaflow_compare):
    lunaflow_compare(Takes("new", 100), Takes("old", 100), **HOW).assert_equal()
    lunaflow_compare(Takes("wrong", 100), Takes("old", 100), **HOW)

def test_has_failed_by_itself(lunaflow_compare):
    lunaflow_compare(Takes("new", 100), Takes("old", 100), **HOW)
    assert 1 == 2

def test_looks_itself(lunaflow_compare):
    assert lunaflow_compare(Takes("new", 100), Takes("old", 100), **HOW).measured.blocks

def test_compares_nothing(lunaflow_compare):
    pass
"""
    )
    result.assert_outcomes(failed=2, passed=2)
    result.stdout.fnmatch_lines(
        ["nothing was asserted of wrong and old, so nothing was run *: call assert_equal() or *"]
    )
    assert [line for line in told(result) if "assert" in line] == ["assert 1 == 2"]


def test_a_reference_that_raises_is_said_to_have_raised(run: Run) -> None:
    result = run(
        """
def test_reference(lunaflow_compare):
    raises = timed.TakesUntilItRaises("raises", 1)
    lunaflow_compare(Takes("new", 100), raises, **HOW).assert_equal()
"""
    )
    result.assert_outcomes(failed=1)
    lines = told(result)
    told_of = "the reference raises raised OverflowError: too much at 7; to expect exceptions "
    assert any(line.startswith(f"new at size 8: not judged: {told_of}") for line in lines)
    kind = "InfrastructureFailure"
    assert any(line.startswith(f"raises at size 8: {kind}: {told_of}") for line in lines)
