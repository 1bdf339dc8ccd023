"""How many threads may run: the CPUs this process may use, and what the user asked for."""

import functools
import math
import os
from pathlib import Path

from lunaflow.arithmetic._arguments import as_integer

# Below this many elements one thread is as fast as two on the machines measured.
SERIAL_BELOW = 1 << 17


def usable_cpus() -> int:
    """Return the number of CPUs by affinity and cgroup quota, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    else:
        allowed = os.cpu_count() or 1
    quota = cgroup_quota()
    return max(1, allowed if quota is None else min(allowed, math.ceil(quota)))


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


@functools.cache
def cgroup_quota() -> float | None:
    """Return the CPU quota of this process's control group in CPUs, or None if unlimited."""
    quotas = [_quota_v2(), _quota_v1()]
    return min((q for q in quotas if q is not None), default=None)


def _quota_v2() -> float | None:
    # the tightest limit on the way from the process's group to the root
    root = Path("/sys/fs/cgroup")
    limits: list[float] = []
    for folder in _with_parents(root, _group_path("")):
        text = _read(folder / "cpu.max").split()
        if len(text) == 2 and text[0] != "max":
            limits.append(int(text[0]) / int(text[1]))
    return min(limits, default=None)


def _quota_v1() -> float | None:
    root = Path("/sys/fs/cgroup/cpu")
    limits: list[float] = []
    for folder in _with_parents(root, _group_path("cpu")):
        quota = _read(folder / "cpu.cfs_quota_us").strip()
        period = _read(folder / "cpu.cfs_period_us").strip()
        if quota and period and int(quota) > 0:
            limits.append(int(quota) / int(period))
    return min(limits, default=None)


def _group_path(controller: str) -> str:
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path.strip("/")
    return ""


def _with_parents(root: Path, path: str) -> list[Path]:
    parts = [part for part in path.split("/") if part and part != ".."]
    return [root.joinpath(*parts[:depth]) for depth in range(len(parts) + 1)]


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""  # no such controller here: no limit from it
