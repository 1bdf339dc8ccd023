"""From the timings of a file to two series over a scale."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lunaflow.experiment.foreign._names import Number, number_of
from lunaflow.experiment.foreign._place import ForeignFileError
from lunaflow.experiment.foreign._timings import ForeignResults, Timing


@dataclass(frozen=True, slots=True)
class Series:
    """The timings of two implementations, by size.

    Parameters
    ----------
    size_parameter : str
        Which parameter the sizes are.
    sizes : tuple of int or float
        All sizes of either, ascending.
    a, b : dict of size to Timing
        A size that one of them lacks is not in its dict.
    """

    size_parameter: str
    sizes: tuple[Number, ...]
    a: Mapping[Number, Timing]
    b: Mapping[Number, Timing]


def series_of(
    results: ForeignResults,
    a: str,
    b: str,
    *,
    size_parameter: str | None = None,
    only: Mapping[str, str] | None = None,
) -> Series:
    """Return the timings of two implementations by their size.

    Raises
    ------
    ForeignFileError
        If a name is not in the file, no parameter or several may be the size, or one size has
        several timings. The message says which options decide.
    """
    of_a, of_b = (_chosen(results, name, only or {}) for name in (a, b))
    if any(one in of_b for one in of_a):
        raise ForeignFileError(f"{a!r} and {b!r} mean the same timings; {_known(results)}")
    parameter = _size_parameter([*of_a, *of_b], size_parameter)
    by_size = [_by_size(name, found, parameter) for name, found in ((a, of_a), (b, of_b))]
    sizes = tuple(sorted({size for one in by_size for size in one}))
    return Series(parameter, sizes, *by_size)


def _chosen(results: ForeignResults, name: str, only: Mapping[str, str]) -> list[Timing]:
    found = [one for one in results.timings if one.goes_by(name)]
    if not found:
        found = [one for one in results.timings if one.is_short_for(name)]
        labels = list(dict.fromkeys(one.label for one in found))
        if len(labels) > 1:
            known = ", ".join(map(repr, labels))
            raise ForeignFileError(f"{name!r} may mean several of these: {known}; name one whole")
    if not found:
        raise ForeignFileError(f"nothing goes by the name {name!r}; {_known(results)}")
    kept = [one for one in found if _has(one, only)]
    if not kept:
        wanted = ", ".join(f"{key}={value}" for key, value in only.items())
        raise ForeignFileError(f"no timing of {name!r} has {wanted}; {_parameters_text(found)}")
    return kept


def _known(results: ForeignResults) -> str:
    names = ", ".join(repr(one) for one in dict.fromkeys(one.label for one in results.timings))
    return f"the file has {names}"


def _has(timing: Timing, only: Mapping[str, str]) -> bool:
    own = dict(timing.parameters)
    return all(key in own and _same(own[key], value) for key, value in only.items())


def _same(one: str, other: str) -> bool:
    numbers = number_of(one), number_of(other)
    return one == other if None in numbers else numbers[0] == numbers[1]


def _size_parameter(timings: list[Timing], wanted: str | None) -> str:
    values = _numeric_values(timings)
    if wanted is not None:
        if wanted not in values:
            raise ForeignFileError(
                f"{wanted!r} is no parameter with a number in every timing; "
                f"{_parameters_text(timings)}"
            )
        return wanted
    varying = [name for name, found in values.items() if len(found) > 1]
    if len(varying) == 1:
        return varying[0]
    if len(varying) > 1:
        texts = [f"{name} ({_some(sorted(values[name]))})" for name in varying]
        raise ForeignFileError(
            f"several parameters may be the size: {', '.join(texts)}; say which with "
            f"--size-parameter {varying[0]}, and fix the others with --only NAME=VALUE"
        )
    if values:
        return next(iter(values))
    raise ForeignFileError(f"no parameter is a number, so there is no size; {_names(timings)}")


def _numeric_values(timings: list[Timing]) -> dict[str, set[Number]]:
    """Return the values of each parameter that is a number in every timing."""
    found: dict[str, set[Number]] = {}
    counts: dict[str, int] = {}
    for timing in timings:
        for name, text in timing.parameters:
            number = number_of(text)
            if number is not None:
                found.setdefault(name, set()).add(number)
                counts[name] = counts.get(name, 0) + 1
    return {name: values for name, values in found.items() if counts[name] == len(timings)}


def _by_size(name: str, timings: list[Timing], parameter: str) -> dict[Number, Timing]:
    by_size: dict[Number, Timing] = {}
    for timing in timings:
        size = number_of(dict(timing.parameters)[parameter])
        if size is None:
            raise ForeignFileError(f"{parameter} of {timing.name!r} is no number")
        if size in by_size:
            raise ForeignFileError(_twice(name, size, by_size[size], timing))
        by_size[size] = timing
    return by_size


def _twice(name: str, size: Number, first: Timing, second: Timing) -> str:
    text = f"{name!r} has several timings at size {size}: {first.name!r} and {second.name!r}"
    if first.label != second.label:
        return f"{text}; name one of them whole: {first.label!r} or {second.label!r}"
    own, other = dict(first.parameters), dict(second.parameters)
    differing = [key for key in own if key in other and own[key] != other[key]]
    hint = f"; fix one with --only {differing[0]}={own[differing[0]]}" if differing else ""
    return f"{text}{hint}"


def _parameters_text(timings: list[Timing]) -> str:
    values: dict[str, dict[str, None]] = {}
    for timing in timings:
        for name, text in timing.parameters:
            values.setdefault(name, {})[text] = None
    if not values:
        return _names(timings)
    return "there are " + "; ".join(f"{name}: {_some(found)}" for name, found in values.items())


def _names(timings: list[Timing]) -> str:
    return f"the names are {_some([one.name for one in timings])}"


def _some(values: Iterable[object], most: int = 6) -> str:
    texts = list(dict.fromkeys(map(str, values)))
    return ", ".join(texts[:most]) + (", ..." if len(texts) > most else "")
