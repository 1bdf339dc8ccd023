"""Files of hyperfine: ``--export-json FILE`` or ``--export-csv FILE``."""

from collections.abc import Iterable
from dataclasses import replace

from lunaflow.experiment.foreign._names import number_of, taken_apart, templated
from lunaflow.experiment.foreign._place import Place
from lunaflow.experiment.foreign._timings import Parameters, Timing, timed

FORMAT = "hyperfine JSON"
CSV_FORMAT = "hyperfine CSV"


def is_hyperfine(found: object) -> bool:
    """Say whether JSON is an export of hyperfine."""
    match found:
        case {"results": [{"command": _}, *_]}:
            return True
    return False


def read_hyperfine(export: Place) -> list[Timing]:
    """Return the timings of an export: the times of the single runs, else the median."""
    return with_varying_numbers([_timing(one) for one in (export / "results").items()])


def _timing(result: Place) -> Timing:
    command = (result / "command").text()
    given = result.get("parameters")
    parameters = () if given is None else tuple((n, str(one.value)) for n, one in given.fields())
    family, parameters = family_of(command, parameters)
    times, unusable = result.get("times"), _failure(result)
    samples = [] if times is None else [one.seconds() for one in times.items()]
    if samples:
        return timed(command, family, parameters, samples, unusable=unusable)
    for figure in ("median", "mean"):
        if (found := result.get(figure)) is not None:
            basis = f"the {figure} in the file"
            return Timing(command, family, parameters, found.seconds(), basis, unusable=unusable)
    raise result.without("times, median or mean")


def family_of(command: str, parameters: Parameters) -> tuple[str, Parameters]:
    """Return a command without its parameters, and these; without any those of its name."""
    if parameters:
        return templated(command, parameters), parameters
    apart = taken_apart(command)
    return apart.family, apart.parameters


def with_varying_numbers(timings: Iterable[Timing]) -> list[Timing]:
    """Return timings, those without parameters with the numbers in which their commands differ.

    Commands of one name are those that are the same but for the words that are numbers: ``sort
    1000`` and ``sort 2000``, where the number is a parameter without a name. A number that all of
    them have belongs to the name, as do those of a command that is alone.
    """
    found = list(timings)
    alike: dict[tuple[str | None, ...], list[int]] = {}
    for position, timing in enumerate(found):
        if not timing.parameters:
            words = timing.family.split()
            pattern = tuple(None if number_of(word) is not None else word for word in words)
            alike.setdefault(pattern, []).append(position)
    for positions in alike.values():
        commands = [found[position].family.split() for position in positions]
        varying = [i for i, words in enumerate(zip(*commands, strict=True)) if len(set(words)) > 1]
        for position, words in zip(positions, commands, strict=True):
            family = " ".join(word for i, word in enumerate(words) if i not in varying)
            numbers = tuple((f"#{n}", words[i]) for n, i in enumerate(varying, start=1))
            if family and numbers:
                found[position] = replace(found[position], family=family, parameters=numbers)
    return found


def _failure(result: Place) -> str | None:
    codes = result.get("exit_codes")
    wrong = [] if codes is None else [one.value for one in codes.items() if one.value != 0]
    return f"it ended with exit code {wrong[0]}" if wrong else None
