"""Which parts of a sequence to cut out or to simplify: large blocks first."""

from collections.abc import Iterator


def blocks(length: int) -> Iterator[slice]:
    """Yield the blocks to cut out of a sequence: all of it, halves, quarters, ..., single elements.

    Blocks of one length are disjoint and ascend; the last one may be shorter. No two are the same.
    """
    if length > 0:
        yield slice(0, length)
    tails, size = {0}, length
    while size > 1:
        size = size // 2 + size % 2
        for start in range(0, length, size):
            stop = min(start + size, length)
            # what is left over at the end may be a whole block of a smaller size
            if stop < length or start not in tails:
                yield slice(start, stop)
            if stop == length:
                tails.add(start)
