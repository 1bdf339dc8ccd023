"""Arrow columns of any library that speaks the Arrow PyCapsule interface, chunk by chunk."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from lunaflow._texts import text_of
from lunaflow.runtime._arrow_types import advice, type_name
from lunaflow.runtime._bits import Bits
from lunaflow.runtime._column import Column, Piece, Values
from lunaflow.runtime._errors import InvalidInput
from lunaflow.runtime._kernels import Chunk, Stream, chunk_of, type_of

# what Arrow calls a format, and the dtype of its elements
_BOOL = "b"
_NULL = "n"
_DTYPES = {
    _BOOL: np.dtype(np.bool_),
    _NULL: np.dtype(np.int64),
    "c": np.dtype(np.int8),
    "C": np.dtype(np.uint8),
    "s": np.dtype(np.int16),
    "S": np.dtype(np.uint16),
    "i": np.dtype(np.int32),
    "I": np.dtype(np.uint32),
    "l": np.dtype(np.int64),
}


def speaks_arrow(given: object) -> bool:
    """Say whether an object offers a column by the PyCapsule interface."""
    return hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")


def arrow_column(argument: str, name: str, given: Any, accepted: str) -> Column:
    """Return the column that `given`, called `name`, offers; nothing is copied.

    Raises
    ------
    InvalidInput
        For a type that is no integer that int64 holds and not bool.
    TypeError
        If what it offers is no capsule.
    ValueError
        If its capsule was consumed before, or its stream fails.
    """
    try:
        (form, dictionary, extension), chunks = _opened(given)
    except (TypeError, ValueError) as reason:
        refused = type(reason)
        raise refused(f"{argument} must be an Arrow column, not {name} ({reason})") from reason
    dtype = _DTYPES.get(form)
    if dtype is None or dictionary or extension is not None:
        kind = type_name(form, dictionary, extension)
        raise InvalidInput(
            argument,
            f"is a {name} of the Arrow type {kind}",
            advice(form, dictionary, extension, accepted),
        )
    said = f"is a {name} with {{nulls}} of {{size}} elements null"
    return Column(said, dtype, _pieces(chunks, form, dtype))


def _opened(given: Any) -> tuple[tuple[str, bool, str | None], Iterator[Chunk]]:
    if hasattr(given, "__arrow_c_stream__"):
        stream = Stream(given.__arrow_c_stream__())
        return stream.type_of(), iter(stream)
    pair = given.__arrow_c_array__()
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise TypeError(f"its __arrow_c_array__ gave {text_of(pair)}, not a schema and an array")
    schema, array = pair
    # taken over first, so that a type that is refused lets go of it at once
    chunk = chunk_of(array)
    return type_of(schema), iter((chunk,))


def _pieces(chunks: Iterator[Chunk], form: str, dtype: np.dtype[Any]) -> Iterator[Piece]:
    for chunk in chunks:
        if chunk.length:
            yield _piece(chunk, form, dtype)
        # let go of it before the stream makes the next one
        del chunk


def _piece(chunk: Chunk, form: str, dtype: np.dtype[Any]) -> Piece:
    size, offset = chunk.length, chunk.offset
    if size < 0 or offset < 0:
        raise ValueError(f"an Arrow array says that its length is {size} and its offset {offset}")
    if form == _NULL:
        return Piece(np.broadcast_to(dtype.type(0), size), np.broadcast_to(np.True_, size), 0)
    values: Values
    if form == _BOOL:
        bits = _bits(chunk, 1)
        if bits is None:
            raise _without_values(size)
        values = bits
    else:
        memory = chunk.buffer(1, (offset + size) * dtype.itemsize)
        if memory is None:
            raise _without_values(size)
        values = np.frombuffer(memory, dtype)[offset:]
    return Piece(values, _bits(chunk, 0) if chunk.null_count else None)


def _bits(chunk: Chunk, index: int) -> Bits | None:
    end = chunk.offset + chunk.length
    memory = chunk.buffer(index, (end + 7) // 8)
    if memory is None:
        return None
    return Bits(np.frombuffer(memory, np.uint8), chunk.offset, chunk.length)


def _without_values(size: int) -> ValueError:
    return ValueError(f"an Arrow array of {size} elements has no buffer for them")
