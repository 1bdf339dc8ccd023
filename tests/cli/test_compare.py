"""``lunaflow compare`` and ``lunaflow replay``: from two expressions to a verdict, and back."""

import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import Command

from lunaflow.experiment import EventWriter, read_events, read_run
from lunaflow.policy import Fallback, load

QUICK = ("--protocol", "quick-check", "--processes", "1", "--sizes", "8,64")
SETUP = ("--setup", "x = rng.permutation(n)")


def test_two_expressions_are_validated_timed_and_compared(
    lunaflow: Command, tmp_path: Path
) -> None:
    events, report, policy = (tmp_path / name for name in ("e.jsonl", "r.html", "p.json"))
    files = ("--events", events, "--report", report, "--policy", policy)
    ended = lunaflow("compare", "np.sort(x)", "py=np.array(sorted(x))", *SETUP, *QUICK, *files)
    assert ended.status == 0, ended.err
    for text in (
        "np.sort(x) and py: median time of a call, protocol QUICK_CHECK",
        "np.sort(x): right at 2 of 2 sizes, validated on 6 inputs",
        "np.sort(x) against py: ",
        f"{events}: a complete run (1 of 1 experiments begun are finished",
    ):
        assert text in ended.out
    (found,) = read_run(events).experiments
    assert found.implementations == ("np.sort(x)", "py")
    assert found.sizes == (8, 64)
    assert "<html" in report.read_text()
    assert list(load(policy).policies) == [("np.sort(x) and py", "any")]


def test_m11_a_policy_falls_back_on_an_expression_that_is_right(
    lunaflow: Command, tmp_path: Path
) -> None:
    policy, report = tmp_path / "p.json", tmp_path / "r.html"
    files = ("--reference", "np.sort(x)", "--policy", policy, "--report", report)
    bad = "bad=np.sort(x) + (n == 64)"
    ended = lunaflow("compare", bad, "right=np.sort(x)", *SETUP, *QUICK, *files)
    assert ended.status == 1
    (stored,) = load(policy).policies.values()
    assert isinstance(stored, Fallback)
    assert stored.choice == "right"
    assert stored.reason.startswith("bad failed at size 64: ")
    assert "so it says right" in ended.out
    # the machine is known where it was measured
    assert "Not known here" not in report.read_text()
    policy.unlink()
    ended = lunaflow("compare", bad, "too=np.sort(x) + 1", *SETUP, *QUICK, *files)
    assert ended.status == 1
    assert f"{policy} is not written: each of the expressions failed" in ended.out
    assert not policy.exists()


def test_a_wrong_expression_is_a_failure_that_is_replayed(
    lunaflow: Command, tmp_path: Path
) -> None:
    events = tmp_path / "e.jsonl"
    bad = "bad=np.sort(x) + (n == 64)"
    ended = lunaflow("compare", "np.sort(x)", bad, *SETUP, *QUICK, "--events", events)
    assert ended.status == 1
    assert "FAILED bad at size 64: Invalid: value mismatch" in ended.out
    (failure,) = [e for e in read_events(events).events if e["event"] == "failure"]
    # M10: the event carries the input, the path to it, the fingerprint and the command
    # the variables stay, and so does n; each gets as simple as its type allows
    assert failure["input"] == "{'n': 64, 'x': array([0])}"
    assert failure["minimal"] == {"x": np.array([0]), "n": 64}
    assert failure["path"][-1] == failure["input"]
    assert len(failure["fingerprint"]) == 64
    assert failure["command"] == f"lunaflow replay {events} --id f1 --yes"

    shown = lunaflow("replay", events, "--dry-run")
    assert shown.status == 0
    told = ["implementation: bad at size 64", "status: Invalid: value mismatch", "'n': 64"]
    for text in (*told, failure["fingerprint"], failure["command"], "nothing was run"):
        assert text in shown.out
    assert lunaflow("replay", events).out == shown.out

    again = lunaflow("replay", events, "--yes", "--id", "f1")
    assert again.status == 1
    assert "failure f1: it fails again: Invalid: value mismatch" in again.out


