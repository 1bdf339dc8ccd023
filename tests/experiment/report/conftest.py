"""Records of runs made up from known times, as fixtures."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import pytest

from lunaflow.experiment import (
    DEVELOPMENT,
    ExperimentResult,
    Invalid,
    RunRecord,
    Trap,
    Valid,
)
from lunaflow.experiment._observations import Block, Failure, Validation

SIZES = (100, 1_000, 4_096, 10_000, 100_000, 1_000_000)


class MakeResult(Protocol):
    """The type of the fixture `make_result`."""

    def __call__(
        self,
        name: str = ...,
        times: Mapping[str, Callable[[int], float | None]] = ...,
        **changes: Any,
    ) -> ExperimentResult: ...


def serial(n: int) -> float:
    return 5e-8 + 3e-10 * n


def parallel(n: int) -> float:
    return 1.25e-6 + 1.6e-10 * n


def blocks_of(
    size: int, times: Mapping[str, Callable[[int], float | None]], rng: np.random.Generator
) -> list[Block]:
    """Return 30 blocks over 5 processes, with half a percent of noise; None is not timed."""
    seconds = {name: f(size) for name, f in times.items()}
    timed = {name: t for name, t in seconds.items() if t is not None}
    if not timed:
        return []
    timed |= {f"{name} (control)": t for name, t in timed.items()}
    made = []
    for i in range(30):
        batch = tuple(1000 * t * (1 + 0.005 * rng.standard_normal()) for t in timed.values())
        order, iterations = tuple(timed), (1000,) * len(timed)
        made.append(Block(f"{size}/{i}", size, i % 5, i // 5, order, iterations, batch))
    return made


@pytest.fixture
def make_result() -> MakeResult:
    """Return the function that makes a result out of the seconds of a call by size."""

    def make(
        name: str = "sum of int32",
        times: Mapping[str, Callable[[int], float | None]] = {
            "serial": serial,
            "parallel": parallel,
        },
        **changes: Any,
    ) -> ExperimentResult:
        rng = np.random.default_rng(0)
        sizes = changes.pop("sizes", SIZES)
        blocks = [block for size in sizes for block in blocks_of(size, times, rng)]
        fields: dict[str, Any] = {
            "protocol": replace(DEVELOPMENT.value, pairs=30, processes=5),
            "oracle": "equal to the exact sum",
            "controls": tuple(f"{name} (control)" for name in times),
            "seed": 0,
            "blocks": tuple(blocks),
        }
        return ExperimentResult(name, tuple(times), sizes, **(fields | changes))

    return make


@pytest.fixture
def wrong() -> Failure:
    """Return a failure of one implementation at one size."""
    reason = "value mismatch: 7 is not 8 at [3] (1 of 10 elements differ)"
    return Failure("wrong", 4_096, Invalid(reason), "array([1, 2])", ("x", "y"))


@pytest.fixture
def rich_record(make_result: MakeResult, wrong: Failure) -> RunRecord:
    """Return a record with a crossover, a failure, an overflow and an unfinished experiment."""
    late = tuple(
        Validation(
            name, n, "exact", Valid(), "overflow", Trap("ArithmeticError", "big", "OVERFLOW", 3)
        )
        for name in ("serial", "parallel")
        for n in (100_000, 1_000_000)
    )
    until = 100_000
    scan = {
        "serial": lambda n: serial(n) if n < until else None,
        "parallel": lambda n: 2 * parallel(n) if n < until else None,
        "wrong": lambda n: serial(n) / 3 if n < 4_096 else None,
    }
    return RunRecord(
        environment={"python": "3.11.7", "numpy": "2.1.0", "cpu": "Some CPU at 3 GHz", "cpus": 2},
        experiments=(
            make_result(),
            make_result("scan of int64", scan, validations=late, failures=(wrong,)),
            make_result("maximum", sizes=(100,), finished=False),
        ),
        complete=False,
        ending="interrupted",
        damaged_lines=(7,),
        library_version="0.1.0",
        started="2025-01-02T03:04:05Z",
    )
