"""The shim to OpenMP: is it there, which library is loaded, and how many threads may start."""

def openmp_version() -> int:
    """Return the OpenMP specification date as compiled (201511 is 4.5), or 0 without OpenMP."""

def openmp_library() -> str | None:
    """Return the file the OpenMP runtime was loaded from, or None."""

def stay_serial() -> None:
    """Start no thread from now on, as in the child of a fork."""

def threads_that_may_start(wanted: int) -> int:
    """Return how many of `wanted` threads a call may have.

    One without OpenMP, in the child of a fork, inside a parallel region, while another call has
    several, and where the system starts no thread; and no more than the calling thread is limited
    to, by threadpoolctl for one.
    """
