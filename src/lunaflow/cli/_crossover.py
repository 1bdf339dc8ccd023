"""``lunaflow crossover``: from the results file of another tool to a deployment policy."""

from pathlib import Path
from typing import assert_never

import click
from rich.markup import escape
from rich.table import Table

from lunaflow.cli._console import console
from lunaflow.cli._refusal import refuse, refuse_overwriting, writing
from lunaflow.experiment import (
    Found,
    Inconclusive,
    Label,
    NoCrossover,
    NonMonotonic,
)
from lunaflow.experiment._texts import seconds_text, words
from lunaflow.experiment.foreign import (
    ForeignCrossover,
    ForeignFileError,
    SizeFigures,
    Timing,
    crossover_of_results,
    read_results,
)
from lunaflow.policy import DeploymentPolicy, Fallback, Global, PolicySet, save

_ANY = "any"


def _assignments(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, equals, _ in pairs:
        if not equals or not name.strip():
            raise click.BadParameter(f"{name!r} is no NAME=VALUE")
    return {name.strip(): value.strip() for name, _, value in pairs}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--a", "a", required=True, metavar="NAME", help="One implementation.")
@click.option("--b", "b", required=True, metavar="NAME", help="The other one.")
@click.option(
    "--threshold",
    type=click.FloatRange(min=0, min_open=True),
    default=3.0,
    show_default=True,
    metavar="PCT",
    help="Smallest difference of interest, in percent.",
)
@click.option(
    "--size-parameter", metavar="NAME", help="The parameter that is the size, if several vary."
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_assignments,
    help="Take only timings with this parameter.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="POLICY",
    help="Write the policy to this file.",
)
@click.option(
    "--operation", metavar="NAME", help="The operation that the policy is for.  [default: A or B]"
)
def crossover(
    file: Path,
    a: str,
    b: str,
    threshold: float,
    size_parameter: str | None,
    only: dict[str, str],
    out: Path | None,
    operation: str | None,
) -> int:
    """Find from which size on another implementation is faster, by another tool's results.

    FILE is a JSON file of pyperf, pytest-benchmark, Google Benchmark, hyperfine or cargo-criterion,
    a CSV file, or Criterion's folder. Exit status 1 if the results support no policy.
    """
    if out is not None:
        refuse_overwriting(out, file)
    try:
        found = crossover_of_results(
            read_results(file),
            a,
            b,
            practical_delta_pct=threshold,
            size_parameter=size_parameter,
            only=only,
        )
    except ForeignFileError as error:
        refuse(str(error))
    _print(found)
    right = [name for name in (a, b) if name not in found.failed]
    if not right:
        click.echo(f"no policy: {'; '.join(f'{name} {why}' for name, why in found.failed.items())}")
        return 1
    policy = found.policy(fallback=right[0])
    if isinstance(policy, Fallback):
        click.echo(f"no policy: {policy.reason}")
        return 1
    click.echo(f"policy: {_policy_text(policy, found)}")
    if out is not None:
        with writing(out):
            save(_policy_set(policy, found, operation or f"{a} or {b}"), out)
        click.echo(f"{out}: the policy")
    return 0


def _print(found: ForeignCrossover) -> None:
    click.echo(f"{found.format}; the size is the parameter {found.size_parameter}")
    table = Table()
    for heading in (_size_heading(found), found.a, found.b, "difference", "faster"):
        table.add_column(escape(heading), justify="right")
    table.add_column("figures")
    for one in found.figures:
        cells = [
            str(one.size),
            _seconds(one.a),
            _seconds(one.b),
            _percent(one),
            _faster(one, found),
        ]
        table.add_row(*map(escape, [*cells, _basis(one)]))
    console().print(table)
    click.echo(f"crossover: {_result_text(found)}")


def _size_heading(found: ForeignCrossover) -> str:
    # a parameter that goes by its position says nothing to a reader
    return "size" if found.size_parameter.startswith("#") else found.size_parameter


def _seconds(timing: Timing | None) -> str:
    if timing is None or timing.unusable is not None:
        return "-"
    return seconds_text(timing.seconds)


def _percent(one: SizeFigures) -> str:
    if one.relative_delta_pct is None:
        return "-"
    text = f"{one.relative_delta_pct:+.1f} %"
    if one.interval_pct is None:
        return text
    low, high = one.interval_pct
    return f"{text} ({low:+.1f} to {high:+.1f})"


def _faster(one: SizeFigures, found: ForeignCrossover) -> str:
    return {Label.A: found.a, Label.B: found.b}.get(one.label, "undecided")


def _basis(one: SizeFigures) -> str:
    bases = dict.fromkeys(t.basis for t in (one.a, one.b) if t is not None)
    text = " against ".join(bases)
    return f"{text}; {one.reason}" if one.relative_delta_pct is not None else one.reason


def _result_text(found: ForeignCrossover) -> str:
    match found.result:
        case Found(boundary, evidence):
            below = evidence.labels[evidence.scales.index(boundary.below)]
            first, second = (found.a, found.b) if below is Label.A else (found.b, found.a)
            between = ", ".join(map(str, found.result.undecided))
            undecided = f"; undecided at {between}" if between else ""
            return (
                f"{first} is faster up to {boundary.below}, {second} from "
                f"{boundary.at_or_above} on{undecided}"
            )
        case NoCrossover(reason, _) | Inconclusive(reason, _):
            return f"none: {_named(reason, found)}"
        case NonMonotonic():
            return "none: the faster one changes more than once"
    assert_never(found.result)


def _named(reason: str, found: ForeignCrossover) -> str:
    for label, name in ((Label.A, found.a), (Label.B, found.b)):
        if reason.startswith(f"{label} is faster"):
            return reason.replace(str(label), name, 1)
    return reason


def _policy_text(policy: DeploymentPolicy, found: ForeignCrossover) -> str:
    if isinstance(policy, Global):
        undecided = [str(one.size) for one in found.figures if one.label is Label.UNKNOWN]
        decided = [str(one.size) for one in found.figures if one.label is not Label.UNKNOWN]
        text = f"{policy.choice} at every size"
        if not undecided:
            return text
        those = f"{len(decided)} sizes that are" if len(decided) > 1 else "one size that is"
        text += f", as it is faster at the {those} decided ({words(decided)})"
        return f"{text}; undecided at {words(undecided)}"
    return "by size, as the crossover says"


def _policy_set(policy: DeploymentPolicy, found: ForeignCrossover, operation: str) -> PolicySet:
    environment = {
        "source": found.format,
        "size_parameter": found.size_parameter,
        "threshold_pct": found.practical_delta_pct,
    }
    return PolicySet({(operation, _ANY): policy}, environment)
