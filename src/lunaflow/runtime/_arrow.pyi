"""Arrow columns, taken over through the C interface: types, chunks, and their buffers."""

from collections.abc import Iterator

Type = tuple[str, bool, str | None]

def type_of(capsule: object) -> Type:
    """Return the format, whether there is a dictionary, and the name of an extension type."""

def chunk_of(capsule: object) -> Chunk:
    """Take the array of a capsule over; ValueError if that was done before."""

class Chunk:
    """One Arrow array, released when nothing looks into it any more."""

    @property
    def length(self) -> int:
        """The number of elements."""

    @property
    def offset(self) -> int:
        """The position of the first element in the buffers."""

    @property
    def null_count(self) -> int:
        """The number of nulls, or -1 if that is not known."""

    def buffer(self, index: int, size: int) -> memoryview | None:
        """Return the first `size` bytes of a buffer, read-only, or None if there is none."""

class Stream:
    """The stream of a capsule, taken over; ValueError if that was done before.

    It yields its chunks. A stream that fails raises OSError with its own number and words.
    """

    def __init__(self, capsule: object) -> None: ...
    def type_of(self) -> Type:
        """Return the format, whether there is a dictionary, and the name of an extension type."""

    def __iter__(self) -> Iterator[Chunk]: ...
    def __next__(self) -> Chunk: ...
