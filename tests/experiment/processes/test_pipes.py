"""M7: messages and frames arrive whole, however they are cut on the way; garbage is told."""

import io
import os
import tempfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lunaflow.experiment.processes._pipes import (
    Excerpt,
    Garbage,
    Inbox,
    read_note,
    send,
    write_note,
)
from lunaflow.experiment.processes.standalone._frames import frame, read_frame

MESSAGES = st.lists(st.tuples(st.text(), st.binary(max_size=50)), max_size=5)


def sent(messages: list[tuple[str, bytes]]) -> bytes:
    reader, writer = os.pipe()
    for text, payload in messages:
        send(writer, {"message": text}, payload)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        return file.read()


@given(st.lists(st.none() | st.text(), min_size=1, max_size=5))
def test_m7_the_last_note_is_read_whatever_was_noted_before(notes: list[str | None]) -> None:
    with tempfile.TemporaryFile() as file:
        assert read_note(file.fileno()) is None
        for note in notes:
            write_note(file.fileno(), note)
            assert read_note(file.fileno()) == note


@pytest.mark.parametrize("data", [b"", b'"f"', b"\xff garbage\n", b"{\n", b"5\n"])
def test_m7_what_is_no_note_names_nobody(data: bytes) -> None:
    with tempfile.TemporaryFile() as file:
        os.pwrite(file.fileno(), data, 0)
        assert read_note(file.fileno()) is None


@given(MESSAGES, st.lists(st.integers(0, 400)))
def test_m7_messages_arrive_whole_however_they_are_cut(
    messages: list[tuple[str, bytes]], cuts: list[int]
) -> None:
    data = sent(messages)
    ends = [*sorted(cuts), len(data)]
    inbox, found, start = Inbox(), list[Any](), 0
    for end in ends:
        inbox.add(data[start:end])
        start = max(start, end)
        while (message := inbox.next()) is not None:
            found.append((message["message"], message.get("payload", b"")))
    assert found == messages


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\n",
        b"5\n",
        b"{}\n",
        b"not json\n",
        b'{"message":"m","bytes":-1}\n',
        b'{"message":"m","bytes":1.5}\n',
        b"x" * (2**24 + 1),
    ],
)
def test_m7_what_is_no_message_is_told(line: bytes) -> None:
    inbox = Inbox()
    inbox.add(line)
    with pytest.raises(Garbage):
        inbox.next()


@given(st.lists(st.binary(min_size=1)), st.integers(0, 10))
def test_frames_come_back_and_a_torn_one_is_the_end(frames: list[bytes], torn: int) -> None:
    data = (
        b"".join(part for data in frames for part in frame(data))
        + b"".join(frame(b"x" * 20))[:torn]
    )
    file = io.BytesIO(data)
    assert [read_frame(file) for _ in frames] == frames
    assert read_frame(file) is None


@given(st.lists(st.binary(max_size=30)))
def test_m7_an_excerpt_keeps_the_beginning_and_the_end(pieces: list[bytes]) -> None:
    excerpt = Excerpt(shown=10)
    for piece in pieces:
        excerpt.add(piece)
    whole = b"".join(pieces)
    text = excerpt.text()
    if len(whole) <= 20:
        assert text == whole.decode("utf-8", "replace").strip()
    else:
        between = f"\n... {len(whole) - 20} bytes left out ...\n".encode()
        kept = whole[:10] + between + whole[-10:]
        assert text == kept.decode("utf-8", "replace").strip()
