"""A process that must not outlive the one that started it, however that one ends."""

import os
import signal
import sys
import threading
import time

_SET_PARENT_DEATH_SIGNAL = 1
_POLL_SECONDS = 1.0


def end_with(parent: int) -> None:
    """End this process when its parent ends.

    On Linux the system does it, whatever this process is doing then; elsewhere a thread looks once
    a second.

    Parameters
    ----------
    parent : int
        The number of the parent's process. If it is gone already, this process ends at once.
    """
    if not _asked_the_system():
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        _end()


def _asked_the_system() -> bool:
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        asked = ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    except (OSError, AttributeError):
        return False  # a Linux without prctl: the thread looks instead
    return bool(asked == 0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    _end()


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
