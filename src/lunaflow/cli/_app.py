"""The command group, and how its commands end: 0, 1 the data does not allow it, 2 wrong input."""

import sys

import click

from lunaflow._version import __version__
from lunaflow.cli._compare import compare
from lunaflow.cli._crossover import crossover
from lunaflow.cli._info import info
from lunaflow.cli._refusal import Refusal
from lunaflow.cli._replay import replay
from lunaflow.cli._report import report
from lunaflow.cli._run import run
from lunaflow.cli._tune import tune


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lunaflow")
def lunaflow() -> None:
    """Exact parallel kernels, and the evidence for using them.

    Exit status: 0; 1 when the data does not allow a result (an overflow, a kernel that fails
    validation, no crossover); 2 for a wrong plan or input; 130 after Ctrl-C.
    """


for _command in (tune, compare, crossover, report, replay, run, info):
    lunaflow.add_command(_command)


def app() -> int:
    """Run the command line and return its exit status."""
    try:
        status = lunaflow.main(prog_name="lunaflow", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Refusal as error:
        click.echo(f"Error: {error}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        sys.stderr.write("interrupted\n")
        return 130
    return status if isinstance(status, int) else 0
