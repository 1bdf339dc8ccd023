"""CSV files: of the tools that write some, and any with a name, a time and parameters a row."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lunaflow.experiment.foreign import _criterion, _google_benchmark, _hyperfine
from lunaflow.experiment.foreign._names import number_of, taken_apart
from lunaflow.experiment.foreign._place import ForeignFileError, Place
from lunaflow.experiment.foreign._timings import ForeignResults, Parameters, Timing, timed
from lunaflow.experiment.foreign._units import UNITS, seconds_in

FORMAT = "CSV"
WIDE_FORMAT = "CSV with a column for each implementation"

_DELIMITERS = ",;\t"
_GOOGLE = {"name", "real_time", "time_unit"}
_HYPERFINE = {"command", "mean", "stddev"}
_CRITERION = {"group", "sample_measured_value", "iteration_count"}

_NAMES = ("name", "benchmark", "implementation", "function", "command", "method", "algorithm")
_SIZES = ("size", "n", "length", "scale", "elements")
_UNITS = ("unit", "time_unit")
_SAMPLES = ("time", "seconds", "elapsed", "duration", "runtime", "wall_time", "real_time")
_FIGURES = {"median": "median", "mean": "mean", "average": "mean", "avg": "mean"}
_STATISTICS = {"stddev", "std", "min", "max", "user", "system", "iterations", "rounds", "error"}
_HEADER = re.compile(r"(.*?)[_\s]*(?:[\[(]\s*([^\W\d_]+)\s*[\])]|(?<=[_\s])([^\W\d_]+))?")


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a CSV file, each with the number of its line."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]

    def places(self, *numeric: str) -> Iterator[Place]:
        """Yield the rows as places, empty cells left out and the columns named as numbers."""
        for line, row in self.rows:
            cells = {
                name: _number(cell, line, name) if name in numeric else cell
                for name, cell in row.items()
                if cell
            }
            yield Place(cells, f"line {line}: ")


def table_of(text: str) -> Table | None:
    """Return the table that a text is; None if its first line is no header of several columns."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    if first.count(delimiter) == 0:
        return None
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows: list[tuple[int, dict[str, str]]] = []
    header: tuple[str, ...] | None = None
    try:
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            if header is None:
                header = tuple(cell.strip() for cell in cells)
                _require_unique(header, reader.line_num)
            else:
                rows.append((reader.line_num, _row(header, cells, reader.line_num)))
    except csv.Error as error:
        raise ForeignFileError(f"line {reader.line_num}: damaged CSV: {error}") from error
    return None if header is None else Table(header, tuple(rows))


def read_table(table: Table) -> ForeignResults:
    """Return the timings of a table, by the columns that its header names."""
    columns = set(table.header)
    if columns >= _CRITERION:
        return ForeignResults(_criterion.CSV_FORMAT, tuple(_of_criterion(table)))
    if columns >= _GOOGLE:
        rows = table.places("real_time")
        timings = _google_benchmark.timings_of_rows(rows)
        return ForeignResults(_google_benchmark.CSV_FORMAT, tuple(timings))
    if columns >= _HYPERFINE:
        return ForeignResults(
            _hyperfine.CSV_FORMAT, tuple(_hyperfine.with_varying_numbers(_of_hyperfine(table)))
        )
    lower = {name.lower(): name for name in table.header}
    name = next((lower[one] for one in _NAMES if one in lower), None)
    time = _time_column(table.header)
    if name is not None and time is not None:
        return ForeignResults(FORMAT, tuple(_long(table, name, *time)))
    size = next((lower[one] for one in _SIZES if one in lower), None)
    if size is not None and len(table.header) > 2:
        return ForeignResults(WIDE_FORMAT, tuple(_wide(table, size)))
    raise ForeignFileError(
        "line 1: the header must name a column for the name (one of "
        f"{', '.join(_NAMES)}) and one for the time (such as median, mean, time, seconds or "
        f"time_ns), or a column for the size ({', '.join(_SIZES)}) and one for each "
        f"implementation; it has {', '.join(table.header)}"
    )


def _of_hyperfine(table: Table) -> Iterator[Timing]:
    for row in table.places("median", "mean"):
        command = (row / "command").text()
        given = tuple(
            (name.removeprefix("parameter_"), str(cell.value))
            for name, cell in row.fields()
            if name.startswith("parameter_")
        )
        family, parameters = _hyperfine.family_of(command, given)
        word = "mean" if row.get("median") is None else "median"
        seconds = (row / word).seconds()
        yield Timing(command, family, parameters, seconds, f"the {word} in the file")


