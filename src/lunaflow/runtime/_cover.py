"""Chunks and workers that cover an input: one chunk a worker, of nearly equal lengths."""

from lunaflow._arguments import as_count
from lunaflow.plan import ExecutionPolicy
from lunaflow.runtime._threads import SERIAL_BELOW, default_workers


def chunk_count(input_length: int, chunk_size: int) -> int:
    """Return the number of chunks, ``ceil(input_length / chunk_size)``."""
    return -(-input_length // chunk_size)


def cover_policy(input_length: int, workers: int | None = None) -> ExecutionPolicy:
    """Return a policy that satisfies the native backend's cover condition.

    Parameters
    ----------
    input_length : int
        Number of elements, at least 0.
    workers : int, optional
        Positive count, cut to the input's length; None is one below the size from which sharing
        pays, else the CPUs this process may use.

    Raises
    ------
    ValueError
        If ``workers <= 0`` or ``input_length < 0``.
    """
    length = as_count("input_length", input_length, 0)
    if workers is None:
        count = 1 if length < SERIAL_BELOW else default_workers()
    else:
        count = as_count("workers", workers, 1)
    count = max(1, min(count, length))
    chunk = max(1, chunk_count(length, count))
    return ExecutionPolicy(worker_count=count, chunk_size=chunk)
