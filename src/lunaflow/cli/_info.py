"""``lunaflow info``: what this installation is, and which tuning is in force."""

import warnings

import click
from rich.table import Table

from lunaflow.cli._console import console
from lunaflow.runtime import build_info
from lunaflow.runtime._tuning import VARIABLE, tuning_source


@click.command()
def info() -> None:
    """Print versions, OpenMP and the library loaded, instruction set, CPUs, and the tuning."""
    facts = build_info()
    openmp = (
        f"yes, {facts['openmp_version']}, loaded from {facts['openmp_library'] or 'unknown'}"
        if facts["openmp"]
        else "no: every kernel runs serially"
    )
    quota = facts["cpu_quota"]
    rows = {
        "lunaflow": facts["lunaflow"],
        "python": facts["python"],
        "numpy": facts["numpy"],
        "OpenMP": openmp,
        "instruction set": facts["instruction_set"],
        "CPU": facts["cpu"] or facts["machine"],
        "usable CPUs": f"{facts['cpus']}" + ("" if quota is None else f" (quota {quota:g})"),
        "platform": facts["platform"],
        "tuning": _tuning(),
    }
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows.items():
        table.add_row(name, value)
    console().print(table)


def _tuning() -> str:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        source = tuning_source()
    why = f"set {VARIABLE}, or call use_tuning" if not caught else str(caught[0].message)
    return source or f"none in force ({why})"
