"""The page: a template filled with the view of a record, and a file written in one go."""

import importlib.resources
import os
from collections.abc import Mapping
from typing import Any

from lunaflow._arguments import reject_type, require, require_text
from lunaflow._files import replacing
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment.report._extra import naming_the_extra
from lunaflow.experiment.report._heading import title_of
from lunaflow.experiment.report._runs import changes_of
from lunaflow.experiment.report._texts import showable
from lunaflow.experiment.report._view import page_of

Shown = RunRecord | ExperimentResult | Mapping[str, RunRecord]
"""What a report is made of: a run, one experiment, or several runs by name."""


def render(record: Shown, *, title: str | None = None) -> str:
    """Return the report of a run, or of several side by side, as one HTML page.

    The page loads nothing from outside and needs no JavaScript. Of several runs the first is what
    was before: for each other one it says what changed, with intervals and what differs in the
    environment; the experiments in full are those of the last. Needs Matplotlib and Jinja2 (the
    extra ``experiment``).

    Parameters
    ----------
    record : RunRecord, ExperimentResult or mapping of str to RunRecord
        What `lunaflow.experiment.read_run` gives, whole or cut off; one experiment alone; or
        several runs by the names that the page calls them.
    title : str, optional
        Heading of the page. Default: ``"lunaflow report"``, with the name of the experiment before
        it if there is one alone.

    Raises
    ------
    TypeError
        If `record` or `title` is of another type.
    ValueError
        If `record` holds no run.
    ImportError
        If Matplotlib or Jinja2 is not installed.
    """
    if title is not None and not isinstance(title, str):
        raise reject_type("title", title, "a str or None")
    runs = _as_runs(record)
    (first, before), (last, shown) = runs[0], runs[-1]
    template = _environment().get_template("report.html")
    return str(
        template.render(
            title=title_of(shown) if title is None else title,
            name=last,
            page=page_of(shown),
            changes=[
                changes_of(before, run, (first, name), f"c{i}")
                for i, (name, run) in enumerate(runs[1:])
            ],
        )
    )


def write(record: Shown, path: str | os.PathLike[str], *, title: str | None = None) -> None:
    """Write the report of a run, or of several side by side, to a file, all of it or nothing.

    An existing file is replaced only when the new one is complete; a symbolic link is followed.

    Parameters
    ----------
    record, title
        As in `render`.
    path : str or path-like
        The file; its folder must exist.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    data = render(record, title=title).encode("utf-8")
    with replacing(path) as file:
        file.write(data)


def _as_runs(given: Shown) -> list[tuple[str, RunRecord]]:
    if not isinstance(given, Mapping):
        return [("", _as_record(given))]
    if not given:
        raise ValueError("record must hold at least one run, not none")
    for name, run in given.items():
        require_text("a name in record", name)
        require(f"record[{name!r}]", run, RunRecord, "a RunRecord")
    return list(given.items())


def _as_record(given: object) -> RunRecord:
    if isinstance(given, ExperimentResult):
        ending: Any = "finished" if given.finished else "cut off"
        return RunRecord(dict(given.environment), (given,), given.finished, ending)
    if isinstance(given, RunRecord):
        return given
    raise reject_type("record", given, "a RunRecord, an ExperimentResult or a mapping of them")


def _environment() -> Any:
    with naming_the_extra("jinja2"):
        import jinja2

    # every text that the page is filled with passes `finalize`, and after it the escaping
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_template),
        autoescape=True,
        finalize=_finalized,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> str:
    folder = importlib.resources.files("lunaflow.experiment.report") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _finalized(given: Any) -> Any:
    return showable(given) if type(given) is str else given
