"""The file to store in: what is refused before anything is measured, and other writers of it."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.lunaflow_pytest.conftest import Run

from lunaflow.experiment import EventWriter, read_events
from lunaflow_pytest import _session
from lunaflow_pytest._session import Session

TEST = """
def test_speed(lunaflow_compare):
    __import__("pathlib").Path("ran").touch()
    lunaflow_compare(Takes("new", 50), Takes("old", 100), **HOW).assert_equal()
"""


@pytest.mark.parametrize("file", ["/dev/full", "/dev/null"])
def test_a_device_is_refused_at_once(run: Run, file: str) -> None:
    result = run(TEST, f"--lunaflow-save={file}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--lunaflow-save: {file} is no file that could be written"])


@pytest.mark.parametrize("content", [b"name,time\nsort,3\n", b"\x80\x00\xff\n\x81", b"[1, 2]\n"])
def test_a_file_of_something_else_is_refused_before_anything_is_measured(
    run: Run, pytester: pytest.Pytester, content: bytes
) -> None:
    file = pytester.path / "other"
    file.write_bytes(content)
    result = run(TEST, "--lunaflow-save=other")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*--lunaflow-save: *other is no events file*"])
    result.stdout.no_fnmatch_line("*Error: *")
    assert not (pytester.path / "ran").exists()
    assert file.read_bytes() == content


def test_a_file_that_is_of_no_use_later_leaves_what_was_measured_in_its_own(
    run: Run, pytester: pytest.Pytester
) -> None:
    source = TEST + "    import pathlib\n    pathlib.Path('later').write_text('[1]')\n"
    result = run(source, "--lunaflow-save=later")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["--lunaflow-save: *later is no events file*; what this test measured is in *.jsonl"]
    )


def failure(writer: EventWriter, number: int) -> None:
    writer.write(
        "failure", experiment="e", implementation="f", size=4, process=None,
        status={"kind": "Invalid", "reason": "no"}, input="1", path=[], flaky=False,
        fingerprint=None, id=f"f{number}",
    )  # fmt: skip


def a_session(save: Path) -> Session:
    return Session(None, "development", None, save, under_xdist=False)


def test_another_process_that_stores_is_waited_for_and_its_failures_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, own = tmp_path / "save", tmp_path / "own"
    with EventWriter(own) as writer:
        failure(writer, 1)
    session = a_session(save)
    session.keep(own)
    other = EventWriter(save)

    def sleep(_seconds: float) -> None:
        failure(other, 2)
        other.close()

    monkeypatch.setattr(_session, "time", SimpleNamespace(monotonic=time.monotonic, sleep=sleep))
    session.keep(own)
    session.keep(own)
    assert [event["id"] for event in read_events(save).events] == ["f1", "f2", "f3", "f4"]


def test_a_writer_that_does_not_end_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    with EventWriter(own) as writer:
        failure(writer, 1)
    monkeypatch.setattr(_session, "_WAIT_SECONDS", 0.0)
    with (
        EventWriter(tmp_path / "save"),
        pytest.raises(pytest.fail.Exception, match="another writer has the events file .* is in "),
    ):
        a_session(tmp_path / "save").keep(own)
