"""The page: a template filled with the view of a record, and a file written in one go."""

import importlib.resources
import os
from typing import Any

from lunaflow._arguments import reject_type
from lunaflow._files import replacing
from lunaflow.experiment._results import ExperimentResult, RunRecord
from lunaflow.experiment.report._extra import naming_the_extra
from lunaflow.experiment.report._heading import title_of
from lunaflow.experiment.report._texts import showable
from lunaflow.experiment.report._view import page_of


def render(record: RunRecord | ExperimentResult, *, title: str | None = None) -> str:
    """Return the report of a run as one HTML page that loads nothing from outside.

    Needs Matplotlib and Jinja2 (the extra ``experiment``).

    Parameters
    ----------
    record : RunRecord or ExperimentResult
        What `lunaflow.experiment.read_run` gives, whole or cut off; or one experiment alone.
    title : str, optional
        Heading of the page. Default: ``"lunaflow report"``, with the name of the experiment before
        it if there is one alone.

    Raises
    ------
    TypeError
        If `record` or `title` is of another type.
    ImportError
        If Matplotlib or Jinja2 is not installed.
    """
    if title is not None and not isinstance(title, str):
        raise reject_type("title", title, "a str or None")
    run = _as_record(record)
    environment = _environment()
    source = importlib.resources.files("lunaflow.experiment.report") / "templates" / "report.html"
    template = environment.from_string(source.read_text(encoding="utf-8"))
    heading = title_of(run) if title is None else title
    return str(template.render(title=heading, page=page_of(run)))


def write(
    record: RunRecord | ExperimentResult,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
) -> None:
    """Write the report of a run to a file, all of it or nothing.

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


def _as_record(given: RunRecord | ExperimentResult) -> RunRecord:
    if isinstance(given, ExperimentResult):
        ending: Any = "finished" if given.finished else "cut off"
        return RunRecord({}, (given,), given.finished, ending)
    if isinstance(given, RunRecord):
        return given
    raise reject_type("record", given, "a RunRecord or an ExperimentResult")


def _environment() -> Any:
    with naming_the_extra("jinja2"):
        import jinja2

    # every text that the page is filled with passes `finalize`, and after it the escaping
    return jinja2.Environment(
        autoescape=True,
        finalize=_finalized,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalized(given: Any) -> Any:
    return showable(given) if type(given) is str else given
