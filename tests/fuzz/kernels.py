"""Random small plans through both backends, and everyday forms on inputs of every kind."""

import random
import time
from collections import Counter
from typing import Any

import numpy as np
from tests.fuzz import everyday
from tests.runtime.kit import LAYOUTS, Array, limits

from lunaflow.arithmetic import Err
from lunaflow.plan import DataDomain, ExecutionPolicy, Plan, PlanKind, ReductionKernel, ValueType
from lunaflow.runtime import native, reference, run

KERNELS = [None, ReductionKernel.SUM, ReductionKernel.MIN, ReductionKernel.MAX]
TYPES = [(np.int32, ValueType.I32), (np.int64, ValueType.I64)]


def fuzz(cases: int, seed: int) -> str:
    """Return a summary of `cases` agreeing cases; AssertionError shows the first that does not."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    began = time.monotonic()
    for number in range(cases):
        if number % 4 == 3:
            seen[_everyday(number, seed, rng)] += 1
        else:
            plan, x, in_place = _case(rng)
            seen[_outcome(number, seed, plan, x, in_place)] += 1
    took = time.monotonic() - began
    parts = ", ".join(f"{count} {name}" for name, count in sorted(seen.items()))
    return f"{cases} cases agree (seed {seed}, {took:.0f} s): {parts}"


def _everyday(number: int, seed: int, rng: random.Random) -> str:
    try:
        return everyday.check(rng)
    except AssertionError as reason:
        raise AssertionError(f"case {number} of seed {seed}: {reason}") from None


def _outcome(number: int, seed: int, plan: Plan, x: Array, in_place: bool) -> str:
    values = x.tolist()
    expected = run(plan, x, backend=reference, errors="result")
    out = x if in_place else None
    actual = run(plan, x, backend=native, out=out, errors="result")
    shown = f"case {number} of seed {seed}: {plan}, data {values}, strides {x.strides}"
    assert actual == expected, f"{shown}: native {actual}, reference {expected}"
    if isinstance(actual, Err):
        assert x.tolist() == values, f"{shown}: the data was changed by a failed call"
        index = actual.error.index  # type: ignore[union-attr]
        return "overflowing totals" if index is None else "overflows with a position"
    return "results in place" if in_place else "results"


def _case(rng: random.Random) -> tuple[Plan, Array, bool]:
    dtype, element_type = rng.choice(TYPES)
    kind = rng.choice(list(PlanKind))
    n = rng.choice([1, 2, 3, rng.randint(1, 12), rng.randint(1, 60)])
    chunk = rng.randint(1, n)
    workers = rng.randint(-(-n // chunk), n)
    reduction = None
    if kind is not PlanKind.MAP:
        reduction = rng.choice(KERNELS[0 if kind is PlanKind.SCAN else 1 :])
    policy = ExecutionPolicy(worker_count=workers, chunk_size=chunk)
    plan = Plan("fuzz", kind, DataDomain(element_type, n), policy, reduction)
    x = rng.choice(LAYOUTS)(np.array(_values(rng, n, dtype), dtype))
    array_result = kind in (PlanKind.MAP, PlanKind.SCAN)
    in_place = array_result and x.flags.writeable and x.dtype.isnative and rng.random() < 0.5
    return plan, x, in_place


def _values(rng: random.Random, n: int, dtype: Any) -> list[int]:
    low, high = limits(dtype)
    style = rng.randrange(4)
    if style == 0:
        return [rng.randint(-100, 100) for _ in range(n)]
    if style == 1:
        return [rng.randint(low, high) for _ in range(n)]
    if style == 2:
        bound = high // n
        return [rng.randint(-bound, bound) for _ in range(n)]
    edges = [low, low + 1, low // 2, low // 2 - 1, -1, 0, 1, high // 2, high // 2 + 1, high]
    return [rng.choice(edges) for _ in range(n)]
