"""An experiment's timings as a suite of pyperf."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from lunaflow._version import __version__
from lunaflow.experiment._analysis import timed_blocks
from lunaflow.experiment._observations import Block, Observations

_FORMAT_VERSION = "1.0"


def pyperf_suite(found: Observations) -> dict[str, Any]:
    """Return the timings of an experiment as the data of a pyperf file.

    Each implementation at each size is a benchmark, ``name[size=1024]``, and each measuring process
    a run of it: its values are the seconds a call of each block, its warm-ups the calibrations.
    Controls, and figures of what failed, are left out; so are times of zero, which pyperf does not
    take.

    Raises
    ------
    ValueError
        If there is no timing at all.
    """
    benchmarks = [
        {"metadata": {"name": f"{name}[size={size}]"}, "runs": runs}
        for size in found.sizes
        for name in found.implementations
        if (runs := list(_runs(found, name, size)))
    ]
    if not benchmarks:
        raise ValueError(f"the experiment {found.name!r} has no timing to export")
    return {
        "version": _FORMAT_VERSION,
        "metadata": {
            "description": found.name,
            "lunaflow_protocol": found.protocol.name,
            "lunaflow_seed": str(found.seed),
            "lunaflow_version": __version__,
            "unit": "second",
        },
        "benchmarks": benchmarks,
    }


def _runs(found: Observations, name: str, size: int) -> Iterator[dict[str, Any]]:
    of_process: defaultdict[int, list[Block]] = defaultdict(list)
    for block in timed_blocks(found, size, name):
        of_process[block.process].append(block)
    for process, blocks in sorted(of_process.items()):
        values = _positive(block.per_call(name) for block in blocks)
        if values:
            run: dict[str, Any] = {"values": values}
            loops = {block.iterations[block.order.index(name)] for block in blocks}
            if len(loops) == 1:
                run["metadata"] = {"loops": loops.pop()}
            if warmups := list(_warmups(found, name, size, process)):
                run["warmups"] = warmups
            yield run


def _warmups(found: Observations, name: str, size: int, process: int) -> Iterator[list[Any]]:
    for one in found.calibrations:
        if (one.implementation, one.size, one.process) == (name, size, process) and one.seconds:
            yield [one.iterations, one.seconds / one.iterations]


def _positive(values: Iterable[float]) -> list[float]:
    return [value for value in values if value > 0]
