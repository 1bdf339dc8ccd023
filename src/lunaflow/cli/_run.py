"""``lunaflow run``: a plan on real data."""

from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from lunaflow import runtime
from lunaflow._files import replacing
from lunaflow.arithmetic import ArithmeticError, Err
from lunaflow.cli._data import load_array, split_reference
from lunaflow.cli._refusal import refuse, refuse_overwriting, writing
from lunaflow.plan import (
    DataDomain,
    ExecutionPolicy,
    Plan,
    PlanKind,
    ReductionKernel,
    ValueType,
)
from lunaflow.runtime import InvalidPlan, cover_policy, plan_for

_KINDS = {"map": "MAP", "reduce": "REDUCE", "scan": "SCAN", "map-reduce": "MAP_REDUCE"}
_SHOWN = 6


@click.command()
@click.argument("kind", type=click.Choice(list(_KINDS)))
@click.argument("data", metavar="FILE.npy|FILE.npz:NAME")
@click.option(
    "--kernel",
    type=click.Choice([kernel.name.lower() for kernel in ReductionKernel]),
    help="What reduces or scans; a scan without one is a running sum.",
)
@click.option("--workers", type=int, help="Worker count; by default as the tuning says.")
@click.option("--chunk-size", type=int, help="Elements a chunk; by default the workers share.")
@click.option(
    "--backend", type=click.Choice(["native", "reference"]), default="native", show_default=True
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the array to this .npy."
)
def run(
    kind: str,
    data: str,
    kernel: str | None,
    workers: int | None,
    chunk_size: int | None,
    backend: str,
    out: Path | None,
) -> int:
    """Compute a plan exactly: print the plan, then the result or every issue.

    map doubles every element, reduce combines all, scan gives every prefix, map-reduce reduces the
    doubled elements. Exit status 1 if the exact result does not fit the element type.
    """
    array = load_array(data)
    plan = _plan(PlanKind[_KINDS[kind]], kernel, array, workers, chunk_size, label=data)
    _check_out(plan, out, split_reference(data)[0])
    _print_plan(plan)
    chosen: Any = getattr(runtime, backend)
    result: Any = runtime.run(plan, array, backend=chosen, errors="result")
    if isinstance(result, Err):
        return _print_error(result.error)
    _print_result(result.value)
    if out is not None:
        _write(out, result.value)
    return 0


def _plan(
    kind: PlanKind,
    kernel: str | None,
    array: npt.NDArray[Any],
    workers: int | None,
    chunk_size: int | None,
    *,
    label: str,
) -> Plan:
    reduction = None if kernel is None else ReductionKernel[kernel.upper()]
    explicit = workers is not None or chunk_size is not None
    try:
        fitting = plan_for(array, kind, reduction, workers=1 if explicit else None, label=label)
    except ValueError as error:  # the data, or LUNAFLOW_WORKERS
        refuse(str(error))
    if not explicit:
        return fitting
    # explicit numbers are taken as they are: what is wrong with them is for the plan to say
    length = fitting.domain.input_length
    covering = cover_policy(length, max(1, workers if workers is not None else 1))
    if chunk_size is None:
        chunk_size = covering.chunk_size
    if workers is None:
        workers = max(1, -(-length // chunk_size)) if chunk_size > 0 else 1
    policy = ExecutionPolicy(worker_count=workers, chunk_size=chunk_size)
    domain = DataDomain(fitting.domain.element_type, length)
    return Plan(label, kind, domain, policy, reduction)


def _check_out(plan: Plan, out: Path | None, data: Path) -> None:
    if out is None:
        return
    refuse_overwriting(out, data)
    if plan.kind in (PlanKind.REDUCE, PlanKind.MAP_REDUCE):
        refuse(f"--out is for arrays; the result of a {plan.kind.name} is one integer")
    if out.suffix != ".npy":
        refuse(f"--out writes a .npy file, and {out} does not end so")


def _print_plan(plan: Plan) -> None:
    kernel = "" if plan.reduction is None else f" {getattr(plan.reduction, 'name', plan.reduction)}"
    element = plan.domain.element_type
    policy = plan.policy
    click.echo(
        f"plan: {plan.kind.name}{kernel} of {plan.domain.input_length} "
        f"{element.name if isinstance(element, ValueType) else element} elements of {plan.label}, "
        f"{policy.worker_count} worker{'' if policy.worker_count == 1 else 's'}, "
        f"chunk size {policy.chunk_size}"
    )


def _print_error(error: Exception) -> int:
    if isinstance(error, InvalidPlan):
        for issue in error.issues:
            click.echo(f"issue: {type(issue).__name__}: {issue}", err=True)
        return 2
    if isinstance(error, ArithmeticError):
        click.echo(f"{error.kind.name}: {error}", err=True)
        for note in getattr(error, "__notes__", ()):
            if note.startswith("operands"):
                click.echo(f"  {note}", err=True)
        return 1
    click.echo(f"{type(error).__name__}: {error}", err=True)
    return 2


def _print_result(value: int | npt.NDArray[Any]) -> None:
    if isinstance(value, int):
        click.echo(f"result: {value}")
        return
    if len(value) <= 2 * _SHOWN:
        shown = ", ".join(map(str, value.tolist()))
    else:
        head, tail = value[:_SHOWN].tolist(), value[-_SHOWN:].tolist()
        shown = ", ".join([*map(str, head), "...", *map(str, tail)])
    click.echo(f"result: {value.dtype} array of {len(value)} elements: [{shown}]")


def _write(path: Path, array: npt.NDArray[Any]) -> None:
    with writing(path), replacing(path) as file:
        np.save(file, array)
    click.echo(f"written to {path}")
