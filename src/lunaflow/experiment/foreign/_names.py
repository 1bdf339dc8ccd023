"""Sizes and other parameters in the names of benchmarks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

Number = int | float

_INTEGER = re.compile(r"[+-]?\d+(_\d+)*", re.ASCII)
_POWER = re.compile(r"(\d+)(?:\^|\*\*)(\d{1,4})", re.ASCII)
_BINARY = re.compile(r"(\d+) ?([KMGT])i(?:B|b)?", re.ASCII)
_FLOAT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_STEPS = {"K": 10, "M": 20, "G": 30, "T": 40}
_LARGEST_EXPONENT = 1024

_ASSIGNED = re.compile(r"(?<![\w.-])-{0,2}([^\W\d][\w.-]*)(?:\s*=\s*|:)([^\s,;=:/\[\]()]+)")
_IN_BRACKETS = re.compile(r"\[([^\[\]]*)\]$|\(([^()]*)\)$")
# what Google Benchmark puts behind the arguments
_NO_PARAMETER = {"real_time", "process_time", "manual_time"}


@dataclass(frozen=True, slots=True)
class Name:
    """A benchmark's name taken apart.

    Parameters
    ----------
    family : str
        What is left of the name without its parameters.
    parameters : tuple of (str, str)
        Name and value of each, as texts. One without a name has ``#1``, ``#2``, ..., by position.
    """

    family: str
    parameters: tuple[tuple[str, str], ...] = ()


def number_of(text: str) -> Number | None:
    """Return the number that a text is: ``1024``, ``1_024``, ``2^10``, ``2**10``, ``4Ki``, ``1e6``.

    None for anything else, ``8k`` among it, which is 8000 to some tools and 8192 to others.
    """
    text = text.strip()
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) < 100 else None
    if (power := _POWER.fullmatch(text)) is not None:
        base, exponent = int(power[1]), int(power[2])
        fits = base < 100 and exponent <= _LARGEST_EXPONENT
        return base**exponent if fits else None
    if (binary := _BINARY.fullmatch(text)) is not None:
        return int(binary[1]) << _STEPS[binary[2]]
    if _FLOAT.fullmatch(text) and len(text) < 100:
        number = float(text)
        return int(number) if number.is_integer() and abs(number) < 2.0**53 else number
    return None


def taken_apart(text: str) -> Name:
    """Return family and parameters of a name.

    Parameters stand in brackets at the end (``sort[n=1024]``, ``sort[1024-int32]``, ``sort(8)``),
    behind slashes (``sort/1024``, ``sort/n:1024/threads:4``), or as assignments anywhere
    (``sort size=2^10``).
    """
    text = text.strip()
    parameters: list[tuple[str, str]] = []
    if (found := _IN_BRACKETS.search(text)) is not None and found.start() > 0:
        parameters = list(_bracketed(found[1] if found[1] is not None else found[2]))
        text = text[: found.start()].rstrip()
    parameters = [*_assigned(text), *parameters]
    text = " ".join(_ASSIGNED.sub("", text).split()).rstrip(" :,;")
    family, slashed = _behind_slashes(text)
    return Name(family, _numbered([*parameters, *slashed]))


def templated(command: str, parameters: tuple[tuple[str, str], ...]) -> str:
    """Return a command with its parameters' values written as ``{name}`` again.

    Of values inside each other the longest is replaced; only whole words and numbers are.
    """
    for name, value in sorted(parameters, key=lambda pair: -len(pair[1])):
        if value:
            whole = rf"(?<![\w{{]){re.escape(value)}(?![\w}}])"
            command = re.sub(whole, f"{{{name}}}".replace("\\", "\\\\"), command)
    return command


def _assigned(text: str) -> Iterator[tuple[str, str]]:
    for found in _ASSIGNED.finditer(text):
        yield found[1], found[2]


def _bracketed(text: str) -> Iterator[tuple[str, str]]:
    separator = "," if "," in text or "=" in text else "-"
    for part in re.split(rf"\s*{separator}\s*", text.strip()):
        assigned = re.fullmatch(r"([^\W\d][\w.]*)\s*[=:]\s*(.*)", part)
        yield (assigned[1], assigned[2]) if assigned is not None else ("", part)


def _behind_slashes(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a name without the numbers behind its slashes, and these."""
    family, *parts = text.split("/")
    numbers = [("", part) for part in parts if number_of(part) is not None]
    words = [p for p in parts if number_of(p) is None and p and p not in _NO_PARAMETER]
    return "/".join([family, *words]), numbers


def _numbered(parameters: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    count, named = 0, list[tuple[str, str]]()
    for name, value in parameters:
        count += not name
        named.append((name or f"#{count}", value))
    return tuple(named)
