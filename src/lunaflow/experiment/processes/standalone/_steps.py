"""Sequences of calls: what a step returns hands on the context that the next one starts from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Run = Callable[[Any, int, Any], Any]
"""``run(input, step, context)``; what it returns may have the attribute ``next_context``."""


def payload_of(run: Run, steps: int) -> Callable[[tuple[Any, Any]], Any]:
    """Return the payload that takes input and initial context and runs so many steps."""

    def payload(argument: tuple[Any, Any]) -> Any:
        given, context = argument
        for step in range(steps):
            returned = run(given, step, context)
            context = getattr(returned, "next_context", context)
        return returned

    return payload


def run_steps(run: Run, given: Any, context: Any, steps: int) -> list[tuple[bool, Any]]:
    """Return what each step came to: True and the exception, or False and what it returned.

    An exception ends the sequence: there is no context that a next step could start from.
    """
    found: list[tuple[bool, Any]] = []
    for step in range(steps):
        try:
            returned = run(given, step, context)
        except Exception as error:
            return [*found, (True, error)]
        found.append((False, returned))
        context = getattr(returned, "next_context", context)
    return found


class Stateless:
    """A function of the input alone, as a step of a sequence."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, given: Any, step: int, context: Any) -> Any:  # noqa: ARG002
        """Return ``function(given)``."""
        return self.function(given)
