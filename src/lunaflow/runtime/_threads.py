"""How many threads may run: the CPUs this process may use, and what the user asked for."""

import os

from lunaflow._arguments import as_integer
from lunaflow._host import usable_cpus

# Below this many elements one thread is as fast as two on the machines measured.
SERIAL_BELOW = 1 << 17


def default_workers() -> int:
    """Return the workers of a call that names none and is long enough to share.

    ``LUNAFLOW_WORKERS`` counts before ``OMP_NUM_THREADS``, both are capped by `usable_cpus`.
    """
    text = os.environ.get("LUNAFLOW_WORKERS", "").strip()
    if text:
        if not text.isascii() or not text.isdigit() or int(text) < 1:
            raise ValueError(f"LUNAFLOW_WORKERS must be a positive integer, not {text!r}")
        return min(int(text), usable_cpus())
    # a list such as "4,2" gives the outermost level first; OpenMP itself ignores nonsense here
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if first.isascii() and first.isdigit() and int(first) >= 1:
        return min(int(first), usable_cpus())
    return usable_cpus()


def positive_workers(workers: object) -> int:
    """Return an explicit count of workers as an int; zero and negative ones are refused."""
    count = as_integer("workers", workers)
    if count < 1:
        raise ValueError(f"workers must be at least 1, not {count}")
    return count
