"""Telling how far a run is."""

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator

from lunaflow._arguments import reject_type

Report = Callable[[int, int, str], object]
"""Called with what is done, the total, and what is being done."""


@contextlib.contextmanager
def reporting(progress: bool | Report) -> Iterator[Report]:
    """Yield the function to call with ``(done, total, text)``.

    A callable is used as it is. True shows a bar on standard error if that is a terminal and rich
    is installed; else nothing is shown. The command line uses it for whole runs.
    """
    if callable(progress):
        yield progress
    elif not isinstance(progress, bool):
        raise reject_type("progress", progress, "a bool or a callable (done, total, text)")
    elif progress and sys.stderr.isatty() and importlib.util.find_spec("rich") is not None:
        with _bar() as report:
            yield report
    else:
        yield lambda _done, _total, _text: None


@contextlib.contextmanager
def _bar() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        row = bar.add_task("", total=None)
        begun = False

        def report(done: int, total: int, text: str) -> None:
            nonlocal begun
            if not begun:
                # what an earlier run has done says nothing of how long the rest takes
                bar.reset(row, total=total, completed=done - 1)
                begun = True
            bar.update(row, completed=done, total=total, description=text)

        yield report


class StepCounter:
    """Counts steps up to a total and reports each."""

    def __init__(self, report: Report, total: int) -> None:
        self._report = report
        self._total = total
        self._done = 0

    def advance(self, text: str) -> None:
        """Report one more step; repeated work never counts beyond the total."""
        self._done = min(self._done + 1, self._total)
        self._report(self._done, self._total, text)

    def skip(self, steps: int) -> None:
        """Count steps that were done before, without reporting them."""
        self._done = min(self._done + steps, self._total)

    def finish(self, text: str) -> None:
        """Report that all is done, whatever was left out."""
        self._report(self._total, self._total, text)
