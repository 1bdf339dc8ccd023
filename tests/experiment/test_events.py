"""M9: event files are appended line by line, and readable whatever happened to the writer."""

import errno
import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lunaflow.experiment import EventFileError, EventWriter, events, read_events


def write_some(path: Path, count: int) -> None:
    with EventWriter(path) as writer:
        for number in range(count):
            writer.write("run_finished", ended=f"at {number}")


def test_m9_events_come_back_as_they_were_returned(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with EventWriter(path) as writer:
        written = [
            writer.write("run_finished", ended="é\ud800", more=(float("nan"), 2**60)),
            writer.write("interrupted", ended="now", reason="x\ny"),
        ]
    assert repr(read_events(path).events) == repr(tuple(written))
    assert path.read_bytes().isascii()
    assert len(path.read_bytes().splitlines()) == 2


def test_m9_each_event_is_in_the_file_when_write_returns(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with EventWriter(path) as writer:
        for count in (1, 2, 3):
            writer.write("run_finished", ended="now")
            assert len(read_events(path).events) == count


TORN = b'{"lunaflow":1,"event":"run_finished","ended":"caf\xc3\xa9 and more"}'


@pytest.mark.parametrize("cut", [1, 20, TORN.index(b"\xc3") + 1, len(TORN) - 1])
def test_m9_torn_jsonl_line_is_not_welded_to_the_next(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run.jsonl"
    write_some(path, 2)
    path.write_bytes(path.read_bytes() + TORN[:cut])
    assert read_events(path).torn_tail
    with EventWriter(path) as writer:
        writer.write("run_finished", ended="new")
    log = read_events(path)
    assert [event["ended"] for event in log.events] == ["at 0", "at 1", "new"]
    assert log.damaged_lines == (3,)
    assert not log.torn_tail


@settings(max_examples=40)
@given(data=st.data())
def test_m9_a_file_cut_anywhere_gives_its_complete_lines(data: st.DataObject) -> None:
    lines = [
        json.dumps({"lunaflow": 1, "event": "run_finished", "ended": str(n)}) for n in range(3)
    ]
    whole = "".join(f"{line}\n" for line in lines).encode()
    cut = data.draw(st.integers(len(lines[0]) + 1, len(whole)))
    log = events._parsed(whole[:cut], Path("run.jsonl"))
    complete = whole[:cut].count(b"\n")
    # a line that lacks nothing but its newline is readable too
    assert complete <= len(log.events) <= complete + 1
    assert log.torn_tail == (not whole[:cut].endswith(b"\n"))
    torn = whole[:cut].split(b"\n")[-1]
    assert len(log.events) + len(log.damaged_lines) == complete + bool(torn)


@pytest.mark.parametrize(
    "line",
    [b"garbage", b"\xff\xfe", b"[1, 2]", b"null", b'{"a": 1}', b'{"lunaflow": 1}', b"[" * 99999,
     b'{"lunaflow":1,"event":"run_finished"}', b'{"lunaflow":1,"event":5}', b"\x00" * 50],
)  # fmt: skip
def test_m9_damaged_lines_are_numbered_and_skipped(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "run.jsonl"
    write_some(path, 3)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], line, b"", *lines[1:]]))
    log = read_events(path)
    assert len(log.events) == 3
    assert log.damaged_lines == (2,)


