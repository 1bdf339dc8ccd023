"""R10: the reader of Arrow's C interface, against a producer made by hand."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtime.producer import AsArray, AsStream, Producer, bitmap, chunk

import lunaflow
from lunaflow.arithmetic import ArithmeticError
from lunaflow.runtime import InvalidInput, double

ONES = np.ones(5, np.int64)


def check_released(producer: Producer, *, streams: int = 1) -> None:
    assert producer.released == producer.made
    assert producer.made["stream"] == streams


@given(
    st.lists(st.lists(st.one_of(st.none(), st.integers(-(2**15), 2**15 - 1)), max_size=12)),
    st.integers(0, 9),
    st.sampled_from([None, -1]),
)
def test_r10_offsets_and_validity_bits(
    parts: list[list[int | None]], offset: int, unknown: int | None
) -> None:
    chunks = []
    for values in parts:
        padded = [None] * offset + values
        numbers = np.array([77 if v is None else v for v in [*padded, None]], np.int16)
        valid = bitmap([v is not None for v in padded])
        nulls = values.count(None)
        chunks.append(
            chunk(
                numbers,
                buffers=[None if nulls == 0 and unknown is None else valid, numbers],
                length=len(values),
                offset=offset,
                null_count=nulls if unknown is None else unknown,
            )
        )
    producer = Producer(b"s", chunks)
    there = [v for values in parts for v in values if v is not None]
    assert lunaflow.sum(AsStream(producer), nulls="skip") == sum(there)
    check_released(producer)
    if chunks and chunks[0]["length"]:
        single = Producer(b"s", chunks[:1])
        first = [v for v in parts[0] if v is not None]
        assert lunaflow.sum(AsArray(single), nulls="skip") == sum(first)
        check_released(single, streams=0)


@pytest.mark.parametrize("offset", range(9))
def test_r10_booleans_are_bits(offset: int) -> None:
    truths = [True, False, True, True, False, False, True, True, True]
    bits = bitmap([False] * offset + truths)
    producer = Producer(b"b", [chunk(bits, length=9, offset=offset), chunk(bits, length=0)])
    assert lunaflow.sum(AsStream(producer)) == 6
    assert lunaflow.scan(AsArray(producer)).tolist() == np.cumsum(truths).tolist()
    check_released(producer)


def failing(call: Callable[[Any], Any], error: type[Exception], match: str) -> Callable[..., None]:
    def check(given: Any) -> None:
        with pytest.raises(error, match=match):
            call(given)

    return check


TOO_MUCH = chunk(np.array([2**62, 2**62]))
NULLS = chunk(np.array([1, 2]), buffers=[bitmap([True, False]), np.array([1, 2])])


@pytest.mark.parametrize(
    ("form", "chunks", "check"),
    [
        (b"g", [chunk(ONES)], failing(lunaflow.sum, InvalidInput, "float64")),
        (b"?!", [chunk(ONES)], failing(lunaflow.sum, InvalidInput, r"of format \(\?!\)")),
        (b"l", [TOO_MUCH, TOO_MUCH], failing(lunaflow.sum, ArithmeticError, "4 elements")),
        (b"l", [TOO_MUCH, TOO_MUCH], failing(lunaflow.scan, ArithmeticError, "index 1")),
        (b"l", [chunk(ONES), TOO_MUCH], failing(double, ArithmeticError, "index 5")),
        (b"l", [NULLS, NULLS], failing(lunaflow.max, InvalidInput, "2 of 4 elements null")),
        (b"l", [chunk(ONES), NULLS], failing(lunaflow.scan, InvalidInput, "1 of 7 elements null")),
        (b"l", [chunk(ONES, length=-1)], failing(lunaflow.sum, ValueError, "length is -1")),
        (b"l", [chunk(ONES, offset=-1)], failing(lunaflow.sum, ValueError, "offset -1")),
        (b"l", [chunk(ONES, buffers=[])], failing(lunaflow.sum, ValueError, "no buffer")),
        (b"b", [chunk(ONES, buffers=[None])], failing(lunaflow.sum, ValueError, "no buffer")),
    ],
)
def test_r10_what_was_taken_over_is_released_also_after_an_error(
    form: bytes, chunks: list[Any], check: Callable[[Any], None]
) -> None:
    producer = Producer(form, chunks)
    check(AsStream(producer))
    # the frames of an exception may hold on to it until they are collected
    gc.collect()
    check_released(producer)
    if len(chunks) == 1:
        single = Producer(form, chunks)
        check(AsArray(single))
        gc.collect()
        check_released(single, streams=0)


def test_r10_a_stream_that_fails_is_told_in_its_own_words() -> None:
    producer = Producer(b"l", [chunk(ONES), chunk(ONES)], fails=5)
    with pytest.raises(OSError, match="the disk is ü full") as caught:
        lunaflow.sum(AsStream(producer))
    assert caught.value.errno == 5
    check_released(producer)
    without_words = Producer(b"l", [], schema_fails=12)
    with pytest.raises(OSError, match="no reason given") as caught:
        lunaflow.scan(AsStream(without_words))
    assert caught.value.errno == 12
    check_released(without_words)


def test_r10_a_result_does_not_hold_the_column() -> None:
    producer = Producer(b"i", [chunk(np.arange(4, dtype=np.int32))])
    scanned = lunaflow.scan(AsStream(producer))
    check_released(producer)
    assert scanned.tolist() == [0, 1, 3, 6]


def test_r7_a_stream_is_read_chunk_by_chunk() -> None:
    alive = 0

    class Counting(Producer):
        def fill_array(self, address: int, chunk: dict[str, Any]) -> None:
            nonlocal alive
            super().fill_array(address, chunk)
            alive = max(alive, self.made["array"] - self.released["array"])

    producer = Counting(b"l", [chunk(ONES)] * 50)
    assert lunaflow.sum(AsStream(producer)) == 250
    assert alive == 1
    check_released(producer)


def test_r10_what_gives_no_capsule_is_a_type_error() -> None:
    class Wrong:
        def __init__(self, made: Any) -> None:
            self.made = made

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return self.made

    producer = Producer(b"l", [chunk(ONES)])
    schema, array = producer.array()
    for made in (None, 5, schema, array):
        with pytest.raises(TypeError, match="x must be an Arrow column, not .*arrow_array_stream"):
            lunaflow.sum(Wrong(made))
    with pytest.raises(TypeError, match="x must be an Arrow column"):
        lunaflow.sum(type("W", (), {"__arrow_c_array__": lambda self: (array, schema)})())
    for offered in (None, (schema,), [schema, array], (schema, array, array)):
        wrong = type("W", (), {"__arrow_c_array__": lambda self, pair=offered: pair})()
        with pytest.raises(TypeError, match="x must be an Arrow column.*__arrow_c_array__ gave"):
            lunaflow.sum(wrong)
    used = Producer(b"l", [chunk(ONES)]).stream()
    assert lunaflow.sum(Wrong(used)) == 5
    with pytest.raises(ValueError, match="x must be an Arrow column.*consumed before"):
        lunaflow.sum(Wrong(used))
