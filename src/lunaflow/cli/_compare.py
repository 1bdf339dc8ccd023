"""``lunaflow compare``: which of some expressions is right, and from which size on it is faster."""

import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import click

from lunaflow.cli._expressions import Expression, Setup, WrongExpression, split_name
from lunaflow.cli._refusal import refuse, writing
from lunaflow.cli._report import describe
from lunaflow.cli._sizes import sizes_from
from lunaflow.experiment import (
    CannotResume,
    EventFileError,
    Experiment,
    ExperimentResult,
    ProtocolPreset,
    ReferenceOracle,
    UnusableInput,
    read_run,
)
from lunaflow.experiment._environment import environment
from lunaflow.experiment._summary import summary_of
from lunaflow.experiment.report._verdicts import crossover_text
from lunaflow.policy import Fallback, PolicySet, save

_ANY = "any"
_PROTOCOLS = {preset.name.lower().replace("_", "-"): preset for preset in ProtocolPreset}


def _sizes(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, ...]:
    try:
        return sizes_from(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("expressions", nargs=-1, required=True, metavar="[NAME=]EXPRESSION...")
@click.option(
    "--setup",
    multiple=True,
    required=True,
    metavar="STATEMENTS",
    help="Makes the variables; np, math, rng (a NumPy Generator) and n (the size) are there.",
)
@click.option(
    "--sizes",
    default="2^8..2^20",
    show_default=True,
    callback=_sizes,
    help="Such as 100,1000 or 2^8..2^20.",
)
@click.option(
    "--reference", metavar="EXPRESSION", help="What is right.  [default: the first expression]"
)
@click.option(
    "--close",
    type=click.FloatRange(min=0),
    metavar="REL",
    help="Results may differ by this relative difference.",
)
@click.option(
    "--protocol",
    type=click.Choice(sorted(_PROTOCOLS)),
    default="development",
    show_default=True,
)
@click.option("--processes", type=click.IntRange(min=1), help="Fresh interpreters to measure in.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--name", help="Name of the experiment; it determines the inputs with the seed.")
@click.option(
    "--events", type=click.Path(path_type=Path, dir_okay=False), help="Keep all events in a file."
)
@click.option("--resume", is_flag=True, help="Go on with the run that --events holds.")
@click.option(
    "--report", type=click.Path(path_type=Path, dir_okay=False), help="Write the HTML report."
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the policy of the first two expressions.",
)
def compare(
    expressions: tuple[str, ...],
    setup: tuple[str, ...],
    sizes: tuple[int, ...],
    reference: str | None,
    close: float | None,
    protocol: str,
    processes: int | None,
    seed: int,
    name: str | None,
    events: Path | None,
    resume: bool,
    report: Path | None,
    policy: Path | None,
) -> int:
    """Compare Python expressions: validate them against each other, time those that are right.

    One expression alone takes --reference, which it is validated against, or --events, which keeps
    its timings. Every expression is evaluated on its own copy of the variables, which it must leave
    as they are. Exit status 1 if one of them failed.
    """
    if resume and events is None:
        refuse("--resume goes on with the run that --events names")
    if events is not None and events.exists() and not resume:
        refuse(f"{events} is there already; name another file, or go on with it by --resume")
    # what the expressions import may lie beside the user
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        made = _experiment(expressions, "\n".join(setup), sizes, reference, close, name)
        if len(expressions) == 1 and reference is None and events is None:
            refuse(
                "there is nothing to compare the expression with: give another one, --reference "
                "with what is right, or --events to keep its timings for a later run"
            )
        given = replace(made, protocol=_PROTOCOLS[protocol], processes=processes, seed=seed)
        result = given.run(events=events, resume=resume)
    except (WrongExpression, UnusableInput, CannotResume) as error:
        refuse(str(error))
    except EventFileError as error:
        refuse(error.strerror or str(error))
    except KeyboardInterrupt:
        if events is not None:
            again = "--resume goes on with it"
            click.echo(f"\n{events}: {describe(read_run(events))}; {again}", err=True)
        raise
    _print(result)
    if events is not None:
        click.echo(f"{events}: {describe(read_run(events))}")
    if report is not None:
        with writing(report):
            result.report(report)
        click.echo(f"{report}: the report")
    if policy is not None:
        _write_policy(result, policy)
    return 1 if result.failures else 0


def _experiment(
    expressions: tuple[str, ...],
    setup: str,
    sizes: tuple[int, ...],
    reference: str | None,
    close: float | None,
    name: str | None,
) -> Experiment:
    implementations: dict[str, Expression] = {}
    for given in expressions:
        short, source = split_name(given)
        if short in implementations:
            refuse(f"the name {short} is given twice; write NAME=EXPRESSION to tell them apart")
        implementations[short] = Expression(source)
    first = next(iter(implementations.values()))
    right = first if reference is None else Expression(reference)
    oracle = None if close is None else ReferenceOracle.close(f"within {close:g}", right, rel=close)
    try:
        return Experiment(
            name or " and ".join(implementations),
            implementations,
            sizes=sizes,
            make=Setup(setup),
            reference=right if oracle is None else None,
            oracle=oracle,
        )
    except ValueError as error:
        refuse(str(error))


def _print(result: ExperimentResult) -> None:
    click.echo(str(summary_of(result)))
    for a, b in combinations(result.implementations, 2):
        click.echo(f"{a} against {b}: {crossover_text(result, a, b)}")


def _write_policy(result: ExperimentResult, path: Path) -> None:
    if len(result.implementations) < 2:
        refuse("--policy needs two expressions to choose from")
    a, b = result.implementations[:2]
    failed = {failure.implementation for failure in result.failures}
    right = [name for name in result.implementations if name not in failed]
    if not right:
        click.echo(f"{path} is not written: each of the expressions failed")
        return
    policy = result.policy(a, b, fallback=right[0])
    if isinstance(policy, Fallback):
        says = f"so it says {policy.choice}"
        click.echo(f"{path}: the measurements support no rule ({policy.reason}), {says}")
    with writing(path):
        save(PolicySet({(result.name, _ANY): policy}, environment()), path)
    click.echo(f"{path}: the policy")