def test_a_failure_that_is_gone_is_said_to_be(
    lunaflow: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a module beside the user, which is wrong at first and right later
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    module = tmp_path / "beside.py"
    module.write_text("def total(x):\n    return sum(x) + 1\n")
    setup = ("--setup", "import beside; x = list(range(n))")
    arguments = ("sum(x)", "beside.total(x)", *setup, *QUICK, "--events", "e.jsonl")
    assert lunaflow("compare", *arguments).status == 1
    module.write_text("def total(x):\n    return sum(x) + 2\n")
    assert "it fails again" in lunaflow("replay", "e.jsonl", "--yes", "--id", "f1").out
    module.write_text("def total(x):\n    raise OverflowError('no')\n")
    other = lunaflow("replay", "e.jsonl", "--yes", "--id", "f1")
    assert other.status == 1
    assert "it fails in another way: Invalid: outcome mismatch" in other.out
    module.write_text("def total(x):\n    return sum(x)\n")
    gone = lunaflow("replay", "e.jsonl", "--yes", "--id", "f1")
    assert gone.status == 0
    assert "it does not fail any more (Valid)" in gone.out


def test_a_run_that_was_cut_goes_on(lunaflow: Command, tmp_path: Path) -> None:
    events = tmp_path / "e.jsonl"
    arguments = ("sum(x)", "b=np.sum(x)", *SETUP, *QUICK, "--close", "0", "--events", events)
    assert lunaflow("compare", *arguments).status == 0
    (whole,) = read_run(events).experiments
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join(lines[:-8]) + b'{"torn')
    ended = lunaflow("compare", *arguments, "--resume")
    assert ended.status == 0, ended.err
    record = read_run(events)
    assert record.complete
    assert [b.id for b in record.experiments[0].blocks] == [b.id for b in whole.blocks]
    # without the word a file that is there is not touched
    refused = lunaflow("compare", *arguments)
    assert refused.status == 2
    assert "is there already" in refused.err
    other = lunaflow("compare", *arguments, "--resume", "--seed", "3")
    assert other.status == 2
    assert "seed: there 0, here 3" in other.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x +",), "the expression 'x +' is not Python"),
        (("x", "x"), "the name x is given twice"),
        (("x", "x+0", "--setup", "x = y"), "the set-up failed for n = 8: NameError"),
        (("x", "--sizes", "8..4"), "must ascend"),
        (("x", "--resume"), "--resume goes on with the run that --events names"),
        (("x (control)=1", "--reference", "1"), "is not Python"),
        (("len(x)", "--close", "-1"), "--close"),
        (("y=x", "x", "--setup", "import threading; x = threading.Lock()"), "cannot be copied"),
        (("x",), "there is nothing to compare the expression with"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    lunaflow: Command, arguments: tuple[str, ...], message: str
) -> None:
    setup = () if "--setup" in arguments else SETUP
    sizes = () if "--sizes" in arguments else ("--sizes", "8,64")
    ended = lunaflow("compare", *arguments, *setup, *sizes)
    assert ended.status == 2
    assert message in ended.err


def test_one_expression_is_validated_against_a_reference_or_kept_for_later(
    lunaflow: Command, tmp_path: Path
) -> None:
    for more in (("--reference", "np.array(sorted(x))"), ("--events", tmp_path / "e")):
        ended = lunaflow("compare", "np.sort(x)", *SETUP, *QUICK, *more)
        assert ended.status == 0, ended.err
        assert "np.sort(x): right at 2 of 2 sizes" in ended.out


@pytest.mark.parametrize(
    "arguments",
    [("y", "sorted(x)"), ("sorted(x)", "--reference", "y"), ("z=sorted(x)", "--reference", "y")],
)
def test_a_reference_that_raises_is_told_first_without_advice_for_python(
    lunaflow: Command, arguments: tuple[str, ...]
) -> None:
    ended = lunaflow("compare", *arguments, *SETUP, *QUICK)
    assert ended.status == 1
    name = "z" if "z=" in arguments[0] else "sorted(x)"
    told = (
        f"NOT JUDGED {name} at sizes 8 and 64: the reference y raised NameError: name 'y' is not "
    )
    (line,) = [one for one in ended.out.splitlines() if one.startswith("NOT JUDGED")]
    assert line.startswith(told)
    assert f"FAILED {name}" not in ended.out
    assert "oracle" not in ended.out
    assert not {"Traceback", "Expression", ".;"} & {*line.split()}
    assert ("FAILED y at sizes 8 and 64: " in ended.out) is (arguments[0] == "y")


