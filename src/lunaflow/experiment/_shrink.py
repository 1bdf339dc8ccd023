"""Greedy descent from a failing input to a smaller one that still fails."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from lunaflow._arguments import as_integer, reject_type

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shrinker:
    """How inputs of one kind get simpler.

    Parameters
    ----------
    candidates : callable
        ``candidates(input)`` returns an iterable of simpler inputs, the biggest cuts first. It is
        drawn from lazily and may be endless.
    text : callable
        ``text(input)`` is the input in words, for the path.
    max_steps : int
        How often the predicate may be evaluated, at least 0.

    Raises
    ------
    ValueError
        If `max_steps` is negative.
    """

    candidates: Callable[[Any], Iterable[Any]]
    text: Callable[[Any], str] = repr
    max_steps: int = 128

    def __post_init__(self) -> None:
        for name in ("candidates", "text"):
            if not callable(getattr(self, name)):
                raise reject_type(name, getattr(self, name), "callable")
        steps = as_integer("max_steps", self.max_steps)
        if steps < 0:
            raise ValueError(f"max_steps must be at least 0, not {steps}")
        object.__setattr__(self, "max_steps", steps)


class Shrunk(NamedTuple):
    """What shrinking came to.

    `path` holds the texts of the accepted inputs in order, `evaluations` counts the calls of the
    predicate, and `locally_minimal` says that no candidate of `result` fails.
    """

    result: Any
    path: tuple[str, ...]
    evaluations: int
    locally_minimal: bool


def shrink(initial: T, shrinker: Shrinker, still_fails: Callable[[T], bool]) -> Shrunk:
    """Return the end of the greedy descent from `initial`.

    From the current input the first candidate on which `still_fails` holds is taken, until none
    holds or the predicate was evaluated ``shrinker.max_steps`` times. `initial` itself is not
    tested: if it fails, so does the result. An exception of `still_fails` or `candidates` is passed
    on.

    Parameters
    ----------
    initial : object
        The input to start from.
    shrinker : Shrinker
        The candidates and the budget.
    still_fails : callable
        The predicate.

    Returns
    -------
    Shrunk
        A named tuple ``(result, path, evaluations, locally_minimal)``.
    """
    current, path, evaluations = initial, list[str](), 0
    candidates = iter(shrinker.candidates(current))
    while True:
        # drawn before the budget is looked at: running out of candidates is what minimal means
        try:
            candidate = next(candidates)
        except StopIteration:
            return Shrunk(current, tuple(path), evaluations, True)
        if evaluations >= shrinker.max_steps:
            return Shrunk(current, tuple(path), evaluations, False)
        evaluations += 1
        if still_fails(candidate):
            current = candidate
            path.append(shrinker.text(current))
            candidates = iter(shrinker.candidates(current))
