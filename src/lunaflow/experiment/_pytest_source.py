"""A failing input as a test that pytest runs."""

import re
from typing import Any

from lunaflow._arguments import reject_type, require_callable
from lunaflow._texts import one_line
from lunaflow.experiment._check import check
from lunaflow.experiment._closeness import Closeness
from lunaflow.experiment._oracles import ReferenceOracle, parts_of
from lunaflow.experiment._source import NoSource, Source
from lunaflow.experiment._statuses import Valid

_SHOWN = 90


def pytest_source(
    implementation: Any,
    argument: Any,
    oracle: ReferenceOracle,
    *,
    name: str | None = None,
    size: int | None = None,
    reason: str = "",
    may_change_input: bool = False,
) -> str:
    """Return the source of a test that `implementation` is right on one input.

    Parameters
    ----------
    implementation : callable
        The implementation, importable by name.
    argument : object
        The input: numbers, texts, containers, arrays, dataclasses, and all of them inside each
        other.
    oracle : ReferenceOracle
        One made by `equal`, `close` or `same_outcome`, whose reference is importable by name.
    name : str, optional
        How the implementation was called in the experiment; by default the name it is imported by.
    size : int, optional
        The size at which it failed.
    reason : str
        What was wrong.
    may_change_input : bool
        Whether the implementation may change its input.

    Raises
    ------
    NoSource
        If a callable has no import name, or the input cannot be written as source.
    """
    require_callable("implementation", implementation)
    source = Source()
    called = source.name_of("the implementation", implementation)
    given = source.value(argument)
    judged_by = _oracle_source(oracle, source)
    for public in (ReferenceOracle, Valid, check):
        source.add_public(public.__name__)
    title = name or called.rpartition(".")[2]
    changing = ", may_change_input=True" if may_change_input else ""
    where = "" if size is None else f" at size {size}"
    about = [f'"""{_in_docstring(f"{title}{where} fails on an input that was found.")}']
    about += ["", _in_docstring(reason)] if reason else []
    return "\n".join(
        [
            *about,
            '"""',
            "",
            *source.lines(),
            "",
            "",
            f"def test_{_identifier(title)}{where.replace(' ', '_')}():",
            f"    given = {given}",
            f"    oracle = {judged_by}",
            f"    assert check({called}, given, oracle{changing}) == Valid()",
            "",
        ]
    )


def _oracle_source(oracle: object, source: Source) -> str:
    if not isinstance(oracle, ReferenceOracle):
        raise reject_type("oracle", oracle, "a ReferenceOracle")
    parts = parts_of(oracle)
    if parts is None:
        raise NoSource(
            f"the oracle {oracle.id!r} cannot be written as source: it was not made by "
            "ReferenceOracle.equal, close or same_outcome"
        )
    kind, reference, comparator = parts
    # an experiment wraps the reference that it was given
    reference = getattr(reference, "reference", reference)
    arguments = [repr(oracle.id), source.name_of("the reference", reference)]
    if isinstance(comparator, Closeness):
        arguments += [f"rel={comparator.rel!r}", f"abs={comparator.abs!r}"]
    elif comparator is not None:
        arguments.append(source.name_of("the comparator", comparator))
    return f"ReferenceOracle.{kind}({', '.join(arguments)})"


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "implementation"


def _in_docstring(text: str) -> str:
    line = one_line(text, _SHOWN).encode("ascii", "backslashreplace").decode("ascii")
    return line.replace("\\", "\\\\").replace('"', "'")
