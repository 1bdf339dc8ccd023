"""How many threads may run: the CPUs this process may use, and what the user asked for."""

import os

from lunaflow._host import usable_cpus
from lunaflow._texts import text_of

# Below this many elements one thread is as fast as two on the machines measured.
SERIAL_BELOW = 1 << 17


def default_workers() -> int:
    """Return the workers of a call that names none and is long enough to share.

    ``LUNAFLOW_WORKERS`` counts before ``OMP_NUM_THREADS``, both are capped by `usable_cpus`.
    """
    text = os.environ.get("LUNAFLOW_WORKERS", "").strip()
    if text:
        workers = _positive(text)
        if workers is None:
            raise ValueError(f"LUNAFLOW_WORKERS must be a positive integer, not {text_of(text)}")
        return min(workers, usable_cpus())
    # a list such as "4,2" gives the outermost level first; OpenMP itself ignores nonsense here
    threads = _positive(os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip())
    return usable_cpus() if threads is None else min(threads, usable_cpus())


def _positive(text: str) -> int | None:
    if not (text.isascii() and text.isdigit()):
        return None
    # nobody has more CPUs than nine digits count
    return (int(text) or None) if len(text) <= 9 else 10**9
