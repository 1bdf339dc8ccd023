"""Python expressions from the command line, as what an experiment compares.

They are classes of this module, so that fresh interpreters can import them by name.
"""

import ast
import math
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lunaflow.experiment.candidates import by_type, product

_RESERVED = ("np", "math", "rng", "n")

Variables = dict[str, Any]
"""What the set-up has assigned, and ``n``: the input of an experiment."""


class WrongExpression(ValueError):
    """Source that is no expression, or no set-up; the message shows it."""


class Setup:
    """The statements that make the variables of a size, from ``np``, ``math``, ``n`` and ``rng``.

    Parameters
    ----------
    source : str
        Python statements.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        _parsed(source, "exec", "the set-up")

    def __call__(self, n: int, rng: np.random.Generator) -> Variables:
        """Return the variables of size `n`."""
        names: dict[str, Any] = {"np": np, "math": math, "rng": rng, "n": n}
        try:
            exec(compile(self.source, "<set-up>", "exec"), names)  # noqa: S102 (the user's source)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise WrongExpression(f"the set-up failed for n = {n}: {why}") from error
        made = {name: value for name, value in names.items() if _is_variable(name, value)}
        return {**made, "n": n}

    def simpler_inputs(self, variables: Variables) -> Iterator[Variables]:
        """Yield variables of which one is simpler by its type; none goes, and ``n`` stays."""
        names = [name for name in variables if name != "n"]
        values = tuple(variables[name] for name in names)
        for simpler in product(*[by_type] * len(names))(values):
            yield {**variables, **dict(zip(names, simpler, strict=True))}


class Expression:
    """An expression of the variables that a `Setup` makes, as a function of them.

    Parameters
    ----------
    source : str
        A Python expression; ``np`` and ``math`` are there too.
    """

    without_oracle = True
    """The command line has no oracle that expects exceptions."""

    def __init__(self, source: str) -> None:
        self.source = source
        tree = _parsed(source, "eval", "the expression")
        loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        self._names = tuple(sorted(loaded))
        self._function: Callable[[Variables], Any] | None = None

    def __call__(self, variables: Variables) -> Any:
        """Return the value of the expression."""
        if self._function is None:
            self._function = self._made(variables)
        return self._function(variables)

    @property
    def __name__(self) -> str:
        return self.source

    def __reduce__(self) -> tuple[Any, ...]:
        return Expression, (self.source,)

    def _made(self, variables: Variables) -> Callable[[Variables], Any]:
        # the variables become local ones: looked up once a call, as in a function of the user's
        local = [name for name in self._names if name in variables]
        lines = [f"    {name} = _variables[{name!r}]" for name in local]
        body = "\n".join(["def call(_variables):", *lines, f"    return (\n{self.source}\n    )"])
        names: dict[str, Any] = {"np": np, "math": math}
        exec(compile(body, "<expression>", "exec"), names)  # noqa: S102 (as above)
        made: Callable[[Variables], Any] = names["call"]
        return made


def split_name(given: str) -> tuple[str, str]:
    """Return name and source of ``NAME=EXPRESSION``; the source itself is the name otherwise."""
    name, equals, source = given.partition("=")
    if equals and name.strip().isidentifier() and not source.startswith("="):
        return name.strip(), source.strip()
    return given.strip(), given.strip()


def _is_variable(name: str, value: object) -> bool:
    kept = not name.startswith("_") and name not in _RESERVED
    return kept and not isinstance(value, types.BuiltinFunctionType)


def _parsed(source: str, mode: Any, what: str) -> ast.AST:
    try:
        parsed: ast.AST = ast.parse(source.strip(), mode=mode)
        return parsed
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise WrongExpression(f"{what} {source!r} is not Python: {reason}") from None