def _of_criterion(table: Table) -> Iterator[Timing]:
    samples: dict[str, list[float]] = {}
    for row in table.places("sample_measured_value", "iteration_count"):
        parts = [row.get(name) for name in ("group", "function", "value")]
        name = "/".join(part.text() for part in parts if part is not None)
        unit, iterations = row / "unit", (row / "iteration_count").seconds()
        if iterations == 0:
            raise (row / "iteration_count").wrong("above 0")
        time = (row / "sample_measured_value").seconds(seconds_in(unit.text(), unit.where))
        samples.setdefault(name, []).append(time / iterations)
    for name, seconds in samples.items():
        apart = taken_apart(name)
        yield timed(name, apart.family, apart.parameters, seconds)


def _long(table: Table, name: str, time: str, kind: str, unit: float | None) -> Iterator[Timing]:
    others = [one for one in table.header if _is_parameter(one) and one != name]
    gathered: dict[tuple[str, str, Parameters], list[tuple[float, int]]] = {}
    for (line, _), row in zip(table.rows, table.places(time), strict=True):
        full = (row / name).text()
        apart = taken_apart(full)
        cells = [(one, row.get(one)) for one in others]
        own = tuple((one, cell.text()) for one, cell in cells if cell is not None)
        seconds = (row / time).seconds(_row_unit(row) if unit is None else unit)
        key = (full, apart.family, (*apart.parameters, *own))
        gathered.setdefault(key, []).append((seconds, line))
    for (full, family, parameters), found in gathered.items():
        if kind == "sample":
            yield timed(full, family, parameters, [seconds for seconds, _ in found])
        elif len(found) > 1:
            raise ForeignFileError(f"line {found[1][1]}: repeats line {found[0][1]} of {full!r}")
        else:
            yield Timing(full, family, parameters, found[0][0], f"the {kind} in the file")


def _wide(table: Table, size: str) -> Iterator[Timing]:
    columns = [name for name in table.header if name != size]
    gathered: dict[tuple[str, str], list[float]] = {}
    for row in table.places(*columns):
        for name in columns:
            if (cell := row.get(name)) is not None:
                key = (name, (row / size).text())
                gathered.setdefault(key, []).append(cell.seconds(_unit_in(name) or 1.0))
    for (name, value), seconds in gathered.items():
        yield timed(f"{name}/{value}", name, ((size, value),), seconds)


def _time_column(header: tuple[str, ...]) -> tuple[str, str, float | None] | None:
    """Return the column with the times, what they are, and their unit if the header says it."""
    found: dict[str, tuple[str, str, float | None]] = {}
    for name in header:
        if (kind := _kind(name)) is not None:
            found.setdefault(kind, (name, kind, _unit_in(name)))
    return next((found[kind] for kind in ("sample", "median", "mean") if kind in found), None)


def _kind(name: str) -> str | None:
    """Return what a column of this name holds: samples, medians, means, or no times: None."""
    word = _HEADER.fullmatch(name.strip().lower())
    base = "" if word is None else word[1].strip().replace(" ", "_")
    for candidate in (base, base.removesuffix("_time"), name.strip().lower().replace(" ", "_")):
        if candidate in _SAMPLES or candidate in UNITS:
            return "sample"
        if candidate in _FIGURES:
            return _FIGURES[candidate]
    return None


def _unit_in(name: str) -> float | None:
    """Return the unit that a header ends with, in seconds."""
    lower = name.strip().lower()
    word = _HEADER.fullmatch(lower)
    given = None if word is None else word[2] or word[3]
    return UNITS.get(lower) if given is None else UNITS.get(given)


def _row_unit(row: Place) -> float:
    for name, cell in row.fields():
        if name.lower() in _UNITS:
            return seconds_in(cell.text(), cell.where)
    return 1.0


def _is_parameter(name: str) -> bool:
    return name.lower() not in {*_STATISTICS, *_UNITS} and _kind(name) is None


def _row(header: tuple[str, ...], cells: list[str], line: int) -> dict[str, str]:
    if len(cells) != len(header):
        raise ForeignFileError(f"line {line}: has {len(cells)} columns, the header {len(header)}")
    return {name: cell.strip() for name, cell in zip(header, cells, strict=True)}


def _require_unique(header: tuple[str, ...], line: int) -> None:
    for position, name in enumerate(header):
        if not name or name in header[:position]:
            raise ForeignFileError(f"line {line}: the columns must have names of their own")


def _number(cell: str, line: int, name: str) -> float:
    number = number_of(cell)
    if number is None:
        raise ForeignFileError(f"line {line}: {name} must be a number, not {cell!r}")
    return number
