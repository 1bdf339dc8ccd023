"""The machine below: the processor's name, and how many CPUs this process may use."""

import functools
import math
import os
import platform


def usable_cpus() -> int:
    """Return the number of CPUs by affinity and cgroup quota, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    else:
        allowed = os.cpu_count() or 1
    quota = cgroup_quota()
    return max(1, allowed if quota is None else min(allowed, math.ceil(quota)))


def cpu_model() -> str:
    """Return the processor's name as the system gives it, or an empty text."""
    for line in told_by_system("/proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor()


@functools.cache
def cgroup_quota() -> float | None:
    """Return the CPU quota of this process's control group in CPUs, or None if unlimited."""
    quotas = [_quota_v2(), _quota_v1()]
    return min((q for q in quotas if q is not None), default=None)


def _quota_v2() -> float | None:
    # the tightest limit on the way from the process's group to the root
    root = "/sys/fs/cgroup"
    limits: list[float] = []
    for folder in _with_parents(root, _group_path("")):
        text = told_by_system(f"{folder}/cpu.max").split()
        if len(text) == 2 and all(part.isdecimal() for part in text):
            limits.append(int(text[0]) / int(text[1]))
    return min(limits, default=None)


def _quota_v1() -> float | None:
    root = "/sys/fs/cgroup/cpu"
    limits: list[float] = []
    for folder in _with_parents(root, _group_path("cpu")):
        quota = told_by_system(f"{folder}/cpu.cfs_quota_us").strip()
        period = told_by_system(f"{folder}/cpu.cfs_period_us").strip()
        if quota.isdecimal() and period.isdecimal():
            limits.append(int(quota) / int(period))
    return min(limits, default=None)


def _group_path(controller: str) -> str:
    for line in told_by_system("/proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controller in controllers.split(","):
            return path.strip("/")
    return ""


def _with_parents(root: str, path: str) -> list[str]:
    parts = [part for part in path.split("/") if part and part != ".."]
    return ["/".join([root, *parts[:depth]]) for depth in range(len(parts) + 1)]


def told_by_system(path: str) -> str:
    """Return the text of a file of the system's, or an empty one."""
    try:
        with open(path) as file:  # noqa: PTH123 - importing pathlib takes milliseconds
            return file.read()
    except OSError:
        return ""  # the system does not tell, or has no such controller