def test_events_of_unknown_kinds_are_kept_for_later_readers(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"lunaflow":1,"event":"of a later version","x":1}\n')
    assert read_events(path).events[0]["x"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read the events file .*No such file"),
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"just text\nand more\n", "is no events file"),
        (b'{"a": 1}\n', "is no events file: its first line is not an event"),
        (b'{"lunaflow": 99, "event": "x"}\n', "events of schema 99.* reads schema 1"),
    ],
)
def test_files_that_are_no_event_files_are_refused_by_name(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "run.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EventFileError, match=message) as caught:
        read_events(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", ['{"a": 1}\n', "[1]\n", "5\n", '{"lunaflow": 2, "event": 1}\n'])
def test_a_file_of_something_else_is_not_appended_to(tmp_path: Path, content: str) -> None:
    path = tmp_path / "precious.json"
    path.write_text(content)
    with pytest.raises(EventFileError, match="precious"):
        EventWriter(path)
    assert path.read_text() == content


def test_a_path_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(EventFileError, match="cannot open the events file .*missing"):
        EventWriter(tmp_path / "missing" / "run.jsonl")
    with pytest.raises(TypeError, match="path must be a str or a path"):
        EventWriter(5)  # type: ignore[arg-type]


def test_m9_what_is_no_regular_file_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link, tmp_path, Path("/dev/zero"), Path("/dev/full")):
        for use in (read_events, EventWriter):
            with pytest.raises(EventFileError, match=f"^{path} is no regular file"):
                use(path)


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOTSUP])
def test_m9_where_the_system_offers_no_locks_events_are_written_unlocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setattr(fcntl, "flock", refusing(code))
    write_some(tmp_path / "run.jsonl", 2)
    assert len(read_events(tmp_path / "run.jsonl").events) == 2


def test_m9_a_lock_that_fails_is_told_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fcntl, "flock", refusing(errno.EIO))
    with pytest.raises(EventFileError, match=r"cannot lock the events file .*run.jsonl: Input"):
        EventWriter(tmp_path / "run.jsonl")


def refusing(code: int) -> Callable[[int, int], None]:
    def refuse(_descriptor: int, _operation: int) -> None:
        raise OSError(code, os.strerror(code))

    return refuse


def test_m9_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with EventWriter(path) as writer:
        with pytest.raises(EventFileError, match="another writer has the events file"):
            EventWriter(path)
        writer.write("run_finished", ended="now")
    write_some(path, 1)
    assert len(read_events(path).events) == 2


def test_m9_two_processes_never_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    code = (
        "import sys; from lunaflow.experiment import EventWriter, EventFileError\n"
        "try:\n"
        "    with EventWriter(sys.argv[1]) as w:\n"
        "        for i in range(50): w.write('run_finished', ended='x' * 200_000)\n"
        "except EventFileError: sys.exit(3)\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command) as a, subprocess.Popen(command) as b:
        codes = sorted([a.wait(60), b.wait(60)])
    log = read_events(path)
    assert codes in ([0, 0], [0, 3])
    assert len(log.events) == 50 * codes.count(0)
    assert log.damaged_lines == ()


@pytest.mark.parametrize("partial", [0, 10])
def test_m9_a_full_disk_is_told_and_the_lines_before_stay_intact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, partial: int
) -> None:
    path = tmp_path / "run.jsonl"
    with EventWriter(path) as writer:
        writer.write("run_finished", ended="first")
        before = path.read_bytes()
        real, attempts = os.write, [0]

        def full(descriptor: int, data: bytes) -> int:
            attempts[0] += 1
            if partial and attempts[0] == 1:
                return real(descriptor, data[:partial])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(EventFileError, match="No space left.*lines before it are intact"):
                writer.write("run_finished", ended="lost")
        assert path.read_bytes() == before
        writer.write("run_finished", ended="after")
    assert [e["ended"] for e in read_events(path).events] == ["first", "after"]


def test_unknown_kinds_and_missing_fields_are_refused(tmp_path: Path) -> None:
    with EventWriter(tmp_path / "run.jsonl") as writer:
        with pytest.raises(ValueError, match="kind must be one of run_started"):
            writer.write("no such kind")
        with pytest.raises(ValueError, match="also needs reason"):
            writer.write("interrupted", ended="now")
        with pytest.raises(ValueError, match="ended of a run_finished event must not be 5"):
            writer.write("run_finished", ended=5)
        with pytest.raises(TypeError, match="value must be"):
            writer.write("run_finished", ended=object())
    with pytest.raises(ValueError, match="is closed"):
        writer.write("run_finished", ended="now")
    assert (tmp_path / "run.jsonl").read_bytes() == b""
