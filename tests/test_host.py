"""R6: the CPUs this process may use, by affinity and control group."""

import pytest

from lunaflow import _host
from lunaflow._host import cgroup_quota, usable_cpus


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"proc": "0::/a/b\n", "a/b/cpu.max": "150000 100000\n", "cpu.max": "max 100000\n"}, 1.5),
        ({"proc": "0::/a/b\n", "a/b/cpu.max": "max 100000\n", "a/cpu.max": "50000 100000\n"}, 0.5),
        ({"proc": "0::/\n", "cpu.max": "200000 100000\n"}, 2.0),
        ({"proc": "4:cpu,cpuacct:/x\n", "cpu/x/cpu.cfs_quota_us": "-1\n"}, None),
        (
            {
                "proc": "4:cpu,cpuacct:/x\n",
                "cpu/x/cpu.cfs_quota_us": "300000\n",
                "cpu/x/cpu.cfs_period_us": "100000\n",
            },
            3.0,
        ),
        ({"proc": "0::/\nnonsense\n", "cpu.max": "many few\n"}, None),
        ({}, None),
    ],
    ids=["v2", "v2 parent", "v2 root", "v1 unlimited", "v1", "nonsense", "none"],
)
def test_r6_cgroup_quotas(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, str], expected: float | None
) -> None:
    known = {
        "/proc/self/cgroup" if name == "proc" else f"/sys/fs/cgroup/{name}": text
        for name, text in files.items()
    }
    monkeypatch.setattr(_host, "told_by_system", lambda path: known.get(path, ""))
    assert cgroup_quota.__wrapped__() == expected


def test_r6_a_quota_bounds_the_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_host, "cgroup_quota", lambda: 0.5)
    assert usable_cpus() == 1
