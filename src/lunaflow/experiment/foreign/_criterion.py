"""Results of criterion.rs: ``cargo criterion --message-format=json``, or its folder of results."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lunaflow.experiment.foreign._names import taken_apart
from lunaflow.experiment.foreign._place import ForeignFileError, Place
from lunaflow.experiment.foreign._timings import Timing, timed
from lunaflow.experiment.foreign._units import seconds_in

FORMAT = "Criterion JSON messages"
FOLDER_FORMAT = "Criterion's folder"
CSV_FORMAT = "Criterion CSV"

_COMPLETE = "benchmark-complete"


def is_criterion(found: object) -> bool:
    """Say whether a line of JSON is a message of cargo-criterion."""
    return isinstance(found, dict) and str(found.get("reason", "")).startswith(
        ("benchmark-", "group-")
    )


def read_messages(messages: list[Place]) -> list[Timing]:
    """Return the timings of the messages that say that a benchmark is complete."""
    complete = [one for one in messages if (one / "reason").value == _COMPLETE]
    return [_timing(message) for message in complete]


def read_folder(folder: Path) -> list[Timing]:
    """Return the timings below ``target/criterion``: those of the last run of each benchmark."""
    return [_of_folder(description) for description in sorted(folder.rglob("new/benchmark.json"))]


def _timing(message: Place) -> Timing:
    name, unit = (message / "id").text(), message.get("unit")
    factor = 1e-9 if unit is None else seconds_in(unit.text(), unit.where)
    values, counts = message.get("measured_values"), message.get("iteration_count")
    apart = taken_apart(name)
    if values is not None and counts is not None and values.value:
        samples = list(_per_iteration(values, counts, factor))
        return timed(name, apart.family, apart.parameters, samples)
    for figure in ("median", "typical", "mean"):
        if (found := message.get(figure)) is not None:
            given = found.get("unit")
            own = factor if given is None else seconds_in(given.text(), given.where)
            seconds = (found / "estimate").seconds(own)
            basis = f"the {figure} in the file"
            return Timing(name, apart.family, apart.parameters, seconds, basis)
    raise message.without("measured values, median or mean")


def _per_iteration(times: Place, counts: Place, factor: float) -> Iterator[float]:
    pairs = list(times.items()), list(counts.items())
    if len(pairs[0]) != len(pairs[1]):
        raise ForeignFileError(
            f"{counts.where} has {len(pairs[1])} entries for {len(pairs[0])} of {times.where}"
        )
    for time, count in zip(*pairs, strict=True):
        iterations = count.seconds()
        if iterations == 0:
            raise count.wrong("above 0")
        yield time.seconds(factor) / iterations


def _of_folder(description: Path) -> Timing:
    name = (_loaded(description) / "full_id").text()
    sample = _loaded(description.with_name("sample.json"))
    apart = taken_apart(name)
    samples = list(_per_iteration(sample / "times", sample / "iters", 1e-9))
    if not samples:
        raise ForeignFileError(f"{sample.where}times is empty")
    return timed(name, apart.family, apart.parameters, samples)


def _loaded(path: Path) -> Place:
    try:
        found: Any = json.loads(path.read_bytes())
    except OSError as error:
        raise ForeignFileError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ForeignFileError(f"{path}: damaged JSON: {error}") from error
    return Place(found, f"{path}: ")
