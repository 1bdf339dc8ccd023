"""Files of pyperf: ``python script.py -o FILE``."""

from lunaflow.experiment.foreign._names import taken_apart
from lunaflow.experiment.foreign._place import ForeignFileError, Place
from lunaflow.experiment.foreign._timings import Timing, timed

FORMAT = "pyperf JSON"


def is_pyperf(found: object) -> bool:
    """Say whether JSON is a suite of pyperf."""
    match found:
        case {"benchmarks": [{"runs": _}, *_]}:
            return True
    return False


def read_pyperf(suite: Place) -> list[Timing]:
    """Return the timings of a suite: seconds a loop of all runs but those that calibrate."""
    common = suite.get("metadata")
    return [_timing(one, common) for one in (suite / "benchmarks").items()]


def _timing(benchmark: Place, common: Place | None) -> Timing:
    runs = list((benchmark / "runs").items())
    found = [benchmark.get("metadata"), common]
    if runs:
        found.append(runs[0].get("metadata"))
    metadata = [one for one in found if one is not None]
    unit = _field("unit", metadata)
    if unit is not None and unit.text() != "second":
        raise ForeignFileError(f"{unit.where} is {unit.text()!r}: these are no times")
    name = _field("name", metadata)
    if name is None:
        raise ForeignFileError(f"{benchmark.where}.metadata.name is missing")
    samples: list[float] = []
    groups: list[int] = []
    for number, run in enumerate(runs):
        values = run.get("values")
        for value in () if values is None else values.items():
            samples.append(value.seconds())
            groups.append(number)
    if not samples:
        raise ForeignFileError(f"{benchmark.where}.runs hold no values")
    apart = taken_apart(name.text())
    return timed(name.text(), apart.family, apart.parameters, samples, groups=groups)


def _field(name: str, metadata: list[Place]) -> Place | None:
    for one in metadata:
        if (found := one.get(name)) is not None:
            return found
    return None