def test_replay_shows_long_inputs_and_paths_cut(lunaflow: Command, tmp_path: Path) -> None:
    events = tmp_path / "e.jsonl"
    setup = ("--setup", "x = rng.integers(1, 10**9, n)")
    bad = "bad=np.sort(x) + (len(x) > 50)"
    more = ("--sizes", "100", "--protocol", "quick-check", "--processes", "1")
    lunaflow("compare", "np.sort(x)", bad, *setup, *more, "--events", events)
    (failure,) = [e for e in read_events(events).events if e["event"] == "failure"]
    assert max(map(len, failure["path"])) > 200
    shown = lunaflow("replay", events).out.splitlines()
    (path,) = [line for line in shown if line.startswith("  path: ")]
    assert len(path) < 8 * 64 + 60
    # the value is the input, told once
    assert not any(line.startswith("  value: ") for line in shown)
    told = str(read_run(events).experiments[0].failures[0]).splitlines()
    assert told[0].startswith("bad at size 100: Invalid: value mismatch: ")
    assert told[1].startswith("  shrunk to: {'n': 100, 'x': array([")
    assert told[2] == f"  by way of: {path.removeprefix('  path: ')}"
    assert told[3] == f"  run it again: lunaflow replay {events} --id f1 --yes"


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--yes",)])
def test_m10_nothing_of_the_file_runs_without_yes(
    lunaflow: Command, tmp_path: Path, options: tuple[str, ...]
) -> None:
    file, trace = tmp_path / "e.jsonl", tmp_path / "trace"
    with EventWriter(file) as events:
        events.write(
            "failure", experiment="e", implementation="f", size=4, process=None,
            status={"kind": "Invalid", "reason": "no"}, input="1", path=[], flaky=False,
            fingerprint=None, id="f1", recipe=pickle.dumps(_Touching(str(trace))),
        )  # fmt: skip
    lunaflow("replay", file, *options)
    assert trace.exists() is (options == ("--yes",))


class _Touching:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (self._path,)


def test_replay_refuses_what_holds_no_failure(lunaflow: Command, tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    assert lunaflow("replay", file).status == 2
    with EventWriter(file) as events:
        events.write("run_finished", ended="now")
    ended = lunaflow("replay", file)
    assert (ended.status, "holds no failure" in ended.err) == (2, True)
    with EventWriter(file) as events:
        events.write(
            "failure", experiment="e", implementation="f", size=4, process=0,
            status={"kind": "Invalid", "reason": "no"}, input=None, path=[], flaky=True,
            fingerprint=None, id="f9", recipe=None,
        )  # fmt: skip
    assert "command: none" in lunaflow("replay", file).out
    ended = lunaflow("replay", file, "--yes")
    assert ended.status == 2
    assert "failure f9 cannot be replayed" in ended.err
    assert lunaflow("replay", file, "--id", "f1").status == 2
    assert lunaflow("replay", file, "--yes", "--dry-run").status == 2


def test_a_recipe_that_cannot_be_read_is_told(lunaflow: Command, tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    with EventWriter(file) as events:
        events.write(
            "failure", experiment="e", implementation="f", size=4, process=None,
            status={"kind": "Invalid", "reason": "no"}, input="1", path=["2"], flaky=False,
            fingerprint=None, id="f1", recipe=b"no pickle",
        )  # fmt: skip
    ended = lunaflow("replay", file, "--yes")
    assert ended.status == 2
    assert "cannot be replayed: UnpicklingError" in ended.err
    assert "path: 2" in ended.out


def test_runs_side_by_side_tell_what_changed(lunaflow: Command, tmp_path: Path) -> None:
    def run_of(name: str, expression: str) -> Path:
        file = tmp_path / name
        arguments = ("f=sum(x)", f"g={expression}", *SETUP, *QUICK, "--events", file)
        lunaflow("compare", *arguments)
        return file

    before, after = run_of("a.jsonl", "np.sum(x)"), run_of("b.jsonl", "np.sum(x) + 1")
    ended = lunaflow("report", before, after, "-o", tmp_path / "r.html")
    assert ended.status == 0, ended.err
    assert f"{before} against {after}:" in ended.out
    assert "failed" in ended.out
    assert "of 4 figures changed" in ended.out
    assert f"{tmp_path / 'r.html'}: a complete run" in ended.out
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "value mismatch" in page
    assert "What changed from a to b" in page
    assert lunaflow("report", before, after, "-o", before).status == 2
    assert lunaflow("report", before, tmp_path / "none", "-o", tmp_path / "r.html").status == 2
