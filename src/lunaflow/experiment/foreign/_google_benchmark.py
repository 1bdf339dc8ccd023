"""Files of Google Benchmark: ``--benchmark_out=FILE --benchmark_out_format=json``, or ``csv``."""

from collections.abc import Iterable

from lunaflow.experiment.foreign._names import taken_apart
from lunaflow.experiment.foreign._place import ForeignFileError, Place
from lunaflow.experiment.foreign._timings import Timing, timed
from lunaflow.experiment.foreign._units import seconds_in

FORMAT = "Google Benchmark JSON"
CSV_FORMAT = "Google Benchmark CSV"

_AGGREGATES = ("median", "mean")
_OTHER_AGGREGATES = ("stddev", "cv", "BigO", "RMS", "min", "max")


def is_google_benchmark(found: object) -> bool:
    """Say whether JSON is a run of Google Benchmark."""
    match found:
        case {"benchmarks": [{"real_time": _} | {"cpu_time": _} | {"run_type": _}, *_]}:
            return True
        case {"context": _, "benchmarks": [*_]}:
            return True
    return False


def read_google_benchmark(run: Place) -> list[Timing]:
    """Return the timings of a run: real time an iteration of each repetition.

    Where the file has aggregates alone, the median counts, else the mean.
    """
    return timings_of_rows((run / "benchmarks").items())


def timings_of_rows(rows: Iterable[Place]) -> list[Timing]:
    """Return the timings of the rows of a run, those of one benchmark together."""
    samples: dict[str, list[float]] = {}
    figures: dict[tuple[str, str], float] = {}
    failures: dict[str, str] = {}
    names: dict[str, None] = {}
    for row in rows:
        name, aggregate = _name_and_aggregate(row)
        if aggregate is not None and aggregate not in _AGGREGATES:
            continue
        names[name] = None
        if _failed(row):
            message = row.get("error_message")
            failures[name] = "it failed" if message is None else f"it failed: {message.text()}"
            continue
        seconds = (row / "real_time").seconds(_unit(row))
        if aggregate is None:
            samples.setdefault(name, []).append(seconds)
        else:
            figures[name, aggregate] = seconds
    return [_timing(name, samples.get(name, []), figures, failures.get(name)) for name in names]


def _name_and_aggregate(row: Place) -> tuple[str, str | None]:
    run_name, aggregate = row.get("run_name"), row.get("aggregate_name")
    name = (row / "name").text()
    if aggregate is not None:
        word = aggregate.text()
        return (name.removesuffix(f"_{word}") if run_name is None else run_name.text()), word
    # CSV says it by the name alone
    for word in (*_AGGREGATES, *_OTHER_AGGREGATES):
        if run_name is None and name.endswith(f"_{word}"):
            return name.removesuffix(f"_{word}"), word
    return (name if run_name is None else run_name.text()), None


def _failed(row: Place) -> bool:
    occurred = row.get("error_occurred")
    return occurred is not None and occurred.value in (True, "true")


def _unit(row: Place) -> float:
    unit = row.get("time_unit")
    return 1e-9 if unit is None else seconds_in(unit.text(), unit.where)


def _timing(
    name: str, samples: list[float], figures: dict[tuple[str, str], float], failure: str | None
) -> Timing:
    apart = taken_apart(name)
    if failure is not None:
        return Timing(name, apart.family, apart.parameters, 0.0, "none", unusable=failure)
    if samples:
        return timed(name, apart.family, apart.parameters, samples)
    for word in _AGGREGATES:
        if (name, word) in figures:
            basis = f"the {word} in the file"
            return Timing(name, apart.family, apart.parameters, figures[name, word], basis)
    raise ForeignFileError(f"the benchmark {name!r} has no time")
