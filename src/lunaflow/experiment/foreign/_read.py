"""Reading a file of results of another tool; what wrote it is told by its content alone."""

import gzip
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lunaflow._arguments import as_path
from lunaflow.experiment.foreign import (
    _criterion,
    _google_benchmark,
    _hyperfine,
    _pyperf_json,
    _pytest_benchmark,
)
from lunaflow.experiment.foreign._place import ForeignFileError, Place
from lunaflow.experiment.foreign._tables import read_table, table_of
from lunaflow.experiment.foreign._timings import ForeignResults, Timing

_KNOWN = (
    "known are the JSON files of pyperf, pytest-benchmark, Google Benchmark, hyperfine and "
    "cargo-criterion, Criterion's folder, and CSV"
)
_GZIP = b"\x1f\x8b"

_JSON: tuple[tuple[str, Callable[[object], bool], Callable[[Place], list[Timing]]], ...] = (
    (_pyperf_json.FORMAT, _pyperf_json.is_pyperf, _pyperf_json.read_pyperf),
    (
        _pytest_benchmark.FORMAT,
        _pytest_benchmark.is_pytest_benchmark,
        _pytest_benchmark.read_pytest_benchmark,
    ),
    (
        _google_benchmark.FORMAT,
        _google_benchmark.is_google_benchmark,
        _google_benchmark.read_google_benchmark,
    ),
    (_hyperfine.FORMAT, _hyperfine.is_hyperfine, _hyperfine.read_hyperfine),
)


def read_results(path: str | os.PathLike[str]) -> ForeignResults:
    """Read a file of results of another tool.

    Parameters
    ----------
    path : str or path-like
        A JSON file of pyperf (packed by gzip or not), pytest-benchmark, Google Benchmark or
        hyperfine; the messages of cargo-criterion; a CSV file of one of these or any other; or
        Criterion's folder. Which it is, its content tells, never its name.

    Raises
    ------
    ForeignFileError
        If the file cannot be read, is of no known format, is damaged, or holds no timing. The
        message begins with the path, and names the place.
    """
    where = as_path("path", path)
    try:
        found = _of_folder(where) if where.is_dir() else _of_text(_text(where))
        if not found.timings:
            raise ForeignFileError(f"it is a file of the format {found.format} without a timing")
    except ForeignFileError as error:
        raise ForeignFileError(f"{where}: {error}") from error
    return found


def _of_folder(folder: Path) -> ForeignResults:
    timings = _criterion.read_folder(folder)
    if not timings:
        raise ForeignFileError("the folder has no new/benchmark.json of Criterion in it")
    return ForeignResults(_criterion.FOLDER_FORMAT, tuple(timings))


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise ForeignFileError("it is no regular file")
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if data.startswith(_GZIP) else data).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ForeignFileError(f"byte {error.start} is not UTF-8: {_KNOWN}") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ForeignFileError(f"damaged gzip: {error}") from error
    except OSError as error:
        raise ForeignFileError(f"cannot be read: {error.strerror or error}") from error


def _of_text(text: str) -> ForeignResults:
    if not text.strip():
        raise ForeignFileError("it is empty")
    if not text.lstrip().startswith(("{", "[")):
        table = table_of(text)
        if table is None:
            raise ForeignFileError(f"it is neither JSON nor CSV; {_KNOWN}")
        return read_table(table)
    if (messages := _messages(text)) is not None:
        return ForeignResults(_criterion.FORMAT, tuple(_criterion.read_messages(messages)))
    found = _json(text)
    for name, matches, read in _JSON:
        if matches(found):
            return ForeignResults(name, tuple(read(Place(found))))
    raise ForeignFileError(f"it is JSON of no known format; {_KNOWN}")


def _messages(text: str) -> list[Place] | None:
    """Return the lines of a file of JSON lines that cargo-criterion wrote; None for any other."""
    lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    try:
        first = json.loads(lines[0][1])
    except (ValueError, RecursionError):
        return None
    if isinstance(first, dict) and "lunaflow" in first and "event" in first:
        raise ForeignFileError("it is a file of lunaflow's own events: see `lunaflow report`")
    if not _criterion.is_criterion(first):
        return None
    return [Place(_json(line, number), f"line {number}: ") for number, line in lines]


def _json(text: str, line: int = 1) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno + line - 1}, column {error.colno}"
        raise ForeignFileError(f"{at}: damaged JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:  # too many digits, nested too deeply
        raise ForeignFileError(f"damaged JSON: {error}") from error
