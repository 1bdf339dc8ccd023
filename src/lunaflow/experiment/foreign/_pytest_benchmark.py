"""Files of pytest-benchmark: ``pytest --benchmark-json=FILE``."""

from lunaflow.experiment.foreign._names import taken_apart
from lunaflow.experiment.foreign._place import Place
from lunaflow.experiment.foreign._timings import Timing, timed

FORMAT = "pytest-benchmark JSON"


def is_pytest_benchmark(found: object) -> bool:
    """Say whether JSON is a run of pytest-benchmark."""
    match found:
        case {"benchmarks": [{"stats": _}, *_]} | {"machine_info": _, "benchmarks": [*_]}:
            return True
    return False


def read_pytest_benchmark(run: Place) -> list[Timing]:
    """Return the timings of a run: seconds an iteration of each round, else the median."""
    return [_timing(one) for one in (run / "benchmarks").items()]


def _timing(benchmark: Place) -> Timing:
    name = (benchmark / "name").text()
    apart = taken_apart(name)
    parameters, params = apart.parameters, benchmark.get("params")
    if params is not None:
        # values that are no JSON are written as their repr, or as "UNSERIALIZABLE[...]"
        parameters = tuple((key, _text(one)) for key, one in params.fields())
    stats = benchmark / "stats"
    data = stats.get("data")
    samples = [] if data is None else [one.seconds() for one in data.items()]
    if samples:
        return timed(name, apart.family, parameters, samples)
    for figure in ("median", "mean"):
        if (given := stats.get(figure)) is not None:
            basis = f"the {figure} in the file"
            return Timing(name, apart.family, parameters, given.seconds(), basis)
    raise stats.without("data, median or mean")


def _text(parameter: Place) -> str:
    return parameter.value if isinstance(parameter.value, str) else str(parameter.value)
