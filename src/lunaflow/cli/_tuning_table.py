"""The table that ``lunaflow tune`` ends with: crossovers, and the speed against NumPy."""

import numpy as np
from rich.table import Table

from lunaflow.cli._console import console
from lunaflow.cli._tuner import kernel_and_type
from lunaflow.experiment import ExpectedDifference, ExperimentResult, Found, Label, RunRecord
from lunaflow.runtime._tuning_file import PARALLEL, SERIAL


def print_table(record: RunRecord) -> None:
    """Print a row an experiment: kernel, type, crossover or why there is none, speed, remarks."""
    table = Table(title="serial against parallel, and both against NumPy")
    for heading in ("kernel", "type", "parallel wins"):
        table.add_column(heading)
    table.add_column("speed (NumPy is 1)", justify="right")
    table.add_column("remarks")
    for experiment in record.experiments:
        remarks = "\n".join([*overflows(experiment), *_widens(experiment), *_failures(experiment)])
        table.add_row(
            *kernel_and_type(experiment), crossover(experiment), speed(experiment), remarks
        )
    console().print(table)


def crossover(experiment: ExperimentResult) -> str:
    """Say at which lengths the parallel kernel wins, or why none is known."""
    if PARALLEL not in experiment.implementations:
        return "not measured: one thread"
    found = experiment.crossover(SERIAL, PARALLEL)
    labels = dict(zip(found.evidence.scales, found.evidence.labels, strict=True))
    known = {size: label for size, label in labels.items() if label is not Label.UNKNOWN}
    if not known:
        return "undecided: no clear difference"
    if isinstance(found, Found):
        return _where_parallel_wins(found, known, max(labels))
    if len(set(known.values())) > 1:
        return "no single crossover"
    where = f"{len(known)} of {len(labels)} lengths"
    if max(known) < max(labels):
        where += "; no rule, undecided at the longest"
    if Label.A in known.values():
        return f"nowhere (serial is faster at {where})"
    return f"everywhere (faster at {where})"


def _where_parallel_wins(found: Found, known: dict[int, Label], longest: int) -> str:
    below, above = found.boundary.below, found.boundary.at_or_above
    if known[above] is Label.A:
        return f"up to {below} only (serial from {above})"
    end = "" if max(known) == longest else f" to {max(known)}, undecided above"
    gap = f"undecided above {below}" if found.undecided else f"serial at {below}"
    return f"from {above}{end} ({gap})"


def speed(experiment: ExperimentResult) -> str:
    """Give NumPy's time over the faster kernel's, at the largest length where both were timed."""
    ours = [name for name in (SERIAL, PARALLEL) if name in experiment.implementations]
    for size in reversed(experiment.sizes):
        theirs = experiment.times("numpy", size)
        measured = [times for name in ours if len(times := experiment.times(name, size))]
        if len(theirs) and measured:
            best = min(float(np.median(times)) for times in measured)
            return f"{float(np.median(theirs)) / best:.2f} at {size}"
    return "not timed together"


def overflows(experiment: ExperimentResult) -> list[str]:
    """Say from which length on the exact answer does not fit the element type."""
    sizes = [trap.size for trap in experiment.traps if trap.kind == "OVERFLOW"]
    return [f"overflows from n = {min(sizes)}"] if sizes else []


def _widens(experiment: ExperimentResult) -> list[str]:
    differing = [
        one.size for one in experiment.validations if isinstance(one.status, ExpectedDifference)
    ]
    return [f"numpy widens from n = {min(differing)}"] if differing else []


def _failures(experiment: ExperimentResult) -> list[str]:
    first: dict[str, int | None] = {}
    for failure in experiment.failures:
        first.setdefault(failure.implementation or "the measurement", failure.size)
    return [f"{name} FAILS from n = {size}" for name, size in first.items()]
