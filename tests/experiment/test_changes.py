"""Two runs side by side: what changed is told with its interval, and noise is no change."""

from dataclasses import replace
from typing import Any

import pytest

from lunaflow.experiment import (
    ExperimentResult,
    Invalid,
    Protocol,
    RunRecord,
    compare_runs,
)
from lunaflow.experiment._observations import Block, Failure
from lunaflow.experiment.stats import Decision

PROTOCOL = Protocol("TEST", pairs=10, processes=5, resamples=100)
NAMES = ("f", "g")


def result(times: dict[tuple[str, int], float], *, noise: float = 0.0, **more: Any) -> Any:
    """Return a result whose implementations take these times at these sizes, in five processes."""
    sizes = tuple(sorted({size for _, size in times}))
    names = tuple(dict.fromkeys(name for name, _ in times))
    blocks = [
        block(size, process, index, {n: t for (n, s), t in times.items() if s == size}, noise)
        for size in sizes
        for process in range(5)
        for index in range(2)
    ]
    controls = tuple(f"{name} (control)" for name in names)
    found = ExperimentResult("e", names, sizes, PROTOCOL, "equal", controls, 0, tuple(blocks))
    return replace(found, **more)


def block(size: int, process: int, index: int, times: dict[str, float], noise: float) -> Block:
    order = tuple(name for one in times for name in (one, f"{one} (control)"))
    # the twin is off by the noise, one way or the other
    sign = 1 if process % 2 else -1
    seconds = tuple(t for time in times.values() for t in (time, time * (1 + sign * noise)))
    return Block(
        f"{size}/{process}/{index}", size, process, index, order, (1,) * len(order), seconds
    )


def record(*experiments: Any, **environment: Any) -> RunRecord:
    return RunRecord(environment, experiments, True, "finished", library_version="1")


def test_what_got_slower_is_told_with_its_interval_and_the_rest_is_equivalent() -> None:
    before = record(result({("f", 4): 1.0, ("g", 4): 2.0}))
    after = record(result({("f", 4): 1.5, ("g", 4): 2.0}))
    found = compare_runs(before, after)
    slower, same = found.rows
    assert (slower.implementation, slower.size, slower.decision) == ("f", 4, Decision.SLOWER)
    assert slower.comparison is not None
    assert slower.comparison.relative_delta_pct == pytest.approx(50)
    assert slower.interval_pct == pytest.approx((50, 50))
    assert slower.comparison.grouping == "processes"
    assert same.decision is Decision.EQUIVALENT
    assert found.changed == (slower,)
    assert compare_runs(after, before).changed[0].decision is Decision.FASTER


def test_a_change_within_the_noise_of_either_run_is_none() -> None:
    quiet, noisy = (record(result({("f", 4): 1.0}, noise=noise)) for noise in (0.0, 0.5))
    faster = record(result({("f", 4): 0.9}))
    assert compare_runs(quiet, faster).changed[0].decision is Decision.FASTER
    (row,) = compare_runs(noisy, faster).rows
    assert row.decision is Decision.UNKNOWN
    assert row.noise_floor_pct is not None
    assert row.noise_floor_pct > 10
    # nor is it called the same
    (row,) = compare_runs(noisy, quiet).rows
    assert row.decision is Decision.UNKNOWN
    assert not row.changed


def test_what_fails_or_takes_no_part_is_told() -> None:
    both = result({("f", 4): 1.0, ("g", 4): 2.0, ("f", 8): 1.0})
    failing = replace(both, failures=(Failure("g", 4, Invalid("no")),))
    rows = compare_runs(record(both), record(failing)).changed
    assert [(r.implementation, r.before, r.after) for r in rows] == [("g", "timed", "failed")]
    assert rows[0].comparison is None
    assert rows[0].decision is Decision.UNKNOWN
    less = result({("f", 4): 1.0})
    rows = compare_runs(record(both), record(less)).changed
    assert {(r.implementation, r.size, r.before, r.after) for r in rows} == {
        ("f", 8, "timed", None), ("g", 4, "timed", None), ("g", 8, "not timed", None),
    }  # fmt: skip
    another = replace(less, name="another")
    rows = compare_runs(record(less), record(another)).changed
    assert {(r.experiment, r.before, r.after) for r in rows} == {
        ("another", None, "timed"), ("e", "timed", None),
    }  # fmt: skip


def test_facts_of_the_machine_that_differ_are_told() -> None:
    one = result({("f", 4): 1.0})
    before, after = record(one, cpu="a", cpus=2), record(one, cpu="b", cpus=2)
    found = compare_runs(before, replace(after, library_version="2"))
    assert found.environment == (("cpu", "a", "b"), ("lunaflow", "1", "2"))


def test_wrong_types_are_refused() -> None:
    with pytest.raises(TypeError, match="before must be a RunRecord"):
        compare_runs("x", record())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="after must be a RunRecord"):
        compare_runs(record(), None)  # type: ignore[arg-type]


def test_the_noise_floor_of_two_runs_is_the_larger_one_as_a_time() -> None:
    slow = record(result({("f", 4): 10.0}, noise=0.005))
    fast = record(result({("f", 4): 0.1}, noise=0.5))
    # in percent of 0.1 s the fast one repeats badly, but that is a hundredth of what was gained
    (row,) = compare_runs(slow, fast).rows
    assert row.decision is Decision.FASTER
    assert row.noise_floor_pct is not None
    assert row.noise_floor_pct < 2
    (row,) = compare_runs(fast, slow).rows
    assert row.decision is Decision.SLOWER
